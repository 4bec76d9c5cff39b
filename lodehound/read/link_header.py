"""The Link header of a response (RFC 8288)."""

from __future__ import annotations

import re

from lodehound.read.mentions import Mentions
from lodehound.read.relations import RELATIONS, add_related

MAX_HEADER = 64_000  # characters
MAX_PARAMETERS = 20  # per link
# APIs announce the next page of a JSON list only in this header.
WANTED = (*RELATIONS, "next")

# Possessive quantifiers: no header causes backtracking.
_TARGET = re.compile(r"[\s,]*+<([^<>]*+)>")
_PARAMETER = re.compile(r'\s*+;\s*+([\w*.!#$&+^`|~-]*+)\s*+(?:=\s*+("(?:[^"\\]|\\.)*+"|[^",;]*+))?')


def add_header_links(header: str, mentions: Mentions) -> None:
    """Add the links of a header that lead to data. Repeated headers are joined by commas."""
    header = header[:MAX_HEADER]
    at = 0
    while (target := _TARGET.match(header, at)) is not None:
        parameters, at = _parameters(header, target.end())
        add_related(
            mentions,
            target[1],
            parameters.get("rel", ""),
            kind="header",
            where="header",
            declared=parameters.get("type", ""),
            title=parameters.get("title", ""),
            wanted=WANTED,
        )


def _parameters(header: str, at: int) -> tuple[dict[str, str], int]:
    """Return the parameters of a link and their end; a repeated one is ignored (3.3)."""
    found: dict[str, str] = {}
    while (parameter := _PARAMETER.match(header, at)) is not None:
        at = parameter.end()
        value = (parameter[2] or "").strip()
        if value.startswith('"'):
            value = re.sub(r"\\(.)", r"\1", value[1:-1])
        if len(found) < MAX_PARAMETERS:
            found.setdefault(parameter[1].lower(), value)
    return found, at
