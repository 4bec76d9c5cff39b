"""ZIP archives. Members are opened in memory; their names are never used as paths."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace

from lodehound.inspect.limits import Options
from lodehound.inspect.records import ENCRYPTED, Inspection, Table, clean, notes
from lodehound.inspect.source import Source
from lodehound.text.counts import counted

CHUNK = 1 << 20
OF_FILES = " of the files: "
SMALL = 10 << 20  # bytes: a member that unpacks to less cannot be a bomb, whatever its ratio
Inspect = Callable[[Source, Options], Inspection]
# All exceptions that unpacking raises on damaged, encrypted or unusual members.
UNREADABLE = (
    OSError, EOFError, ValueError, RuntimeError, NotImplementedError,
    zipfile.BadZipFile, zlib.error, LookupError,
)  # fmt: skip


class BombError(Exception):
    """A member unpacks to more than the limit."""


def inspect_zip(source: Source, options: Options, inspect: Inspect) -> Inspection:
    """List the members of an archive and count the tables in them.

    Args:
        source: The archive.
        options: Limits and rule.
        inspect: Inspects a member.
    """
    try:
        with source.open() as file, zipfile.ZipFile(file) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            reader = _Members(archive, source.depth, options, inspect)
            tables = list(reader.tables(members[: options.limits.members]))
    except UNREADABLE as error:
        return Inspection("zip", error=clean(f"not readable: {error}"))
    left = len(members) - options.limits.members
    unopened = counted(left, "more file was", "more files were")
    found = Inspection(
        "zip",
        members=tuple(clean(member.filename) for member in members[: options.limits.names]),
        member_count=len(members),
        note=notes(*reader.notes(), f"{unopened} not opened" if left > 0 else ""),
    )
    return found.with_tables(tables, kept=options.limits.tables, count=reader.table_count)


class _Members:
    """Opens members one by one, with a common limit of bytes."""

    def __init__(
        self, archive: zipfile.ZipFile, depth: int, options: Options, inspect: Inspect
    ) -> None:
        self.table_count = 0
        self._archive = archive
        self._depth = depth
        self._options = options
        self._inspect = inspect
        self._left = options.limits.unpacked_bytes >> depth
        self._failed: dict[str, int] = {}

    def tables(self, members: list[zipfile.ZipInfo]) -> Iterator[Table]:
        """Yield the tables of all members."""
        for member in members:
            found = self._open(member)
            if found is None:
                continue
            self.table_count += found.table_count
            name = clean(member.filename)
            for table in found.tables:
                yield replace(table, name=clean(f"{name}/{table.name}" if table.name else name))

    def notes(self) -> Iterator[str]:
        """Yield each problem and how often it occurred."""
        for why, count in self._failed.items():
            yield f"{count}{OF_FILES}{why}"

    def _open(self, member: zipfile.ZipInfo) -> Inspection | None:
        if member.flag_bits & 1:
            self._fail(ENCRYPTED)
            return None
        try:
            body = self._unpack(member)
        except BombError as error:
            self._fail(str(error))
            return None
        except UNREADABLE:
            self._fail("damaged")
            return None
        found = self._inspect(Source(body, member.filename, depth=self._depth + 1), self._options)
        if found.error or found.note:
            # The note of a nested archive counts its own files: keep only the reason.
            self._fail((found.error or found.note).rpartition(OF_FILES)[2])
        return found

    def _fail(self, why: str) -> None:
        if why in self._failed or len(self._failed) < 5:
            self._failed[why] = self._failed.get(why, 0) + 1

    def _unpack(self, member: zipfile.ZipInfo) -> bytes:
        """Return the content of a member. Trust a declared size only if it is too large."""
        limits = self._options.limits
        limit = min(limits.member_bytes, self._left)
        if member.file_size > max(SMALL, limits.ratio * member.compress_size):
            raise BombError("unpacks to far more than its size, not opened")
        if member.file_size > limit:
            raise BombError("too large, not opened")
        parts, size = [], 0
        with self._archive.open(member) as file:
            while chunk := file.read(CHUNK):
                size += len(chunk)
                if size > limit:
                    raise BombError("too large, not opened")
                parts.append(chunk)
        self._left -= size
        return b"".join(parts)
