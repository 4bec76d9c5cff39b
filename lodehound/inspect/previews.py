"""What a person wants to see of a file before opening it: first rows, first words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lodehound.inspect.cells import Cell
from lodehound.inspect.kinds import is_binary
from lodehound.inspect.limits import Options
from lodehound.inspect.profile import text_of
from lodehound.inspect.records import Inspection
from lodehound.inspect.source import Source


def first_rows(data: Sequence[Sequence[Cell]], most: int) -> tuple[tuple[str, ...], ...]:
    """Return rows as texts, each of so many cells at most.

    >>> first_rows([["Oslo", 1.0, None, "more"]], 3)
    (('Oslo', '1', ''),)
    """
    return tuple(tuple(text_of(cell) for cell in row[:most]) for row in data)


def with_opening(found: Inspection, source: Source, options: Options) -> Inspection:
    """Return an inspection with the first words of a text, if they are wanted."""
    wanted = options.limits.preview_chars
    if not wanted or found.opening or found.kind in {"pdf", "empty"}:
        return found
    head = source.head(4 * wanted)
    if is_binary(head):
        return found
    try:
        text = head.decode(found.charset or "utf-8", "replace")
    except LookupError:
        text = head.decode("utf-8", "replace")
    return replace(found, opening=text[:wanted])
