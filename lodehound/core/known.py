"""The state of every URL that a crawl has seen: refused, offered, asked for."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from lodehound.core.api_guard import REPEATS, ApiGuard
from lodehound.core.caption import WHOLE_CAPTION, Caption
from lodehound.core.errors import ConfigError
from lodehound.core.file_endings import names_file, names_page
from lodehound.core.left_out import LeftOut
from lodehound.core.link import Link
from lodehound.core.listing import API, LISTED, is_spare
from lodehound.core.messages import Method
from lodehound.core.scope import TOO_DEEP, WHOLE, Scope
from lodehound.core.urls import canonical, host_of

MAX_SPARE = 1000  # pages held back that are admitted at a time
# States of a URL: one small number each, because there are millions.
REFUSED, OFFERED, HEADED, ASKED, NAMED = 1, 2, 4, 8, 16


class KnownUrls:
    """Admits every URL once, or refuses it for good.

    Args:
        scope: Decides which links belong to the crawl.
        per_host: Maximum number of URLs asked for per host.
        max_hosts: Maximum number of hosts; links to others are refused.

    Attributes:
        refused: Reasons for refusing, counted once per URL.
        left_out: What the scope refused that the user may want.
        waiting: Number of admitted URLs that were not asked for yet.
        has_limit: Whether the URLs asked for on one host are limited.
        holds_spare: Pages that only a list of the whole site names wait for all other links.
    """

    def __init__(
        self, scope: Scope, *, per_host: int | None = None, max_hosts: int | None = None
    ) -> None:
        self.scope = scope
        self.refused: Counter[str] = Counter()
        self.left_out = LeftOut(scope.include)
        self.waiting = 0
        self._per_host = per_host
        self.has_limit = per_host is not None
        self._max_hosts = max_hosts
        self._hosts: Counter[str] = Counter()  # URLs asked for, if there is a limit
        self._states: dict[str, int] = {}
        self.holds_spare = True
        self._apis = ApiGuard()
        self._spare: dict[str, Link] = {}  # neither refused nor offered so far

    def __len__(self) -> int:
        """Return the number of admitted URLs."""
        return len(self._states) - sum(self.refused.values())

    def offered(self, url: str) -> bool:
        """Return whether a URL was admitted."""
        return bool(self._states.get(url, 0) & OFFERED)

    def is_new(self, link: Link) -> bool:
        """Return whether a link was never seen, and would be admitted."""
        return link.url not in self._states and not self.scope.refusal(link)

    def is_captioned(self, link: Link) -> bool:
        """Return whether what a page says about a link may be of use.

        That is so until its URL is asked for, or a page says all of it, unless it is named like a
        page. One that is not named like a file is seen on so many pages that the first has to do.
        """
        state = self._states.get(link.url, 0)
        if state:
            return OFFERED <= state < ASKED and names_file(link.url)
        return not names_page(link.url) and self.is_new(link)

    def asked(self, url: str) -> bool:
        """Return whether a URL was asked for."""
        return bool(self._states.get(url, 0) & ASKED)

    def host_is_full(self, url: str) -> bool:
        """Return whether the host of a URL has reached its limit."""
        return self._per_host is not None and self._hosts[host_of(url)] >= self._per_host

    def ask(self, url: str, method: Method) -> bool:
        """Record a request; return False if it must not be made again with this method."""
        state = self._states.get(url, 0)
        if state & (ASKED if method == "GET" else ASKED | HEADED):
            return False
        self._states[url] = state | OFFERED | (HEADED if method == "HEAD" else ASKED)
        self.waiting -= method == "GET" and state >= OFFERED
        if self._per_host is not None:
            self._hosts[host_of(url)] += method == "GET"
        return True

    def admit(self, starts: Iterable[Link]) -> tuple[Link, ...]:
        """Admit the start URLs, whatever the scope: the user named them."""
        admitted = {}
        for link in starts:
            url = canonical(link.url)
            if not url:
                raise ConfigError(f"{link.url!r} is no web address: give http:// or https://.")
            admitted[url] = link._replace(url=url, kind="")
        if not admitted and self.scope.part == WHOLE:
            raise ConfigError("There is no start URL: give one.")
        self._states.update(dict.fromkeys(admitted, OFFERED))
        self.waiting += len(admitted)
        self._hosts.update(dict.fromkeys(map(host_of, admitted), 0))
        return tuple(admitted.values())

    def offer(self, links: Iterable[Link]) -> list[bool]:
        """Admit links of earlier rounds that are in scope; say of each whether it is."""
        self.holds_spare = False  # what a list names in a later round is new
        sightings = []
        for link in links:
            offered = link.url in self._states or not self.scope.refusal(link)
            self.waiting += offered and link.url not in self._states
            if offered:
                self._states[link.url] = OFFERED
            sightings.append(offered)
        return sightings

    def sift(
        self,
        links: Iterable[Link],
        followed: Link | None = None,
        captions: Mapping[str, Caption] | None = None,
    ) -> tuple[tuple[Link, ...], tuple[Link, ...]]:
        """Split links into new ones and ones seen before; leave out the refused.

        Args:
            links: Of one page.
            followed: The link that led to the page.
            captions: What the page says about links: those that say all need no other caption.
        """
        states = self._states
        fresh, again, held = [], [], []
        for link in links:
            state = states.get(link.url, 0)
            is_listed = link.kind == LISTED
            if is_listed and self.holds_spare and followed is not None and is_spare(link):
                held.append(link)  # that it is in a list says nothing about a known page either
            elif state > REFUSED:
                again.append(link)
            elif state == 0:
                reason = self.scope.refusal(link)
                if not reason and self._max_hosts is not None:
                    reason = self._crowded(link, self._max_hosts)
                if not reason and link.kind == API:
                    reason = self._apis.refusal(link)
                if reason == TOO_DEEP:
                    self.left_out.deep.add(link.url)
                    continue  # not for good: a page nearer to the start may link to it
                self.left_out.deep.discard(link.url)
                states[link.url] = REFUSED if reason else OFFERED
                if reason:
                    self.refused[reason] += 1
                    self.left_out.note(link, reason)
                else:
                    fresh.append(link)
        new = self._hold(held) if held else []
        asked = followed if followed is not None and followed.kind == API else None
        if asked is not None and self._apis.repeats(asked, [*fresh, *new], [*again, *held]):
            fresh = self._without_requests(fresh)  # what repeats itself may go on for ever
        self._note_captions(captions or {})
        self.waiting += len(fresh)
        return tuple(fresh), tuple(again)

    def _note_captions(self, captions: Mapping[str, Caption]) -> None:
        for url, caption in captions.items():
            if caption.rank >= WHOLE_CAPTION and self.offered(url):
                self._states[url] |= NAMED

    def _hold(self, links: list[Link]) -> list[Link]:
        """Hold pages back; return those that were never seen."""
        seen, spare = self._states, self._spare
        new = [link for link in links if link.url not in seen and link.url not in spare]
        spare.update((link.url, link) for link in new)
        return new

    def is_spare(self, url: str) -> bool:
        """Return whether a page is held back."""
        return url in self._spare

    def take_spare(self, asleep: Collection[str]) -> tuple[Link, ...]:
        """Admit some of the pages that were held back; a page may have shown others meanwhile."""
        awake = (link for link in self._spare.values() if link.host not in asleep)
        taken = list(itertools.islice(awake, MAX_SPARE))
        for link in taken:
            del self._spare[link.url]
        return self.sift(taken)[0]

    def _without_requests(self, fresh: list[Link]) -> list[Link]:
        """Leave out further requests to an API."""
        left_out = [link for link in fresh if link.kind == API]
        self.refused[REPEATS] += len(left_out)
        self._states.update(dict.fromkeys((link.url for link in left_out), REFUSED))
        return [link for link in fresh if link.kind != API]

    def _crowded(self, link: Link, most: int) -> str:
        """Return why a link to a new host is refused; otherwise count its host."""
        if link.host in self._hosts:
            return ""
        if len(self._hosts) >= most:
            return "too many hosts"
        self._hosts[link.host] = 0
        return ""
