"""Where something about a crawl is written: whole under its name, and never over the crawl."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lodehound.core.errors import ConfigError
from lodehound.stores.crawl_dir import DATABASE, OURS

OLD = ".old"  # behind the name of what is being replaced
# What belongs to the crawl in its own folder, and is never written over.
CRAWL = {name.casefold() for name in OURS} | {"crawl.warc.gz", "metadata.json"}


def refuse_crawl(crawl: Path, path: Path, *, also: str = "") -> None:
    """Keep off what belongs to a crawl, this one or another.

    Args:
        crawl: This one's directory.
        path: Where to write.
        also: A further name that is not to be written over.
    """
    real = path.resolve()
    for folder in (crawl.resolve(), *real.parents):
        if not real.is_relative_to(folder) or real == folder:
            continue
        first = real.relative_to(folder).parts[0].casefold()
        if first in CRAWL | {also} and (folder / DATABASE).exists():
            raise ConfigError(f"{str(path)!r} belongs to the crawl itself: choose another name.")


def refuse_strange(path: Path, begins: bytes, what: str) -> None:
    """Refuse to replace a file that is no earlier one of ours.

    Args:
        path: Where to write.
        begins: How one of ours begins.
        what: What ours is called.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        begin = file.read(len(begins))
    if begin not in {b"", begins}:
        raise ConfigError(
            f"{str(path)!r} is there and no earlier {what}: "
            f"choose another name, or replace it with --force."
        )


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Give a name beside a path; what is there in the end gets the path's name."""
    remove_dead(path)
    temporary = beside(path)
    try:
        yield temporary
        temporary.replace(path)
    finally:
        _drop(temporary)


def _drop(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # where nothing may be written there is nothing to remove


# --- names of what is not yet whole --------------------------------------------------------------


def beside(path: Path) -> Path:
    """Return a new name beside a path that says which process uses it."""
    return path.with_name(f"{_stem(path)}{_here()}-{os.getpid()}-{uuid.uuid4().hex[:8]}")


def remove_dead(path: Path, ending: str = "") -> None:
    """Remove what processes that were killed left beside a path.

    Args:
        path: What they were to write.
        ending: Of the names, behind what `beside` gives.
    """
    if os.name != "posix":
        return  # elsewhere a signal of 0 is none
    mine = re.compile(rf"{re.escape(_stem(path) + _here())}-(\d+)-[0-9a-f]{{8}}{re.escape(ending)}")
    try:
        left = [entry for entry in path.parent.iterdir() if mine.fullmatch(entry.name)]
    except OSError:
        return
    for entry in left:
        if _lives(int(entry.name.rsplit("-", 2)[1])):
            continue
        if entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            _drop(entry)


def _stem(path: Path) -> str:
    name = path.name.encode("utf-8", "surrogateescape")[:100]  # bytes: a name has room for 255
    return f".{name.decode('utf-8', 'ignore')}."


def _here() -> str:
    """Name this machine, and the container in it: elsewhere the same number is another process."""
    try:
        space = Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        space = 0
    return hashlib.sha256(f"{platform.node()} {space}".encode()).hexdigest()[:8]


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # it is somebody else's
    return True
