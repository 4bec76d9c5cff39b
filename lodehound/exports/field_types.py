"""The types of the columns of a table, as Table Schema names them (datapackage.org)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

# A number with a leading zero is a code: those of communes would lose theirs.
TYPES = {
    "integer": re.compile(r"[+-]?(?:0|[1-9]\d{0,17})", re.ASCII),
    "number": re.compile(r"[+-]?(?:0|[1-9]\d{0,17})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,2})?", re.ASCII),
    "comma": re.compile(r"[+-]?(?:0|[1-9]\d{0,17})(?:,\d{1,30})?", re.ASCII),
    "boolean": re.compile("true|True|TRUE|false|False|FALSE"),
    "date": re.compile(r"\d{4}-\d\d-\d\d", re.ASCII),
}
WIDER = {"integer": ("number", "comma")}


class FieldTypes:
    """Narrows the types of columns down, row by row: a type holds for every cell that is filled."""

    def __init__(self, width: int) -> None:
        self._types = [""] * width  # nothing filled so far
        self._open = list(range(width))

    def add(self, row: Sequence[str]) -> None:
        """Look at the cells of a row."""
        for at in self._open:
            cell, kind = row[at], self._types[at]
            if cell and not (kind and _fits(kind, cell)):
                self._types[at] = _wider(kind, cell)
                if self._types[at] == "string":
                    self._open = [one for one in self._open if one != at]

    def fields(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return the fields of the schema."""
        return [_field(name, kind) for name, kind in zip(names, self._types, strict=True)]


def _wider(kind: str, cell: str) -> str:
    candidates = WIDER.get(kind, ()) if kind else TYPES
    return next((one for one in candidates if _fits(one, cell)), "string")


def _fits(kind: str, cell: str) -> bool:
    if TYPES[kind].fullmatch(cell) is None:
        return False
    if kind == "date":
        try:
            date.fromisoformat(cell)
        except ValueError:
            return False
    return True


def _field(name: str, kind: str) -> dict[str, Any]:
    if kind == "comma":
        return {"name": name, "type": "number", "decimalChar": ","}
    return {"name": name, "type": kind or "string"}
