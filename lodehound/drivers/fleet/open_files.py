"""How many sites a process can have open: files and connections are limited by the system."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.core.scope import WHOLE

if sys.platform != "win32":
    import resource

MANY = 65_536  # open files, where the system has no limit
# Of a site: its database, the two files beside it and the lock; a file that is being received; one
# connection, and another for a second host. Measured: 5, with one host.
FILES, CONNECTIONS = 5, 2
DECIDING = ("delay", "concurrency", "part", "warc")  # options
PROCESS = 32  # of a process before it opens a site: libraries, pipes, a browser
THREADS = 64  # for names, journals and files: each may be slow
THREAD = 2  # files that a thread has open for a moment
FILES_PER_THREAD = 16  # with few files there are fewer threads


def raise_limit() -> None:
    """Allow this process, and those that it starts, as many open files as the system permits."""
    if sys.platform == "win32":  # it has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MANY if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (ValueError, OSError):  # macOS names no limit, and refuses large ones
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, max(soft, 10_240)), hard))


def limit() -> int:
    """Return how many files this process may have open."""
    if sys.platform == "win32":
        return MANY
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MANY if soft == resource.RLIM_INFINITY else soft


def threads() -> int:
    """Return how many threads a worker may have for slow calls."""
    return max(4, min(THREADS, limit() // FILES_PER_THREAD))


def files_of(options: Iterable[str]) -> int:
    """Return how many files a site may have open, whichever of these.

    Args:
        options: The stored options of each site.
    """
    kinds = {json.dumps(_of_interest(text)) for text in options}
    return max((_files(json.loads(kind)) for kind in kinds), default=FILES + CONNECTIONS)


def _of_interest(options: str) -> dict[str, object]:
    try:
        values = json.loads(options)
    except ValueError:  # damaged: the site will say so
        return {}
    return {name: values[name] for name in DECIDING if name in values}


def _files(values: dict[str, object]) -> int:
    try:
        config = CrawlConfig.made_of(values)
    except ConfigError:
        return FILES + CONNECTIONS
    one_by_one = config.delay > 0 and config.part == WHOLE
    connections = min(CONNECTIONS, config.concurrency) if one_by_one else config.concurrency
    return FILES + connections + config.warc


def sites_within(files: int) -> int:
    """Return how many sites a worker can have open, if each needs so many files."""
    return max(1, (limit() - PROCESS - THREAD * threads()) // files)
