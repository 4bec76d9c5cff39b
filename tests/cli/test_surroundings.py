"""Commands in odd surroundings: they answer in one line, lose nothing, and never hang."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest

from lodehound.assembly import repair as assembly_repair
from lodehound.assembly.fleet_setup import open_fleet
from lodehound.sites import StatsOffice
from lodehound.stores.warc import write_warc
from lodehound.text.shell import quoted
from tests.exports.crawls import CSV, add, begin
from tests.live import ENDLESS
from tests.stores.repair.attacks import rows, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="shells and names of Linux")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A crawl in a folder whose name is no UTF-8."""
    path = Path(os.fsdecode(bytes(tmp_path / "caf") + b"\xe9"))
    with begin(path) as directory:
        add(directory, "births.csv", CSV)
    return path


def shell(line: str, crawl: Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which $lodehound is the command and $crawl the crawl."""
    words = os.environ | {"lodehound": f"{sys.executable} -m lodehound"} | more
    return subprocess.run(
        ["sh", "-c", line], env=words | {"crawl": str(crawl)}, capture_output=True,
        timeout=ENDLESS, check=False,
    )  # fmt: skip


def test_standard_files_may_be_closed(crawl: Path) -> None:
    done = shell('$lodehound list "$crawl" <&- >&-', crawl)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("log", ["", "--json-log"])
def test_a_crawl_ends_without_a_word_if_nobody_reads_its_output(tmp_path: Path, log: str) -> None:
    """As in ``lodehound crawl ... | head -1``: it can be resumed."""
    site, out = tmp_path / "site.warc.gz", tmp_path / "crawl"
    write_warc(site, StatsOffice(pages=20, files=3, seed=1).records())
    words = [sys.executable, "-m", "lodehound", "crawl", *log.split()]
    words += ["--replica", str(site), "--out", str(out)]
    with reader_gone() as output:
        done = subprocess.run(
            words, stdout=output, stderr=subprocess.PIPE, timeout=ENDLESS, check=False
        )
    assert (done.returncode, done.stderr) == (141, b"")
    assert run("resume", tmp_path / "crawl", "--quiet").code == 0


@contextmanager
def reader_gone() -> Iterator[int]:
    """Give a pipe that nobody reads."""
    ours, theirs = os.pipe()
    os.close(ours)
    yield theirs
    os.close(theirs)


def test_output_that_cannot_be_written_is_five(crawl: Path) -> None:
    """Even if it is the complaint itself."""
    done = shell('$lodehound export "$crawl" --to csv --output "$crawl.csv" 2>/dev/full', crawl)
    assert done.returncode == 5


def test_no_command_writes_over_a_crawl_or_a_fleet(crawl: Path, tmp_path: Path) -> None:
    """Not even with --force: it is all that is known."""
    fleet, site = tmp_path / "fleet", tmp_path / "site.warc.gz"
    with open_fleet(fleet):
        site.touch()
    journals = [crawl / "crawl.sqlite", fleet / "fleet.sqlite"]
    before = [path.read_bytes() for path in journals]
    for path in journals:
        for words in (
            ["fleet", "export", fleet, "--to", "sqlite", "--output", path, "--force"],
            ["race", site, "--policy", "bfs", "--seeds", 1, "--json", path],
        ):
            done = run(*words)
            assert (done.code, done.err.count("\n")) == (2, 1)
            assert "belongs to the crawl itself: choose another name." in done.err
    assert [path.read_bytes() for path in journals] == before


@pytest.mark.parametrize("command", ["resume", "update"])
def test_options_that_cannot_be_used_are_not_kept(crawl: Path, command: str) -> None:
    """Otherwise the crawl could never be continued."""
    kept = "SELECT value FROM meta WHERE key = 'config'"
    before = rows(crawl, kept)
    done = run(command, crawl, "--render-hosts", "a b")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert rows(crawl, kept) == before


def test_ctrl_c_before_a_command_begins_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "lodehound.cli._open_standard_files", mock.Mock(side_effect=KeyboardInterrupt)
    )
    done = run("policies")
    assert (done.code, done.out, done.err) == (130, "", "")


def test_what_the_system_refuses_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that names no file: there are none left to open, or the disk fails."""
    refusal = mock.Mock(side_effect=OSError(errno.EMFILE, "Too many open files"))
    monkeypatch.setattr("lodehound.lab.gate.read_floors", refusal)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)  # it is replaced
    done = run("gate")
    assert (done.code, done.out) == (1, "")
    assert done.err == "lodehound: the system refuses to go on: Too many open files.\n"


def test_that_there_is_no_thread_left_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container with few processes; other errors of this class are ours."""
    refusal = mock.Mock(side_effect=RuntimeError("can't start new thread"))
    monkeypatch.setattr("lodehound.lab.gate.read_floors", refusal)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)  # it is replaced
    done = run("gate")
    assert (done.code, done.out) == (1, "")
    assert done.err == "lodehound: the system refuses to go on: can't start new thread.\n"
    refusal.side_effect = RuntimeError("our own")
    assert "A bug of Lodehound or of a plug-in: RuntimeError: our own" in run("gate").err


def test_the_name_of_a_crawl_may_be_no_text(crawl: Path) -> None:
    page = crawl.parent / "r.html"
    done = run("report", crawl, "--output", page)
    assert (done.code, done.err) == (0, "")
    assert b"caf%E9/files" in page.read_bytes()


def test_a_terminal_may_be_endlessly_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "9" * 30)
    done = run("policies", "--help")
    assert (done.code, max(map(len, done.out.splitlines())) <= 1000) == (0, True)


def test_a_repair_without_space_changes_nothing_and_says_how_to_go_on(
    crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    next(crawl.glob("files/**/*.csv")).unlink()
    database = crawl / "crawl.sqlite"
    before = database.read_bytes()
    monkeypatch.setattr(assembly_repair, "write_database", full)
    done = run("repair", crawl)
    assert (done.code, done.err.count("\n")) == (5, 1)
    assert f"then run 'lodehound repair {quoted(crawl)}' again" in done.err
    assert database.read_bytes() == before
    assert [*crawl.glob(".repair-*"), *crawl.glob("damaged-*")] == []


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["report", "CRAWL", "--output", "a" * 5000], "cannot be used: File name too long"),
        (["crawl", "--from", "a" * 5000], "cannot be used: File name too long"),
        (["crawl", "http://s.example/", "--seed", "9" * 30], "a smaller number"),
        (["crawl", "http://s.example/", "--requests", "9" * 30], "a smaller number"),
        (["crawl", "http://s.example/", "--user-agent", " /1"], "names no program"),
        (
            ["fleet", "run", "SITES", "--out", "OUT", "--requests", "9" * 30],
            "give a smaller number",
        ),
        (["demo", "--seed", "-1"], "should be greater than or equal to 0"),
    ],
)
def test_words_that_no_system_takes(crawl: Path, words: list[str], complaint: str) -> None:
    sites = crawl.parent / "sites.txt"
    sites.write_text("http://s.example/\n")
    places = {"CRAWL": crawl, "SITES": sites, "OUT": crawl.parent / "out"}
    done = run(*(places.get(word, word) for word in words))
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert complaint in done.err


def test_names_that_are_no_text_are_printed(crawl: Path) -> None:
    page = crawl.parent / "\udcff.html"
    done = run("diff", crawl, crawl, "--html", page)
    assert (done.code, done.out, done.err) == (0, f"{quoted(page)}\n", "")


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Path.resolve() takes such links")
@pytest.mark.parametrize("words", [["export", "--to", "csv"], ["report"]])
def test_links_that_lead_nowhere_are_refused(crawl: Path, tmp_path: Path, words: list[str]) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    command, *options = words
    done = run(command, crawl, *options, "--output", loop)
    assert (done.code, done.err) == (
        2, f"lodehound: '{loop}' cannot be used: Too many levels of symbolic links.\n"
    )  # fmt: skip


def test_an_update_that_cannot_begin_is_advised_to_begin_again(crawl: Path) -> None:
    """Resuming the crawl would not update it."""
    (crawl / "lock").unlink()
    (crawl / "lock").mkdir()
    done = run("update", crawl)
    assert done.code == 2
    assert done.err.endswith(f"fix this, then run 'lodehound update {quoted(crawl)}' again.\n")


def test_a_repair_removes_what_a_killed_one_has_left(crawl: Path) -> None:
    (crawl / ".repair-killed").mkdir()
    (crawl / ".repair-killed" / "new").write_bytes(b"half a database")
    done = run("repair", crawl)
    assert (done.code, done.err, [*crawl.glob(".repair-*")]) == (0, "", [])


def test_a_repair_that_is_ended_leaves_nothing(crawl: Path) -> None:
    before = sorted(crawl.rglob("*"))
    action = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end = mock.patch.object(
        assembly_repair, "salvage", side_effect=lambda *_: os.kill(os.getpid(), signal.SIGTERM)
    )
    with end:
        assert run("repair", crawl).code == 128 + signal.SIGTERM
    signal.signal(signal.SIGTERM, action)
    assert sorted(crawl.rglob("*")) == before


def test_a_terminal_of_no_width_shows_tables_all_the_same(
    crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "0")
    assert "births.csv" in run("list", crawl, "--wide").out


HOSTILE_NAME = "a\x1b[31m  b\u202e\n"


def test_names_of_folders_and_files_give_no_orders_to_terminals(tmp_path: Path) -> None:
    """And a command that is advised works when typed."""
    out, site = tmp_path / HOSTILE_NAME, tmp_path / "site.warc.gz"
    write_warc(site, StatsOffice(pages=20, files=3, seed=1).records())
    said = [run("crawl", "--replica", site, "--requests", 9, "--out", out)]
    advised = said[0].out.strip().splitlines()[-1].partition("lodehound ")[2]
    advised = advised.removesuffix("+9") + "99"
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m lodehound {advised} --quiet"],
        timeout=ENDLESS, check=False,
    )  # fmt: skip
    said += [run(command, out) for command in ("status", "repair", "report")]
    said += [run("export", out, "--to", "csv", "--output", tmp_path / f"{HOSTILE_NAME}.csv")]
    assert ([one.code for one in said], done.returncode) == ([0] * 5, 0)
    shown = "".join(one.out + one.err for one in said).replace("\n", "").replace("\r", "")
    assert shown.isprintable()
    assert r"/a\x1b[31m  b\xe2\x80\xae\x0a" in shown


def test_advice_keeps_the_spaces_of_a_name(tmp_path: Path) -> None:
    said = run("fleet", "status", tmp_path / "two  spaces").err
    assert said.endswith(f"--out '{tmp_path}/two  spaces''.\n")


def test_warnings_of_libraries_are_no_errors(tmp_path: Path) -> None:
    """Not even if Python is told so."""
    site = tmp_path / "site.warc.gz"
    write_warc(site, StatsOffice(pages=20, files=3, seed=1).records())
    line = f'$lodehound crawl --replica {site} --out "$crawl" --quiet'
    done = shell(line, tmp_path / "crawl", PYTHONWARNINGS="error")
    assert (done.returncode, done.stderr) == (0, b"")
