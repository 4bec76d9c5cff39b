"""Reads the first rows of finds, in another process and within limits."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from lodehound.inspect import FileLimits, Inspection, Options, Reader
from lodehound.search.engine import Found

LIMITS = FileLimits(
    seconds=5.0, pages=3, tables=5, sheets=5, members=20, preview_rows=10, preview_chars=2000
)


class Previews:
    """Reads files; to be used as a context."""

    def __init__(self) -> None:
        self._reader = Reader(Options(limits=LIMITS))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.close()

    def of(self, found: Found) -> Inspection | None:
        """Return the beginning of the file of an answer; None if it is no longer there."""
        return self.of_file(found.path, found.entry.find.mime) if found.path else None

    def of_file(self, path: Path, mime: str) -> Inspection:
        """Return the beginning of a file."""
        return self._reader.inspect(path, mime)
