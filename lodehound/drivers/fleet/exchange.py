"""Links and lessons between the parts of a crawl that is divided by hosts.

Every part is a crawl of its own. Links on hosts of other parts are written to its journal with the
answer that brought them, and taken from there by those parts. Now and then the parts also tell each
other what their policies have learned.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from lodehound.core.link import Link
from lodehound.core.scope import WHOLE, part_of
from lodehound.drivers.live.session import Session
from lodehound.stores.crawl_dir import DATABASE, Journal
from lodehound.stores.crawl_dir.exchange import read_lessons, read_sent

LESSON = 30.0  # seconds between two lessons


class LinkExchange:
    """Sends the links of one part that are on hosts of others, and takes theirs.

    Args:
        session: The crawl of the part; it does not end before ``finish``.
        journal: Its journal.
        folder_of: Gives the crawl directory of any part.

    Attributes:
        sent: The last record for each other part.
        taken: The last record that was taken of each other part.
    """

    def __init__(
        self, session: Session, journal: Journal, folder_of: Callable[[int], Path]
    ) -> None:
        self.session = session
        self.journal = journal
        self.folder_of = folder_of
        self.part, self.parts = session.crawl.scope.part
        self.sent = journal.last_sent()
        self.taken = journal.taken()
        self._scope = replace(session.crawl.scope, part=WHOLE)
        self._sent_urls = journal.sent_urls()
        self._idle = False
        self._next_lesson = 0.0
        session.crawl.expecting = True
        session.export = self.send

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do until links come."""
        self._idle = self._idle or self.session.idle
        return self._idle

    def send(self, links: Sequence[Link]) -> None:
        """Write down links for other parts, each URL once; committed with the next answer."""
        chosen: defaultdict[int, list[Link]] = defaultdict(list)
        for link in links:
            part = part_of(link.host, self.parts)
            if part == self.part or link.url in self._sent_urls or self._scope.refusal(link):
                continue
            self._sent_urls.add(link.url)
            chosen[part].append(link)
        for part, some in chosen.items():
            self.sent[part] = self.journal.sent(part, some)

    async def take(self) -> None:
        """Offer the crawl what other parts have sent since; it is in its journal afterwards."""
        for part, path in self._others():
            before = self.taken.get(part, 0)
            links, last = await asyncio.to_thread(read_sent, path, self.part, before)
            if links and not self.session.finished:
                self.journal.took(part, last, links)
                self.session.crawl.offer(links)
                self.taken[part] = last
                self._idle = False
                self.session.woke()

    async def learn(self) -> None:
        """Tell the other parts what was learned here, and learn from them, now and then."""
        if time.monotonic() < self._next_lesson:
            return
        self._next_lesson = time.monotonic() + LESSON
        policy = self.session.crawl.policy
        if lessons := policy.lessons():
            self.journal.taught(lessons)
        read = [await asyncio.to_thread(read_lessons, path) for _, path in self._others()]
        if others := [lessons for lessons in read if lessons]:
            policy.heed(others)

    def _others(self) -> list[tuple[int, Path]]:
        """Return the other parts and their databases."""
        numbers = [part for part in range(self.parts) if part != self.part]
        return [(part, self.folder_of(part) / DATABASE) for part in numbers]

    def finish(self) -> None:
        """Let the crawl end once it has nothing to do: no links will come."""
        self.session.crawl.expecting = False
        self.session.woke()
