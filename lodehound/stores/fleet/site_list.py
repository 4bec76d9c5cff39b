"""Reads lists of sites: one URL per line, CSV with options in columns, or TOML."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lodehound.core.errors import ConfigError, reason_of
from lodehound.stores.errors import URL, as_typed
from lodehound.stores.text_files import read_text, read_toml

ADDRESS = ("url", "urls")  # columns or keys with start URLs
TABLES = ("site", "sites")  # TOML: the array of tables


@dataclass(frozen=True, slots=True)
class ListedSite:
    """One entry of a list, as it is written there."""

    place: str  # "line 17", for messages
    urls: tuple[str, ...]
    name: str  # "" if the list gives none
    options: Mapping[str, Any]  # this site's own


def read_sites(path: Path) -> tuple[list[ListedSite], dict[str, Any]]:
    """Return the entries of a list, and the options that it gives for all of them."""
    common: dict[str, Any] = {}
    if URL.match(str(path)) and not path.exists():
        raise ConfigError(f"{as_typed(path)!r} is a URL: write it in a file, and name the file.")
    try:
        if path.suffix.lower() == ".toml":
            sites, common = _from_toml(path)
        elif path.suffix.lower() in {".csv", ".tsv"}:
            sites = list(_from_csv(path))
        else:
            sites = list(_from_lines(path))
    except (OSError, ValueError) as error:
        raise ConfigError(f"The list {str(path)!r} cannot be read: {reason_of(error)}.") from error
    if not sites:
        raise ConfigError(f"The list {str(path)!r} names no site: write one URL per line.")
    return sites, common


def _from_lines(path: Path) -> Iterator[ListedSite]:
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        url = line.strip()
        if url and not url.startswith("#"):
            yield ListedSite(f"line {number}", (url,), "", {})


def _from_csv(path: Path) -> Iterator[ListedSite]:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    rows = csv.DictReader(read_text(path).splitlines(), delimiter=delimiter, strict=True)
    try:
        names = [name.strip() for name in rows.fieldnames or ()]
        if not set(names) & set(ADDRESS):
            raise ConfigError(
                f"The list {str(path)!r} has no column 'url': its first line must name the columns."
            )
        if twice := {name for name in names if name and names.count(name) > 1}:
            raise ConfigError(f"The list {str(path)!r} has two columns {min(twice)!r}: remove one.")
        for row in rows:
            if None in row:
                raise ConfigError(
                    f"{str(path)!r}, line {rows.line_num}, has more cells than the first line."
                )
            cells = {name.strip(): (cell or "").strip() for name, cell in row.items()}
            if any(cells.values()):
                yield _site(f"line {rows.line_num}", cells)
    except csv.Error as error:
        raise ConfigError(f"{str(path)!r}, line {rows.line_num}, is no CSV: {error}.") from error


def _site(place: str, cells: Mapping[str, Any]) -> ListedSite:
    options = {name.replace("-", "_"): cell for name, cell in cells.items() if cell != ""}
    urls: list[str] = []
    for name in ADDRESS:
        given = options.pop(name, ())
        listed = given if isinstance(given, list | tuple) else str(given).split()
        urls.extend(map(str, listed))
    return ListedSite(place, tuple(urls), str(options.pop("name", "")), options)


def _from_toml(path: Path) -> tuple[list[ListedSite], dict[str, Any]]:
    try:
        values = read_toml(path)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"The list {str(path)!r} is no TOML: {error}.") from error
    arrays = [values.pop(name, []) for name in TABLES]
    tables = [table for array in arrays if isinstance(array, list) for table in array]
    if not all(isinstance(one, list) for one in arrays) or not all(
        isinstance(table, dict) for table in tables
    ):
        raise ConfigError(f"The list {str(path)!r} must hold tables: begin each with [[site]].")
    sites = [_site(f"site {number}", table) for number, table in enumerate(tables, start=1)]
    return sites, {name.replace("-", "_"): value for name, value in values.items()}
