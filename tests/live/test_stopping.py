"""Stopping a crawl, looking at it, and going on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import ENDLESS, crawl_words, interrupt, paths, query, resume, run, start, wait_for
from tests.servers.hostile import HostileServer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")


@pytest.fixture
def server() -> Iterator[HostileServer]:
    with HostileServer(links=["/no-answer"]) as server:
        yield server


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "crawl"


@pytest.fixture
def endless(server: HostileServer, out: Path) -> Iterator[subprocess.Popen[str]]:
    """A crawl without end, under way."""
    words = crawl_words(server.url + "calendar", out=out, policy="bfs", delay=0.01)
    with start(*words) as child:
        wait_for(lambda: len(server.log) > 10)
        yield child
        child.kill()


def test_ctrl_c_ends_it_in_order(
    server: HostileServer, endless: subprocess.Popen[str], out: Path
) -> None:
    """What is in flight is finished and kept, the code is 4, and the way on is shown."""
    interrupt(endless)
    said, complained = endless.communicate(timeout=ENDLESS)
    assert (endless.returncode, complained) == (4, "")
    assert "stopped by the user" in said
    assert f"lodehound resume {out}" in said
    assert query(out, "SELECT count(*) FROM asks EXCEPT SELECT count(*) FROM answers") == []


def test_a_file_in_its_directory_ends_it_in_order(
    endless: subprocess.Popen[str], out: Path
) -> None:
    """The request is fulfilled, and gone; a crawl that goes on does not see it."""
    (out / "stop").touch()
    said, complained = endless.communicate(timeout=ENDLESS)
    assert (endless.returncode, complained, (out / "stop").exists()) == (4, "", False)
    assert "stopped by the user" in said
    (out / "stop").touch()
    assert resume(out, "--requests", "+5").code == 0


@pytest.mark.parametrize("make", ["link", "folder"])
def test_nothing_else_of_that_name_ends_it(
    endless: subprocess.Popen[str], out: Path, make: str
) -> None:
    """Nor is it followed or removed."""
    (out.parent / "other").mkdir()
    (out / "stop").symlink_to(out.parent / "other") if make == "link" else (out / "stop").mkdir()
    interrupt(endless)
    endless.communicate(timeout=ENDLESS)
    assert ((out / "stop").exists(), (out.parent / "other").exists()) == (True, True)
    assert resume(out, "--requests", "+5").code == 0


def test_a_crawl_goes_on_where_it_was_stopped(
    server: HostileServer, endless: subprocess.Popen[str], out: Path
) -> None:
    """Nothing is asked for twice, and --requests +N is N more."""
    interrupt(endless)
    endless.communicate(timeout=ENDLESS)
    [(before,)] = query(out, "SELECT count(*) FROM answers")
    done = resume(out, "--requests", before + 7)
    more = resume(out, "--requests", "+5")
    asked = paths(server.log)
    assert (done.code, more.code) == (0, 0)
    assert len(asked) == len(set(asked)) == before + 12
    assert query(out, "SELECT count(*) FROM answers") == [(before + 12,)]


@pytest.mark.serial
def test_ctrl_c_twice_ends_it_now(server: HostileServer, out: Path) -> None:
    """Not even what is in flight is waited for; it is asked for again when the crawl goes on."""
    words = crawl_words(server.url, out=out, policy="bfs", read_timeout=50, total_timeout=50)
    with start(*words) as child:
        wait_for(lambda: out.exists() and len(answers(out)) == 11)
        interrupt(child)
        with pytest.raises(subprocess.TimeoutExpired):
            child.communicate(timeout=0.3)
        interrupt(child)
        child.communicate(timeout=ENDLESS)
    assert child.returncode == 4
    hanging = f"{server.url}no-answer"
    assert query(out, "SELECT url FROM asks WHERE number NOT IN (SELECT number FROM answers)") == [
        (hanging,)
    ]


def answers(out: Path) -> list[str]:
    if not (out / "crawl.sqlite").exists():
        return []
    known = query(out, "SELECT name FROM sqlite_schema WHERE name = 'answers'")
    return [url for (url,) in query(out, "SELECT url FROM answers")] if known else []


def test_a_running_crawl_can_be_looked_at(endless: subprocess.Popen[str], out: Path) -> None:
    """By anybody, who also learns which process it is; afterwards it is not running."""
    running = run("status", out)
    endless.kill()
    endless.wait()
    killed = run("status", out)
    assert (running.code, killed.code) == (0, 0)
    assert f"{out}: running, process {endless.pid} on " in running.out
    assert f"{out}: not running" in killed.out
    assert int(killed.out.split("requests")[1].split()[0]) >= 5  # the last may be in flight


def test_a_second_process_is_refused_by_name_of_the_first(
    endless: subprocess.Popen[str], out: Path
) -> None:
    """One crawl, one writer; a new crawl in the same folder is refused too."""
    second = run("resume", out)
    anew = run("crawl", "http://127.0.0.1:9/", "--out", out)
    assert (second.code, anew.code) == (2, 2)
    assert f"is being crawled by process {endless.pid} on " in second.err
    assert "is a crawl already" in anew.err
    assert endless.poll() is None


def test_ctrl_c_during_the_start_is_four_too(server: HostileServer, out: Path) -> None:
    """Whenever the user presses it, as long as the crawl has begun."""
    with start(*crawl_words(server.url + "calendar", out=out, delay=0.01)) as child:
        wait_for((out / "lock").exists)
        interrupt(child)
        _, complained = child.communicate(timeout=ENDLESS)
    assert child.returncode == 4
    assert "Traceback" not in complained
