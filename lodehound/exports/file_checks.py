"""Checks whether programs can read a file: a CSV file that is one table, or an archive."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any

from lodehound.exports.field_types import FieldTypes

MOST_UNPACKED = 64 << 20  # bytes that are unpacked as a test
MOST_RATIO = 1000  # an archive with a higher compression ratio is a bomb
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
MOST_BYTES = 16 << 20  # of a file that is read completely
MOST_COLUMNS = 1000


def table_fields(path: str | Path, charset: str, separator: str) -> list[dict[str, Any]]:
    """Return the columns of a table and their types; [] unless the whole file is one plain table.

    The first line names every column, each name once; all other lines have the same length and
    none is empty. Titles above, notes below and sums at the side are common and useful for
    people, but a program cannot read them as a table.
    """
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - a Path takes longer
            size = os.fstat(file.fileno()).st_size
            if size > MOST_BYTES:
                return []
            if size > PIECE:
                with io.TextIOWrapper(io.BufferedReader(file), charset, newline="") as text:
                    return _fields_of(text, separator)
            small = file.readall().decode(charset)
        return _fields_of(io.StringIO(small, newline=""), separator)
    except (OSError, ValueError, LookupError, csv.Error):
        return []


def _fields_of(text: Iterable[str], separator: str) -> list[dict[str, Any]]:
    rows = csv.reader(text, delimiter=separator, strict=True)
    names = next(rows, [])
    if not _are_names(names):
        return []
    width, row, types = len(names), None, FieldTypes(len(names))
    for row in rows:
        if len(row) != width or not "".join(row).strip():
            return []
        types.add(row)
    return [] if row is None else types.fields(names)


def _are_names(names: list[str]) -> bool:
    if not 0 < len(names) <= MOST_COLUMNS or len(set(names)) < len(names):
        return False
    return all(name and name == name.strip() and name.isprintable() for name in names)


def unpacks(place: str | Path) -> bool:
    """Return whether an archive can be opened; True for other files.

    Programs that read Data Packages unpack files with the extension of an archive (the first
    member of a ZIP), and fail on archives that are empty, encrypted, damaged or bombs.
    """
    ending = os.path.splitext(place)[1][1:].lower()  # noqa: PTH122 - a Path takes longer
    if ending != "zip" and ending not in OPENED:
        return True
    path = Path(place)
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
