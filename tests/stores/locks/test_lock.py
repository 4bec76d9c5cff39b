"""One writer at a time, known by name."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError, SiteError
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.errors import DiskFullError, MovedError
from lodehound.stores.locks.lock import Lock, holder
from tests.stores.crawl_dir.driving import begin

HOLD = """
import sys
from pathlib import Path
from lodehound.stores.crawl_dir import CrawlDir, DiskFullError
directory = CrawlDir.open(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def holding(path: Path) -> subprocess.Popen[str]:
    """Start a process that holds a crawl directory until it is killed."""
    command = [sys.executable, "-c", HOLD, str(path)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def test_a_second_process_is_told_the_first(tmp_path: Path) -> None:
    """By number, machine and time; looking on is allowed; a killed process holds nothing."""
    begin(tmp_path).close()
    with holding(tmp_path) as child:
        name = f"process {child.pid} on {platform.node()} since 20"
        with pytest.raises(ConfigError, match=f"is being crawled by {name}"):
            CrawlDir.open(tmp_path)
        with CrawlDir.open(tmp_path, write=False) as directory:
            assert directory.state.startswith(f"running, {name}")
        child.kill()
    with CrawlDir.open(tmp_path, write=False) as directory:
        assert directory.state == "not running"
    assert str(child.pid) in (tmp_path / "lock").read_text()  # stale, and no obstacle
    with CrawlDir.open(tmp_path) as directory:
        assert directory.state.startswith(f"running, process {os.getpid()} ")


def test_the_same_process_is_no_exception(tmp_path: Path) -> None:
    lock = Lock(tmp_path)
    with pytest.raises(ConfigError, match=f"process {os.getpid()} on "):
        Lock(tmp_path)
    lock.release()
    lock.release()  # again does no harm
    Lock(tmp_path).release()
    assert (tmp_path / "lock").read_text() == ""


def test_who_checks_a_lock_is_not_its_holder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others that check meanwhile see it free, and a crawl that begins waits for them."""
    fcntl = pytest.importorskip("fcntl", reason="this system has no shared locks")
    Lock(tmp_path).release()
    checking = os.open(tmp_path / "lock", os.O_RDONLY)
    fcntl.flock(checking, fcntl.LOCK_SH)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            os.close(checking)

    monkeypatch.setattr("time.sleep", pause)
    assert holder(tmp_path) == ""
    lock = Lock(tmp_path)
    assert holder(tmp_path).startswith(f"process {os.getpid()} on ")
    assert len(pauses) == 3
    lock.release()


def test_nobody_holds_what_is_not_there(tmp_path: Path) -> None:
    assert holder(tmp_path / "nowhere") == ""
    assert not list(tmp_path.iterdir())


def test_a_strange_lock_file_is_no_obstacle(tmp_path: Path) -> None:
    """Whatever stands in it; and what is read of it is bounded."""
    (tmp_path / "lock").write_bytes(b"\xff\0" * 10_000)
    lock = Lock(tmp_path)
    os.truncate(tmp_path / "lock", 0)
    (tmp_path / "lock").write_bytes(b"\xff \n" * 10_000)
    assert len(holder(tmp_path)) <= 300
    lock.release()


def test_who_may_only_read_is_told_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another user's crawl: its lock cannot be opened to write."""
    lock, opened = Lock(tmp_path), os.open

    def only_reading(path: Path, mode: int) -> int:
        if mode & os.O_RDWR:
            raise PermissionError
        return opened(path, mode)

    monkeypatch.setattr(os, "open", only_reading)
    assert holder(tmp_path).startswith(f"process {os.getpid()} ")
    lock.release()
    assert holder(tmp_path) == ""


def test_a_full_disk_names_the_way_on_of_whoever_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(DiskFullError, match="free some space, then run the fleet again"):
        Lock(tmp_path, "run the fleet again")


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="cannot be written"):
        Lock(tmp_path / "nowhere")


@pytest.mark.parametrize("lost", ["moved", "removed", "lock removed"])
def test_a_crawl_stops_when_its_directory_is_moved_or_removed(tmp_path: Path, lost: str) -> None:
    """Otherwise, what it finds from then on would be lost; nothing appears under the old name."""
    folder, elsewhere = tmp_path / "crawl", tmp_path / "elsewhere"
    directory = begin(folder)
    if lost == "lock removed":
        (folder / "lock").unlink()
    else:
        folder.rename(elsewhere)
    if lost == "removed":
        shutil.rmtree(elsewhere)
    with pytest.raises(MovedError, match="was moved or removed during the crawl"):
        directory.files.save("https://e.org/a.csv", mime="text/csv", body=b"a,b\n")
    for _ in range(2):
        with pytest.raises(MovedError):
            directory.facts.begin_run("1", "bfs", 0)
    directory.close()
    assert folder.exists() == (lost == "lock removed")
    if lost == "moved":
        CrawlDir.open(elsewhere).close()


def test_a_process_may_change_its_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    with begin(Path("crawl")) as directory:
        monkeypatch.chdir(tmp_path / "other")
        file = directory.files.save("https://e.org/a.csv", mime="text/csv", body=b"a,b\n")
    assert (tmp_path / "crawl" / file).read_bytes() == b"a,b\n"
    assert not list((tmp_path / "other").iterdir())
