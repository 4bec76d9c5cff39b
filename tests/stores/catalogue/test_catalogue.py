"""The catalogue as readers see it: filters, strange texts, a crawl that is running."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError, SiteError
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.wanted import Wanted
from lodehound.stores.texts import one_line, whole_text
from tests.exports.crawls import CSV, HOSTILE, add, begin, fill, write


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("catalogue") / "crawl"
    with begin(path) as directory:
        fill(directory)
    return path


def names(path: Path, **wanted: object) -> list[str]:
    with Catalogue(path, Wanted(**wanted)) as catalogue:  # type: ignore[arg-type]
        return [entry.find.anchor[:20] for entry in catalogue.entries()]


def test_finds_come_with_what_is_in_their_files(crawled: Path) -> None:
    with Catalogue(crawled) as catalogue:
        entries = list(catalogue.entries())
    assert [entry.find.number for entry in entries] == list(range(1, 11))
    assert entries[0].header == ("region", "year", "births")
    assert (entries[1].kind, entries[1].rows) == ("csv", 2)  # it shares the file of the first
    assert entries[2].inspection["dialect"] == "semicolon"
    assert entries[4].find.truncated is True
    assert (entries[4].seen, entries[4].header, entries[4].kind) == (None, (), "")
    assert entries[0].find.details == '{"triples": 3}'


def test_texts_come_back_as_they_were(crawled: Path) -> None:
    with Catalogue(crawled) as catalogue:
        assert [e for e in catalogue.entries() if e.find.page_title == HOSTILE]


@pytest.mark.parametrize(
    ("like", "found"),
    [
        ("BIRTHS", 5),  # in addresses, and as a column of a table
        ("Fläche", 1),
        ("fLÄCHE", 1),
        ("%", 1),  # no wildcard
        ("b_rths", 0),
        ("alert(1)", 1),
        ("", 10),
    ],
)
def test_like(crawled: Path, like: str, found: int) -> None:
    assert len(names(crawled, like=like)) == found


def test_type_and_rows(crawled: Path) -> None:
    csv = ["births.csv", "copy of births.csv", "area.csv", "titled.csv", "cut.csv"]
    assert names(crawled, type="csv") == names(crawled, type=".CSV") == csv
    assert names(crawled, type="text/csv") == csv
    assert names(crawled, type="zip") == ["cut.zip", "whole.zip"]
    assert names(crawled, min_rows=3) == ["area.csv", "titled.csv", "whole.zip"]
    assert names(crawled, type="csv", min_rows=3, like="ort") == ["area.csv"]


def test_finds_that_share_a_file_are_one_group(crawled: Path) -> None:
    with Catalogue(crawled) as catalogue:
        groups = list(catalogue.by_file())
    assert sorted(map(len, groups)) == [1] * 8 + [2]


def test_a_find_without_a_file_is_listed_but_has_none(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        find = add(directory, "a.csv", CSV)
        write(directory, replace(find, number=2, file=""))
    with Catalogue(tmp_path / "crawl") as catalogue:
        last = list(catalogue.entries())[1]
        assert catalogue.path_of(last.find) is None
        assert last.name == "a.csv"
        assert len(list(catalogue.by_file())) == 1


def test_reading_works_while_another_process_crawls(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "a.csv", CSV)
        command = [sys.executable, "-m", "lodehound", "list", str(tmp_path / "crawl")]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.stdout.startswith(b"https://s.example/a.csv\tfiles/s.example/a.csv\ttext/csv")
        with Catalogue(tmp_path / "crawl") as catalogue:
            add(directory, "b.csv", CSV[:40])
            assert len(list(catalogue.entries())) == 1  # what was there when reading began
        assert names(tmp_path / "crawl") == ["a.csv", "b.csv"]


def test_what_is_no_crawl_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no crawl"):
        Catalogue(tmp_path)
    (tmp_path / "crawl.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(SiteError, match="damaged"):
        Catalogue(tmp_path)


def test_one_line_takes_out_what_steers() -> None:
    shown = one_line(HOSTILE)
    assert shown.isprintable()
    assert shown == "<script>alert(1)</script> [31m gnp.exe \u05e9\u05dc\u05d5\u05dd"
    assert len(one_line("x" * 5000)) == 500


def test_whole_text_is_text_for_every_program() -> None:
    assert whole_text("a\ud800\u00e9").encode() == "a\ufffdé".encode()
