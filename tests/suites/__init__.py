"""Public test suites, restated as data: inputs and what a reader should make of them."""

from __future__ import annotations

import json
import lzma
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("data")


@dataclass(frozen=True)
class Suite:
    """The cases of a suite.

    Attributes:
        name: Of its file.
        source: Where it is published.
        version: Which edition the cases are from.
        licence: Of the cases.
        cases: By name.
    """

    name: str
    source: str
    version: str
    licence: str
    cases: dict[str, Any]


def load(name: str) -> Suite:
    """Read the cases of a suite: those of packages are packed, those restated by hand are not."""
    plain = DATA / f"{name}.json"
    if plain.exists():
        return Suite(name, **json.loads(plain.read_text("utf-8")))
    return Suite(name, **json.loads(lzma.decompress((DATA / f"{name}.json.xz").read_bytes())))
