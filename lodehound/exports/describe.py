"""Titles, texts, URLs, dates and long lists, shared by the formats that describe files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any, BinaryIO
from urllib.parse import quote

from lodehound.exports.notes import Notes
from lodehound.read.rdf_terms import valid_iri
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.stores.catalogue.titles import MOST_TITLE
from lodehound.stores.texts import one_line, whole_text
from lodehound.text.counts import counted
from lodehound.version import VERSION

MANY = 10_000  # URLs and dates that are cached: they repeat
NAMES = 20  # column names in a description
# Characters that are allowed in an IRI (RFC 3986, 2). A percent sign only before two digits.
SIGNS = ":/?@!$&'()*+,;=-._~%"
PLAIN = re.compile(
    r"https?://[\w.-]+(?::\d+)?/(?:[\w:/?@!$&'()*+,;=.~-]|%[0-9A-Fa-f]{2})*", re.ASCII
)
STRAY = re.compile("%(?![0-9A-Fa-f]{2})")
_encode = json.JSONEncoder(ensure_ascii=False).encode
TRUNCATED = "Only the beginning of the file was stored."


def title_of(source: Catalogue, notes: Notes) -> str:
    return notes.title or f"Data found on {source.host or 'the web'}"


def text_of(source: Catalogue) -> str:
    """Describe the export in one sentence."""
    begun = source.created_at[:10]
    where = f" on {source.host}" if source.host else ""
    return f"Data files found{where} by a lodehound crawl that started on {begun} (UTC)."


def publisher_of(notes: Notes) -> str:
    return notes.publisher or f"lodehound {VERSION}"


def entry_text(entry: CatalogueEntry) -> str:
    """Describe a find in a sentence or two."""
    find, seen = entry.find, entry.read
    said = [f"{one_line(entry.about).rstrip('.')}."] if entry.about else []
    said += [f"{one_line(entry.name, MOST_TITLE) or 'A file'} from {one_line(find.final_url)}."]
    if find.page_title:
        said.append(f"Found on the page “{one_line(find.page_title, MOST_TITLE)}”.")
    if entry.content == "unreadable" and entry.seen:
        said.append(f"It could not be read ({one_line(entry.seen.error, MOST_TITLE)}).")
    elif entry.content == "empty":
        said.append("It is empty.")
    elif entry.content == "no-rows":
        said.append("It holds no values.")
    elif seen and seen.tables:
        size = f"{counted(seen.rows, 'row')} and {counted(seen.columns, 'column')}"
        said.append(f"{counted(seen.tables, 'table')}, the largest with {size}.")
    if entry.header:
        names = ", ".join(one_line(name, 60) for name in entry.header[:NAMES])
        more = len(entry.header) - NAMES
        said.append(f"Columns: {names}{f' and {more} more' if more > 0 else ''}.")
    if find.truncated:
        said.append(TRUNCATED)
    return " ".join(said)


@lru_cache(MANY)
def iri(url: str) -> str:
    """Return a URL as an IRI that every parser accepts.

    >>> iri("https://e.org/a b|100%.csv?x=[1]")
    'https://e.org/a%20b%7C100%25.csv?x=%5B1%5D'
    """
    if PLAIN.fullmatch(url):
        return url
    valid = valid_iri(url)
    signs = SIGNS + "#[]" if valid else SIGNS
    return quote(valid or STRAY.sub("%25", url), safe=signs, errors="replace")


def modified(entry: CatalogueEntry) -> str | None:
    """Return the date of the last change according to the server, as ISO 8601."""
    return _iso(entry.find.last_modified) if entry.find.last_modified else None


@lru_cache(MANY)
def _iso(date: str) -> str | None:
    try:
        moment = parsedate_to_datetime(date)
        return moment.astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def known(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without those that are not known."""
    return {name: value for name, value in values.items() if value or value == 0}


def write_list(
    out: BinaryIO,
    head: Mapping[str, Any],
    name: str,
    items: Iterable[Any],
    tail: Callable[[], Mapping[str, Any]] = dict,
) -> None:
    """Write a JSON object with a list too long to fit in memory, one item per line.

    Args:
        out: The output.
        head: The fields before the list.
        name: The name of the list.
        items: The items of the list.
        tail: Returns the fields after the list, once it is written.
    """
    begin = "".join(f"{json.dumps(key)}: {_json(value)},\n" for key, value in head.items())
    out.write(f"{{{begin}{json.dumps(name)}: [".encode())
    out.writelines(
        f"{',' if number else ''}\n{_json(item)}".encode() for number, item in enumerate(items)
    )
    end = "".join(f",\n{json.dumps(key)}: {_json(value)}" for key, value in tail().items())
    out.write(f"\n]{end}}}\n".encode())


def _json(value: Any) -> str:
    return whole_text(_encode(value))
