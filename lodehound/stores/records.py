"""A recorded response, independent of the file format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lodehound.core.errors import SiteError, reason_of
from lodehound.stores.text_files import open_plain


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
    etag: str = ""
    modified: str = ""  # Last-Modified, as it was sent
    date: str = field(default="", compare=False)  # when it was recorded, as in WARC-Date


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
    try:
        with open_plain(path) as file:
            magic = file.read(16)
    except OSError as error:
        raise SiteError(f"{str(path)!r} cannot be read: {reason_of(error)}.") from error
    if magic.startswith(b"SQLite format 3"):
        from lodehound.stores.kit import read_kit  # noqa: PLC0415 - one reader at a time

        return read_kit(path, damage)
    from lodehound.stores.warc import read_snapshots, read_warc  # noqa: PLC0415

    records = read_warc(path, damage)
    return latest(records, lambda: read_warc(path, Damage())) if read_snapshots(path) else records


def latest(records: Iterator[Record], again: Callable[[], Iterator[Record]]) -> Iterator[Record]:
    """Yield the last record of every URL, that of the first URL first: a timeline's last snapshot.

    Args:
        records: Every record, the oldest first.
        again: Reads them once more: there may be too many to hold.
    """
    last: dict[str, int] = {}
    root: Record | None = None
    for number, record in enumerate(records):
        last[record.url] = number
        if root is None or record.url == root.url:
            root = record
    if root is None:
        return
    yield root
    for number, record in enumerate(again()):
        if last[record.url] == number and record.url != root.url:
            yield record
