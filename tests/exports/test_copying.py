"""Files are copied beside the description, whole, and into new files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lodehound.core.errors import SiteError
from lodehound.exports import Notes, copying, export, format_named
from lodehound.exports.copying import copied_beside, copy_files
from lodehound.stores.crawl_dir.catalogue import Catalogue
from tests.exports.crawls import CSV, add, begin


def made(folder: Path, count: int) -> list[tuple[str, str]]:
    (folder / "from").mkdir()
    pairs = []
    for number in range(count):
        place = folder / "from" / f"\u00fc {number}\udcff.csv"
        place.write_bytes(b"%d" % number)
        pairs.append((str(place), f"{folder}/to/{number % 3}/\u00fc {number}\udcff.csv"))
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
    with copied_beside(iter(pairs)):
        pass
    assert [Path(target).read_bytes() for _, target in pairs] == [b"%d" % n for n in range(9)]


def test_a_second_process_that_fails_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "FEW", 2)
    pairs = made(tmp_path, 3)
    Path(pairs[2][0]).unlink()
    with pytest.raises(OSError, match="No such file"), copied_beside(iter(pairs)):
        pass


def test_an_orphan_copies_nothing() -> None:
    lines = [json.dumps(["a", "b"]).encode()]
    assert list(copying._told(lines, parent=-1)) == []


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
