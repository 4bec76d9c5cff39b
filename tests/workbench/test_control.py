"""Actions of the workbench: the commands it runs, and what it refuses."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from starlette.testclient import TestClient

from lodehound.core.errors import ConfigError
from lodehound.stores.locks.lock import Lock
from lodehound.stores.locks.stopping import is_asked_to_stop
from lodehound.workbench import commands
from lodehound.workbench.crawls import WatchedCrawl
from tests.workbench.conftest import ACCESS, ORIGIN, client_of, enter, path_to


@pytest.fixture
def operator(crawl_folder: Path) -> Iterator[TestClient]:
    with client_of(crawl_folder, control=True) as client:
        yield enter(client)


def posted(client: TestClient, path: str, **fields: str) -> tuple[int, str]:
    """Send a form as the page does; return the status and the page."""
    fields |= {"csrf": ACCESS.form_token}
    response = client.post(path, data=fields, headers=ORIGIN)
    return response.status_code, response.text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"url": "https://e.org/", "folder": "../up"}, "The folder needs a name"),
        ({"url": "https://e.org/", "folder": "Crawl.sqlite"}, "is the name of a file of crawls"),
        ({"url": "https://e.org/", "folder": "fleet.sqlite"}, "is the name of a file of crawls"),
        ({"url": "https://e.org/", "folder": "a/b"}, "The folder needs a name"),
        ({"url": "https://e.org/", "folder": "office"}, "There is a crawl in"),
        ({"url": "javascript:alert(1)", "folder": "x"}, "is no web address"),
        ({"url": "--help", "folder": "x"}, "is no web address"),
        ({"url": "https://e.org/", "folder": "x", "requests": "many"}, "requests ="),
        ({"url": "https://e.org/", "folder": "x", "requests": " "}, "The crawl has no budget"),
        ({"url": "https://e.org/", "folder": "x", "delay": "1"}, "The crawl has no budget"),
        ({"url": "https://e.org/", "folder": "x", "want": "json:JSONEncoder"}, "loads no code"),
        ({"url": "https://e.org/", "folder": "x", "policy": "mine:Deep:a=1"}, "loads no code"),
        ({"url": "https://e.org/", "folder": "x", "shortcuts": "mine:Deep"}, "--shortcuts"),
        ({"url": "https://e.org/", "folder": "x", "browser": "/bin/sh"}, "--browser"),
        ({"url": "https://e.org/", "folder": "x", "allow_private": "::/0"}, "--allow-private"),
    ],
)
def test_a_crawl_that_cannot_be_run_is_not_started(
    operator: TestClient, crawl_folder: Path, fields: dict[str, str], words: str
) -> None:
    with mock.patch("subprocess.Popen", side_effect=AssertionError):
        status, page = posted(operator, "/start", **fields)

    assert (status, words in page) == (400, True)
    assert sorted(path.name for path in crawl_folder.iterdir()) == ["nasty", "office"]


@pytest.mark.parametrize(
    ("query", "requests"), [("", "500"), ("?url=https://e.org/", "500"), ("?requests=", "")]
)
def test_the_form_of_a_new_crawl_begins_with_a_budget(
    operator: TestClient, query: str, requests: str
) -> None:
    page = operator.get(f"/start{query}").text

    assert re.findall(r'name="requests" value="(.*?)"', page) == [requests]
    assert (f"--requests={requests}" in page) == bool(requests)


def test_what_the_form_to_resume_does_not_have_is_refused(
    operator: TestClient, crawl_folder: Path
) -> None:
    resume = path_to(crawl_folder / "office") + "/control/resume"
    with mock.patch("subprocess.Popen", side_effect=AssertionError):
        status, page = posted(operator, resume, browser="/bin/sh")

    assert (status, "does not take --browser" in page) == (400, True)


def test_a_crawl_imports_nothing_from_the_current_folder(
    crawl_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "typer.py").write_text("open('shadow', 'w')\nraise SystemExit('a stranger')\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="no web address"):
        commands._run(["lodehound", "crawl", "nonsense"], tmp_path / "log", lambda: False)

    assert not (tmp_path / "shadow").exists()


def test_the_command_is_the_one_that_a_user_would_type(crawl_folder: Path) -> None:
    crawl = WatchedCrawl(crawl_folder / "office")
    given = {"requests": "+500", "time": "", "delay": "-1"}

    assert commands.resume_command(crawl, given) == [
        "lodehound", "resume", str(crawl.folder), "--requests=+500", "--delay=-1",
    ]  # fmt: skip


def test_what_does_not_run_cannot_be_paused(operator: TestClient, crawl_folder: Path) -> None:
    control = path_to(crawl_folder / "office") + "/control"
    status, page = posted(operator, f"{control}/pause")

    assert (status, "The crawl is not running" in page) == (400, True)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[WatchedCrawl]:
    """A crawl that runs here, and whose lock names another process: its maker wrote that."""
    (tmp_path / "mine").mkdir()
    lock = Lock(tmp_path / "mine")
    (tmp_path / "mine" / "lock").write_text(f"process {os.getppid()} on {platform.node()} since 1")
    yield WatchedCrawl(tmp_path / "mine")
    lock.release()


def test_no_process_gets_a_signal(running: WatchedCrawl) -> None:
    """Whatever number the directory names; the crawl that runs there is asked by a file."""
    with mock.patch.object(os, "kill", side_effect=AssertionError):
        for _ in range(2):
            commands.pause(running)

    assert commands.pause_command(running) == ["touch", str(running.folder / "stop")]
    assert is_asked_to_stop(running.folder)


def test_a_link_is_not_written_to(running: WatchedCrawl, tmp_path: Path) -> None:
    (running.folder / "stop").symlink_to(tmp_path / "made")
    with pytest.raises(ConfigError, match="cannot be stopped from here"):
        commands.pause(running)

    assert not (tmp_path / "made").exists()


def test_a_site_of_a_fleet_is_not_stopped_by_itself(tmp_path: Path) -> None:
    site = tmp_path / "offices" / "sites" / "e.org"
    site.mkdir(parents=True)
    (tmp_path / "offices" / "fleet.sqlite").touch()
    crawl = WatchedCrawl(site)
    with pytest.raises(ConfigError, match="a site of the fleet 'offices'"):
        commands.pause(crawl)

    assert (commands.pause_command(crawl), list(site.iterdir())) == ([], [])
