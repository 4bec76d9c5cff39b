"""The SQLite replicas of the SB kit."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lodehound.core.errors import SiteError
from lodehound.stores.records import Damage, Record, read_records
from tests.helpers import ROOT, url

COLUMNS = "url TEXT, http_response TEXT, headers TEXT, body BLOB, content_length TEXT"
HTML = str({b"Content-Type": [b"text/html; charset=utf-8"], b"Server": [b"x"]})
CSV = str({b"CONTENT-TYPE": [b"text/csv"]})
MOVED = str({b"location": [b"/new"]})


def replica(
    path: Path, rows: Sequence[Sequence[Any]], table: str = "site", columns: str = COLUMNS
) -> Path:
    """Write a replica as the kit does."""
    name = table.replace('"', '""')
    marks = ", ".join("?" * len(columns.split(",")))
    with closing(sqlite3.connect(path)) as database:
        database.execute(f'CREATE TABLE "{name}" ({columns})')
        database.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows)
        database.commit()
    return path


def read(path: Path) -> tuple[list[Record], Damage]:
    damage = Damage()
    return list(read_records(path, damage)), damage


@pytest.mark.parametrize("table", ["site", "justice.gouv.fr", 'a "quoted" name', "x; DROP TABLE y"])
def test_a_replica(tmp_path: Path, table: str) -> None:
    """Rows in their order, whatever the table is called; sizes as declared, else as stored."""
    rows = [
        (ROOT, "200", HTML, b"<a href=x>", "99"),
        (url("old"), "301", MOVED, None, None),
        (url("x"), 200, CSV, "text, not bytes \u00e9", ""),
    ]

    assert read(replica(tmp_path / "kit.db", rows, table)) == (
        [
            Record(ROOT, 200, "text/html; charset=utf-8", b"<a href=x>", 99, len(HTML)),
            Record(url("old"), 301, "", b"", 0, len(MOVED), "/new"),
            Record(url("x"), 200, "text/csv", "text, not bytes \u00e9".encode(), 18, len(CSV)),
        ],
        Damage(),
    )


@pytest.mark.parametrize(
    "headers",
    [
        None,
        "",
        "{",
        "[1, 2]",
        "17",
        "{b'a': ",
        "__import__('os')",
        "{b'a': {}}" * 2,
        "(" * 9999,
        b"\xff",
        "\0",
    ],
)
def test_damaged_headers_are_no_headers(tmp_path: Path, headers: str | bytes | None) -> None:
    """The response stays, without a type; nothing in the file is ever run."""
    records, damage = read(replica(tmp_path / "kit.db", [(ROOT, "200", headers, b"x", "1")]))

    assert [(record.status, record.content_type, record.body) for record in records] == [
        (200, "", b"x")
    ]
    assert damage == Damage()


@pytest.mark.parametrize(
    ("headers", "mime"),
    [
        ({"Content-Type": "text/csv"}, "text/csv"),
        ({b"Content-Type": b"text/csv"}, "text/csv"),
        ({b"Content-Type": []}, ""),
        ({b"Content-Type": [b"text/csv", b"text/html"]}, "text/csv"),
        ({b"Content-Type": [b"text/\xff"]}, "text/\ufffd"),
    ],
)
def test_headers_in_other_shapes(tmp_path: Path, headers: dict[Any, Any], mime: str) -> None:
    """Text for bytes, one value for a list, no value, several values: the first counts."""
    records, _ = read(replica(tmp_path / "kit.db", [(ROOT, "200", str(headers), b"", "1")]))

    assert records[0].content_type == mime


@pytest.mark.parametrize(
    ("status", "length", "expected"),
    [
        ("200", "5", (200, 5)),
        (200, 5, (200, 5)),
        ("", "", (0, 1)),
        (None, None, (0, 1)),
        ("n/a", "n/a", (0, 1)),
        ("-1", "-1", (0, 1)),
        ("9" * 12, "9" * 30, (0, 1)),
        ("200", "9" * 5000, (200, 1)),
    ],
)
def test_numbers_that_are_none(
    tmp_path: Path, status: Any, length: Any, expected: tuple[int, int]
) -> None:
    """A status that cannot be is 0; a length that cannot be is that of the body."""
    records, _ = read(replica(tmp_path / "kit.db", [(ROOT, status, HTML, b"x", length)]))

    assert [(record.status, record.size) for record in records] == [expected]


def test_length_may_be_missing(tmp_path: Path) -> None:
    """The column content_length came late to the kit."""
    columns = "http_response, body, headers, url"

    records, _ = read(replica(tmp_path / "kit.db", [("200", b"xyz", HTML, ROOT)], columns=columns))

    assert [(record.url, record.status, record.size) for record in records] == [(ROOT, 200, 3)]


def test_text_that_is_no_utf8(tmp_path: Path) -> None:
    """A body stored as text in another encoding ends neither the table nor the program."""
    path = replica(tmp_path / "kit.db", [(ROOT, "200", HTML, b"x", "1")])
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "INSERT INTO site VALUES (?, '200', ?, CAST(x'41ff' AS TEXT), '2')", (url("b"), HTML)
        )
        database.execute("INSERT INTO site VALUES (?, '200', ?, 'c', '1')", (url("c"), HTML))
        database.commit()

    records, damage = read(path)

    assert [record.body for record in records] == [b"x", "A\ufffd".encode(), b"c"]
    assert damage == Damage()


def test_several_tables(tmp_path: Path) -> None:
    """All that have the columns are read, others are passed over."""
    path = replica(tmp_path / "kit.db", [(ROOT, "200", HTML, b"", "1")], "b")
    replica(path, [(url("x"), "200", HTML, b"", "1")], "a")
    replica(path, [("no",)], "c", columns="url")

    assert [record.url for record in read(path)[0]] == [ROOT, url("x")]


def test_no_such_table(tmp_path: Path) -> None:
    """Another SQLite file is no replica, and the message says what is missing."""
    path = replica(tmp_path / "kit.db", [("x",)], columns="url")

    with pytest.raises(
        SiteError, match="no table with the columns body, headers, http_response, url"
    ):
        read(path)


def test_a_damaged_database(tmp_path: Path) -> None:
    """The rows before the damage are used, and the damage is told."""
    rows = [(url(str(i)), "200", HTML, b"y" * 3000, "1") for i in range(50)]
    path = replica(tmp_path / "kit.db", rows)
    content = bytearray(path.read_bytes())
    content[100_000:140_000] = b"\xee" * 40_000
    path.write_bytes(content)

    records, damage = read(path)

    assert [record.url for record in records] == [url(str(i)) for i in range(len(records))]
    assert 10 < len(records) < 40
    assert damage.notes[0].startswith("kit.db: table site is damaged (")


def test_a_database_damaged_at_its_table(tmp_path: Path) -> None:
    """Not even the first row can be had: damage, not a crash."""
    path = replica(
        tmp_path / "kit.db", [(url(str(i)), "200", HTML, b"y" * 3000, "1") for i in range(50)]
    )
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xee" * 4096
    path.write_bytes(content)

    assert read(path)[0] == []
    assert read(path)[1].lost == 1


@pytest.mark.parametrize("kept", [40, 5000])
def test_a_database_that_is_cut_off(tmp_path: Path, kept: int) -> None:
    """SQLite itself refuses it: the message names the file."""
    path = replica(
        tmp_path / "kit.db", [(url(str(i)), "200", HTML, b"y" * 3000, "1") for i in range(50)]
    )
    path.write_bytes(path.read_bytes()[:kept])

    with pytest.raises(SiteError, match=r"kit.db' cannot be read: "):
        read(path)


def test_reading_leaves_the_file_alone(tmp_path: Path) -> None:
    """It is opened for reading, closed again, and may have signs of an address in its name."""
    path = replica(tmp_path / "a?b#c%20 d.db", [(ROOT, "200", HTML, b"", "1")])
    before = path.read_bytes()

    assert len(read(path)[0]) == 1
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
