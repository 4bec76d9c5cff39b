"""The contents of a recorded site, found by crawling all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lodehound.core.crawl import MAX_REDIRECTS
from lodehound.core.messages import Outcome, Page
from lodehound.core.scope import Scope
from lodehound.core.target import Target
from lodehound.core.truth import Kind
from lodehound.drivers.replay import replay
from lodehound.lab.floor import floor_requests
from lodehound.policies.bfs import Bfs
from lodehound.read.mime import is_html
from lodehound.stores.site import ABSENT, RecordedSite


@dataclass(slots=True)
class SiteTruth:
    """The contents of a recorded site, and the totals that every table divides by.

    The denominator is the same for all policies: the requests of an exhaustive
    breadth-first crawl, including errors and redirects, without HEADs. The targets
    are those that this crawl reaches; the recording may contain more.
    """

    site: RecordedSite
    target: Target
    requests_total: int = 0
    target_bytes: int = 0
    other_bytes: int = 0
    floor: float = 0.0  # about the fewest requests to 90 % of the targets
    found: list[str] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)  # numbers of what else was reached and is there
    starts: Sequence[str] = ()
    scope: Scope | None = None
    _kinds: dict[str, Kind] = field(default_factory=dict)

    @property
    def targets_total(self) -> int:
        return len(self.found)

    def targets(self) -> Sequence[str]:
        return self.found

    def first(self, count: int) -> Sequence[Outcome]:
        """Crawl breadth first once more, and return what the policy learns from."""
        watching = _Watching()
        _, steps = replay(
            self.site, policy=watching, target=self.target, starts=self.starts, scope=self.scope
        )
        for _ in steps:
            if len(watching.seen) >= count:
                break
        return watching.seen[:count]

    def kind(self, url: str) -> Kind:
        kind = self._kinds.get(url)
        if kind is None:
            kind = self._kinds[url] = self._look(url)
        return kind

    def _look(self, url: str) -> Kind:
        site = self.site
        for _ in range(MAX_REDIRECTS + 1):
            number = site.number(url)
            if number == ABSENT:
                return "neither"
            status, place = int(site.status[number]), int(site.location[number])
            if place == ABSENT or not 300 <= status < 400:
                mime = site.mimes[site.mime[number]]
                return kind_of(self.target, Page(url, "GET", status, mime))
            url = site.urls[place]
        return "neither"


class _Watching(Bfs):
    """Breadth first; stores the outcome of every page that was fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Outcome] = []

    def learn(self, outcome: Outcome) -> None:
        super().learn(outcome)
        if outcome.choice is not None:
            self.seen.append(outcome)


def kind_of(target: Target, page: Page) -> Kind:
    """Return the kind of a page in the SB paper: HTML, target or neither."""
    if target.judge(page).found:
        return "target"
    return "html" if page.ok and is_html(page.mime) else "neither"


def survey(site: RecordedSite, *, target: Target, starts: Sequence[str], scope: Scope) -> SiteTruth:
    """Crawl all of a recorded site breadth first, and return its contents."""
    truth = SiteTruth(site, target, starts=starts, scope=scope)
    _, steps = replay(site, policy=Bfs(), target=target, starts=starts, scope=scope)
    for step in steps:
        truth.requests_total += 1
        if step.found:
            truth.found.append(step.url)
            truth.target_bytes += step.size
        else:
            truth.other_bytes += step.size
            if (number := site.number(step.url)) != ABSENT:
                truth.pages.append(number)
    begin = {site.number(url) for url in starts}
    truth.floor = floor_requests(site, truth.found, (), begin, truth.pages)
    return truth
