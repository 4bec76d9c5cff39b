"""The bytes to inspect: a file on disk, or a member of an archive held in memory."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

HEAD = 1 << 16  # bytes by which a file is recognised


@dataclass(frozen=True, slots=True)
class Source:
    """What is inspected.

    Attributes:
        place: The file, or its whole content.
        name: Its name; only its extension is used, as a hint.
        mime: The type it was sent with, as a hint.
        depth: How many archives it is in.
    """

    place: Path | bytes
    name: str = ""
    mime: str = ""
    depth: int = 0

    def open(self) -> BinaryIO:
        """Return it opened for reading."""
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
