"""Any recording is read by what it is, not by what it is called."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.core.errors import SiteError
from lodehound.stores.records import Damage, read_records
from tests.helpers import ROOT, http, warc


def test_a_warc_under_any_name(tmp_path: Path) -> None:
    """What does not begin like SQLite is taken for a WARC."""
    path = tmp_path / "recording.db"
    path.write_bytes(warc(ROOT, http(b"x")))

    assert [record.url for record in read_records(path, Damage())] == [ROOT]


def test_a_replica_under_any_name(tmp_path: Path) -> None:
    """What begins like SQLite is a replica of the kit."""
    path = tmp_path / "site.warc.gz"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE t (url, http_response, headers, body)")
        database.execute("INSERT INTO t VALUES (?, '200', '{}', 'x')", (ROOT,))
        database.commit()

    assert [record.url for record in read_records(path, Damage())] == [ROOT]


def test_no_file(tmp_path: Path) -> None:
    """The message names the path and the way out, before anything is read."""
    with pytest.raises(
        SiteError, match=r"There is no recorded site '.*nowhere.warc': check the path"
    ):
        read_records(tmp_path / "nowhere.warc", Damage())


def test_a_folder(tmp_path: Path) -> None:
    """A folder is not searched: the message says what to name."""
    with pytest.raises(SiteError, match="is a folder: name the WARC files in it"):
        read_records(tmp_path, Damage())


def test_damage_is_counted_by_file() -> None:
    """Notes name the file without its folder; the lost are counted together."""
    damage = Damage()

    damage.add(Path("/some/where/a.warc"), "is torn")
    damage.add(Path("b.db"), "is wet", lost=3)

    assert damage == Damage(["a.warc: is torn", "b.db: is wet"], 4)
