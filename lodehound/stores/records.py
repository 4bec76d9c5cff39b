"""A recorded response, independent of the file format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lodehound.core.errors import SiteError


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded response."""

    url: str
    status: int
    content_type: str = ""  # the header as sent
    body: bytes = b""
    size: int = 0  # true length, even if the body is truncated
    head_size: int = 0  # bytes of the header block: the cost of a HEAD
    location: str = ""
    link_header: str = ""  # all Link headers, joined by commas


@dataclass(slots=True)
class Damage:
    """What could not be read from a recording, filled in while it is read."""

    notes: list[str] = field(default_factory=list)
    lost: int = 0  # records

    def add(self, path: Path, what: str, lost: int = 1) -> None:
        self.lost += lost
        self.notes.append(f"{path.name}: {what}")


def read_records(path: Path, damage: Damage) -> Iterator[Record]:
    """Read a recording in any supported format: WARC (plain, gzip, zstd) or the SB kit's SQLite."""
    if not path.exists():
        raise SiteError(f"There is no recorded site {str(path)!r}: check the path.")
    if path.is_dir():
        raise SiteError(f"{str(path)!r} is a folder: name the WARC files in it.")
    with path.open("rb") as file:
        magic = file.read(16)
    if magic.startswith(b"SQLite format 3"):
        from lodehound.stores.kit import read_kit  # noqa: PLC0415 - one reader at a time

        return read_kit(path, damage)
    from lodehound.stores.warc import read_warc  # noqa: PLC0415

    return read_warc(path, damage)
