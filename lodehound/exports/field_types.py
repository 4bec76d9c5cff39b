"""The types of the columns of a table, as Table Schema names them (datapackage.org)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from lodehound.stores.texts import whole_text

# A number with a leading zero is a code: those of communes would lose theirs.
TYPES = {
    "year": re.compile(r"(?:1[89]|20)\d\d", re.ASCII),
    "integer": re.compile(r"[+-]?(?:0|[1-9]\d{0,17})", re.ASCII),
    "number": re.compile(r"[+-]?(?:0|[1-9]\d{0,17})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,2})?", re.ASCII),
    "comma": re.compile(r"[+-]?(?:0|[1-9]\d{0,17})(?:,\d{1,30})?", re.ASCII),
    "boolean": re.compile("true|True|TRUE|false|False|FALSE"),
    "date": re.compile(r"\d{4}-\d\d-\d\d", re.ASCII),
}
WIDER = {"year": ("integer", "number", "comma"), "integer": ("number", "comma")}
# Kinds of an inspection that have the same name here; the others are strings.
KINDS = frozenset({"integer", "number", "year", "date", "boolean"})


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


def inspected_fields(facts: Any) -> list[dict[str, Any]]:
    """Return the fields of a table of any format, by what its inspection says of its columns.

    >>> inspected_fields([{"name": "area", "kind": "number", "unit": "km2", "label": "Its area"}])
    [{'name': 'area', 'type': 'number', 'title': 'Its area', 'unit': 'km2'}]
    """
    columns = facts if isinstance(facts, list) else []
    return [
        _described(_field(whole_text(str(column.get("name") or "")), _kind(column)), column)
        for column in columns
        if isinstance(column, dict)
    ]


def _kind(column: dict[str, Any]) -> str:
    kind = column.get("kind")
    return kind if isinstance(kind, str) and kind in KINDS else ""


def with_units(fields: list[dict[str, Any]], facts: Any) -> list[dict[str, Any]]:
    """Return fields with the titles and units that an inspection found for the same columns."""
    columns = facts if isinstance(facts, list) else []
    known = {column.get("name"): column for column in columns if isinstance(column, dict)}
    return [_described(one, known.get(one["name"], {})) for one in fields]


def _described(field: dict[str, Any], column: dict[str, Any]) -> dict[str, Any]:
    found = {"title": column.get("label"), "unit": column.get("unit")}
    return field | {name: whole_text(text) for name, text in found.items() if isinstance(text, str)}


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
