"""The list next to a recording: URLs that exist but were not recorded (``NAME.cut.txt.gz``)."""

from __future__ import annotations

import gzip
from collections.abc import Set as AbstractSet
from pathlib import Path

from lodehound.stores.cache import cut_file, cut_urls
from lodehound.stores.errors import output_error
from lodehound.stores.files.replacing import replaced


def left_out(path: Path) -> frozenset[str]:
    """Return the canonical URLs in the list next to a recording."""
    return frozenset(cut_urls(path))


def change_left_out(
    path: Path, *, add: AbstractSet[str] = frozenset(), remove: AbstractSet[str] = frozenset()
) -> None:
    """Update the list atomically; remove it if it becomes empty.

    It is updated and not replaced, because recordings with a common name prefix share one.
    """
    before = left_out(path)
    urls = (before - remove) | add
    if urls == before:
        return
    file = cut_file(path)
    try:
        if not urls:
            file.unlink()
            return
        lines = "".join(f"{url}\n" for url in sorted(urls))
        with replaced(file) as temporary:
            temporary.write_bytes(gzip.compress(lines.encode(), mtime=0))
    except OSError as error:
        raise output_error(path, error) from error
