"""Links with relations in JSON: ``"links": [{"rel": "next", "href": ...}]``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lodehound.shortcuts.contract import ApiPage
from lodehound.shortcuts.documents import Fetched, pick, records, text

JSON_TYPES = ("", "application/json", "application/geo+json", "application/opds+json")


def related(data: Any, answer: Fetched, *relations: str) -> Iterator[dict[str, Any]]:
    """Yield the links of an object with one of these relations and a web URL, made absolute."""
    for link in records(data, "links"):
        url = answer.resolve(link.get("href"))
        if url and text(link, "rel") in relations and text(link, "method") in {"", "GET"}:
            yield {**link, "href": url}


def is_json(link: dict[str, Any]) -> bool:
    return text(link, "type").partition(";")[0] in JSON_TYPES


def next_link(data: Any, answer: Fetched, got: int) -> tuple[ApiPage, ...]:
    """Return the next page that an answer names; () after the last, or if it names itself."""
    for link in related(data, answer, "next"):
        if got and is_json(link) and link["href"] != answer.url:
            return (ApiPage(link["href"], got),)
    return ()


def person(data: Any, *keys: str) -> str:
    """Return the name of the first person or organisation in a list."""
    return next((name for one in records(pick(data, *keys)) if (name := text(one, "name"))), "")
