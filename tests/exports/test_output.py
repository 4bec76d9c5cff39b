"""Where exports go, and what they never write over."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError, SiteError, UnknownNameError
from lodehound.exports import FORMATS, Format, Notes, export, format_named
from lodehound.exports import jsonl as jsonl_module
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.errors import DiskFullError, write_error
from tests.exports.conftest import Export


def run(crawl: Path, name: str, output: Path, *, force: bool = False) -> None:
    with Catalogue(crawl) as catalogue:
        export(catalogue, format_named(name), str(output), notes=Notes(), force=force)


STREAMS = [name for name, form in FORMATS.items() if form.shape != "folder"]


@pytest.mark.parametrize("name", sorted({*STREAMS} - {"croissant"}))
def test_an_earlier_export_is_replaced_and_other_files_are_not(
    name: str, crawled: Path, exported: Export, tmp_path: Path
) -> None:
    exported(name)
    exported(name)
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    with pytest.raises(ConfigError, match="--force"):
        run(crawled, name, mine)
    assert mine.read_text() == "mine"
    run(crawled, name, mine, force=True)
    wrote, form = mine.read_bytes(), FORMATS[name]
    assert wrote.startswith(form.mark + form.begins, form.begins_at)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", "out"]


@pytest.mark.parametrize("name", ["crawl.sqlite", "CRAWL.sqlite-wal", "lock", "files/new.csv",
                                  "metadata.json", "crawl.warc.gz", "x/../lock"])  # fmt: skip
def test_nothing_of_a_crawl_is_written_over(name: str, crawled: Path) -> None:
    for force in (False, True):
        with pytest.raises(ConfigError, match="belongs to the crawl"):
            run(crawled, "csv", crawled / name, force=force)


def test_croissant_needs_a_dataset_of_an_api(crawled: Path, tmp_path: Path) -> None:
    """An empty file would be no Croissant; an earlier export stays."""
    with pytest.raises(ConfigError, match="No API listed a dataset with files"):
        run(crawled, "croissant", tmp_path / "c.jsonl")
    assert not (tmp_path / "c.jsonl").exists()


def test_an_export_may_lie_beside_the_crawl(crawled: Path) -> None:
    run(crawled, "csv", crawled / "finds.csv")
    assert (crawled / "finds.csv").read_text(encoding="utf-8-sig").startswith('"url"')
    (crawled / "finds.csv").unlink()


def test_a_failed_export_leaves_what_was_there(
    crawled: Path, exported: Export, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = exported("jsonl").read_bytes()

    def fail(_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(jsonl_module, "line_of", fail)
    with pytest.raises(KeyboardInterrupt):
        exported("jsonl")
    assert (tmp_path / "out").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["csv", "warc", "datapackage"])
def test_a_full_disk_is_told_from_a_bad_place(
    name: str, crawled: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And nobody is sent to a crawl that is not there."""

    def fail(code: int, *, wrapped: bool) -> Callable[..., None]:
        def write(*_: object) -> None:
            error = OSError(code, os.strerror(code))
            raise write_error(tmp_path, error) if wrapped else error

        return write

    for wrapped in (True, False):  # the one that writes WARC files wraps them
        monkeypatch.setattr(Format, "load", lambda _, w=wrapped: fail(errno.ENOSPC, wrapped=w))
        with pytest.raises(DiskFullError, match="free some space, then try again") as full:
            run(crawled, name, tmp_path / "x")
        assert full.value.exit_code == 5
        monkeypatch.setattr(Format, "load", lambda _, w=wrapped: fail(errno.EIO, wrapped=w))
        with pytest.raises(SiteError, match="choose another place") as other:
            run(crawled, name, tmp_path / "x")
        assert other.value.exit_code == 2
        assert "resume" not in f"{full.value} {other.value}"


def test_wrong_places_are_refused(crawled: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name, output, message in (
        ("csv", tmp_path, "is a folder"),
        ("ro-crate", tmp_path / "file", "is a file"),
        ("datapackage", tmp_path / "datapackage.json", "files next to it"),
        ("warc", Path("-"), "standard output"),
    ):
        with pytest.raises(ConfigError, match=message):
            run(crawled, name, output)


def test_an_unknown_format_is_told_from_a_known_one() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'parquet'"):
        format_named("parqet")


def test_parquet_without_its_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "lodehound.exports.parquet", raising=False)
    with pytest.raises(ConfigError, match=r"lodehound\[export\]"):
        format_named("parquet").load()
