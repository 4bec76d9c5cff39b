"""A replica in place of the network, or before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from lodehound.assembly.replicas import replica_files
from lodehound.config import CrawlConfig
from lodehound.drivers.live.replies import Reply
from lodehound.drivers.live.responses import ABSENT, Responses, Shelf
from lodehound.stores.files.layout import WARC
from lodehound.stores.left_out import change_left_out, left_out
from lodehound.stores.replica import Replica
from lodehound.stores.warc_append import WarcAppender


class ReplicaReplies:
    """Replies out of a replica.

    Args:
        replica: What was recorded.
        fallback: What is not recorded is asked of the network; otherwise it is a 404.
    """

    def __init__(self, replica: Replica, *, fallback: bool = False) -> None:
        self.replica = replica
        self.fallback = fallback

    def holds(self, url: str) -> bool:
        """Return whether the replica answers for this URL."""
        return not self.fallback or url in self.replica

    def reply(
        self, url: str, *, method: str, wanted: Callable[[int, Mapping[str, str]], bool] | None
    ) -> Reply:
        """Answer as the recorded server would."""
        response = self.replica.get(url)
        if response is None:
            return ABSENT
        if not response.status:
            return Reply(0, error="recorded as failed")
        if method == "HEAD":
            return Reply(response.status, response.headers)
        if wanted is not None and not wanted(response.status, response.headers):
            return Reply(response.status, response.headers, cut=True)
        return Reply(response.status, response.headers, response.body, response.size, response.cut)


def open_responses(config: CrawlConfig, folder: Path) -> Responses:
    """Open the WARC files that a crawl writes.

    Args:
        config: What the user said.
        folder: Its directory.
    """
    shelves: list[Shelf] = []
    try:
        if config.warc:
            shelves.append(Shelf(WarcAppender(folder / WARC)))
        if config.record:
            shelves.append(Shelf(WarcAppender(Path(config.record), crawl=folder)))
        if config.fallback:
            warc = WarcAppender(replica_files(config)[-1], crawl=folder)
            shelves.append(Shelf(warc, recorded_too=False))
    except BaseException:
        Responses(shelves).close()
        raise
    return Responses(shelves)


def open_replica(config: CrawlConfig, folder: Path) -> ReplicaReplies | None:
    """Read the replica, if there is one; its bodies go to the disk that the crawl is on."""
    if not config.replica:
        return None
    fallback = bool(config.fallback)
    files = replica_files(config)
    replica = Replica.open(files, folder=folder, limit=config.max_file, may_be_empty=fallback)
    if fallback:
        # A process that was killed may have fetched some of it, and not said so.
        change_left_out(files[-1], remove=left_out(files[-1]) - replica.without)
    return ReplicaReplies(replica, fallback=fallback)
