"""Workbooks (XLSX, XLSB, XLS, ODS): each sheet has one table, or several."""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING

from lodehound.inspect.archives import UNREADABLE
from lodehound.inspect.blocks import tables_of
from lodehound.inspect.limits import Options
from lodehound.inspect.records import (
    ENCRYPTED,
    NEEDS,
    NOT_READ,
    Inspection,
    Table,
    clean,
    notes,
    too_large,
)
from lodehound.inspect.source import HEAD, Source
from lodehound.inspect.titles import office_title
from lodehound.text.counts import counted

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

# The stream of an encrypted XLSX in its container (MS-OFFCRYPTO, 2.3.4.4), and of a Word text.
ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
# An encrypted XLS has the record FilePass after the first one (MS-XLS, 2.1.7.20.1).
FILE_PASS = re.compile(rb"\x09\x08\x10\x00.{16}\x2f\x00", re.DOTALL)
WORD_STREAM = "WordDocument".encode("utf-16-le")


def inspect_workbook(source: Source, kind: str, options: Options) -> Inspection:
    """Read the sheets of a workbook."""
    try:
        import python_calamine  # noqa: PLC0415 - an extra
    except ImportError:
        return Inspection(kind, error=NEEDS)
    refusal = _refusal(source, kind, options)
    if refusal is not None:
        return refusal
    try:
        with source.open() as file:
            workbook = python_calamine.CalamineWorkbook.from_filelike(file)
            sheets = _worksheets(workbook)
            by_sheet = _tables(workbook, sheets[: options.limits.sheets], options)
            title = "" if kind == "xls" else office_title(zipfile.ZipFile(file))
    except python_calamine.PasswordError:
        return Inspection(kind, error=ENCRYPTED)
    except python_calamine.CalamineError as error:
        if "detect file format" in str(error):  # the message for any unreadable format
            return Inspection(kind, error="not readable: damaged, or too large for its format")
        return Inspection(kind, error=clean(f"not readable: {error}"))
    unread = len(sheets) - options.limits.sheets
    left = counted(unread, "more sheet was", "more sheets were")
    note = f"{left} not read" if unread > 0 else ""
    found = [table for tables in by_sheet for table in tables]
    count = sum(table.rows > 0 for table in found) + max(0, unread)
    return Inspection(kind, note=notes(note), title=title).with_tables(
        found, kept=options.limits.tables, count=count
    )


def _worksheets(workbook: CalamineWorkbook) -> list[int]:
    """Return the indexes of the sheets with cells: charts and macros have none."""
    return [
        index
        for index, sheet in enumerate(workbook.sheets_metadata)
        if "WorkSheet" in str(sheet.typ)
    ]


def _tables(workbook: CalamineWorkbook, sheets: list[int], options: Options) -> list[list[Table]]:
    """Return the tables of each sheet."""
    found = []
    for index in sheets:
        sheet = workbook.get_sheet_by_index(index)
        column = sheet.start[1] if sheet.start else 0  # rows begin at the first, columns do not
        found.append(tables_of(sheet.name, sheet.iter_rows(), options, column=column))
    return found


def _refusal(source: Source, kind: str, options: Options) -> Inspection | None:
    """Return the reason not to open a workbook, or None.

    A workbook that declares wrong sizes still meets the limits of the process.
    """
    if source.size > options.limits.read_bytes:
        return Inspection(kind, error=too_large(options.limits.read_bytes))
    if kind == "xls":
        return _not_a_workbook(source)
    try:
        with source.open() as file, zipfile.ZipFile(file) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
            locked = any(member.flag_bits & 1 for member in archive.infolist())
            locked = locked or (kind == "ods" and _is_locked(archive))
    except UNREADABLE as error:
        return Inspection(kind, error=clean(f"not readable: {error}"))
    if locked:
        return Inspection(kind, error=ENCRYPTED)
    if unpacked > options.limits.unpacked_bytes:
        return Inspection(kind, error=f"unpacks to {unpacked:,} bytes, not opened")
    return None


def _is_locked(archive: zipfile.ZipFile) -> bool:
    """Return whether the manifest of an ODS file says that its parts are encrypted."""
    manifest = "META-INF/manifest.xml"
    if manifest not in archive.NameToInfo or archive.getinfo(manifest).file_size > HEAD:
        return False
    return b"encryption-data" in archive.read(manifest)


def _not_a_workbook(source: Source) -> Inspection | None:
    with source.open() as file:
        content = file.read()
    if FILE_PASS.search(content):
        return Inspection("xls", error=ENCRYPTED)
    if ENCRYPTED_STREAM in content:
        return Inspection("xlsx", error=ENCRYPTED)
    if WORD_STREAM in content:
        return Inspection("doc", error=NOT_READ)
    return None
