"""Crawl directories and fleets of somebody else: nothing that they name is run."""

from __future__ import annotations

import json
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.trust import key_advice
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.live import Crawled, crawl_words, query, run_many

# Leaves a mark where it is imported, and one where its program is run.
CODE = """
from pathlib import Path
from lodehound.policies.bfs import Bfs
from lodehound.shortcuts.ckan import Ckan
from lodehound.targets.files import Files
Path("imported").touch()
class Deep(Bfs): pass
class Tables(Files): pass
class Portal(Ckan): pass
"""
HTML = "text/html; charset=utf-8"
PAGE = '<a href="/a.csv">a</a> <a href="/b.csv">b</a> <a href="/c">c</a>'
PLUG_INS = ["--policy", "mine:Deep", "--want", "mine:Tables", "--shortcuts", "ckan,mine:Portal"]


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer() as server:
        rows = [
            Record(server.url + name, 200, "text/csv", b"a,b\n1,2\n") for name in ("a.csv", "b.csv")
        ]
        server.serve([Record(server.url, 200, HTML, PAGE.encode()), *rows])
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that commands are typed in; it holds the code."""
    (tmp_path / "mine.py").write_text(CODE)
    return tmp_path


@pytest.fixture
def mark(folder: Path, server: SiteServer) -> Path:
    """A crawl with plug-ins in "finds", and the mark that they leave: gone again."""
    begun = type_in(folder, *crawl_words(server.url, *PLUG_INS, out=Path("finds"), requests=2))
    mark = folder / "imported"
    assert (begun.code, begun.err, mark.exists()) == (0, "", True)
    mark.unlink()
    return mark


def type_in(folder: Path, *words: object) -> Crawled:
    """Run one command in a folder."""
    [done] = run_many([words], folder)
    return done


def change_config(crawl: Path, **values: Any) -> None:
    """Change what a crawl directory stores of its options."""
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as db, db:
        [(text,)] = db.execute("SELECT value FROM meta WHERE key = 'config'")
        changed = json.dumps(json.loads(text) | values)
        db.execute("UPDATE meta SET value = ? WHERE key = 'config'", (changed,))


def typed(said: str) -> list[str]:
    """Return the words of the command that a message says to type."""
    return shlex.split(said.partition("type: lodehound ")[2])


@pytest.mark.parametrize(
    ("words", "without"),
    [
        (["report", "finds"], "the target 'mine:Tables'"),
        (["skipped", "finds"], "the target 'mine:Tables'"),
        (["explain", "finds", "{url}"], "the policy 'mine:Deep' and the target 'mine:Tables' and"),
        (["explain", "finds", "{url}", "--quick"], "the target 'mine:Tables'"),
        (["status", "finds"], ""),
        (["list", "finds"], ""),
        (["export", "finds", "--to", "csv", "--output", "finds.csv"], ""),
        (["diff", "finds", "finds"], ""),
        (["repair", "finds"], ""),
    ],
)
def test_commands_that_read_do_without(
    mark: Path, server: SiteServer, words: list[str], without: str
) -> None:
    done = type_in(mark.parent, *(word.format(url=server.url) for word in words))
    notes = [line for line in done.err.splitlines() if "this does without" in line]
    assert (done.code, len(notes), mark.exists()) == (0, int(bool(without)), False)
    assert not notes or without in notes[0]


@pytest.mark.parametrize("words", [["report"], ["skipped"]])
def test_a_target_that_the_user_names_is_loaded(mark: Path, words: list[str]) -> None:
    done = type_in(mark.parent, *words, "finds", "--want", "mine:Tables")
    assert (done.code, mark.exists(), "mine:Tables" in done.err) == (0, True, False)


def test_another_target_than_that_of_the_crawl_is_refused(mark: Path) -> None:
    done = type_in(mark.parent, "report", "finds", "--want", "mine:Other")
    assert (done.code, mark.exists()) == (2, False)
    assert "was begun with --want mine:Tables" in done.err


@pytest.mark.parametrize("command", [["resume", "--requests", "+1"], ["update", "--requests", "5"]])
def test_to_go_on_the_user_names_the_code(mark: Path, command: list[str]) -> None:
    """Nothing is imported until then; the command in the message works as it is."""
    name, *options = command
    refused = type_in(mark.parent, name, "finds", *options)
    [[before]] = query(mark.parent / "finds", "SELECT count(*) FROM asks")
    assert (refused.code, refused.err.count("\n"), mark.exists(), before) == (2, 1, False, 2)
    words = typed(refused.err)
    assert words == [name, "finds", *options, *PLUG_INS]
    done = type_in(mark.parent, *words)
    [[after]] = query(mark.parent / "finds", "SELECT count(*) FROM asks")
    assert (done.code, mark.exists(), after > before) == (0, True, True)


def test_the_command_that_a_crawl_prints_names_the_code(mark: Path) -> None:
    done = type_in(mark.parent, "status", "finds")
    [line] = [line for line in done.out.splitlines() if line.startswith("next ")]
    assert line.split()[1:] == ["lodehound", "resume", "finds", "--requests", "+2", *PLUG_INS]


def test_no_program_that_a_directory_names_is_started(folder: Path, server: SiteServer) -> None:
    """Nor may a crawl with another one go on without it."""
    program = folder / "browser"
    program.write_text("#!/bin/sh\ntouch started\n")
    program.chmod(0o755)
    type_in(folder, *crawl_words(server.url, out=Path("finds"), requests=1))
    change_config(folder / "finds", browser=str(program), render="always")
    for command in ("resume", "update"):
        done = type_in(folder, command, "finds", "--requests", "3")
        assert (done.code, (folder / "started").exists()) == (2, False)
        assert typed(done.err)[-2:] == ["--browser", str(program)]
    done = type_in(folder, "resume", "finds", "--requests", "3", "--render", "never", "--delay", 0)
    assert "only you may allow" in done.err


def test_no_file_that_a_directory_names_is_written(folder: Path, server: SiteServer) -> None:
    taken = folder / "taken.json"
    taken.write_text('{"weights": []}')
    type_in(folder, *crawl_words(server.url, out=Path("finds"), requests=1))
    change_config(folder / "finds", weights=str(taken))
    done = type_in(folder, "resume", "finds", "--requests", "+1")
    assert (done.code, taken.read_text()) == (2, '{"weights": []}')
    assert typed(done.err)[-2:] == ["--weights", str(taken)]


def test_a_recording_is_only_the_file_beside_its_state(folder: Path, server: SiteServer) -> None:
    taken = folder / "taken.warc.gz"
    state = folder / "site.warc.gz.crawl"
    type_in(folder, *crawl_words(server.url, out=state, requests=1, policy="bfs"))
    change_config(state, record=str(taken))
    for beside in (taken, folder / "site.warc.gz"):
        if beside != taken:
            beside.symlink_to(taken)
            change_config(state, record=str(beside))
        done = type_in(folder, "resume", state.name, "--requests", "+1")
        assert (done.code, "not the file beside it" in done.err, taken.exists()) == (2, True, False)


def test_a_recording_has_no_other_name(folder: Path, server: SiteServer) -> None:
    """What is appended to it would be in a file elsewhere, too."""
    state, taken = folder / "site.warc.gz.crawl", folder / "taken.warc.gz"
    type_in(folder, *crawl_words(server.url, out=state, requests=1, policy="bfs"))
    taken.write_bytes(b"mine")
    (folder / "site.warc.gz").hardlink_to(taken)
    change_config(state, record=str(folder / "site.warc.gz"))
    done = type_in(folder, "resume", state.name, "--requests", "+1")
    assert (done.code, "has another name elsewhere" in done.err) == (2, True)
    assert taken.read_bytes() == b"mine"


def test_a_stored_proxy_gets_no_request(folder: Path, server: SiteServer) -> None:
    """Secrets are never stored; where one stands all the same, somebody else wrote it."""
    type_in(folder, *crawl_words(server.url, out=Path("finds"), requests=1))
    with SiteServer() as proxy:
        change_config(folder / "finds", proxy=proxy.url, header=["X: y"], auth="a:b")
        done = type_in(folder, "resume", "finds", "--requests", "+1", "--delay", 0)
        assert (done.code, list(proxy.log)) == (0, [])


def test_a_policy_of_the_journal_is_not_loaded(mark: Path, server: SiteServer) -> None:
    """That which made a request may be another one than the crawl's."""
    change_config(mark.parent / "finds", policy="bfs", want="files", shortcuts="auto")
    done = type_in(mark.parent, "explain", "finds", server.url)
    assert (done.code, mark.exists()) == (0, False)
    assert "policy 'mine:Deep' is not loaded" in done.out


def test_the_name_of_a_shortcut_in_a_journal_is_not_loaded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    assert key_advice("mine:Portal") == "give it with --header 'Authorization: KEY'"
    assert not (folder / "imported").exists()


def test_a_module_of_the_current_folder_replaces_none(folder: Path, server: SiteServer) -> None:
    """The folder is searched for the code that the user names, and last of all."""
    for name in ("json", "typer", "aiohttp", "lodehound"):
        (folder / f"{name}.py").write_text("from pathlib import Path\nPath('shadow').touch()\n")
    words = crawl_words(server.url, *PLUG_INS, out=Path("finds"), requests=3, inspect=True)
    done = type_in(folder, *words)
    assert (done.code, (folder / "imported").exists()) == (0, True)
    assert not (folder / "shadow").exists()
