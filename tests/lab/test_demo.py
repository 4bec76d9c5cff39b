"""The demonstration."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from lodehound.core.errors import ConfigError
from lodehound.core.messages import Step
from lodehound.lab.demo import conclusion, race, requests_to, run_demo


def console(*, terminal: bool = False) -> Console:
    return Console(file=io.StringIO(), width=120, force_terminal=terminal, color_system=None)


def text(shown: Console) -> str:
    assert isinstance(shown.file, io.StringIO)
    return shown.file.getvalue()


def step(number: int, *, found: bool) -> Step:
    url = f"https://e.org/{number}"
    return Step(number, url, "GET", "", 0, "because", 1.0, 200, "", 0, found, 0.0, "", 0)


def run(*finds: int, requests: int = 10) -> list[Step]:
    """Make the steps of a crawl whose finds came at these requests."""
    return [step(number, found=number in finds) for number in range(1, requests + 1)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "new" / "folder"


@pytest.fixture(scope="module")
def printed(folder: Path) -> str:
    """What a first demonstration says that keeps its recording."""
    shown = console()
    run_demo(folder, 0, shown)
    return text(shown)


def test_says_what_both_policies_needed(printed: str) -> None:
    """On a plain console: progress in lines, a table, the measured ratio and the reasons."""
    assert "after 100 requests: bfs" in printed
    assert re.search(r"lodehound +│ +\d+ │ +\d+ │ +\d+", printed)
    match = re.search(r"after (\d+) requests; bfs needed ([\d.]+) times as many \((\d+)\)", printed)
    assert match is not None
    assert match[2] == f"{int(match[3]) / int(match[1]):.1f}"
    assert "Why lodehound fetched the last pages" in printed
    assert "files expected" in printed
    assert "\x1b" not in printed


def test_keeps_the_recording_where_asked(folder: Path, printed: str) -> None:
    """The folder is made, holds the WARC file and nothing temporary, and may be used again."""
    again = console()
    run_demo(folder, 0, again)
    assert sorted(path.suffix for path in folder.iterdir()) == [".gz", ".site"]
    assert "bfs needed" in printed
    assert "bfs needed" in text(again)


def test_a_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    """A file in the way is the user's mistake, and is named."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(ConfigError, match="taken"):
        run_demo(tmp_path / "taken", 0, console())


def test_a_terminal_sees_bars() -> None:
    """Steps of any origin are shown, one bar to a crawl, and come back whole."""
    shown = console(terminal=True)
    crawls = {"bfs": run(9), "lodehound": run(1, 2)}
    assert race(crawls, 2, shown) == crawls
    assert "lodehound" in text(shown)
    assert "2 of 2 files" in text(shown)


def test_requests_to_a_share() -> None:
    """The request that brought the share, rounded up to whole files; None when it never came."""
    steps = run(2, 3, 7)
    assert [requests_to(steps, 4, share) for share in (25, 50, 51, 75, 76)] == [2, 3, 7, 7, None]
    assert requests_to(steps, 0, 90) is None


@pytest.mark.parametrize(
    ("bfs", "learned", "expected"),
    [
        (8, 2, "after 2 requests; bfs needed 4.0 times as many (8)."),
        (2, 4, "after 4 requests; bfs needed 0.5 times as many (2)."),
        (5, 11, "lodehound did not find 90 % of the files."),
    ],
)
def test_the_conclusion_follows_from_the_runs(bfs: int, learned: int, expected: str) -> None:
    """Whoever was faster, the sentence says so."""
    assert expected in conclusion({"bfs": run(bfs), "lodehound": run(learned)}, 1)
