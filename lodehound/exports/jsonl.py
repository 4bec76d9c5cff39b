"""JSON lines: one object per find."""

from __future__ import annotations

import json
import re
from typing import Any, BinaryIO

from lodehound.exports.columns import row_of
from lodehound.exports.notes import Notes
from lodehound.stores.catalogue.entries import Catalogue

# Characters that are valid in JSON but control terminals, change the text direction or end a line
# for some readers.
STEERING = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def write(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
    """Write one find per line."""
    for entry in source.entries():
        out.write(line_of(row_of(entry)).encode() + b"\n")
        notes.written += 1


def line_of(value: dict[str, Any]) -> str:
    r"""Return a value as one line of JSON that is safe to show.

    >>> line_of({"title": "Prix \u202emoc"})
    '{"title":"Prix \\u202emoc"}'
    """
    text = _encode(value)
    return text if text.isascii() else STEERING.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    if "\ud800" <= match[0] <= "\udfff":
        return "\ufffd"
    return f"\\u{ord(match[0]):04x}"
