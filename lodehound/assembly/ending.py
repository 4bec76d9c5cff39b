"""What a crawl did and how it ended: counts, reasons, exit codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from lodehound.assembly.trust import key_advice
from lodehound.config import CrawlConfig
from lodehound.core.link import Link
from lodehound.core.listing import API, LISTED, shortcut_of
from lodehound.core.messages import Answer, Page, Stop
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.text.counts import counted

MEANINGS = {
    "exhausted": "every link was followed",
    "left out": "no link was followed",
    "requests": "the budget of requests is spent",
    "bytes": "the budget of volume is spent",
    "seconds": "the time is up",
    "finds": "as many finds as wanted",
    "early-stop": "finds had become rare",
    "unreachable": "the links that are left wait for hosts that do not answer",
    "user": "stopped by the user",
}


class Exit(IntEnum):
    """Exit codes of ``crawl``, ``resume`` and ``update``: a contract, see docs/exit-codes.md."""

    FINISHED = 0
    FAILED = 1
    BAD_INPUT = 2
    NOTHING_REACHABLE = 3
    STOPPED = 4
    DISK_FULL = 5
    UNREACHABLE = 6
    NEWS = 7  # update --exit-code


@dataclass(frozen=True, slots=True)
class Ending:
    """How a crawl ended."""

    code: Exit
    reason: str  # exhausted, requests, ..., user, nothing reachable, disk full
    detail: str = ""
    notes: tuple[tuple[str, str], ...] = ()  # what else the user should know

    @property
    def sentence(self) -> str:
        meaning = MEANINGS.get(self.reason, self.reason)
        return f"{meaning}: {self.detail}" if self.detail else meaning


@dataclass(slots=True)
class Tally:
    """What a crawl did since it was started or resumed."""

    side_requests: int = 0  # robots.txt: not charged to the budget
    retries: int = 0
    unsent: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)  # requests set aside, by host
    obstacles: dict[str, str] = field(default_factory=dict)  # why, by host
    details: list[str] = field(default_factory=list)  # the first few errors in full
    statuses: Counter[int] = field(default_factory=Counter)
    listed: Counter[str] = field(default_factory=Counter)  # URLs, by shortcut
    api_answers: Counter[str] = field(default_factory=Counter)  # by shortcut
    locked: dict[str, str] = field(default_factory=dict)  # APIs that need a key, by shortcut

    @property
    def silent_hosts(self) -> str:
        """The hosts that did not answer, the worst first, and why as far as is known."""
        why = self.obstacles
        hosts = [
            f"{host} ({why[host]})" if host in why else host
            for host, _ in self.silent.most_common()
        ]
        more = f" and {counted(len(hosts) - 3, 'more host')}" if len(hosts) > 3 else ""
        return ", ".join(hosts[:3]) + more

    def count(self, link: Link, answer: Answer, page: Page) -> None:
        """Count one answer and what it lists, and note an API that needs a key."""
        if answer.sent:
            self.statuses[answer.status] += 1
        if answer.error and answer.sent:
            self.note(answer.error)
        elif answer.location:
            self.note(f"status {answer.status} to {answer.location[:200]}")
        if page.listing is not None:
            name = page.listing.shortcut
            listed = sum(one.kind == LISTED for one in page.links)
            if page.listing.is_wanted:  # the files are not links
                files = [*page.listing.files, *(f for d in page.listing.datasets for f in d.files)]
                listed = len(files)
            self.api_answers[name] += 1
            self.listed[name] += listed
        elif link.kind == API and answer.status in {401, 403}:
            self.locked[shortcut_of(link)] = answer.ask.url

    def set_aside(self, host: str, reason: str, detail: str = "") -> None:
        """Count a request that is made when the crawl is resumed."""
        self.unsent[reason] += 1
        self.silent[host] += 1
        why = f"{reason}: {detail}" if detail else reason
        if detail:
            self.obstacles.setdefault(host, why)
        self.note(why)

    def note(self, error: str) -> None:
        if len(self.details) < 5:
            self.details.append(error)


def ending_of(stop: Stop | None, tally: Tally, directory: CrawlDir, *, stopped: bool) -> Ending:
    """Return how a crawl ended, and why.

    Args:
        stop: Why the crawl asked for nothing more, if it said so.
        tally: What it did.
        directory: What is known of it from all its sessions.
        stopped: The user wanted it to stop.
    """
    notes = _notes(tally)
    if stop is None and stopped:
        detail = "what was in flight is kept"
        return Ending(Exit.STOPPED, "user", detail, notes)
    if not directory.round_summary().reached:
        if asked := tally.side_requests:
            notes = (*notes, ("not counted", f"{counted(asked, 'request')} for robots.txt"))
        return Ending(Exit.NOTHING_REACHABLE, "nothing reachable", _obstacles(tally), notes)
    stop = stop or Stop("exhausted")
    code = Exit.FINISHED
    # Some hosts are always dead. One that did answer fell silent, and its links with it.
    if stop.reason == "unreachable" and tally.silent.keys() & directory.journal.answering_hosts():
        code = Exit.UNREACHABLE
    return Ending(code, stop.reason, stop.detail, notes)


def _notes(tally: Tally) -> tuple[tuple[str, str], ...]:
    """Return what this session saw and the journal does not hold."""
    notes = []
    for name, count in tally.listed.items():
        answers = counted(tally.api_answers[name], "answer")
        notes.append((name, f"{counted(count, 'URL')} listed in {answers}"))
    for name, url in tally.locked.items():
        notes.append((name, f"{url} needs a key: {key_advice(name)}"))
    return tuple(notes)


def catalogue_notes(config: CrawlConfig, directory: CrawlDir) -> tuple[tuple[str, str], ...]:
    """Return a note if a crawl that only reads APIs has found none."""
    if not config.metadata_only or directory.finds.has_listings():
        return ()
    return (("catalogue of", "nothing: no API answered; 'lodehound shortcuts' lists those known"),)


def cap_notes(
    config: CrawlConfig, *, dropped: int, refused: Mapping[str, int]
) -> tuple[tuple[str, str], ...]:
    """Return which limits on hosts left links out.

    Args:
        config: The limits.
        dropped: Links left out by --per-host.
        refused: Links refused, by reason.
    """
    notes = []
    if dropped:
        notes.append(("cap", f"--per-host {config.per_host} left out {counted(dropped, 'link')}"))
    if many := refused.get("too many hosts", 0):
        notes.append(("cap", f"--max-hosts {config.max_hosts} left out {counted(many, 'link')}"))
    return tuple(notes)


def _obstacles(tally: Tally) -> str:
    """Return the errors and statuses that stood in the way."""
    plain = [status for status in tally.statuses if status and not 300 <= status < 400]
    found = [*tally.details, *(f"status {status}" for status in plain)]
    return "; ".join(dict.fromkeys(found)) or "no start URL answered"
