"""Reads rows from the pages of a SQLite file whose tables cannot be read any more.

SQLite finds the rows of a table through a tree of pages. If a page of the tree is damaged, it
reaches nothing behind it. The leaves hold whole rows, so they can be read without the tree.
The format is described at https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

HEADER = 100  # bytes before the first page's own header
LEAF = 0x0D  # first byte of a page that holds rows
SMALLEST_PAGE, LARGEST_PAGE = 512, 65536
USUAL_PAGE = 4096
MOST_ROW = 200_000_000  # bytes
NUMBERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes of an integer, by its type


def rows_of_pages(data: bytes) -> Iterator[tuple[int, list[Any]]]:
    """Yield what looks like a row anywhere in a database file: its row number and its values.

    The caller must check that it is one.
    """
    size = _page_size(data)
    for start in range(0, len(data), size):
        yield from _rows_of_page(data, start, size)


def _page_size(data: bytes) -> int:
    (size,) = struct.unpack_from(">H", data, 16) if len(data) >= HEADER else (0,)
    size = LARGEST_PAGE if size == 1 else size
    is_sound = SMALLEST_PAGE <= size <= LARGEST_PAGE and size & (size - 1) == 0
    return size if is_sound else USUAL_PAGE


def _rows_of_page(data: bytes, start: int, size: int) -> Iterator[tuple[int, list[Any]]]:
    page = data[start : start + size]
    head = HEADER if start == 0 else 0
    if len(page) < head + 8 or page[head] != LEAF:
        return
    (count,) = struct.unpack_from(">H", page, head + 3)
    for place in range(head + 8, min(head + 8 + 2 * count, len(page) - 1), 2):
        (cell,) = struct.unpack_from(">H", page, place)
        try:
            yield _row(data, page, cell, size)
        except (ValueError, IndexError, struct.error):
            continue  # this one is damaged; the next may be whole


def _row(data: bytes, page: bytes, cell: int, size: int) -> tuple[int, list[Any]]:
    length, place = _varint(page, cell)
    number, place = _varint(page, place)
    if length > min(MOST_ROW, len(data)):
        raise ValueError("longer than the file")
    return number, _values(_payload(data, page, place, length, size))


def _payload(data: bytes, page: bytes, place: int, length: int, size: int) -> bytes:
    """Return the bytes of a row; those of a long one continue on other pages."""
    most, least = size - 35, (size - 12) * 32 // 255 - 23
    if length <= most:
        return page[place : place + length]
    local = least + (length - least) % (size - 4)
    local = local if local <= most else least
    parts = [page[place : place + local]]
    (following,) = struct.unpack_from(">I", page, place + local)
    left, seen = length - local, set()
    while left > 0:
        start = (following - 1) * size
        if following in seen or not 0 < start < len(data):
            raise ValueError("a page is missing")
        seen.add(following)
        (following,) = struct.unpack_from(">I", data, start)
        parts.append(data[start + 4 : start + 4 + min(left, size - 4)])
        left -= size - 4
    return b"".join(parts)


def _values(payload: bytes) -> list[Any]:
    end, place = _varint(payload, 0)
    kinds = []
    while place < end:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    values, place = [], end
    for kind in kinds:
        value, place = _value(payload, kind, place)
        values.append(value)
    if place != len(payload):
        raise ValueError("of another length than its values")
    return values


def _value(payload: bytes, kind: int, place: int) -> tuple[Any, int]:
    if kind == 0:
        return None, place
    if kind in {8, 9}:
        return kind - 8, place
    length = NUMBERS.get(kind) or (8 if kind == 7 else (kind - 12) // 2)
    part = payload[place : place + length]
    if len(part) != length or kind in {10, 11}:
        raise ValueError("too short")
    if kind in NUMBERS:
        return int.from_bytes(part, "big", signed=True), place + length
    if kind == 7:
        return struct.unpack(">d", part)[0], place + length
    return part.decode() if kind % 2 else part, place + length


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and the place behind it."""
    value = 0
    for count in range(8):
        byte = data[place + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + count + 1
    value = value << 8 | data[place + 8]
    return value - (value >> 63 << 64), place + 9
