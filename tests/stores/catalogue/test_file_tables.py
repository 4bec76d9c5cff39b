"""What is known of tables and columns, as rows: for search, and for people with SQL."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.inspect import Inspection
from lodehound.inspect.files import inspect_file
from lodehound.stores.catalogue.find_rows import Inspected
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.schema import FILE_COLUMNS, FILE_TABLES

ODD = '{"tables":["x",{"facts":"y","titles":"z"}]}'
BODY = "Rates of 2015\n\nTown,Rate (%),2019\nOslo,1.5,7\nChisinau,2.5,8\n"


def inspected(file: str, inspection: str) -> Inspected:
    return Inspected(file, "csv", 1, 2, 3, "[]", 0, 0, "", inspection)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database with a sound inspection, one of an earlier version, and damaged ones."""
    (tmp_path / "a.csv").write_text(BODY)
    found: Inspection = inspect_file(tmp_path / "a.csv")
    old = '{"kind":"csv","tables":[{"name":"old","rows":2,"columns":1,"header":["a"]}]}'
    with CrawlDir.create(tmp_path / "crawl", config="{}", version="1") as directory:
        for file, text in (("a", found.to_json()), ("b", old), ("c", '{"tables":[{'), ("d", ODD)):
            directory.finds.inspected(inspected(file, text))
    with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.sqlite")) as db:
        db.row_factory = sqlite3.Row
        yield db


@pytest.mark.parametrize("source", [FILE_TABLES, "SELECT * FROM file_tables"])
def test_tables_as_rows(db: sqlite3.Connection, source: str) -> None:
    new, old, *odd = map(dict, db.execute(source))

    assert (new["file"], new["number"], new["rows"], new["columns"]) == ("a", 1, 2, 3)
    assert (new["first_year"], new["last_year"]) == (2019, 2019)
    assert json.loads(new["titles"]) == ["Rates of 2015"]
    assert len(new["series"]) == 16
    assert (old["name"], old["titles"], old["series"]) == ("old", None, None)
    assert [row["titles"] for row in odd] == [None, "z"]


@pytest.mark.parametrize("source", [FILE_COLUMNS, "SELECT * FROM file_columns"])
def test_columns_as_rows(db: sqlite3.Connection, source: str) -> None:
    town, rate, _, odd = map(dict, db.execute(source))

    assert (town["name"], json.loads(town["values"])) == ("Town", ["Chisinau", "Oslo"])
    assert (rate["kind"], rate["unit"], rate["least"]) == ("number", "%", "1.5")
    assert (odd["file"], odd["name"]) == ("d", None)


def test_the_statement_of_the_documentation_finds_a_value(db: sqlite3.Connection) -> None:
    page = Path(__file__).parents[3] / "docs" / "tables.md"
    statement = page.read_text(encoding="utf-8").partition("```sql\n")[2].partition("```")[0]
    texts = ", ".join(
        """mime declared_mime sha256 last_modified etag content_disposition fetched_at found_on
        page_title anchor tag_path why label""".split()
    )
    db.execute(
        f"""INSERT INTO finds (number, url, final_url, file, bytes, size, truncated, depth, value,
        {texts}) VALUES (1, 'u', 'u', 'a', 1, 1, 0, 0, 1, {", ".join(["''"] * 13)})"""
    )

    assert [tuple(row) for row in db.execute(statement)] == [("u", "", "Town", None)]
