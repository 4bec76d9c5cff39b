"""Finds that a user names."""

from __future__ import annotations

import contextlib
from pathlib import Path

from lodehound.core.errors import ConfigError
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry

NAMED = """
    SELECT number FROM finds
    WHERE number = ?1 OR final_url = ?2 OR url = ?2 OR file IN (?2, ?3) ORDER BY number LIMIT 1"""
MOST_DIGITS = 18  # of a number that SQLite takes


def find_named(catalogue: Catalogue, name: str) -> CatalogueEntry | None:
    """Return the find with a number, a URL, or a path in the crawl directory or to it."""
    number = int(name) if name.isdecimal() and len(name) <= MOST_DIGITS else -1
    inside = name
    with contextlib.suppress(ValueError, OSError):
        inside = Path(name).resolve().relative_to(catalogue.folder.resolve()).as_posix()
    row = catalogue.one(NAMED, number, name, inside)
    return next(catalogue.with_number(row[0] if row else number), None)


def one_named(catalogue: Catalogue, name: str) -> CatalogueEntry:
    """Return the find with a number, a URL, or a path; raise a ConfigError if there is none."""
    entry = find_named(catalogue, name)
    if entry is None:
        raise ConfigError(
            f"There is no find {name!r} in {str(catalogue.folder)!r}: name it by the number, url "
            f"or file that 'lodehound list --json' prints."
        )
    return entry
