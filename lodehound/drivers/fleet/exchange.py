"""Links between the parts of a crawl that is divided by hosts.

Every part is a crawl of its own. Links on hosts of other parts are written to its journal with the
answer that brought them, and taken from there by those parts.

What that costs grows with the links and with the number of parts, not with its square: the list of
the fleet says who has sent something to whom, and a worker opens a journal once for all its parts.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from lodehound.core.errors import LodehoundError
from lodehound.core.holds import EXPECTING
from lodehound.core.link import Link
from lodehound.core.scope import WHOLE, part_of
from lodehound.drivers.live.session import Session
from lodehound.stores.crawl_dir.link_exchange import ExchangeRecord, Sent, read_sent
from lodehound.stores.files.layout import DATABASE

PAUSE = 2.0  # seconds between two rounds of the exchange


class LinkExchange:
    """Sends the links of one part that are on hosts of others, and takes theirs.

    Args:
        session: The crawl of the part; it does not end before ``finish``.
        record: What it has sent and taken.

    Attributes:
        sent: The last record for each other part; those that the fleet has not been told yet.
        taken: The last record that was taken of each other part.
        took: Those of them that the fleet has not been told yet.
    """

    def __init__(self, session: Session, record: ExchangeRecord) -> None:
        self.session = session
        self.record = record
        self.part, self.parts = session.crawl.scope.part
        self.sent = record.last_sent()
        self.taken = record.taken()
        self.took = dict(self.taken)
        self._scope = replace(session.crawl.scope, part=WHOLE)
        self._sent_urls = record.sent_urls()
        self._idle = False
        session.crawl.hold(EXPECTING)
        session.receiving.export = self.send

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
            self.sent[part] = self.record.append_sent_links(part, some)

    def receive(self, source: int, record: Sent) -> None:
        """Offer the crawl what another part has sent; it is in its journal afterwards."""
        if record.id <= self.taken.get(source, 0) or self.session.finished:
            return
        self.record.append_taken_links(source, record.id, record.links)
        self.session.crawl.offer(record.links)
        self.taken[source] = self.took[source] = record.id
        self._idle = False
        self.session.woke()

    def report(self) -> tuple[dict[int, int], dict[int, int]]:
        """Return what was sent and taken since the last report: the last records by part."""
        sent, took = self.sent, self.took
        self.sent, self.took = {}, {}
        return sent, took

    def finish(self) -> None:
        """Allow the crawl to end once it has nothing to do: no links will come."""
        self.session.crawl.release(EXPECTING)
        self.session.woke()


class WorkerExchange:
    """Brings links to all parts that a worker runs, in steps that hold up nothing.

    Args:
        parts: The parts that run now, by their numbers.
        sent: Returns who has sent what to which of some parts: source, target, last record.
        folder_of: Gives the crawl directory of any part.
        failed: Told a part that cannot go on, and why: a full disk, say.
    """

    def __init__(
        self,
        parts: Callable[[], Mapping[int, LinkExchange]],
        sent: Callable[[Sequence[int]], list[tuple[int, int, int]]],
        folder_of: Callable[[int], Path],
        failed: Callable[[int, LodehoundError], None],
    ) -> None:
        self._parts = parts
        self._sent = sent
        self._folder_of = folder_of
        self._failed = failed

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            await self.deliver()
            await asyncio.sleep(PAUSE)

    async def deliver(self) -> None:
        """Bring each part what others have sent to it; a journal is opened once for all parts."""
        sources: defaultdict[int, dict[int, int]] = defaultdict(dict)
        if not (parts := self._parts()):
            return
        for source, target, last in self._sent(list(parts)):
            if last > (taken := parts[target].taken.get(source, 0)):
                sources[source][target] = taken
        for source, after in sources.items():
            path = self._folder_of(source) / DATABASE
            for record in await asyncio.to_thread(read_sent, path, after):
                self._give(source, record)
                await asyncio.sleep(0)  # others may go on after every record

    def _give(self, source: int, record: Sent) -> None:
        """Give a part what another has sent to it, unless it has ended meanwhile."""
        if (part := self._parts().get(record.part)) is None:
            return
        try:
            part.receive(source, record)
        except LodehoundError as error:
            self._failed(record.part, error)
