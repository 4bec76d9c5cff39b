"""Keeps the responses of a live crawl in WARC files, so that they can be had again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from lodehound.core.lives import Life
from lodehound.drivers.live.replies import Reply
from lodehound.stores.left_out import change_left_out
from lodehound.stores.warc_append import WarcAppender

# What a replica says of a URL that it does not hold: nobody's response, so it is not kept.
ABSENT = Reply(404)


@dataclass(frozen=True, slots=True)
class _Response:
    url: str
    reply: Reply
    fetched_at: str


@dataclass(slots=True)
class Shelf:
    """One WARC file and what belongs on it."""

    warc: WarcAppender
    recorded_too: bool = True  # also what a replica answered
    held: list[_Response] = field(default_factory=list)
    added: set[str] = field(default_factory=set)  # URLs that a replica did not hold

    def put(self, response: _Response, *, side: bool) -> None:
        """Add a response; a robots.txt waits for the first page.

        The first response of a recording is the root of the site, and crawls
        of it start there.
        """
        if side and self.warc.members <= 1:
            self.held.append(response)
            return
        waiting, self.held = self.held, []
        for one in (response, *waiting):
            reply = one.reply
            self.warc.add(
                one.url,
                status=reply.status,
                headers=reply.headers,
                body=reply.body,
                cut=reply.cut,
                fetched_at=one.fetched_at,
            )
            if not self.recorded_too:
                self.added.add(one.url)

    def close(self) -> None:
        """Close the file; what it now holds is no longer left out."""
        self.warc.close()
        if self.added:
            change_left_out(self.warc.path, remove=self.added)


class Responses:
    """Every WARC file that a crawl writes; none for most crawls.

    Args:
        shelves: The files.
    """

    def __init__(self, shelves: Sequence[Shelf] = ()) -> None:
        self.shelves = tuple(shelves)

    def keep(self, life: Life, reply: Reply) -> None:
        """Keep what came back, if a crawl of the recording could use it.

        Args:
            life: The request. The answer to a HEAD is not kept: a reader would take it for an
                empty page. Neither is a robots.txt that failed: it will be asked for again;
                kept, it would say for ever that the host is out of order.
            reply: What came. No status means no response; a 304 stands for one that was kept.
        """
        side = life.kind != "page"
        failed = reply.status == 429 or reply.status >= 500
        useless = life.method != "GET" or reply.status in {0, 304} or reply is ABSENT
        useless = useless or (side and failed)
        if useless:
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        for shelf in self.shelves:
            if shelf.recorded_too or not life.recorded:
                shelf.put(_Response(life.url, reply, now), side=side)

    def close(self) -> None:
        for shelf in self.shelves:
            shelf.close()
