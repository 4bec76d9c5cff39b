"""Crawl directories of somebody else, with names that lead out of them."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError, LodehoundError
from lodehound.sites.server import SiteServer
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.files.file_store import FileStore
from lodehound.stores.files.inside import is_inside
from lodehound.stores.files.old_versions import OldVersions
from lodehound.stores.fleet import FleetStore
from lodehound.stores.left_out import change_left_out, left_out
from lodehound.stores.records import Record
from tests.live import crawl_words, run, run_many

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")

WRITING = [["resume", "--requests", "+9", "--delay", "0"], ["update", "--delay", "0"], ["repair"]]
READING = [["status"], ["list"], ["report"], ["skipped"]]
HOST = "files/{host}"
Make = Callable[[Path, Path], object]
MAGIC = bytes.fromhex("d9d505f920a163d7")


@pytest.fixture(scope="module")
def server() -> Iterator[SiteServer]:
    with SiteServer() as server:
        page = b'<a href="/a.csv">a</a> <a href="/b.csv">b</a>'
        tables = [
            Record(f"{server.url}{name}.csv", 200, "text/csv", name.encode()) for name in "ab"
        ]
        server.serve([Record(server.url, 200, "text/html", page), *tables])
        yield server


@pytest.fixture
def crawl(server: SiteServer, tmp_path: Path) -> Path:
    out = tmp_path / "finds"
    assert run(*crawl_words(server.url, out=out, requests=2)).code == 0
    return out


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """What must stay as it is: a file, and a folder with a file."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text("mine")
    return tmp_path / "outside"


def state(outside: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(outside.iterdir())}


def linked_file(path: Path, outside: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(outside / "file")


def linked_folder(path: Path, outside: Path) -> None:
    if path.exists():
        path.rename(path.parent.parent / "moved")
    path.symlink_to(outside)


def hard_link(path: Path, outside: Path) -> None:
    path.unlink(missing_ok=True)
    os.link(outside / "file", path)


def pipe(path: Path, _: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def super_journal(path: Path, outside: Path) -> None:
    """SQLite removes the file that such a journal names, when it takes back the commit."""
    name = str(outside / "file").encode()
    head = (MAGIC + struct.pack(">IIIII", 0, 1, 1, 512, 4096)).ljust(512, b"\0")
    end = struct.pack(">I", 2**30 // 4096 + 1) + name + struct.pack(">II", len(name), sum(name))
    path.write_bytes(head + end + MAGIC)


@pytest.mark.parametrize(
    "case",
    [
        ("lock", linked_file, WRITING + READING),
        ("lock", hard_link, WRITING),
        ("lock", pipe, WRITING + READING),
        ("crawl.sqlite", linked_file, WRITING + READING),
        ("crawl.sqlite-wal", linked_file, WRITING + READING),
        ("crawl.sqlite-shm", hard_link, WRITING + READING),
        ("crawl.sqlite-journal", super_journal, WRITING + READING),
        ("metadata.json", linked_file, WRITING),
        ("crawl.warc.gz", linked_file, WRITING),
        ("crawl.warc.gz", pipe, WRITING),
        ("report.html", linked_file, [["report"]]),
        ("report.html", pipe, [["report"]]),
        ("receipt.html", pipe, [["receipt"]]),
        ("files", linked_folder, WRITING + READING),
        ("versions", linked_folder, WRITING),
        (HOST, linked_folder, WRITING),
        (f"{HOST}/b.csv", pipe, WRITING),
        (f"{HOST}/a.csv.part", linked_file, WRITING),
    ],
)
def test_nothing_leads_out(
    crawl: Path, outside: Path, server: SiteServer, case: tuple[str, Make, list[list[str]]]
) -> None:
    """One line names what does, and nothing outside changes."""
    name, make, commands = case
    [host] = [path.name for path in (crawl / "files").iterdir()]
    odd = crawl / name.format(host=host)
    make(odd, outside)
    before, asked = state(outside), len(server.log)
    words = [[command, str(crawl), *options] for command, *options in commands]
    for done in run_many(words, crawl.parent):
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert f"{str(odd)!r}" in done.err
    assert (state(outside), len(server.log)) == (before, asked)


def test_a_crawl_directory_that_is_reached_by_a_link(crawl: Path) -> None:
    """It is on another disk, say: that is its user's choice."""
    link = crawl.parent / "link"
    link.symlink_to(crawl)
    assert [run(name, link, *rest).code for name, *rest in WRITING + READING] == [0] * 7


def test_a_hard_link_may_be_read(crawl: Path, outside: Path) -> None:
    """As in backups, which share the files that have not changed."""
    os.link(crawl / "crawl.sqlite", outside / "backup")
    codes = [run(name, crawl, *rest).code for name, *rest in (*READING, WRITING[0])]
    assert codes == [0, 0, 0, 0, 2]


def test_a_new_crawl_takes_no_folder_with_links(
    server: SiteServer, tmp_path: Path, outside: Path
) -> None:
    out = tmp_path / "finds"
    out.mkdir()
    (out / "lock").symlink_to(outside / "file")
    done = run(*crawl_words(server.url, out=out))
    assert (done.code, state(outside)) == (2, {"file": "mine"})
    assert "is a symbolic link" in done.err


@pytest.mark.parametrize("file", ["files/../../outside/file", "/etc/passwd", "lock", "files"])
def test_the_paths_of_a_catalogue_stay_inside(crawl: Path, outside: Path, file: str) -> None:
    """With the hash of a kept version, a stranger's bytes would replace a file elsewhere."""
    [(sha256,)] = rows(crawl, "SELECT sha256 FROM finds")
    kept = crawl / "versions" / sha256[:2] / sha256
    kept.parent.mkdir(parents=True)
    kept.write_bytes(next((crawl / "files").glob("*/a.csv")).read_bytes())
    rows(crawl, f"UPDATE finds SET file = '{file}'")
    done = run("resume", crawl, "--requests", "+1")
    assert (done.code, state(outside)) == (2, {"file": "mine"})
    assert "is no file of this folder" in done.err


def rows(crawl: Path, statement: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as db, db:
        return db.execute(statement).fetchall()


def test_nothing_outside_is_removed(tmp_path: Path, outside: Path) -> None:
    store = FileStore(tmp_path / "finds" / "files")
    (tmp_path / "finds" / "versions").mkdir(parents=True)
    OldVersions(tmp_path / "finds" / "versions").drop("versions/../../outside/file")
    with pytest.raises(LodehoundError, match="is no file of this folder"):
        store.settle(unused="files/../../outside/file")
    assert state(outside) == {"file": "mine"}


def test_what_is_inside() -> None:
    paths = ["files/a/b", "files/a", "files", "files/", "/files/a", "files//a", "files/./a", "x/a"]
    assert [path for path in paths if is_inside(path, "files")] == ["files/a/b", "files/a"]


@pytest.mark.parametrize("name", ["lock", "fleet.sqlite-wal", "sites", "sites/one"])
def test_a_fleet_leads_nowhere_either(tmp_path: Path, outside: Path, name: str) -> None:
    fleet = tmp_path / "fleet"
    fleet.mkdir()
    FleetStore.create(fleet, version="1").close()
    (fleet / name).parent.mkdir(exist_ok=True)
    (fleet / name).symlink_to(outside if name.startswith("sites") else outside / "file")
    for command in ("resume", "status", "report"):
        done = run("fleet", command, fleet)
        assert (done.code, f"{str(fleet / name)!r} is a symbolic link" in done.err) == (2, True)
    assert state(outside) == {"file": "mine"}


def test_the_list_beside_a_recording_is_replaced_not_followed(
    tmp_path: Path, outside: Path
) -> None:
    recording = tmp_path / "site.warc.gz"
    (tmp_path / "site.cut.txt.gz.new").symlink_to(outside / "file")
    change_left_out(recording, add={"https://e.org/"})
    assert left_out(recording) == frozenset({"https://e.org/"})
    assert state(outside) == {"file": "mine"}


def test_opening_to_look_on_leaves_links_below_alone(crawl: Path, outside: Path) -> None:
    """A million files are not looked at for every command; each is when it is opened."""
    [host] = (crawl / "files").iterdir()
    (host / "link.csv").symlink_to(outside / "file")
    CrawlDir.open(crawl, write=False).close()
    with pytest.raises(ConfigError, match="is a symbolic link"):
        CrawlDir.open(crawl)


def test_an_older_version_is_copied_into_a_file_of_its_own(tmp_path: Path, outside: Path) -> None:
    """Not through a name that somebody could foresee, and link elsewhere."""
    (tmp_path / "finds" / "files").mkdir(parents=True)
    versions = OldVersions(tmp_path / "finds" / "versions")
    sha256 = hashlib.sha256(b"older").hexdigest()
    kept = tmp_path / "finds" / "versions" / sha256[:2] / f"{sha256}.csv"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"older")
    os.link(outside / "file", tmp_path / "finds" / "files" / "a.csv.part")
    versions.tidy((), (), {bytes.fromhex(sha256): "files/a.csv"})
    assert (tmp_path / "finds" / "files" / "a.csv").read_bytes() == b"older"
    assert state(outside) == {"file": "mine"}


@pytest.mark.parametrize("words", [["--to", "csv"], ["--to", "jsonl"]])
def test_an_export_into_the_directory_follows_no_link(
    crawl: Path, outside: Path, words: list[str]
) -> None:
    (crawl / f"finds.{words[1]}").symlink_to("/dev/null")
    done = run("export", crawl, *words)
    assert (done.code, "is a symbolic link" in done.err) == (2, True)


def test_the_report_of_a_fleet_follows_no_link(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "fleet").mkdir()
    FleetStore.create(tmp_path / "fleet", version="1").close()
    (tmp_path / "fleet" / "report").symlink_to(outside)
    done = run("fleet", "report", tmp_path / "fleet")
    assert (done.code, "is a symbolic link" in done.err) == (2, True)
    assert state(outside) == {"file": "mine"}
