"""Where something about a crawl is written: whole under its name, and never over the crawl."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lodehound.core.errors import ConfigError
from lodehound.stores.crawl_dir import DATABASE, OURS

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
    temporary = path.with_name(f".{path.name[:100]}.{uuid.uuid4().hex[:8]}")
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
