"""Lists every URL that a crawl saw and did not fetch, with the reason.

The journal contains all requests and every link of every page; the reasons follow from these
and from the scope. URLs are identified by their hashes (millions fit into memory), and their
texts are stored in a temporary file until the list is needed.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, Self

from lodehound.assembly.rebuild import config_of, known_target, scope_of
from lodehound.core.errors import UnknownNameError
from lodehound.core.link import Link
from lodehound.core.messages import Page
from lodehound.core.scope import TOO_DEEP, Scope
from lodehound.core.target import Target
from lodehound.core.urls import host_of, resolve
from lodehound.read.mime import is_html
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.log.request_reads import first_asked, requests_and_answers

REASONS = {
    "budget": "still waiting when the crawl ended, or waiting now",
    "cap": "beyond --per-host or --max-hosts",
    "scope": "outside the scope of the crawl",
    "blocked": "multimedia, or a file in which the target finds nothing, by extension or type",
    "trap": "looks like an endless space of pages",
    "robots": "robots.txt forbids it, or was unavailable",
    "error": "requested, but it failed: 404, another error, or no answer",
    "size": "fetched, but only its beginning was stored, or searched for links",
    "script": "fetched, but a browser would show more of it",
    "type": "a HEAD request showed that it is neither a page nor a find",
    "unanswered": "requested, but not answered yet",
    "replica": "not in the recording that was crawled",
}
OF_SCOPE = {
    "blocked extension": "blocked",
    "host not recorded": "replica",
    "not recorded": "replica",
}

# Why a page that seems to need a browser was not rendered.
UNMET = {
    "missing": "there is no browser (docs/javascript.md)",
    "off": "--render never",
    "left": "the budget was spent",
    "failed": "it could not be rendered",
}
FETCHED = 0  # the code of a URL that was not skipped
MOST = 200  # characters of a detail

Why = tuple[str, str]  # reason, detail


@dataclass(frozen=True, slots=True)
class Skipped:
    """One URL that was not fetched, or not completely."""

    url: str
    reason: str  # one of REASONS
    detail: str
    found_on: str  # the first page that contains it; "" for a start URL


def reason_of(refusal: str) -> str:
    """Return the reason for a refusal of the scope.

    >>> reason_of("trap: too long"), reason_of("other site")
    ('trap', 'scope')
    """
    return "trap" if refusal.startswith("trap") else OF_SCOPE.get(refusal, "scope")


class HostCaps:
    """The limits on hosts, and what a crawl has used of them.

    Args:
        per_host: Most URLs of one host.
        max_hosts: Most hosts.
    """

    def __init__(self, per_host: int | None = None, max_hosts: int | None = None) -> None:
        self.per_host = per_host
        self.max_hosts = max_hosts
        self._hosts: Counter[str] = Counter()

    def count(self, url: str, method: str) -> None:
        """Count a request."""
        if self.per_host is not None or self.max_hosts is not None:
            self._hosts[host_of(url)] += method == "GET"

    def reached(self, url: str) -> str:
        """Return the option that keeps a URL out; "" if none does."""
        if self.per_host is not None and self._hosts[host_of(url)] >= self.per_host:
            return f"--per-host {self.per_host}"
        if self.max_hosts is None or host_of(url) in self._hosts:
            return ""
        return f"--max-hosts {self.max_hosts}" if len(self._hosts) >= self.max_hosts else ""


class Skips:
    """The skipped URLs: counts immediately, the URLs by iteration.

    Args:
        look: The journal of the crawl.
        scope: The scope of the crawl.
        target: The target of the crawl; judges the answers to HEADs.
        listing: Store the URLs for a list; False if only the counts are needed.
        caps: The limits on hosts.

    Attributes:
        counts: Number of URLs by reason and detail.
        seen: Number of distinct URLs.
    """

    def __init__(
        self,
        look: CrawlReader,
        scope: Scope,
        target: Target,
        *,
        listing: bool = True,
        caps: HostCaps | None = None,
    ) -> None:
        self._look = look
        self._caps = caps or HostCaps()
        self._scope = scope
        self._target = target
        self._codes: dict[Why, int] = {("", ""): FETCHED}
        self._state: dict[int, int] = {}  # hash of a URL -> code
        self._pages: list[str] = []  # sources, by their number in the file
        self._too_deep = self._code("scope", TOO_DEEP)
        self._waiting = self._code("budget", "waiting")
        self._file: IO[str] | None = None
        if listing:
            self._file = tempfile.TemporaryFile(  # noqa: SIM115 - it stays open
                "w+", encoding="ascii", errors="backslashreplace"
            )
        try:
            self._take_asked()
            self._take_links()
        except BaseException:
            self.close()
            raise
        self.seen = len(self._state)
        whys = list(self._codes)
        counted = Counter(self._state.values())
        self.counts: Counter[Why] = Counter(
            {whys[code]: count for code, count in counted.items() if code != FETCHED}
        )

    def by_reason(self) -> dict[str, int]:
        """Return the number of skipped URLs by reason, most frequent first."""
        total: Counter[str] = Counter()
        for (reason, _), count in self.counts.items():
            total[reason] += count
        return dict(total.most_common())

    def why_of(self, url: str) -> Why | None:
        """Return why a URL was skipped: ("", "") if it was fetched, None if it was never seen."""
        code = self._state.get(hash(url))
        return None if code is None else list(self._codes)[code]

    def rows(self, reason: str = "") -> Iterator[Skipped]:
        """Yield every URL once: failed requests first, then the others.

        Args:
            reason: Only URLs skipped for this reason.
        """
        if reason and reason not in REASONS:
            raise UnknownNameError("reason", reason, REASONS)
        return self._rows(reason)

    def _rows(self, reason: str) -> Iterator[Skipped]:
        for url, why, source in self._seen():
            if why[0] and (not reason or why[0] == reason):
                yield Skipped(url, *why, source)

    def urls(self) -> Iterator[tuple[str, str]]:
        """Yield every URL that was seen, and the reason if it was skipped."""
        return ((url, why[0]) for url, why, _ in self._seen())

    def _seen(self) -> Iterator[tuple[str, Why, str]]:
        whys = list(self._codes)
        for url, source in self._texts():
            # A running crawl may have made more requests meanwhile.
            yield url, whys[self._state.get(hash(url), FETCHED)], source

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _texts(self) -> Iterator[tuple[str, str]]:
        """Yield every URL once; the file does not contain requested URLs."""
        for row in first_asked(self._look):
            yield row["url"], row["source"]
        if self._file is None:
            return
        self._file.seek(0)
        for line in self._file:
            url, _, page = line.rstrip("\n").partition("\t")
            yield url, self._pages[int(page)]

    def _code(self, reason: str, detail: str) -> int:
        return self._codes.setdefault((reason, detail[:MOST]), len(self._codes))

    # --- requests -----------------------------------------------------------------------------

    def _take_asked(self) -> None:
        moved = []
        for row in requests_and_answers(self._look):
            url = row["url"]
            why = self._of_head(row) if row["method"] == "HEAD" else self._of_get(row)
            self._state[hash(url)] = self._code(*why)  # a GET comes after its HEAD
            self._caps.count(url, row["method"])
            place = row["location"] or row["moved"] if row["method"] == "GET" else ""
            if place and (row["moved"] or 300 <= row["status"] < 400):
                moved.append(Link(resolve(url, place), url, depth=row["depth"]))
        for link in moved:
            if link.url and hash(link.url) not in self._state:
                self._take(link)

    def _of_get(self, row: Any) -> Why:
        if row["status"] is None:
            return "unanswered", "no answer yet"
        status, error = row["status"], _kind(row["error"])
        if not row["sent"]:
            return ("robots" if error.startswith("robots") else "error"), error
        if status == 0 or status >= 400:
            return "error", f"status {status}" if status else error or "no answer"
        if row["cut"] and self._scope.blocks(row["mime"]):
            return "blocked", "blocked type"
        if row["cut"]:
            return "size", "last links not read" if is_html(row["mime"]) else "truncated"
        return ("script", UNMET[row["outcome"]]) if row["outcome"] in UNMET else ("", "")

    def _of_head(self, row: Any) -> Why:
        """Return what happened to a link with only a HEAD request."""
        status, mime = row["status"], row["mime"] or ""
        if status is None or not row["sent"]:
            return self._of_get(row)
        if status in {404, 410}:
            return "error", f"status {status} (HEAD)"
        page = Page(row["url"], "HEAD", status, mime)
        if not page.ok or is_html(mime) or self._target.judge(page).found:
            return "budget", "waiting"
        return "type", mime or "no type"

    # --- links that were not requested --------------------------------------------------------

    def _take_links(self) -> None:
        state, too_deep = self._state, self._too_deep
        for shown in self._look.shown():
            for part in shown.parts:
                # url_of(part), inlined: this line runs once for every link of the crawl.
                url = "http" + part[: part.index('"')]
                if state.get(hash(url), too_deep) == too_deep:
                    self._take(shown.link(part))

    def _take(self, link: Link) -> None:
        """Classify a link that is new, or was too deep where it was seen before."""
        key = hash(link.url)
        before = self._state.get(key)
        if refusal := self._scope.refusal(link):
            self._state[key] = self._code(reason_of(refusal), refusal)
        else:
            cap = self._caps.reached(link.url)
            self._state[key] = self._code("cap", cap) if cap else self._waiting
        if before is None and self._file is not None:
            if not self._pages or self._pages[-1] != link.source:
                self._pages.append(link.source)
            self._file.write(f"{link.url}\t{len(self._pages) - 1}\n")


def _kind(error: str) -> str:
    """Return the type of an error: the text before its first colon."""
    return error.partition(":")[0]


def skips_of(directory: CrawlDir, look: CrawlReader, *, listing: bool = True) -> Skips:
    """Return what a crawl saw and did not fetch."""
    config = config_of(directory)
    caps = HostCaps(config.per_host, config.max_hosts)
    return Skips(look, scope_of(config), known_target(config), listing=listing, caps=caps)
