"""Data Package and RO-Crate: the programs of others open them and find them in order."""

from __future__ import annotations

import gc
import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from frictionless import Package
from rocrate.rocrate import ROCrate

from lodehound.core.errors import ConfigError
from lodehound.exports import FORMATS, Format, Notes, export, format_named, output
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.files.layout import OURS
from tests.exports.conftest import Export
from tests.exports.crawls import CSV, ROOT, add, begin, zipped

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def package_of(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    return read


def errors_of(folder: Path) -> set[tuple[str, str]]:
    """Validate a package; return which resources have which errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the validator leaves archives open
        report = Package(str(folder / "datapackage.json")).validate()
        gc.collect()
    found = {("", error.type) for error in report.errors}
    return found | {(task.name, error.type) for task in report.tasks for error in task.errors}


def test_a_data_package_is_valid(exported: Export) -> None:
    folder = exported("datapackage")
    assert errors_of(folder) == set()
    made = {found["path"].rpartition("/")[2]: found for found in package_of(folder)["resources"]}
    assert len(made) == 8  # of ten finds two share a file and one cannot be unpacked
    births = made["births.csv"]
    assert (births["type"], births["bytes"], births["mediatype"]) == ("table", len(CSV), "text/csv")
    assert [field["name"] for field in births["schema"]["fields"]] == ["region", "year", "births"]
    assert len(births["sources"]) == 2
    assert made["area.csv"]["dialect"] == {"delimiter": ";"}
    assert made["titled.csv"]["type"] == "file"  # good for people, but no plain table


def test_a_changed_file_makes_the_package_invalid(exported: Export) -> None:
    """The validator does read the files: else its silence would mean nothing."""
    folder = exported("datapackage")
    (folder / "files/s.example/births.csv").write_bytes(CSV.replace(b"512", b"513"))
    (folder / "files/s.example/area.csv").write_bytes(b"Ort\nx;y\n")
    assert errors_of(folder) >= {("births.csv", "hash-count"), ("area.csv", "byte-count")}


def test_a_truncated_file_is_not_described_as_whole(exported: Export) -> None:
    package = package_of(exported("datapackage"))
    (cut,) = [made for made in package["resources"] if made["path"].endswith("cut.csv")]
    (other,) = package["other_files"]
    for made in (cut, other):
        assert made["truncated"] is True
        assert made["type"] == "file"
        assert not {"bytes", "hash", "schema", "dialect"} & made.keys()
    assert other["path"].endswith("cut.zip")


@pytest.mark.parametrize(
    "body",
    [zipped(), b"PK\x03\x04 broken", zipped(a=CSV)[:-30]],
    ids=["empty", "broken", "without its end"],
)
def test_an_archive_that_cannot_be_unpacked_is_no_resource(
    body: bytes, exported: Export, tmp_path: Path
) -> None:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "bad.zip", body, "application/zip")
    folder = exported("datapackage", tmp_path / "crawl")
    assert errors_of(folder) == set()
    assert [made["name"] for made in package_of(folder)["other_files"]] == ["bad.zip"]


STRANGE = [
    *("a%23b", "100%25", "x%5B1%5D", "it's", "\U0001f600", "%20lead", "a+b&c=d", "~home", "-dash"),
    *("%E2%80%AErtl", "..%2f..%2fetc", "CON", "x" * 300, "dir.zip/x", "$HOME", "%25PATH%25"),
]


def test_files_of_every_name_are_found_in_their_folders(exported: Export, tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        for name in STRANGE:
            add(directory, f"{name}.csv", CSV + name.encode() + b",1,2\n")
    folder = exported("datapackage", tmp_path / "crawl")
    assert errors_of(folder) == set()
    others = {made["path"] for made in package_of(folder)["other_files"]}
    assert others == {"files/s.example/$HOME.csv", "files/s.example/%PATH%.csv"}
    assert len(package_of(folder)["resources"]) == len(STRANGE) - 2
    ROCrate(exported("ro-crate", tmp_path / "crawl", to="crate")).write(tmp_path / "again")
    copied = [path for path in (tmp_path / "again/files").rglob("*") if path.is_file()]
    assert len(copied) == len(STRANGE)


def test_a_crawl_directory_itself_becomes_a_package(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "a.csv", CSV)
    for _ in range(2):  # the second replaces the first
        with Catalogue(tmp_path / "crawl") as catalogue:
            export(catalogue, format_named("datapackage"), str(catalogue.folder), notes=Notes())
    names = {path.name for path in (tmp_path / "crawl").iterdir()}
    assert names - OURS == {"datapackage.json", "metadata.json"}
    assert errors_of(tmp_path / "crawl") == set()


def test_an_empty_package_is_valid(exported: Export, empty: Path) -> None:
    folder = exported("datapackage", empty)
    assert errors_of(folder) == set()
    assert package_of(folder)["resources"] == []


def test_an_ro_crate_opens(exported: Export) -> None:
    folder = exported("ro-crate")
    crate = ROCrate(folder)
    files = {str(made.id): made.as_jsonld() for made in crate.data_entities}
    assert crate.name == "Data found on s.example"
    assert len(files) == len(crate.root_dataset["hasPart"]) == 9
    births = files["files/s.example/births.csv"]
    assert births["contentSize"] == str(len(CSV))
    assert births["url"] == [ROOT + "births.csv", ROOT + "copy%20of%20births.csv"]
    cut = files["files/s.example/cut.csv"]
    assert "Only the beginning" in cut["disambiguatingDescription"]
    assert not {"sha256", "contentSize"} & cut.keys()


def test_every_file_of_an_ro_crate_is_there(exported: Export, tmp_path: Path) -> None:
    """The library finds the files by their names, spaces and brackets included."""
    crate = ROCrate(exported("ro-crate"))
    crate.write(tmp_path / "again")
    names = {path.name for path in (tmp_path / "again/files/s.example").iterdir()}
    assert {"births.csv", "cut.zip"} < names
    assert len(names) == 9


def test_an_empty_crate_opens(exported: Export, empty: Path) -> None:
    assert list(ROCrate(exported("ro-crate", empty)).data_entities) == []


def test_a_file_that_is_gone_is_left_out_and_counted(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        (directory.path / add(directory, "a.csv", CSV).file).unlink()
        add(directory, "b.csv", b"a,b\n1,2\n")
    for name in ("datapackage", "ro-crate", "warc"):
        notes = Notes()
        with Catalogue(tmp_path / "crawl") as catalogue:
            export(catalogue, format_named(name), str(tmp_path / name), notes=notes)
        assert (notes.written, notes.missing) == (1, 1)


def test_a_file_that_vanishes_meanwhile_is_not_described(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(tmp_path / "crawl") as directory:
        place = directory.path / add(directory, "a.csv", CSV).file
        add(directory, "b.csv", b"a,b\n1,2\n")
    files = output._files

    def vanishing(source: Catalogue, folder: Path) -> Iterator[tuple[str, str]]:
        pairs = list(files(source, folder))
        place.rename(tmp_path / "aside")
        yield pairs[1]
        yield pairs[0]

    # It is there again while the description is written, and gone for good afterwards.
    write = format_named("datapackage").load()
    calls: list[int] = []

    def writing(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
        if not calls:
            (tmp_path / "aside").rename(place)
        calls.append(1)
        write(source, out, notes)
        place.unlink(missing_ok=True)

    monkeypatch.setattr(output, "_files", vanishing)
    monkeypatch.setattr(Format, "load", lambda _: writing)
    notes = Notes()
    with Catalogue(tmp_path / "crawl") as catalogue:
        export(catalogue, format_named("datapackage"), str(tmp_path / "out"), notes=notes)
    assert (notes.written, notes.missing) == (1, 1)
    assert [made["name"] for made in package_of(tmp_path / "out")["resources"]] == ["b.csv"]


@pytest.mark.parametrize("name", ["warc", "nquads"])
def test_a_file_that_vanishes_before_it_is_read_is_left_out(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "a.ttl", b"<http://e/a> <http://e/b> 1 .", "text/turtle",
            details='{"triples": 1, "syntax": "turtle"}')  # fmt: skip
    monkeypatch.setattr(Catalogue, "place_of", lambda *_: str(tmp_path / "gone"))
    notes = Notes()
    with Catalogue(tmp_path / "crawl") as catalogue:
        export(catalogue, format_named(name), str(tmp_path / "out"), notes=notes)
    assert (notes.written, notes.missing) == (0, 1)


@pytest.mark.parametrize("text", [b"{", b"\xff\xfe", b"[" * 100_000], ids=["cut", "bytes", "deep"])
def test_a_damaged_description_is_somebody_elses(
    text: bytes, exported: Export, tmp_path: Path
) -> None:
    (exported("datapackage") / "datapackage.json").write_bytes(text)
    with pytest.raises(ConfigError, match="contains more than an earlier export"):
        exported("datapackage")
    assert (tmp_path / "out/datapackage.json").read_bytes() == text


def test_no_name_in_a_foreign_database_leads_out_of_its_folder(
    exported: Export, tmp_path: Path
) -> None:
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    with begin(tmp_path / "crawl") as directory:
        add(directory, "a.csv", CSV, file="files/../../secret.csv")
        add(directory, "b.csv", CSV[:40], file=str(tmp_path / "secret.csv"))
        add(directory, "c.csv", CSV[:41], file="crawl.sqlite")
    folder = exported("datapackage", tmp_path / "crawl")
    assert [path.name for path in folder.iterdir()] == ["datapackage.json"]


def test_a_folder_with_other_things_is_refused(exported: Export, tmp_path: Path) -> None:
    exported("ro-crate")
    exported("ro-crate")  # an earlier export is replaced
    (tmp_path / "out/notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match="not empty"):
        exported("ro-crate")
    assert (tmp_path / "out/notes.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]  # no leftovers


@pytest.mark.parametrize("name", ["datapackage", "ro-crate"])
def test_work_in_an_earlier_export_is_not_lost(exported: Export, tmp_path: Path, name: str) -> None:
    """Neither a file that somebody added nor one that somebody mended."""
    folder = exported(name)
    exported(name)
    added = folder / "files/analysis.txt"
    added.write_text("mine")
    with pytest.raises(ConfigError, match="contains more than an earlier export"):
        exported(name)
    added.unlink()
    mended = next(path for path in (folder / "files").rglob("*.csv"))
    later = (folder / FORMATS[name].document).stat().st_mtime + 60
    os.utime(mended, (later, later))
    with pytest.raises(ConfigError, match="contains more than an earlier export"):
        exported(name)


def test_a_link_to_a_folder_stays_a_link(crawled: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to("real")
    with Catalogue(crawled) as catalogue:
        export(catalogue, format_named("datapackage"), str(link), notes=Notes())
    assert link.is_symlink()
    assert (tmp_path / "real/datapackage.json").is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]
