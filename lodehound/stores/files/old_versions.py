"""Older versions of files, by their hash, in a folder beside the newest ones.

While a file is replaced, the older version is kept here in any case. A process that is killed
before the newer version is in the catalogue leaves it behind, and ``tidy`` puts it back.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from lodehound.stores.files.inside import is_inside

TEMPORARY = ".lodehound-"  # no saved file begins with a dot
SHA256 = 64  # hexadecimal digits


class OldVersions:
    """The folder of older versions.

    Args:
        folder: Where it is, or will be.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, file: Path, sha256: str) -> str:
        """Keep a file that will be replaced; return its path in the crawl directory.

        "" if it cannot be told by a hash, or is no longer there.
        """
        if not sha256 or not file.is_file():
            return ""
        place = self.folder / sha256[:2] / (sha256 + file.suffix)
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(file, place)
            except OSError:  # a file system without links
                shutil.copyfile(file, place)
        return place.relative_to(self.folder.parent).as_posix()

    def drop(self, kept: str) -> None:
        """Remove a file that ``keep`` kept."""
        if is_inside(kept, self.folder.name):  # its name may come from somebody else
            (self.folder.parent / kept).unlink(missing_ok=True)

    def tidy(
        self, kept: Collection[str], replaced: Collection[str], current: Mapping[bytes, str]
    ) -> None:
        """Bring the folder in line with the catalogue after a process was killed.

        A file of which nothing is known stays: what is known of it may be lost.

        Args:
            kept: The files that belong here.
            replaced: The hashes of files that do not.
            current: The files of the newest versions, by hash.
        """
        for place in list(self._files()):
            sha256 = place.name[:SHA256]
            newest = current.get(bytes.fromhex(sha256))
            target = self.folder.parent / newest if newest is not None else None
            if target is not None and hash_of(target) != sha256:
                target.parent.mkdir(parents=True, exist_ok=True)
                new = target.with_name(TEMPORARY + uuid.uuid4().hex)
                with place.open("rb") as source, new.open("xb") as copy:
                    shutil.copyfileobj(source, copy)
                new.replace(target)
            known = target is not None or sha256 in replaced
            if known and place.relative_to(self.folder.parent).as_posix() not in kept:
                place.unlink()

    def _files(self) -> Iterator[Path]:
        for folder, _, names in os.walk(self.folder):
            for name in names:
                if len(name) >= SHA256 and _is_hex(name[:SHA256]):
                    yield Path(folder, name)


def hash_of(file: Path) -> str:
    """Return the SHA-256 of a file; "" if it cannot be read."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return ""


def _is_hex(text: str) -> bool:
    return set(text) <= set("0123456789abcdef")
