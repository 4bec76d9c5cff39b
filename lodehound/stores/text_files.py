"""Reads files that a user or a crawl directory names: of limited size, with reasons in plain words.

A directory may come from somebody else, so what it may name is opened only if it is a plain file:
to open a pipe may take for ever, and a device may have no end.
"""

from __future__ import annotations

import errno
import io
import json
import os
import stat
import tomllib
from collections.abc import Iterator
from gzip import GzipFile
from pathlib import Path
from typing import IO, Any

LARGEST = 256 * 2**20  # bytes; a device may have no end
LONGEST_LINE = 16 * 2**20  # characters
DEEP = "it is nested too deeply"
NOT_PLAIN = "it is a pipe, a socket or a device, and no plain file"


def open_plain(path: Path) -> io.BufferedReader:
    """Open a file to read it.

    Raises:
        OSError: It is no plain file, or the system refuses to read it.
    """
    file = open(path, "rb", opener=_at_once)  # noqa: SIM115 - a Path takes no opener
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, NOT_PLAIN, str(path))
    return file


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # not on Windows


def read_bounded(path: Path) -> bytes:
    """Return the bytes of a plain file.

    Raises:
        OSError: It is no plain file, or the system refuses to read it.
        ValueError: It is too large.
    """
    with open_plain(path) as file:
        return _whole(file)


def read_text(source: Path | IO[bytes]) -> str:
    """Return the text of a file that a user names, or of a stream; without a byte order mark.

    Raises:
        OSError: The system refuses to read it.
        ValueError: It is too large, or no text in UTF-8.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:
            return _decoded(_whole(file))
    return _decoded(_whole(source))


def _decoded(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is no text in UTF-8") from None


def read_json(path: Path) -> Any:
    """Return the value in a plain file of JSON; raises as `read_text` does."""
    try:
        return json.loads(_decoded(read_bounded(path)))
    except RecursionError:
        raise ValueError(DEEP) from None


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file; raises as `read_text` does, or a TOMLDecodeError."""
    try:
        return tomllib.loads(read_text(path))
    except RecursionError:
        raise ValueError(DEEP) from None


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a plain file of any size; bytes that are no text are replaced.

    Raises:
        OSError: The system refuses to read it.
        ValueError: A line is too long.
    """
    with open_plain(path) as file:
        yield from text_lines(file)


def text_lines(file: io.BufferedReader | GzipFile) -> Iterator[str]:
    """Yield the lines of an open file, and close it; raises as `lines_of` does."""
    with io.TextIOWrapper(file, "utf-8", "replace") as text:
        while line := text.readline(LONGEST_LINE):
            if len(line) == LONGEST_LINE:
                raise ValueError(f"it has a line of more than {LONGEST_LINE:,} characters")
            yield line


def _whole(file: IO[bytes]) -> bytes:
    body = file.read(LARGEST + 1)
    if len(body) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST // 2**20} MiB")
    return body
