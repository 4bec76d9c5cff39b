"""Finds the crawl directories in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from lodehound.core.errors import SiteError
from lodehound.stores.crawl_dir.existing import no_crawl
from lodehound.stores.files.layout import DATABASE, FILES
from lodehound.text.shell import shown

DEPTH = 3  # folders below the one that is named


def crawls_in(places: Iterable[Path]) -> list[Path]:
    """Return the crawl directories at some places and below: crawls, fleets, folders of crawls.

    Raises:
        SiteError: There is none at one of the places.
    """
    found: dict[Path, None] = {}
    for place in places:
        folders = list(crawl_folders(place))
        if not folders and not place.is_dir():
            raise no_crawl(place)
        if not folders:
            raise SiteError(
                f"There is no crawl in {shown(place)}: name a crawl directory, or a folder of some."
            )
        found.update(dict.fromkeys(folders))
    return list(found)


def crawl_folders(place: Path, depth: int = DEPTH) -> Iterator[Path]:
    """Yield the crawl directories at a place and below; links to other folders are not followed."""
    if (place / DATABASE).is_file():
        yield place.resolve()
        return
    if not depth:
        return
    try:
        names = sorted(
            entry.name for entry in os.scandir(place) if entry.is_dir(follow_symlinks=False)
        )
    except OSError:
        return
    for name in names:
        if not name.startswith(".") and name != FILES:
            yield from crawl_folders(place / name, depth - 1)
