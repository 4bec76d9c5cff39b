"""Whether programs will read a file: a table from its first line to its last, an archive."""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

MOST_UNPACKED = 64 << 20  # bytes that are unpacked to see whether it can be done
MOST_RATIO = 1000  # from which on an archive is a bomb
PIECE = 1 << 20
OPENED: dict[str, Callable[[Path], Any]] = {
    "gz": gzip.GzipFile,
    "bz2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
}
UNREADABLE = (
    OSError, EOFError, ValueError, RuntimeError, NotImplementedError, IndexError,
    zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip
MOST_BYTES = 16 << 20  # of a file that is read to be sure
MOST_COLUMNS = 1000


def table_header(path: Path, charset: str, separator: str) -> list[str]:
    """Return the names of a table's columns; [] unless the whole file is one plain table.

    Its first line names every column, each name once; all other lines are as long and
    none is empty. Titles above, notes below and sums at the side are common, and good for
    people, but no table for a program.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            return []
        with path.open(encoding=charset, newline="") as file:
            rows = csv.reader(file, delimiter=separator, strict=True)
            names = next(rows, [])
            if not _are_names(names):
                return []
            count = 0
            for row in rows:
                if len(row) != len(names) or not any(cell.strip() for cell in row):
                    return []
                count += 1
            return names if count else []
    except (OSError, ValueError, LookupError, csv.Error):
        return []


def _are_names(names: list[str]) -> bool:
    if not 0 < len(names) <= MOST_COLUMNS or len(set(names)) < len(names):
        return False
    return all(name and name == name.strip() and name.isprintable() for name in names)


def unpacks(path: Path) -> bool:
    """Say whether an archive can be opened; a file that is none can.

    Programs that read Data Packages unpack what its name says is packed (the first member of
    a ZIP), and stumble over archives that are empty, encrypted, damaged or bombs.
    """
    ending = path.suffix[1:].lower()
    if ending != "zip" and ending not in OPENED:
        return True
    try:
        if ending != "zip":
            return _reads(OPENED[ending](path), path.stat().st_size)
        with zipfile.ZipFile(path) as archive:
            first = archive.infolist()[0]
            return _reads(archive.open(first), first.compress_size)
    except UNREADABLE:
        return False


def _reads(opened: IO[bytes], packed: int) -> bool:
    size = 0
    with opened as file:
        while size < MOST_UNPACKED and (piece := file.read(PIECE)):
            size += len(piece)
    return size <= max(PIECE, MOST_RATIO * packed)
