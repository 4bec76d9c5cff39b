"""Compares the files of a crawl with what its catalogue says, and puts back what was moved."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from lodehound.stores.database.connect import plain
from lodehound.stores.files.inside import is_inside
from lodehound.stores.repair.salvage import Row

FILES = "files"
VERSIONS = "versions"


@dataclass
class FileCheck:
    """The state of the files of a crawl.

    Attributes:
        lost: Files of finds that are gone, or not what was downloaded.
        back: Files that stood under another name, or were kept as older versions, and can be put
            back, with that name.
        changed: Files that are not what was downloaded.
        strange: How many files belong to no find.
    """

    lost: set[str] = field(default_factory=set)
    back: dict[str, Path] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    strange: int = 0


def check_files(folder: Path, finds: Iterable[Row]) -> FileCheck:
    """Hash all files of a crawl directory.

    Args:
        folder: The crawl directory.
        finds: The rows of the catalogue.
    """
    hashes = dict(_hashes(folder, FILES))
    # An update that was stopped may have stored a file whose older version is the one catalogued.
    older = dict(_hashes(folder, VERSIONS))
    places = {sha256: folder / name for name, (sha256, _) in (older | hashes).items()}
    found, named = FileCheck(), set()
    for find in finds:
        file, sha256 = plain(find["file"]), plain(find["sha256"])
        if not file:
            continue
        named.add(file)
        has_hash, has_bytes = hashes.get(file, ("", -1))
        is_whole = has_hash == sha256 if sha256 else has_bytes == find["bytes"]
        if is_whole:
            continue
        if file in hashes:
            found.changed.add(file)
        if sha256 in places and is_inside(file, FILES):
            found.back[file] = places[sha256]
        else:
            found.lost.add(file)
    found.strange = len(hashes.keys() - named)
    return found


def put_back(folder: Path, check: FileCheck, kept: Path) -> None:
    """Move what is not what was downloaded to ``kept``, and files to the names they had."""
    sources = dict(check.back)
    for file in sorted(check.changed):
        aside = kept / file
        aside.parent.mkdir(parents=True, exist_ok=True)
        (folder / file).replace(aside)
        sources = {name: aside if at == folder / file else at for name, at in sources.items()}
    for file, source in sources.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / file)


def _hashes(folder: Path, below: str) -> Iterable[tuple[str, tuple[str, int]]]:
    """Yield the path, the SHA-256 and the length of every file below a folder of the crawl."""
    for above, _, names in os.walk(folder / below):
        for name in names:
            path = Path(above, name)
            if not path.is_symlink() and path.is_file():
                with path.open("rb") as file:
                    sha256 = hashlib.file_digest(file, "sha256").hexdigest()
                yield path.relative_to(folder).as_posix(), (sha256, path.stat().st_size)
