"""Option values: what a user wrote becomes what the code takes."""

from __future__ import annotations

import math
import types
import typing
from typing import Any, Literal, get_args, get_origin

import msgspec

WORDS: dict[Any, str] = {
    bool: "true or false", int: "a whole number", float: "a finite number", str: "a text",
    tuple: "texts", type(None): "none",
}  # fmt: skip
# What else users write for the words that msgspec reads.
TRUTH = {"yes": "true", "on": "true", "no": "false", "off": "false"}
NOTHING = {"", "none"}


def converted(value: Any, kind: Any) -> Any:
    """Return a value as a type; texts are read as numbers, truth values, none or lists.

    Raises:
        ValueError: It cannot be had as that type.

    >>> converted("0.5", float), converted("yes", bool), converted("None", int | None)
    (0.5, True, None)
    >>> converted("a", tuple[str, ...])
    ('a',)
    """
    kinds = alternatives(kind)
    if isinstance(value, str) and str not in kinds:
        if type(None) in kinds and value.lower() in NOTHING:
            return None
        if bool in kinds:
            value = TRUTH.get(value.lower(), value)
        if any(get_origin(one) is tuple for one in kinds):
            value = (value,)
    try:
        # Strict where a file or a program gave a value of its own type: 1 is not true.
        found = msgspec.convert(value, kind, strict=not isinstance(value, str))
    except (msgspec.ValidationError, TypeError) as error:
        raise ValueError(str(error)) from error
    if isinstance(value, str) and isinstance(found, float) and not math.isfinite(found):
        raise ValueError(f"{value} is not finite")
    return found


def alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the alternatives of a type: ``int | None`` is either."""
    if get_origin(kind) in {typing.Union, types.UnionType}:
        return get_args(kind)
    return (kind,)


def in_words(kind: Any) -> str:
    """Return in words what may be written for a type.

    >>> in_words(int | None), in_words(Literal["lr", "svm"])
    ('a whole number or none', 'one of lr|svm')
    """
    if get_origin(kind) is Literal:
        return "one of " + "|".join(str(value) or "(none)" for value in get_args(kind))
    kinds = [get_origin(one) or one for one in alternatives(kind)]
    return " or ".join(WORDS.get(one, getattr(one, "__name__", str(one))) for one in kinds)
