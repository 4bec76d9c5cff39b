"""Rows of finds are read within limits."""

from __future__ import annotations

from pathlib import Path

from lodehound.inspect.records import Values
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.tables.names import NamedTable, named_tables
from lodehound.tables.rows import RefusedTableError, TableReader
from tests.exports.crawls import add, begin


def load(crawl: Path, reader: TableReader, refused: str = "") -> dict[str, tuple[int | None, str]]:
    def put(table: NamedTable, values: Values) -> int:
        if table.name == refused:
            raise RefusedTableError("not this one")
        return len(list(values.rows))

    with Catalogue(crawl) as catalogue, reader:
        tables = list(named_tables(catalogue))
        found = reader.load(tables, lambda one: catalogue.path_of(one.entry.find), put)
        return {one.table.name: (one.rows, one.note) for one in found}


def test_the_rows_of_a_table_are_limited(crawl: Path) -> None:
    found = load(crawl, TableReader(most_rows=2))
    assert found["labour_market"] == (2, "only the first 2 of 3 rows")
    assert found["geburten_nach_orten"] == (2, "")


def test_the_time_for_a_file_is_limited(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "long.csv", b"year,births\n" + b"2020,512\n" * 300_000)
    found = load(tmp_path / "crawl", TableReader(seconds=0.001))
    assert set(found.values()) == {(None, "took too long")}


def test_a_table_that_is_refused_does_not_stop_the_others(crawl: Path) -> None:
    found = load(crawl, TableReader(), "labour_market")
    assert found.pop("labour_market") == (None, "not this one")
    assert {rows for rows, _ in found.values()} == {2}
