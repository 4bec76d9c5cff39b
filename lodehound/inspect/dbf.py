"""dBASE tables: on their own, and those of shapefiles, whose rows describe the shapes.

The format: https://www.clicketyclick.dk/databases/xbase/format/dbf.html. A header of 32 bytes, 32
bytes for each column, and rows of one length, each with a mark at its beginning if it is deleted.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import date
from typing import BinaryIO, NamedTuple

from lodehound.inspect.cells import Cell
from lodehound.inspect.grid import table_from
from lodehound.inspect.limits import Options
from lodehound.inspect.records import Inspection, notes, too_large
from lodehound.inspect.sampling import places
from lodehound.inspect.source import Source
from lodehound.inspect.tables_csv import CHUNK, charset_of

END_OF_COLUMNS = 0x0D
DELETED = b"*"
# The mark for the character set, where it is not that of the language of the system.
CHARSETS = {
    0x01: "cp437", 0x02: "cp850", 0x03: "cp1252", 0x57: "cp1252", 0x64: "cp852", 0x65: "cp866",
    0x66: "cp865", 0x67: "cp861", 0x4D: "cp936", 0x4E: "cp949", 0x4F: "cp950", 0x7B: "cp932",
    0x7D: "cp1255", 0x7E: "cp1256", 0xC8: "cp1250", 0xC9: "cp1251", 0xCA: "cp1254", 0xCB: "cp1253",
}  # fmt: skip
# Types that are no text; those without a form are dates, amounts, and places in another file.
BINARY = {"I": "<i", "+": "<i", "O": "<d", **dict.fromkeys("BGMPTYW@0", "")}
LOGICAL = {"T": True, "Y": True, "F": False, "N": False}
UTF_8_SIZE = 20  # non-ASCII bytes that must be UTF-8 before a wrong mark is overruled


class _Column(NamedTuple):
    name: bytes
    kind: str
    start: int
    end: int


def inspect_dbf(source: Source, options: Options) -> Inspection:
    """Read a dBASE table."""
    if source.size > options.limits.read_bytes:
        return Inspection("dbf", error=too_large(options.limits.read_bytes))
    with source.open() as file:
        head = file.read(32)
        count, start, width = struct.unpack_from("<LHH", head, 4)
        columns = list(_columns(file.read(start - 32), width))
        whole = (source.size - start) // width
        rows = min(count, whole)
        deleted = _deleted(file, start, width, rows)
        wanted = places(rows, options.limits.sample_rows, options.limits.sample_places)
        read = list(_rows(file, start, width, wanted))
    texts = [column for column in columns if column.kind not in BINARY]
    sample = b"".join(row[one.start : one.end] for row in read[:100] for one in texts)
    charset = _charset(head[29], sample)
    used = columns[: options.limits.sample_columns]
    data = [[_cell(row, column, charset) for column in used] for row in read]
    names = [_text(column.name, charset) for column in columns]
    table = table_from("", names, data, options, rows=rows - deleted, columns=len(names))
    note = f"{count - rows:,} rows are missing at its end" if count > rows else ""
    return Inspection("dbf", charset=charset, note=notes(note)).with_tables([table], kept=1)


def _columns(described: bytes, width: int) -> Iterator[_Column]:
    start = 1  # after the mark of deleted rows
    for at in range(0, len(described) - 31, 32):
        if described[at] == END_OF_COLUMNS:
            return
        end = start + described[at + 16]
        if end > width:
            return
        name = described[at : at + 11].partition(b"\x00")[0]
        yield _Column(name, chr(described[at + 11]), start, end)
        start = end


def _rows(file: BinaryIO, start: int, width: int, wanted: list[tuple[int, int]]) -> Iterator[bytes]:
    for first, most in wanted:
        file.seek(start + first * width)
        for _ in range(most):
            row = file.read(width)
            if len(row) < width:
                break
            if row[0] != DELETED[0]:
                yield row


def _deleted(file: BinaryIO, start: int, width: int, rows: int) -> int:
    """Return the number of rows that are marked as deleted."""
    file.seek(start)
    some = max(1, CHUNK // width)
    counts = (file.read(some * width)[::width].count(DELETED) for _ in range(0, rows, some))
    return sum(counts)


def _charset(mark: int, sample: bytes) -> str:
    """Return the character set: UTF-8 if that is what the text is, whatever the mark says."""
    guessed, _ = charset_of(sample)
    others = len(sample) - len(sample.translate(None, bytes(range(128, 256))))
    sure = guessed == "utf-8" and others >= UTF_8_SIZE
    return guessed if sure else CHARSETS.get(mark, guessed)


def _text(value: bytes, charset: str) -> str:
    return value.decode(charset, "replace").strip(" \x00")


def _cell(row: bytes, column: _Column, charset: str) -> Cell:
    """Return a value by the type of its column; texts and pictures may be in another file."""
    raw = row[column.start : column.end]
    if column.kind in BINARY:
        form = BINARY[column.kind]
        return struct.unpack(form, raw)[0] if form and len(raw) == struct.calcsize(form) else None
    text = _text(raw, charset)
    if column.kind == "L":
        return LOGICAL.get(text.upper())
    try:
        if column.kind == "D":
            return date(int(text[:4]), int(text[4:6]), int(text[6:8]))
        return float(text) if column.kind in "NF" else text
    except ValueError:
        return None  # empty; of a number, stars if it did not fit
