"""Why a URL was fetched, or not: what the journal says, and what the policy thought then."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from lodehound.assembly.rebuild import config_of, rebuild, scope_of
from lodehound.assembly.resuming import next_command
from lodehound.core.errors import ConfigError, LodehoundError
from lodehound.core.link import Link
from lodehound.core.messages import Group
from lodehound.core.scope import TOO_DEEP, Scope
from lodehound.core.urls import canonical, host_of, proposed, resolve
from lodehound.reports.link_paths import PathStep, first_of, way_to
from lodehound.reports.scope_rules import rule_of
from lodehound.reports.similar_urls import nearest
from lodehound.reports.skipped import HostCaps, reason_of
from lodehound.reports.verdict_words import worth_of
from lodehound.stores.catalogue.find_reads import find_of, finds_sharing
from lodehound.stores.catalogue.renders import LoadedBy, RenderRow, loaders_of, renders_of
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader, url_of
from lodehound.stores.log.request_reads import asked_urls, is_asked, redirects, requests_for
from lodehound.version import VERSION

Kind = Literal["find", "fetched", "failed", "robots", "refused", "waiting", "unanswered", "unseen"]

OTHERS = 5  # groups named beside its own
SHARING = 5  # finds named that share its file


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One request for the URL, and what came of it."""

    number: int
    method: str
    why: str
    probability: float | None
    depth: int
    asked_at: str
    status: int | None  # None: no answer yet
    mime: str
    size: int
    error: str
    cut: bool
    tries: int
    sent: bool
    found: bool
    new_links: int
    title: str
    to: str  # where it sent us


@dataclass(frozen=True, slots=True)
class Standing:
    """What the policy thought just before it chose; or thinks now, of a link that waits."""

    before: int  # number of the request; 0: now
    group: Group | None  # the link's own
    name: str  # of that group, or of what stands before all groups
    rank: int  # of its group among those with links waiting, from 1; 0: not among them
    awake: int  # groups with links waiting
    others: tuple[Group, ...]  # the best of the others


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that is known of one URL."""

    url: str
    kind: Kind
    rule: str = ""  # that keeps it out
    reason: str = ""  # as ``lodehound skipped`` calls it
    way: tuple[PathStep, ...] = ()
    requests: tuple[RequestRow, ...] = ()
    find: dict[str, Any] | None = None
    worth: str = ""  # what the target said of the find
    standing: Standing | None = None
    rendering: tuple[RenderRow, ...] = ()  # if a browser may show more of it
    loaded_by: tuple[LoadedBy, ...] = ()  # rendered pages that asked for it
    note: str = ""  # why something is missing here
    near: tuple[str, ...] = ()
    command: str = ""  # that continues the crawl, if the URL still waits

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def explain(
    directory: CrawlDir, look: CrawlReader, address: str, *, quick: bool = False
) -> Explanation:
    """Return why a URL was fetched, or not.

    Args:
        directory: The crawl.
        look: Its journal.
        address: Any spelling of the URL.
        quick: Leave out what the policy thought: that needs the crawl to be driven anew.
    """
    if meant := proposed(address):
        other = _as_crawled(look, meant)
        raise ConfigError(f"{address!r} is no web address: did you mean {other} ?")
    url = canonical(address)
    if not url:
        raise ConfigError(f"{address!r} is no web address: give http:// or https://.")
    requests = tuple(_request(row) for row in requests_for(look, url))
    if requests:
        explanation = _of_asked(directory, look, url, requests, quick=quick)
    else:
        explanation = _of_seen(directory, look, url, quick=quick)
    explanation = replace(
        explanation, rendering=renders_of(look.rows, url), loaded_by=loaders_of(look.rows, url)
    )
    if explanation.kind in {"waiting", "unanswered"}:
        return replace(explanation, command=next_command(directory, directory.summary()))
    return explanation


def _as_crawled(look: CrawlReader, url: str) -> str:
    """Return a URL with the scheme that its host was crawled with."""
    other = url.replace("https:", "http:", 1) if url.startswith("https:") else f"https{url[4:]}"
    return other if not is_asked(look, url) and is_asked(look, other) else url


def _request(row: Any) -> RequestRow:
    to = row["location"] or row["moved"] or ""
    return RequestRow(
        row["number"], row["method"], row["why"], row["probability"], row["depth"],
        row["asked_at"], row["status"], row["mime"] or "", row["size"] or 0,
        row["error"] or "", bool(row["cut"]), row["tries"] or 0,
        row["sent"] is None or bool(row["sent"]), bool(row["found"]), row["new_links"] or 0,
        row["title"] or "", to,
    )  # fmt: skip


# --- what was asked for -----------------------------------------------------------------------


def _of_asked(
    directory: CrawlDir,
    look: CrawlReader,
    url: str,
    requests: tuple[RequestRow, ...],
    *,
    quick: bool,
) -> Explanation:
    last = requests[-1]
    way = way_to(look, url)
    explanation = Explanation(url, _kind(last), way=tuple(way), requests=requests)
    if explanation.kind == "robots":
        explanation = replace(explanation, reason="robots", rule=f"{last.error} ({host_of(url)})")
    elif explanation.kind == "failed":
        explanation = replace(explanation, reason="error")
    found = find_of(look, last.number, url)
    if found is not None:  # maybe behind a redirect
        find = dict(zip(found.keys(), found, strict=True))
        find["shared_with"] = finds_sharing(look, find["file"], find["final_url"], SHARING)
        worth = worth_of(config_of(directory).want, find["label"], find["value"])
        explanation = replace(explanation, kind="find", find=find, worth=worth)
    if quick:
        return explanation
    number = first_of(way) or requests[0].number
    chosen = next((step.url for step in way if step.number == number), url)
    return _with_standing(explanation, directory, chosen, number)


def _kind(request: RequestRow) -> Kind:
    if request.status is None:
        return "unanswered"
    if not request.sent:
        return "robots" if request.error.startswith("robots") else "failed"
    if request.status == 0 or request.status >= 400:
        return "failed"
    if request.method == "HEAD":
        return "waiting"
    return "find" if request.found else "fetched"


# --- what was only seen, or not at all --------------------------------------------------------


def _of_seen(directory: CrawlDir, look: CrawlReader, url: str, *, quick: bool) -> Explanation:
    link, refusal, scope = _sighting(directory, look, url)
    if link is None:
        return Explanation(url, "unseen", near=tuple(nearest(url, _known_urls(look))))
    explanation = Explanation(url, "waiting", reason="budget", way=tuple(way_to(look, url, link)))
    if refusal:
        rule = rule_of(scope, link, refusal)
        return replace(explanation, kind="refused", reason=reason_of(refusal), rule=rule)
    if cap := _cap(directory, look, url):
        rule = f"{cap} is reached; a new crawl with a larger one fetches it"
        return replace(explanation, kind="refused", reason="cap", rule=rule)
    return explanation if quick else _with_standing(explanation, directory, url, None)


def _cap(directory: CrawlDir, look: CrawlReader, url: str) -> str:
    """Return the limit on hosts that keeps a URL out; "" if none does."""
    config = config_of(directory)
    caps = HostCaps(config.per_host, config.max_hosts)
    if config.per_host is None and config.max_hosts is None:
        return ""
    for row in asked_urls(look):
        caps.count(row["url"], row["method"])
    return caps.reached(url)


def _sighting(directory: CrawlDir, look: CrawlReader, url: str) -> tuple[Link | None, str, Scope]:
    """Return the first sighting of a URL that says why it is in or out."""
    scope = scope_of(config_of(directory))
    first, refusal = None, ""
    for shown in look.shown(holding=url):
        link = next((shown.link(part) for part in shown.parts if url_of(part) == url), None)
        if link is None:
            continue
        if first is None or refusal == TOO_DEEP:
            first, refusal = link, scope.refusal(link)
        if refusal != TOO_DEEP:
            break
    first = first or _redirected(look, url)
    return first, refusal or (scope.refusal(first) if first else ""), scope


def _redirected(look: CrawlReader, url: str) -> Link | None:
    """Return the first redirect to a URL, as a link."""
    for row in redirects(look):
        sender = row["url"]
        if url == resolve(sender, row["location"] or row["moved"]):
            return Link(url, sender, depth=row["depth"])
    return None


def _known_urls(look: CrawlReader) -> set[str]:
    """Return the URLs that were requested, or that a page shows."""
    asked = {row["url"] for row in asked_urls(look)}
    return asked.union(url_of(part) for shown in look.shown() for part in shown.parts)


# --- what the policy thought ------------------------------------------------------------------


def _with_standing(
    explanation: Explanation, directory: CrawlDir, url: str, number: int | None
) -> Explanation:
    try:
        lanes = rebuild(directory, until=number).lanes
    except LodehoundError as error:
        return replace(explanation, note=f"What the policy thought cannot be told. {error}")
    groups = lanes.groups()
    name = lanes.group_of(url)
    if not name and number is not None:
        # It may have been sorted in the moment it was chosen. This crawl is ours to try.
        lanes.choose(())
        name = lanes.group_of(url)
    if not groups:
        kind = type(lanes.policy).__name__
        return replace(
            explanation, note=f"The policy ({kind}) had no groups to compare at that point."
        )
    awake = [group for group in groups if group.waiting]
    rank = next((at for at, group in enumerate(awake, 1) if group.name == name), 0)
    own = next((group for group in groups if group.name == name), None)
    others = tuple(group for group in awake if group.name != name)[:OTHERS]
    standing = Standing(number or 0, own, name, rank, len(awake), others)
    return replace(explanation, standing=standing, note=_changes_since(directory, number))


def _changes_since(directory: CrawlDir, number: int | None) -> str:
    """Return a note if the policy or the version has changed since a request."""
    run = directory.facts.run_of(number) if number is not None else None
    if run is None:
        return ""
    notes, policy = [], config_of(directory).policy
    if run.policy != policy:
        notes.append(f"The policy was {run.policy} then; now it is {policy}.")
    if run.version != VERSION:
        notes.append(
            f"Lodehound {run.version} made this request; version {VERSION} may rank differently."
        )
    return " ".join(notes)
