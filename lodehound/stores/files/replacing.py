"""Writes files about a crawl atomically, and never over the crawl itself."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import uuid
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lodehound.core.errors import ConfigError
from lodehound.stores.errors import refuse_url
from lodehound.stores.files.layout import DATABASE, FLEET, LOCK, OURS

OLD = ".old"  # suffix of the file that is being replaced
# Files of the crawl that are never overwritten.
CRAWL = {name.casefold() for name in OURS} | {"crawl.warc.gz", "metadata.json"}
OF_FLEET = {LOCK, FLEET, f"{FLEET}-wal", f"{FLEET}-shm"}


def refuse_crawl(path: Path, *, also: str = "") -> None:
    """Refuse a path that belongs to a crawl or a fleet, and a URL.

    Args:
        path: The output path.
        also: Another name that must not be overwritten.
    """
    refuse_url(path)
    real = path.resolve()
    for folder in real.parents:
        first = real.relative_to(folder).parts[0].casefold()
        of_crawl = first in CRAWL | {also} and (folder / DATABASE).exists()
        of_fleet = first in OF_FLEET and (folder / FLEET).exists() and (folder / LOCK).exists()
        if of_crawl or of_fleet:
            raise ConfigError(f"{str(path)!r} belongs to the crawl itself: choose another name.")


def refuse_strange(
    path: Path,
    begins: bytes,
    what: str,
    *,
    at: int = 0,
    is_ours: Callable[[Path], bool] = lambda _: True,
) -> None:
    """Refuse to replace a file that we did not write.

    Args:
        path: The output path.
        begins: The first bytes of a file that we wrote, after a byte order mark if it has one.
        what: What such a file is called.
        at: Where these bytes are in the file.
        is_ours: Says of a file with these bytes whether we wrote it.
    """
    if not path.exists() or is_special(path):
        return
    with path.open("rb") as file:
        file.seek(at if path.stat().st_size > at else 0)
        begin = file.read(len(BOM_UTF8) + len(begins)).removeprefix(BOM_UTF8)[: len(begins)]
    if begin not in {b"", begins} or not is_ours(path):
        raise ConfigError(
            f"{str(path)!r} exists and is not an earlier {what}: "
            f"choose another name, or replace it with --force."
        )


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Yield a temporary path next to a path; in the end, the file there is renamed to the path.

    Raises:
        ConfigError: The path is a device, a pipe or a socket, which a rename would destroy.
    """
    if is_special(path):
        raise ConfigError(f"{str(path)!r} is a device or a pipe: name a file.")
    remove_dead(path)
    temporary = beside(path)
    try:
        yield temporary
        temporary.replace(path)
    finally:
        _drop(temporary)


def is_special(path: Path) -> bool:
    """Return whether a path is a device, a pipe or a socket."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _drop(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # a folder that cannot be written has nothing to remove


# --- names of incomplete files -------------------------------------------------------------------


def beside(path: Path) -> Path:
    """Return a new path next to a path, with the number of this process in its name."""
    return path.with_name(f"{_stem(path)}{_here()}-{os.getpid()}-{uuid.uuid4().hex[:8]}")


def remove_dead(path: Path, ending: str = "") -> None:
    """Remove the incomplete files of killed processes next to a path.

    Args:
        path: The path that they were writing.
        ending: Suffix of the names that `beside` returns.
    """
    if os.name != "posix":
        return  # signal 0 only works on POSIX
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
    name = path.name.encode("utf-8", "surrogateescape")[:100]  # bytes: a name may have 255
    return f".{name.decode('utf-8', 'ignore')}."


def _here() -> str:
    """Return a name of this machine and container: elsewhere, the number is another process."""
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
        return True  # a process of another user
    return True
