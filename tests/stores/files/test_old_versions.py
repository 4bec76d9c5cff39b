"""A newer version replaces a file, and an older one is never lost before that is recorded."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from lodehound.stores.files.file_store import FileStore

URL = "https://s.example/a.csv"
OLD, NEW = b"a,b\n1,2\n", b"a,b\n3,4\n"  # of the same length
FILE = "files/s.example/a.csv"


def sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def store(folder: Path, *taken: tuple[str, str, bytes]) -> FileStore:
    """The files of a crawl whose catalogue has these paths, URLs and contents."""
    rows = [(path, url, sha256(body)) for path, url, body in taken]
    return FileStore(folder / "files", taken=rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A crawl with one file."""
    assert store(tmp_path).save(URL, mime="text/csv", body=OLD, sha256=sha256(OLD)) == FILE
    return tmp_path


def replaced(files: FileStore, body: bytes = NEW, *, shared: bool = False) -> tuple[str, str]:
    return files.replace(
        URL,
        mime="text/csv",
        body=body,
        sha256=sha256(body),
        old=FILE,
        old_sha256=sha256(OLD),
        shared=shared,
    )


def versions(folder: Path) -> dict[str, bytes]:
    found = [path for path in (folder / "versions").rglob("*") if path.is_file()]
    return {path.name: path.read_bytes() for path in found}


def test_the_older_version_is_kept_by_its_hash(folder: Path) -> None:
    path, kept = replaced(store(folder, (FILE, URL, OLD)))

    assert path == FILE
    assert ((folder / path).read_bytes(), (folder / kept).read_bytes()) == (NEW, OLD)
    assert versions(folder) == {f"{sha256(OLD)}.csv": OLD}


def test_a_version_that_was_not_recorded_is_taken_back(folder: Path) -> None:
    """A process was killed after it had written the file: the catalogue has the older version."""
    replaced(store(folder, (FILE, URL, OLD)))

    store(folder, (FILE, URL, OLD)).tidy()

    assert (folder / FILE).read_bytes() == OLD
    assert versions(folder) == {}


@pytest.mark.parametrize("wanted", [True, False])
def test_a_version_that_was_recorded_stays(folder: Path, wanted: bool) -> None:
    """Whether the older one stays, too, the catalogue says."""
    _, kept = replaced(store(folder, (FILE, URL, OLD)))

    store(folder, (FILE, URL, NEW)).tidy([kept] if wanted else [], [sha256(OLD)])

    assert (folder / FILE).read_bytes() == NEW
    assert list(versions(folder).values()) == [OLD] * wanted


def test_a_version_of_which_nothing_is_known_stays(folder: Path) -> None:
    """What the catalogue said of it may be lost."""
    replaced(store(folder, (FILE, URL, OLD)))

    store(folder, (FILE, URL, NEW)).tidy()

    assert list(versions(folder).values()) == [OLD]


def test_a_file_that_others_share_stays_as_it_is(folder: Path) -> None:
    other = "https://s.example/b.csv"
    path, _ = replaced(store(folder, (FILE, URL, OLD), (FILE, other, OLD)), shared=True)

    assert path != FILE
    assert [(folder / one).read_bytes() for one in (FILE, path)] == [OLD, NEW]


def test_the_content_of_a_replaced_file_is_not_taken_for_there(folder: Path) -> None:
    """Another URL with the older content gets a file of its own."""
    files = store(folder, (FILE, URL, OLD))
    replaced(files)

    path = files.save("https://s.example/b.csv", mime="text/csv", body=OLD, sha256=sha256(OLD))

    assert path == "files/s.example/b.csv"
    assert (folder / path).read_bytes() == OLD
