"""A replica in place of the network, or before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.drivers.live.fetch import Reply
from lodehound.drivers.live.responses import ABSENT, Responses, Shelf
from lodehound.stores.left_out import change_left_out, left_out
from lodehound.stores.replica import Replica
from lodehound.stores.warc_append import WarcAppender

WARC = "crawl.warc.gz"  # in the crawl directory
ENDING = ".warc.gz"  # of files that can be added to


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
        """Say whether the replica answers for this URL."""
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


def is_offline(config: CrawlConfig) -> bool:
    """Say whether a crawl makes no request at all."""
    return bool(config.replica) and not config.fallback


def replica_files(config: CrawlConfig) -> list[Path]:
    """Return the files of the replica; a ``+`` stands between them."""
    whole = Path(config.replica)
    return [whole] if whole.exists() else [Path(part) for part in config.replica.split("+")]


def check_replica(config: CrawlConfig) -> None:
    """Find out before anything is made whether the replica can be used as wanted."""
    if config.fallback and not config.replica:
        raise ConfigError("--fallback live needs a replica to begin with: --replica FILE.warc.gz.")
    if config.record and config.replica:
        raise ConfigError("A recording is made of the site itself: leave --replica out.")
    if config.fallback and not (last := replica_files(config)[-1]).name.endswith(ENDING):
        raise ConfigError(
            f"Nothing can be added to {str(last)!r}, only to a {ENDING}: name a file for what is "
            f"fetched, as in --replica {config.replica}+more{ENDING}, or leave --fallback out."
        )


def open_responses(config: CrawlConfig, folder: Path) -> Responses:
    """Open the WARC files that a crawl writes.

    Args:
        config: What the crawl was told.
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
