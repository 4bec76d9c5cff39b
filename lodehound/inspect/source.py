"""The bytes to inspect: a file on disk, or a member of an archive in memory."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

HEAD = 1 << 16  # bytes used to recognise the format


@dataclass(frozen=True, slots=True)
class Source:
    """A file or the member of an archive.

    Attributes:
        place: The file, or its complete content.
        name: Its name; only its extension is used, as a hint.
        mime: Its declared type, used as a hint.
        depth: The number of archives around it.
    """

    place: Path | bytes
    name: str = ""
    mime: str = ""
    depth: int = 0

    def open(self) -> BinaryIO:
        """Open it for reading."""
        return io.BytesIO(self.place) if isinstance(self.place, bytes) else self.place.open("rb")

    @property
    def size(self) -> int:
        """Return its length in bytes."""
        return len(self.place) if isinstance(self.place, bytes) else self.place.stat().st_size

    @property
    def suffix(self) -> str:
        """Return the extension of its name, in lower case and without the dot."""
        return PurePosixPath(self.name.lower().replace("\\", "/")).suffix.lstrip(".")

    def head(self, size: int = HEAD) -> bytes:
        """Return its first bytes."""
        with self.open() as file:
            return file.read(size)
