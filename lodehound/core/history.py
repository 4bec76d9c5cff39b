"""What earlier rounds of a crawl know of every URL. It knows no network, no clock and no file.

A round is one pass over a site that was crawled before. Nothing that is known is erased: a
URL that fails or is gone keeps the content of its last usable answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Change, Page, Verdict
from lodehound.text.dates import days_of

GONE = frozenset({404, 410})
NEWS = frozenset({"new", "changed"})


@dataclass(slots=True)
class PastVisit:
    """One request of the past and what it brought."""

    time: float  # in days
    change: Change
    links: int = 0  # URLs it was the first to show
    finds: int = 0  # new or changed finds it led to, its own included
    claimed: bool = False  # a sitemap or feed said that it had changed since the visit before


@dataclass(slots=True)
class KnownUrl:
    """What is known of one URL.

    Attributes:
        link: The first sighting.
        status: Of the last usable answer; 0: it was never asked for.
        found: It was a find.
        digest: Identity of its content; "" if it never had any.
        last_find: Identity of the last content that was a find; "" if there was none.
        links: What the page showed, in document order, each once.
        location: Where its last redirect led.
        dated: How many links it showed with a date of their change (a sitemap, a feed).
        visits: The oldest first.
    """

    link: Link
    status: int = 0
    mime: str = ""
    found: bool = False
    digest: str = ""
    last_find: str = ""
    etag: str = ""
    modified: str = ""
    links: tuple[str, ...] = ()
    location: str = ""
    dated: int = 0
    visits: list[PastVisit] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class Content:
    """What an answer says of its URL. A validator that was not sent is None."""

    status: int
    mime: str = ""
    digest: str = ""
    location: str = ""
    etag: str | None = None
    modified: str | None = None
    found: bool = False
    links: tuple[str, ...] = ()


class History:
    """The known URLs of a crawl, round by round."""

    def __init__(self) -> None:
        self.time = 0.0  # of the present round, in days
        self.requests = 0  # number of the last request before the present round
        self._known: dict[str, KnownUrl] = {}
        self._claims: dict[str, float] = {}  # when URLs changed, by the sitemaps of this round

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
        self._claims = {}

    def claim(self, url: str, links: Iterable[Link]) -> None:
        """Keep when URLs changed, as a sitemap or feed says in this round."""
        listed = {link.url: days_of(link.around) for link in links}
        dates = {one: time for one, time in listed.items() if time is not None}
        self._claims |= dates
        if (known := self._known.get(url)) is not None:
            known.dated = len(dates)

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
        page = page or Page(answer.ask.url, answer.ask.method, answer.status, answer.mime)
        content = Content(
            answer.status,
            page.mime,
            page.digest,
            answer.location,
            answer.headers.get("etag"),
            answer.headers.get("last-modified"),
            verdict.found,
            tuple(dict.fromkeys([link.url for link in page.links])),
        )
        return self.visit(link._replace(url=answer.ask.url), content, links)

    def visit(self, link: Link, content: Content, links: tuple[Link, ...]) -> Change:
        """Do what ``record`` does, for an answer that was read before."""
        self.offer(links)
        known = self._known.get(link.url)
        if known is None:
            known = self._known[link.url] = KnownUrl(link)
        change = _change(known, content)
        claim = self._claims.get(link.url)
        claimed = claim is not None and bool(known.visits) and claim > known.visits[-1].time
        known.visits.append(PastVisit(self.time, change, len(links), 0, claimed))
        if change != "failed":
            _keep(known, content, change)
        if change in NEWS and content.found:
            self._credit(known)
        return change

    def verdict(self, url: str) -> Verdict:
        """Return whether the last version of a URL that is known was a find."""
        known = self._known.get(url)
        found = known is not None and known.found
        return Verdict(found, label=known.mime if known is not None and found else "")

    def _credit(self, find: KnownUrl) -> None:
        """Credit a find to its own visit, and to those of this round that showed the way to it."""
        known: KnownUrl | None = find
        credited: set[str] = set()  # in a journal that has lost answers, pages may show each other
        while known is not None and known.visits and known.visits[-1].time == self.time:
            known.visits[-1].finds += 1
            credited.add(known.link.url)
            if len(known.visits) > 1 or known.link.source in credited:
                return  # it was known before this round: nobody had to show it
            known = self._known.get(known.link.source)


def _is_redirect(status: int) -> bool:
    return 300 <= status < 400 and status != 304


def _change(known: KnownUrl, content: Content) -> Change:
    """Compare an answer with what is known; a page that now leads elsewhere is gone."""
    if content.status == 304:
        return "same" if known.ok else "failed"
    if content.status in GONE:
        return "same" if known.status in GONE else "gone"
    if _is_redirect(content.status):
        if _is_redirect(known.status):
            return "same" if content.location == known.location else "changed"
        return "gone" if known.ok else "new"
    if not 200 <= content.status < 300:
        return "failed"
    if known.ok and not known.digest:  # of a crawl that did not keep it
        same = set(content.links) == set(known.links)
    else:
        same = bool(content.digest) and content.digest in {known.digest, known.last_find}
    return "same" if same else "changed" if known.ok else "new"


def _keep(known: KnownUrl, content: Content, change: Change) -> None:
    """Keep what an answer says. Where there is no content, the last one stays known."""
    if content.status != 304:
        known.status = content.status
    is_back = _is_back(known, content)
    if _is_redirect(content.status):
        known.location = content.location
    elif known.ok and (change in NEWS or is_back):
        known.found = content.found or is_back
        known.mime, known.links = content.mime, content.links
        known.digest, known.etag = content.digest, content.etag or ""
        known.modified = content.modified or ""
        known.last_find = content.digest if known.found else known.last_find
    elif known.ok:
        known.digest = known.digest or content.digest
        known.etag = known.etag if content.etag is None else content.etag
        known.modified = known.modified if content.modified is None else content.modified


def _is_back(known: KnownUrl, content: Content) -> bool:
    """Return whether a find has come back, as it was, in the place of something else."""
    return bool(known.last_find) and content.digest == known.last_find != known.digest
