"""URLs in JSON: responses that list resources, and JSON-LD in pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from lodehound.core.urls import MAX_URL
from lodehound.read.mentions import Mentions

MAX_BODY = 4_000_000  # bytes; larger responses are data, not lists of resources
MAX_VALUES = 200_000  # per document
MAX_DEPTH = 60
MAX_KEY = 40  # characters of a key in a tag path

# Keys in lower case, without underscores and prefixes. Absolute values of these are URLs ...
URL_KEYS = frozenset(
    "url href uri link downloadurl accessurl contenturl fileurl distribution".split()
)
# ... and relative values of these are URLs if they end like a data file.
FILE_KEYS = URL_KEYS | frozenset("file path src".split())
ABSOLUTE = ("http://", "https://", "/")
NAMES = ("name", "title")


def add_json_links(body: bytes, mentions: Mentions) -> None:
    """Add the URLs in a JSON document; invalid JSON has none."""
    if len(body) > MAX_BODY:
        return
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return
    add_urls(data, mentions, kind="json")


class _Value(NamedTuple):
    """A string in a document, its key, the key above, and the name of the object it is in."""

    text: str
    key: str
    above: str
    name: str


def add_urls(data: Any, mentions: Mentions, *, kind: str) -> None:
    """Add the URLs in JSON data, in document order.

    These are the values of keys such as ``url`` or ``downloadUrl``, and all absolute URLs that
    end like a data file. The tag path is the kind and the last two keys.
    """
    for value in _strings(data):
        text, key = value.text.strip(), _bare(value.above if value.key == "@id" else value.key)
        if not text or len(text) > MAX_URL or "{" in text or len(text.split(None, 1)) > 1:
            continue  # a sentence, or a URL template
        absolute = text.startswith(ABSOLUTE)
        if not absolute and key not in FILE_KEYS:
            continue
        place = mentions.place(text, file_only=not (absolute and key in URL_KEYS))
        if place:
            path = "/".join(filter(None, (kind, _token(value.above), _token(value.key))))
            mentions.add(place, kind, path, value.name)


def _strings(data: Any) -> Iterator[_Value]:
    """Yield every string of a document with its keys, without recursion."""
    waiting: list[tuple[Any, str, str, str, int]] = [(data, "", "", "", 0)]
    for _ in range(MAX_VALUES):
        if not waiting:
            return
        value, key, above, name, depth = waiting.pop()
        if isinstance(value, str):
            yield _Value(value, key, above, name)
        elif isinstance(value, list) and depth < MAX_DEPTH:
            items = value[:MAX_VALUES]
            waiting.extend((item, key, above, name, depth + 1) for item in reversed(items))
        elif isinstance(value, dict) and depth < MAX_DEPTH:
            name = next((value[n] for n in NAMES if isinstance(value.get(n), str)), name)
            inner = reversed(value.items())
            waiting.extend((item, own, key, name, depth + 1) for own, item in inner)


def _bare(key: str) -> str:
    """Return a key in the form of URL_KEYS.

    >>> _bare("dcat:downloadURL"), _bare("download_url")
    ('downloadurl', 'downloadurl')
    """
    return key.rpartition(":")[2].lower().replace("_", "").replace("-", "")


def _token(key: str) -> str:
    return "_".join(key[:MAX_KEY].replace("/", "|").split())
