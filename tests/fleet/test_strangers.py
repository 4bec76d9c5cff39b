"""The fleet of somebody else: nothing is run that its list, or a file of the folder, names."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.assembly.fleet_setup import site_config
from lodehound.assembly.trust import named_options
from lodehound.core.errors import ConfigError
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.fleet import HASTE, listed
from tests.live import Crawled, run, run_many

CODE = """
from collections.abc import Iterator
from pathlib import Path
from lodehound.policies.bfs import Bfs
from lodehound.targets.files import Files
Path("imported").touch()
class Deep(Bfs): pass
class Tables(Files): pass
"""
# As the installed command is: the current folder is not on its path, nor does -P say so.
SCRIPT = "import sys; sys.path.pop(0); from lodehound.cli import main; main()"


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Path]:
    """A fleet whose list names code, and the folder that holds the code."""
    (tmp_path / "mine.py").write_text(CODE)
    with SiteServer() as server:
        page = b'<a href="/a.csv">a</a> <a href="/b.csv">b</a>'
        server.serve([Record(server.url, 200, "text/html", page)])
        rows = ["url,policy,want", f"{server.url},mine:Deep,mine:Tables"]
        sites = listed(tmp_path, rows, "sites.csv")
        words = ["fleet", sites.name, "--out", "web", "--jobs", 1, "--requests-per-site", 2, *HASTE]
        begun = type_in(tmp_path, *words)
        assert (begun.code, (tmp_path / "imported").exists()) == (0, True), begun.said
        (tmp_path / "imported").unlink()
        yield tmp_path / "web"


def type_in(folder: Path, *words: object) -> Crawled:
    [done] = run_many([words], folder)
    return done


@pytest.mark.parametrize(("command", "imports"), [("resume", False), ("update", True)])
def test_to_go_on_the_user_names_the_code(fleet: Path, command: str, imports: bool) -> None:
    """Here there is nothing to resume, so nothing is imported."""
    mark = fleet.parent / "imported"
    refused = type_in(fleet.parent, "fleet", command, "web", "--requests", 9)
    words = shlex.split(refused.err.partition("type: lodehound ")[2])
    again = ["--policy", "mine:Deep", "--want", "mine:Tables"]
    assert (refused.code, refused.err.count("\n"), mark.exists()) == (2, 1, False)
    assert words == ["fleet", command, "web", "--requests", "9", *again]
    done = type_in(fleet.parent, *words)
    assert (done.code, mark.exists()) == (0, imports), done.said


def test_its_report_does_without(fleet: Path) -> None:
    done = type_in(fleet.parent, "fleet", "report", "web")
    words = "warning: this does without the target 'mine:Tables', which only the directory names\n"
    assert (done.code, done.err, (fleet.parent / "imported").exists()) == (0, words, False)


@pytest.mark.parametrize("option", ["about", "like", "replica"])
def test_no_file_is_read_for_the_object_store_of_a_stranger(option: str) -> None:
    """What it says would become part of the crawl, and go there."""
    value = "mine.txt" if option == "replica" else ["mine.txt"]
    stored = json.dumps({"urls": ["https://e.org/"], option: value})
    named = {"named": named_options({option: ["mine.txt"]})}
    assert site_config(stored, {}).urls == ("https://e.org/",)
    assert site_config(stored, named, uploads=True).urls == ("https://e.org/",)
    with pytest.raises(ConfigError, match=f"--{option} mine.txt"):
        site_config(stored, {}, uploads=True)


def test_a_stored_proxy_gets_no_request() -> None:
    stored = {"urls": ["https://e.org/"], "proxy": "http://proxy.example/", "auth": "a:b"}
    config = site_config(json.dumps(stored), {})
    assert (config.proxy, config.auth) == ("", "")


def test_workers_import_nothing_from_the_current_folder(tmp_path: Path) -> None:
    """They are started by multiprocessing, as ``python -c``."""
    for name in ("json", "socket", "struct", "multiprocessing", "lodehound"):
        (tmp_path / f"{name}.py").write_text("open('shadow', 'w')\nraise SystemExit(9)\n")
    with SiteServer() as server:
        server.serve([Record(server.url, 200, "text/html", b"<p>Hello")])
        sites = listed(tmp_path, [server.url])
        words = ["fleet", sites, "--out", tmp_path / "web", "--jobs", 2, *HASTE]
        done = run(*words, cwd=tmp_path, program=("-c", SCRIPT))
    assert (done.code, (tmp_path / "shadow").exists()) == (0, False), done.said
