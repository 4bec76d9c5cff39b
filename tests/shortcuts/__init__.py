"""Recorded answers of APIs, and answers that no API should give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from lodehound.shortcuts.documents import Fetched

FIXTURES = Path(__file__).parent / "fixtures"
JSON, XML, HTML = "application/json", "application/xml", "text/html"
TYPES = {".json": JSON, ".xml": XML, ".html": HTML}


def recorded(name: str, url: str, **options: Any) -> Fetched:
    """Return a recorded answer: ``recorded("ckan/package_search.json", "https://...")``."""
    body = (FIXTURES / name).read_bytes()
    mime = options.pop("mime", TYPES.get(Path(name).suffix, "text/plain"))
    return Fetched(url, mime, body, **options)


def answer(data: object, url: str, **options: Any) -> Fetched:
    """Return an answer with this data as JSON, or with this text."""
    if isinstance(data, str | bytes):
        body = data.encode() if isinstance(data, str) else data
        return Fetched(url, options.pop("mime", XML if body[:1] == b"<" else JSON), body, **options)
    return Fetched(url, JSON, msgspec.json.encode(data), **options)


def page(html: str, url: str = "https://e.org/", **headers: str) -> Fetched:
    """Return a page; headers as ``x_generator="Drupal 10"``."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Fetched(url, HTML, html.encode(), headers=named)


def with_changes(document: Fetched, **changes: object) -> Fetched:
    """Return a recorded JSON answer with some of its top-level values changed."""
    return answer({**document.json, **changes}, document.url)
