"""What the parts of a divided crawl tell each other."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

import pytest

from lodehound.stores.database.schema import SCHEMA
from lodehound.stores.log.sent_links import pack_lessons, read_lessons


@pytest.mark.parametrize(
    ("learned", "read"),
    [
        (pack_lessons({"1": [0.5, 0.5]}), {"1": [0.5, 0.5]}),
        (b"no zlib", {}),
        (zlib.compress(b"{"), {}),
        (zlib.compress(b"[]"), {}),
        (None, {}),
    ],
)
def test_damaged_lessons_of_another_part_are_none(
    tmp_path: Path, learned: bytes | None, read: dict[str, list[float]]
) -> None:
    """Its own part says that it is damaged; this one goes on."""
    db = sqlite3.connect(tmp_path / "crawl.sqlite")
    table = next(one for one in SCHEMA if "CREATE TABLE lessons" in one)
    db.execute(table.replace(" NOT NULL", ""))
    db.execute("INSERT INTO lessons VALUES (1, ?)", (learned,))
    db.commit()
    db.close()
    assert read_lessons(tmp_path / "crawl.sqlite") == read
