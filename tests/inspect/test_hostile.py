"""Hostile files: each costs little, and tells why it could not be read, or what was left out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow
import pytest

from lodehound.inspect import FileLimits, Options, Reader
from lodehound.inspect.files import READERS
from lodehound.inspect.kinds import SIGNATURES
from lodehound.inspect.packed import OPENED
from tests.inspect import hostile, make, make_data

MIB = 1 << 20
LIMITS = FileLimits(
    seconds=60,
    memory_bytes=300 * MIB,
    unpacked_bytes=20 * MIB,
    member_bytes=10 * MIB,
    members=100,
)


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader(Options(limits=LIMITS)) as reader:
        yield reader


# What is said of each: a part of its error, or else of its note.
CASES: list[tuple[str, Callable[[], bytes], str]] = [
    ("a.zip", hostile.zip_bomb, "unpacks to far more than its size"),
    ("a.zip", hostile.nested_zip, "archives nested this deep"),
    ("a.zip", hostile.zip_quine, "archives nested this deep"),
    ("a.zip", hostile.zip_that_lies, "damaged"),
    ("a.zip", hostile.zip_that_claims_more, "unpacks to far more than its size"),
    ("a.zip", hostile.encrypted_zip, "encrypted"),
    ("a.zip", hostile.zip_overlapping, "900 more files were not opened"),
    ("a.zip", hostile.many_members, "2,900 more files were not opened"),
    ("a.csv.gz", hostile.gzip_bomb, "unpacks to more than 10,485,760 bytes"),
    ("a.csv.gz", hostile.gzip_cut, "not readable"),
    ("a.xml", hostile.laughs, "defines entities"),
    ("a.xml", hostile.external_entity, "defines entities"),
    ("a.xml", hostile.deep_xml, "nested more than"),
    ("a.csv", hostile.one_line, "a line has more than"),
    ("a.csv", hostile.open_quote, "unmatched quotes"),
    ("a.csv", hostile.nul_bytes, "not read"),
    ("a.json", hostile.deep_json, "nested too deeply"),
    ("a.json", hostile.deep_objects, "nested too deeply"),
    ("a.xlsx", hostile.encrypted_xlsx, "encrypted"),
    ("a.xls", hostile.broken_xls, "not readable"),
    ("a.xls", hostile.looped_container, "out of memory"),
    ("a.xlsx", hostile.xlsx_bomb, "unpacks to 41,9"),
    ("a.xlsx", hostile.xlsx_far_corner, "out of memory"),
    ("a.ods", hostile.ods_bomb, "damaged, or too large"),
    ("a.db", hostile.sqlite_endless_cell, "long: "),
    ("a.db", hostile.sqlite_cut, "ends before its last page"),
    ("a.db", hostile.sqlite_loop, "malformed"),
    ("a.parquet", hostile.parquet_bomb, "out of memory"),
    ("a.dbf", hostile.dbf_claims, "rows are missing at its end"),
    ("a.pdf", hostile.pdf_bomb, "scanned"),
    ("a.pdf", hostile.pdf_page_loop, "no page can be read"),
    ("a.pdf", hostile.pdf_kids_circle, "no page can be read"),
    ("a.pdf", hostile.pdf_reference_loop, "scanned"),
    ("a.pdf", hostile.pdf_xref_loop, "not readable"),
    ("a.pdf", hostile.pdf_cut, "not readable"),
]


@pytest.mark.parametrize(
    ("name", "body", "told"), CASES, ids=lambda case: getattr(case, "__name__", "")
)
def test_it_tells_what_is_wrong(
    tmp_path: Path, reader: Reader, name: str, body: Callable[[], bytes], told: str
) -> None:
    file = tmp_path / name
    file.write_bytes(body())

    found = reader.inspect(file)

    assert told in (found.error or found.note)
    assert found.kind != ""


@pytest.mark.parametrize(
    ("name", "body", "size"),
    [
        ("a.csv", hostile.million_columns, (1, 1_000_000)),
        ("a.csv", hostile.many_quotes, (1, 2)),
        ("a.xml", hostile.external_subset, (0, 0)),
        ("a.xml", hostile.one_tag_of_attributes, (0, 0)),
        ("a.xml", hostile.many_paths, (0, 0)),
        ("a.json", hostile.huge_number, (2, 2)),
        ("a.json", hostile.many_keys, (20_000, 2000)),
        ("a.json", hostile.lone_surrogates, (2, 2)),
        ("a.xlsx", hostile.xlsx_claims, (1, 1)),
        ("a.xlsx", hostile.xlsx_laughs, (0, 0)),
        ("a.arrow", hostile.arrow_long_cells, (100, 2)),
        ("a.dbf", hostile.dbf_wide, (9, 2000)),
        ("a.html", hostile.deep_html, (0, 0)),
        ("a.html", hostile.html_wide, (200, 1000)),
    ],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_it_does_no_harm(
    tmp_path: Path, reader: Reader, name: str, body: Callable[[], bytes], size: tuple[int, int]
) -> None:
    file = tmp_path / name
    file.write_bytes(body())

    found = reader.inspect(file)

    assert (found.error, (found.rows, found.columns)) == ("", size)
    assert len(found.to_json()) < 100_000


def test_names_in_an_archive_are_only_names(tmp_path: Path, reader: Reader) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(hostile.zip_with_names())

    found = reader.inspect(file)

    assert (found.member_count, found.table_count) == (6, 6)
    assert found.members[0] == "../../etc/passwd.csv"
    assert found.members[-1] == "a [31m.csv"
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


SUFFIXES = (
    "csv tsv xlsx xlsb xls ods json xml html zip gz bz2 xz zst pdf txt parquet arrow feather sqlite"
    " gpkg dbf sav por dta sas7bdat xpt".split()
)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_random_and_empty_files_of_every_name(tmp_path: Path, reader: Reader, suffix: str) -> None:
    noise, nothing = tmp_path / f"noise.{suffix}", tmp_path / f"nothing.{suffix}"
    noise.write_bytes(random.Random(suffix).randbytes(50_000))
    nothing.write_bytes(b"")

    assert reader.inspect(noise).kind == "unknown"
    assert reader.inspect(nothing).note == "the file is empty"


MAGIC = [start for start, kind in SIGNATURES if kind in {*READERS, *OPENED}]
STARTS = [b"PK\x03\x04", b"%PDF-1.7\n", hostile.CONTAINER, b"\x1f\x8b\x08", b"<?xml ", b"[", *MAGIC]


@pytest.mark.parametrize("start", STARTS)
def test_noise_that_begins_like_a_file(tmp_path: Path, reader: Reader, start: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(start + random.Random(start).randbytes(50_000))

    found = reader.inspect(file)

    assert (found.error or found.note, found.table_count) != ("", 0)


VALID = {
    "a.xlsx": make.xlsx({"A": make.POPULATION}),
    "a.ods": make.ods(make.POPULATION),
    "a.pdf": make.pdf([["Oslo 1.5 2.5"] * 4] * 3),
    "a.zip": make.zipped({"a.csv": make.csv(make.POPULATION)}),
    "a.parquet": make_data.parquet(),
    "a.feather": make_data.feather(),
    "a.gpkg": make_data.geopackage(),
    "a.dbf": make_data.dbf(),
    "a.sav": make_data.microdata("sav"),
    "a.dta": make_data.microdata("dta"),
    "a.xpt": make_data.microdata("xpt"),
    "a.csv.zst": pyarrow.compress(make.csv(make.POPULATION).encode(), "zstd", asbytes=True),
    "a.json": b'[{"a": 1, "b": [2, {"c": null}]}, {"a": "x", "b": 1e5}]',
    "a.xml": b"<?xml version='1.0'?><a><r x='1' y='2'/><r x='3' y='4'/></a>",
}


@pytest.mark.parametrize("name", VALID)
def test_damaged_files_are_answered(tmp_path: Path, reader: Reader, name: str) -> None:
    """Bytes changed at random, forty times each; a crash of the child is an answer too."""
    dice = random.Random(name)
    file = tmp_path / name
    for _ in range(40):
        body = bytearray(VALID[name])
        for _ in range(dice.randint(1, 8)):
            body[dice.randrange(len(body))] = dice.randrange(256)
        file.write_bytes(body)

        assert reader.inspect(file).error != "took too long"
