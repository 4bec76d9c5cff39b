"""Reads the files that a user names: of limited size, as UTF-8, with reasons in plain words."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

LARGEST = 256 * 2**20  # bytes; a device may have no end
LONGEST_LINE = 16 * 2**20  # characters
DEEP = "it is nested too deeply"


def read_bounded(path: Path) -> bytes:
    """Return the bytes of a file.

    Raises:
        OSError: The system refuses to read it.
        ValueError: It is too large.
    """
    with path.open("rb") as file:
        return _whole(file)


def read_text(source: Path | IO[bytes]) -> str:
    """Return the text of a file or a stream; a byte order mark is left out.

    Raises:
        OSError: The system refuses to read it.
        ValueError: It is too large, or no text in UTF-8.
    """
    body = read_bounded(source) if isinstance(source, Path) else _whole(source)
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is no text in UTF-8") from None


def read_json(path: Path) -> Any:
    """Return the value in a JSON file; raises as `read_text` does."""
    try:
        return json.loads(read_text(path))
    except RecursionError:
        raise ValueError(DEEP) from None


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file; raises as `read_text` does, or a TOMLDecodeError."""
    try:
        return tomllib.loads(read_text(path))
    except RecursionError:
        raise ValueError(DEEP) from None


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a file of any size; bytes that are no text are replaced.

    Raises:
        OSError: The system refuses to read it.
        ValueError: A line is too long.
    """
    with path.open(encoding="utf-8", errors="replace") as file:
        while line := file.readline(LONGEST_LINE):
            if len(line) == LONGEST_LINE:
                raise ValueError(f"it has a line of more than {LONGEST_LINE:,} characters")
            yield line


def _whole(file: IO[bytes]) -> bytes:
    body = file.read(LARGEST + 1)
    if len(body) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST // 2**20} MiB")
    return body
