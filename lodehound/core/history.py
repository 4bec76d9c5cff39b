"""What earlier rounds of a crawl know of every URL. It knows no network, no clock and no file.

A round is one pass over a site that was crawled before. Nothing that is known is erased: a
URL that fails or is gone keeps the content of its last usable answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Change, Page, Verdict

GONE = frozenset({404, 410})
NEWS = frozenset({"new", "changed"})


@dataclass(slots=True)
class PastVisit:
    """One request of the past and what it brought."""

    time: float  # in days
    change: Change
    links: int = 0  # URLs it was the first to show
    finds: int = 0  # new or changed finds it led to, its own included


@dataclass(slots=True)
class KnownUrl:
    """What is known of one URL.

    Attributes:
        link: The first sighting.
        status: Of the last usable answer; 0: it was never asked for.
        found: It was a find.
        digest: Identity of its content; of a redirect, where it leads.
        links: What the page showed, in document order.
        visits: The oldest first.
    """

    link: Link
    status: int = 0
    mime: str = ""
    found: bool = False
    digest: str = ""
    etag: str = ""
    modified: str = ""
    links: tuple[str, ...] = ()
    visits: list[PastVisit] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


class History:
    """The known URLs of a crawl, round by round."""

    def __init__(self) -> None:
        self.time = 0.0  # of the present round, in days
        self._known: dict[str, KnownUrl] = {}

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[KnownUrl]:
        return iter(self._known.values())

    def __contains__(self, url: object) -> bool:
        return url in self._known

    def get(self, url: str) -> KnownUrl | None:
        return self._known.get(url)

    def begin_round(self, time: float) -> None:
        """Begin a round; a clock that runs backwards is not followed."""
        self.time = max(self.time, time)

    def offer(self, links: Iterable[Link]) -> None:
        """Keep links that were let in: who is not asked for in this round waits for the next."""
        for link in links:
            if link.url not in self._known:
                self._known[link.url] = KnownUrl(link)

    def conditional(self, ask: Ask) -> Ask:
        """Add the validators of the version that is known."""
        known = self._known.get(ask.url)
        if known is None or not known.ok or not (known.etag or known.modified):
            return ask
        return Ask(ask.number, ask.url, ask.method, ask.source, known.etag, known.modified)

    def not_modified(self, answer: Answer) -> tuple[Page, Verdict] | None:
        """Return what a 304 stands for: the page as it is known, without body and links."""
        known = self._known.get(answer.ask.url)
        if answer.status != 304 or known is None or not known.ok:
            return None
        page = Page(answer.ask.url, answer.ask.method, 304, known.mime, digest=known.digest)
        return page, Verdict(known.found, label=known.mime if known.found else "")

    def record(
        self,
        link: Link,
        answer: Answer,
        page: Page | None,
        verdict: Verdict,
        links: tuple[Link, ...],
    ) -> Change:
        """Compare an answer with what is known of its URL, and keep it.

        Args:
            link: The link that was followed.
            answer: What came back.
            page: The answer as it was read; None for a redirect that is followed.
            verdict: Whether it is a find.
            links: URLs that it was the first to show.
        """
        self.offer(links)
        url = answer.ask.url
        known = self._known.get(url)
        if known is None:
            known = self._known[url] = KnownUrl(link._replace(url=url))
        digest = answer.location if page is None or 300 <= answer.status < 400 else page.digest
        change = _change(known, answer, digest)
        known.visits.append(PastVisit(self.time, change, len(links), 0))
        if change in NEWS:
            _keep(known, answer, page, digest, found=verdict.found)
            if verdict.found:
                self._credit(known)
        elif change == "gone":
            known.status = answer.status
        elif change == "same":
            known.etag = answer.headers.get("etag", known.etag)
            known.modified = answer.headers.get("last-modified", known.modified)
        return change

    def _credit(self, find: KnownUrl) -> None:
        """Credit a find to its own visit, and to those of this round that showed the way to it."""
        known: KnownUrl | None = find
        while known is not None and known.visits and known.visits[-1].time == self.time:
            known.visits[-1].finds += 1
            if len(known.visits) > 1:
                return  # it was known before this round: nobody had to show it
            known = self._known.get(known.link.source)


def _change(known: KnownUrl, answer: Answer, digest: str) -> Change:
    if answer.status in GONE:
        return "same" if known.status in GONE else "gone"
    if not 200 <= answer.status < 400:
        return "failed"
    if answer.status == 304:
        return "same" if known.ok else "failed"
    if not known.digest:
        return "new"
    same = digest == known.digest
    if known.status in GONE:
        return "same" if same else "new"
    return "same" if same else "changed"


def _keep(known: KnownUrl, answer: Answer, page: Page | None, digest: str, *, found: bool) -> None:
    known.status = answer.status
    known.mime = page.mime if page is not None else answer.mime
    known.found = found
    known.digest = digest
    known.etag = answer.headers.get("etag", "")
    known.modified = answer.headers.get("last-modified", "")
    known.links = tuple([link.url for link in page.links]) if page is not None else ()
