"""Object stores that somebody else filled: what they hold is bounded, and never believed."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.stores.remote import objects as remote_objects
from lodehound.stores.remote import pages
from lodehound.stores.remote.mirror import Mirror, restore
from lodehound.stores.remote.objects import ObjectFolder, ObjectStoreError
from lodehound.stores.zipped import pieces_of
from tests.live import run

pytest.importorskip("fsspec")

SNAPSHOT = "journal/00000001-00000000.snapshot"
SEGMENT = "journal/00000001-00000001.pages"
PAGE = 4096


def image(folder: Path) -> bytes:
    """Return a database of four pages or so."""
    (folder / "made.sqlite").unlink(missing_ok=True)
    with closing(sqlite3.connect(folder / "made.sqlite")) as db, db:
        db.execute("CREATE TABLE rows (text)")
        db.executemany("INSERT INTO rows VALUES (?)", [("x" * 500,)] * 20)
    return (folder / "made.sqlite").read_bytes()


def segment(number: int, size: int, page: bytes = b"") -> bytes:
    written = size.to_bytes(4, "big") + number.to_bytes(4, "big") + page.ljust(PAGE, b"\0")
    return zlib.compress(written)


@pytest.fixture
def store(tmp_path: Path) -> ObjectFolder:
    """One with a database; it is a folder on this machine."""
    made = ObjectFolder(f"{tmp_path.as_uri()}/store")
    made.put(SNAPSHOT, zlib.compress(image(tmp_path)))
    return made


def bombed(store: ObjectFolder) -> None:
    """Store an image that is a thousand times as long as it says."""
    whole = zlib.decompress(store.get(SNAPSHOT) or b"")
    store.put(SNAPSHOT, zlib.compress(whole + bytes(1000 * len(whole))))


def far_too_long(store: ObjectFolder) -> None:
    """Store an image that says so much of itself."""
    whole = bytearray(zlib.decompress(store.get(SNAPSHOT) or b""))
    whole[28:32] = (2**32 - 1).to_bytes(4, "big")
    store.put(SNAPSHOT, zlib.compress(bytes(whole) + bytes(PAGE)))


@pytest.mark.parametrize("spoil", [bombed, far_too_long])
def test_an_image_is_no_longer_than_it_says_and_than_the_limit(
    store: ObjectFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[ObjectFolder], None],
) -> None:
    monkeypatch.setattr(pages, "LARGEST", (tmp_path / "made.sqlite").stat().st_size)
    spoil(store)
    with pytest.raises(ObjectStoreError, match="unpacks to more than it says"):
        restore(store, tmp_path / "copy.sqlite")
    assert not (tmp_path / "copy.sqlite").exists()


@pytest.mark.parametrize("number", [0, 2**32 - 1])
def test_a_segment_with_pages_far_away_counts_for_nothing(
    store: ObjectFolder, tmp_path: Path, number: int
) -> None:
    store.put(SEGMENT, segment(number, 1))
    assert restore(store, tmp_path / "copy.sqlite")
    assert (tmp_path / "copy.sqlite").read_bytes() == (tmp_path / "made.sqlite").read_bytes()


def test_the_size_in_a_segment_is_bounded(store: ObjectFolder, tmp_path: Path) -> None:
    """A file may have holes, but there is an end to its length on every file system."""
    store.put(SEGMENT, segment(1, 2**32 - 1, image(tmp_path)[:PAGE]))
    assert restore(store, tmp_path / "copy.sqlite")
    assert (tmp_path / "copy.sqlite").stat().st_size == pages.LARGEST


def test_a_large_object_is_not_read(
    store: ObjectFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_objects, "LARGEST", 20)
    with pytest.raises(ObjectStoreError, match=r"snapshot has \d+ bytes"):
        restore(store, tmp_path / "copy.sqlite")


def test_other_objects_are_no_epochs(store: ObjectFolder, tmp_path: Path) -> None:
    store.put("epochs/zzz", b"")
    holder = Mirror(store, tmp_path / "copy.sqlite")
    holder.claim()
    holder.check()
    assert holder.epoch == 1


def test_pieces_are_small() -> None:
    packed = zlib.compress(bytes(2**25))
    assert max(map(len, pieces_of(packed))) <= 2**20


def test_a_command_names_the_object(tmp_path: Path) -> None:
    fleet = ObjectFolder(f"{tmp_path.as_uri()}/fleet")
    fleet.put(SNAPSHOT, zlib.compress(image(tmp_path)))
    bombed(fleet)
    done = run("fleet", "status", tmp_path.as_uri())
    assert (done.code, "Traceback" in done.err, SNAPSHOT[8:] in done.err) == (2, False, True)
