"""Files that a stranger's crawl directory names: only plain ones are opened, and never for ever."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.core.errors import SiteError
from lodehound.sites.server import SiteServer
from lodehound.stores import cache
from lodehound.stores.kit import read_kit
from lodehound.stores.records import Damage, Record
from lodehound.stores.text_files import NOT_PLAIN
from tests.live import crawl_words, query
from tests.live.test_strangers import change_config, type_in

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")

PAGE = b'<a href="/a.csv">a</a> <a href="/b.csv">b</a>'
# What a directory may name, and the options with which it is read.
NAMED = {
    "vectors": {"want": "topic:birds", "policy": "lodehound", "about_text": "birds of the sea"},
    "idf": {"want": "topic:birds", "policy": "tres", "about_text": "birds", "vectors": "none"},
    "replica": {},
}
COMMANDS = [
    ["report"], ["skipped"], ["explain", "{url}"], ["status"], ["list"],
    ["export", "--to", "csv"], ["resume", "--requests", "+1"], ["update", "--requests", "1"],
]  # fmt: skip


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer() as server:
        server.serve(
            [
                Record(server.url, 200, "text/html", PAGE),
                Record(f"{server.url}a.csv", 200, "text/csv", b"a,b\n1,2\n"),
            ]
        )
        yield server


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def device(_: Path) -> Path:
    return Path("/dev/zero")


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def sites(folder: Path, statement: str) -> list[str]:
    with closing(sqlite3.connect(folder / "web" / "fleet.sqlite")) as db, db:
        return [value for (value,) in db.execute(statement)]


@pytest.mark.parametrize("make", [pipe, device, folder])
@pytest.mark.parametrize("option", NAMED)
def test_no_command_waits_for_what_a_directory_names(
    server: SiteServer, tmp_path: Path, option: str, make: Callable[[Path], Path]
) -> None:
    """A command that does not need it goes on without; any other one says what is wrong."""
    assert type_in(tmp_path, *crawl_words(server.url, out=Path("finds"), requests=1)).code == 0
    odd = make(tmp_path / "odd")
    change_config(tmp_path / "finds", **{option: str(odd)}, **NAMED[option])
    refused = []
    for name, *words in COMMANDS:
        done = type_in(tmp_path, name, "finds", *(word.format(url=server.url) for word in words))
        assert (done.code in {0, 2}, "Traceback" in done.err) == (True, False)
        if done.code:
            refused.append(done.err)
    assert any(odd.name in said for said in refused)
    assert any(NOT_PLAIN in said or "irectory" in said or "folder" in said for said in refused)
    assert query(tmp_path / "finds", "SELECT count(*) FROM finds") == [(0,)]


@pytest.mark.parametrize("option", ["about", "like"])
def test_no_site_of_a_fleet_waits(server: SiteServer, tmp_path: Path, option: str) -> None:
    """They read such files again, when they begin."""
    (tmp_path / "sites.csv").write_text(f"url\n{server.url}\n")
    named = tmp_path / "named.txt"
    named.write_text("Birds of the sea.")
    words = [
        "fleet",
        "sites.csv",
        "--out",
        "web",
        "--jobs",
        1,
        "--delay",
        0,
        "--want",
        "topic:birds",
    ]
    words += ["--policy", "lodehound", "--vectors", "none", f"--{option}", "named.txt"]
    assert type_in(tmp_path, *words, "--requests", 1).code == 0
    shutil.rmtree(tmp_path / "web" / "sites")
    named.unlink()
    pipe(named)
    sites(tmp_path, "UPDATE sites SET state = 'waiting'")
    done = type_in(tmp_path, "fleet", "resume", "web", "--requests", "+1")
    [said] = sites(tmp_path, "SELECT detail FROM sites")
    assert (done.code, NOT_PLAIN in said) == (1, True)


def test_nothing_is_computed_while_a_kit_is_read(tmp_path: Path) -> None:
    """Such a column would take all memory."""
    kit = tmp_path / "kit.db"
    with closing(sqlite3.connect(kit)) as db, db:
        db.execute("CREATE TABLE pages (url, http_response, headers, body, "
                   "content_length AS (length(hex(zeroblob(400000000)))))")  # fmt: skip
        db.execute("INSERT INTO pages VALUES ('http://e.example/', 200, '', 'a')")
    assert [record.size for record in read_kit(kit, Damage())] == [1]


def test_nothing_beside_a_kit_is_waited_for(tmp_path: Path) -> None:
    kit = tmp_path / "kit.db"
    with closing(sqlite3.connect(kit)) as db, db:
        db.execute("CREATE TABLE pages (url, http_response, headers, body)")
    pipe(tmp_path / "kit.db-wal")
    with pytest.raises(SiteError, match="is a pipe"):
        list(read_kit(kit, Damage()))


def test_the_list_beside_a_recording_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed, site = tmp_path / "site.cut.txt.gz", tmp_path / "site.warc.gz"
    listed.write_bytes(gzip.compress(bytes(2**25)))
    with pytest.raises(SiteError, match="a line of more than"):
        cache.cut_urls(site)
    listed.write_bytes(gzip.compress(b"http://e.example/a\n" * 5))
    monkeypatch.setattr(cache, "MOST_CUT", 4)
    with pytest.raises(SiteError, match="more than 4 lines"):
        cache.cut_urls(site)
