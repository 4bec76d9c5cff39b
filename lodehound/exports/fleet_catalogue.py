"""One catalogue of all sites of a fleet: CSV, JSON lines, Parquet, or a table in SQLite."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, BinaryIO

from lodehound.core.errors import ConfigError, SiteError, UnknownNameError
from lodehound.exports import csv_file
from lodehound.exports.columns import COLUMNS, Column
from lodehound.exports.jsonl import line_of
from lodehound.exports.output import STDOUT
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.stores.catalogue.wanted import ALL, Wanted
from lodehound.stores.errors import output_error
from lodehound.stores.files.layout import DATABASE
from lodehound.stores.files.replacing import is_special, refuse_crawl, replaced
from lodehound.stores.fleet import FleetStore
from lodehound.stores.fleet.soundness import SITES
from lodehound.stores.table_file import write_table

SQL_TYPES = {"integer": "INTEGER", "boolean": "INTEGER", "number": "REAL"}
ENTRY = [field.name for field in fields(CatalogueEntry)]
SITE = "The site of the fleet that it was found on."


@dataclass(frozen=True)
class FleetFind(CatalogueEntry):
    """A find, and the site it was found on."""

    site: str = ""


def _site(entry: CatalogueEntry) -> str:
    return entry.site if isinstance(entry, FleetFind) else ""


FLEET_COLUMNS = (Column("site", "text", SITE, _site), *COLUMNS)


def fleet_finds(
    store: FleetStore, wanted: Wanted = ALL, *, warn: Callable[[str], None]
) -> Iterator[FleetFind]:
    """Yield the finds of all sites; their files are named from the fleet directory.

    Args:
        store: The fleet.
        wanted: Which finds.
        warn: Is told of each site whose crawl cannot be read, for example because it is damaged.
    """
    for site in store.sites():
        folder = store.crawl_folder(site.name)
        if not (folder / DATABASE).is_file():
            continue
        try:
            with Catalogue(folder, wanted) as catalogue:
                for entry in catalogue.entries():
                    yield _of_site(entry, site.name)
        except ConfigError:
            continue  # for example, this site has no file of the type that is wanted
        except SiteError as error:
            warn(str(error))


def _of_site(entry: CatalogueEntry, site: str) -> FleetFind:
    values = {name: getattr(entry, name) for name in ENTRY}
    if entry.find.file:
        values["find"] = replace(entry.find, file=f"{SITES}/{site}/{entry.find.file}")
    return FleetFind(**values, site=site)


def row_of_fleet(entry: FleetFind) -> dict[str, Any]:
    """Return a find by column name."""
    return {column.name: column.value(entry) for column in FLEET_COLUMNS}


def export_fleet(finds: Iterable[FleetFind], form: str, output: Path, *, force: bool) -> int:
    """Write the finds of a fleet to one file; return how many there were.

    Args:
        finds: The finds.
        form: csv, jsonl, parquet or sqlite.
        output: The file; - for the standard output, if the format is csv or jsonl.
        force: Replace a file that is there.
    """
    if form not in {**STREAMS, **WRITERS}:
        raise UnknownNameError("format", form, (*STREAMS, *WRITERS))
    if str(output) == STDOUT and form not in STREAMS:
        raise ConfigError(f"--to {form} cannot write to standard output: name a file.")
    if str(output) != STDOUT and output.exists() and not force:
        raise ConfigError(f"{str(output)!r} exists: choose another name, or add --force.")
    refuse_crawl(output)
    count = 0

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal count
        for entry in finds:
            yield row_of_fleet(entry)
            count += 1

    if str(output) == STDOUT:
        STREAMS[form](rows(), sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return count
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        _to_file(rows(), form, output)
    except (OSError, sqlite3.Error) as error:
        raise output_error(output, error) from error
    return count


def _to_file(rows: Iterator[dict[str, Any]], form: str, path: Path) -> None:
    if form in STREAMS and is_special(path):
        with path.open("wb") as out:
            STREAMS[form](rows, out)
        return
    with replaced(path) as temporary:
        if form in STREAMS:
            with temporary.open("wb") as out:
                STREAMS[form](rows, out)
        else:
            WRITERS[form](rows, temporary)


def _to_csv(rows: Iterator[dict[str, Any]], out: BinaryIO) -> None:
    csv_file.write_rows(out, [c.name for c in FLEET_COLUMNS], (row.values() for row in rows))


def _to_jsonl(rows: Iterator[dict[str, Any]], out: BinaryIO) -> None:
    out.writelines(line_of(row).encode() + b"\n" for row in rows)


def _to_parquet(rows: Iterator[dict[str, Any]], path: Path) -> None:
    from lodehound.exports.parquet import write_rows  # noqa: PLC0415 - an extra

    write_rows(path, FLEET_COLUMNS, (list(row.values()) for row in rows))


def _to_sqlite(rows: Iterator[dict[str, Any]], path: Path) -> None:
    types = {c.name: SQL_TYPES.get(c.type, "TEXT") for c in FLEET_COLUMNS}
    write_table(path, "catalogue", types, (list(map(_stored, row.values())) for row in rows))


def _stored(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return json.dumps(value) if isinstance(value, list | dict) else value


STREAMS: dict[str, Callable[[Iterator[dict[str, Any]], BinaryIO], None]] = {
    "csv": _to_csv,
    "jsonl": _to_jsonl,
}
WRITERS: dict[str, Callable[[Iterator[dict[str, Any]], Path], None]] = {
    "parquet": _to_parquet,
    "sqlite": _to_sqlite,
}
