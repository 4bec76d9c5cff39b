"""The process that reads files: bounded, restarted, and gone when nobody needs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lodehound.inspect import FileLimits, Options, Reader, StatisticsRule, Worker, inspect_pending
from lodehound.inspect.limits import options_from_json, options_to_json
from tests.inspect import hostile, make

# Reading a pipe that no one writes to takes for ever.
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
QUICK = Options(limits=FileLimits(seconds=3))
PATIENCE = 60.0


@pytest.fixture
def good(tmp_path: Path) -> Path:
    file = tmp_path / "good.csv"
    file.write_text(make.csv(make.POPULATION))
    return file


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    file = tmp_path / "endless.csv"
    os.mkfifo(file)
    return file


def wait_for(true: Callable[[], object]) -> bool:
    end = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(true())


def is_gone(pid: int) -> bool:
    """Whether a process has ended, buried or not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z"


def child_of(reader: Reader) -> int:
    assert reader._child is not None
    return reader._child.pid


@needs_pipes
def test_a_file_that_takes_too_long_does_not_stop_the_next(good: Path, endless: Path) -> None:
    with Reader(QUICK) as reader:
        errors = [reader.inspect(file).error for file in (endless, good)]

    assert errors == ["took too long", ""]


def test_a_file_that_takes_all_memory_does_not_stop_the_next(tmp_path: Path, good: Path) -> None:
    corner = tmp_path / "corner.xlsx"
    corner.write_bytes(hostile.xlsx_far_corner())
    with Reader() as reader:
        found = [reader.inspect(file) for file in (good, corner, good)]

    assert [one.error for one in found] == ["", "out of memory", ""]
    assert found[1].kind == "xlsx"


def test_a_form_that_draws_itself_does_not_stop_the_next(tmp_path: Path, good: Path) -> None:
    """Pdfium may crash on it: that is an answer, too."""
    loop = tmp_path / "loop.pdf"
    loop.write_bytes(hostile.pdf_form_loop())
    with Reader() as reader:
        assert (reader.inspect(loop).kind, reader.inspect(good).rows) == ("pdf", 3)


MIB = 1 << 20


@pytest.mark.soak
def test_one_line_of_500_mb(tmp_path: Path, good: Path) -> None:
    line = tmp_path / "line.csv"
    with line.open("wb") as file:
        for _ in range(500):
            file.write(b"1,2345678," * (MIB // 10))
    with Reader() as reader:
        found = [reader.inspect(file) for file in (line, good)]
    assert [one.error for one in found] == ["a line has more than 16,777,216 characters", ""]


@pytest.mark.soak
def test_a_sheet_of_all_rows_that_there_may_be(tmp_path: Path, good: Path) -> None:
    full = tmp_path / "full.xlsx"
    full.write_bytes(hostile.xlsx_full())
    with Reader() as reader:
        found = [reader.inspect(file) for file in (full, good)]
    assert [(one.error, one.rows) for one in found] == [("", 1 << 20), ("", 3)]


@needs_pipes
def test_a_child_that_crashes_on_its_first_file(good: Path, endless: Path) -> None:
    def crash(child: int) -> None:
        with endless.open("wb"):  # waits until the child reads it
            os.kill(child, signal.SIGSEGV)

    with Reader() as reader:
        reader._started()
        threading.Thread(target=crash, args=(child_of(reader),)).start()
        assert reader.inspect(endless).error == "crashed"
        assert reader.inspect(good).rows == 3


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_a_child_that_died_in_between_is_not_the_file_s_fault(good: Path) -> None:
    with Reader() as reader:
        reader.inspect(good)
        os.kill(child_of(reader), signal.SIGKILL)
        assert reader.inspect(good).rows == 3


def test_one_child_serves_many_files_and_ends_with_its_reader(good: Path) -> None:
    with Reader() as reader:
        children = {(reader.inspect(good).rows, child_of(reader)) for _ in range(3)}
        ((rows, pid),) = children

    assert rows == 3
    assert is_gone(pid)


def test_results_come_without_waiting(good: Path) -> None:
    worker = Worker[int]()
    for key in range(5):
        worker.submit(key, good, "text/csv")
    worker.submit(0, good)  # it waits already
    found = list(worker.results())
    assert wait_for(lambda: worker.waiting == 0)
    found += worker.results()

    assert [(key, one.rows) for key, one in found] == [(key, 3) for key in range(5)]
    assert worker.close() == []
    with pytest.raises(ValueError, match="closed"):
        worker.submit(6, good)


@needs_pipes
def test_closing_leaves_what_there_is_no_time_for(good: Path, endless: Path) -> None:
    worker = Worker[str]()
    for key, file in (("first", good), ("second", endless), ("third", good)):
        worker.submit(key, file)
    assert wait_for(lambda: worker.waiting == 2)

    left = worker.close(wait_seconds=0.1)

    assert left == ["second", "third"]
    assert [key for key, _ in worker.results()] == ["first"]
    assert [key for key, _ in inspect_pending([(left[1], good, "")])] == ["third"]


def test_closing_finishes_what_waits(good: Path) -> None:
    worker = Worker[str]()
    worker.submit("one", good)

    assert worker.close(wait_seconds=PATIENCE) == []
    assert [one.statistics for _, one in worker.results()] == [True]


def test_a_worker_that_was_never_used_starts_nothing() -> None:
    assert Worker[str]().close() == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no signals here")
@pytest.mark.parametrize("at_work", [False, True])
def test_the_child_of_a_parent_that_was_killed_is_gone(
    good: Path, endless: Path, at_work: bool
) -> None:
    program = (
        "import sys, pathlib, threading\n"
        "from lodehound.inspect import Reader\n"
        "reader = Reader()\n"
        "reader.inspect(pathlib.Path(sys.argv[1]))\n"
        "print(reader._child.pid, flush=True)\n"
        "if len(sys.argv) > 2: reader.inspect(pathlib.Path(sys.argv[2]))\n"
        "threading.Event().wait()\n"
    )
    files = [str(good), str(endless)] if at_work else [str(good)]
    with subprocess.Popen(
        [sys.executable, "-c", program, *files], stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert not is_gone(child)
        parent.kill()

    assert wait_for(lambda: is_gone(child))


def test_a_file_in_the_way_of_a_crawl_is_not_imported(
    tmp_path: Path, good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "csv.py").write_text("raise SystemExit('imported')")
    monkeypatch.chdir(tmp_path)
    with Reader() as reader:
        assert reader.inspect(Path("good.csv")).rows == 3


def test_options_reach_the_child(good: Path) -> None:
    options = Options(
        rule=StatisticsRule(rows=4, not_measures=frozenset({"x"})), limits=FileLimits(names=2)
    )

    assert options_from_json(options_to_json(options)) == options
    ((_, found),) = inspect_pending([("key", good, "text/csv")], options)
    assert (found.statistics, found.tables[0].header) == (False, ("Town", "2019"))


def test_a_program_that_cannot_be_started_is_told(
    good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(good))
    with Reader() as reader:
        assert "cannot start a process" in reader.inspect(good).error


def test_without_a_thread_for_its_time_limit_no_file_is_read(
    good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Timer, "start", refused)
    with Reader() as reader:
        assert reader.inspect(good).error == "cannot start a process: can't start new thread"
