"""A replica that answers in place of the network, or before it: which files it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.stores.locate import locate
from lodehound.stores.replica import root_of

WARC_SUFFIX = ".warc.gz"  # of files that can be appended to


def is_offline(config: CrawlConfig) -> bool:
    """Return whether a crawl makes no request at all."""
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
    if config.fallback and not (last := replica_files(config)[-1]).name.endswith(WARC_SUFFIX):
        raise ConfigError(
            f"Nothing can be added to {str(last)!r}, only to a {WARC_SUFFIX}: name a file for what "
            f"is fetched, as in --replica {config.replica}+more{WARC_SUFFIX}, "
            f"or leave --fallback out."
        )


def with_replica(config: CrawlConfig) -> CrawlConfig:
    """Name the replica's files for good; without a URL, start at its first response."""
    if not config.replica:
        return config
    *others, last = config.replica.split("+")
    # A file for what is fetched may be new.
    new = config.fallback and last.endswith(WARC_SUFFIX) and not Path(last).exists()
    known = "+".join(others) if new and not Path(config.replica).exists() else config.replica
    files = locate(known) if known else ()
    names = [str(file.absolute()) for file in files]
    if known != config.replica:
        names.append(str(Path(last).absolute()))
    urls = config.urls or ((root_of(files),) if files else ())
    return replace(config.in_full(replica="+".join(names)), urls=urls)
