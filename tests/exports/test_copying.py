"""Files are copied beside the description, whole, and into new files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lodehound.core.errors import SiteError
from lodehound.exports import Notes, copying, export, format_named
from lodehound.exports.copying import CopyCounts, background_copy, copy_files
from lodehound.stores.catalogue.entries import Catalogue
from tests.exports.crawls import CSV, add, begin

# Names that are no text: some systems have none.
ODD = "" if sys.platform == "darwin" else "\udcff"


def made(folder: Path, count: int) -> list[tuple[str, str]]:
    (folder / "from").mkdir()
    pairs = []
    for number in range(count):
        place = folder / "from" / f"\u00fc {number}{ODD}.csv"
        place.write_bytes(b"%d" % number)
        pairs.append((str(place), f"{folder}/to/{number % 3}/\u00fc {number}{ODD}.csv"))
    return pairs


def test_a_copy_is_independent(tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(CSV)
    (tmp_path / "large").write_bytes(b"x" * (copying.SMALL + 1))
    pairs = [(f"{tmp_path}/{name}", f"{tmp_path}/a/b/{name}") for name in ("small", "large")]
    copy_files(pairs)
    for source, target in pairs:
        assert Path(target).read_bytes() == Path(source).read_bytes()
        assert not Path(target).samefile(source)


def test_very_many_are_copied_by_a_second_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "FEW", 2)
    pairs = made(tmp_path, 9)
    with background_copy(iter(pairs)):
        pass
    assert [Path(target).read_bytes() for _, target in pairs] == [b"%d" % n for n in range(9)]


def test_a_second_process_that_fails_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "FEW", 2)
    pairs = made(tmp_path, 3)
    (tmp_path / "to").mkdir()
    (tmp_path / "to/2").write_text("in the way")
    with pytest.raises(FileExistsError, match="to/2"), background_copy(iter(pairs)):
        pass


def test_a_file_that_vanishes_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, and in the second process."""
    monkeypatch.setattr(copying, "FEW", 2)
    pairs = made(tmp_path, 4)
    for gone in (0, 3):
        Path(pairs[gone][0]).unlink()
    with background_copy(iter(pairs)) as tally:
        pass
    assert tally == CopyCounts(copied=2, lost=2)
    assert [Path(target).exists() for _, target in pairs] == [False, True, True, False]


def test_a_folder_that_vanishes_is_not_taken_for_a_lost_file(tmp_path: Path) -> None:
    (tmp_path / "to").symlink_to("nowhere")
    with pytest.raises(OSError, match="to"):
        copy_files(made(tmp_path, 1))


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import os; os.kill(os.getpid(), 9)", "ended with signal 9: try again"),
        ("raise SystemExit(7)", "ended with code 7: try again"),
        ("pass", "copied 0 of 1 file"),
    ],
)
def test_a_second_process_that_says_nothing_is_told_of(
    program: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "FEW", 1)
    monkeypatch.setattr(copying, "PROGRAM", program)
    with pytest.raises(OSError, match=said), background_copy(iter(made(tmp_path, 2))):
        pass


@pytest.mark.parametrize("executable", ["", "/no/such/python"])
def test_without_a_second_process_this_one_copies(
    executable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "FEW", 1)
    monkeypatch.setattr(sys, "executable", executable)
    pairs = made(tmp_path, 3)
    with background_copy(iter(pairs)) as tally:
        pass
    assert tally == CopyCounts(copied=3)
    assert all(Path(target).exists() for _, target in pairs)


def test_an_orphan_copies_nothing() -> None:
    with pytest.raises(SystemExit, match="has ended"):
        list(copying._watched([("a", "b")], parent=-1))


def test_an_export_without_all_its_files_is_no_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "FEW", 1)
    monkeypatch.setattr(copying, "PROGRAM", "raise SystemExit('the disk is full')")
    with begin(tmp_path / "crawl") as directory:
        add(directory, "a.csv", CSV)
        add(directory, "b.csv", CSV[:41])
    with Catalogue(tmp_path / "crawl") as catalogue, pytest.raises(SiteError, match="disk is full"):
        export(catalogue, format_named("datapackage"), f"{tmp_path}/out", notes=Notes())
    assert [path.name for path in tmp_path.iterdir()] == ["crawl"]
