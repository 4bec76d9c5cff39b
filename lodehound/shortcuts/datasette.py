"""Datasette: every table of its SQLite databases as CSV."""

from __future__ import annotations

import re
from typing import Any

from lodehound.core.urls import resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, pick, records, text

MARK = b"-/static/app.css"
ROOT = re.compile(rb"""href\s*=\s*["']?([^"'\s>]{0,300}?/)-/static/app\.css""")
PLAIN = re.compile(r"[A-Za-z0-9_-]")
OWN = frozenset({"_memory", "_internal"})  # databases that Datasette has for itself


class Datasette(Shortcut):
    """Datasette: the tables of all databases."""

    title = "Datasette"
    key_header = "Authorization"
    marks = (b'{"database"', b"application/json+datasette")

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the styles of Datasette beside the type of its JSON, or the tables of a database."""
        if page.head.startswith('{"database"'):  # pages link it too, so it may come as a page
            return (page.url,)
        root = page.first_url(MARK, ROOT) if page.names(b"application/json+datasette") else ""
        return (root,) if root else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return (resolve(root, ".json"),)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        if databases := _databases(data):
            return Expansion(more=tuple(_page(one, answer) for one in databases))
        tables = records(data, "tables")
        if not text(data, "database") or not all("columns" in one for one in tables):
            return None
        folder = answer.url.partition("?")[0].removesuffix(".json")
        shown = [one for one in tables if pick(one, "hidden") is not True and text(one, "name")]
        return Expansion(datasets=tuple(_table(one, data, folder) for one in shown))


def _databases(data: Any) -> list[dict[str, Any]]:
    """Return the databases of the start page: by name, since version 1.0 in a list."""
    found = pick(data, "databases")
    found = (
        found if isinstance(found, list) else list(data.values()) if isinstance(data, dict) else []
    )
    known = [one for one in records(found) if number(one, "tables_count") is not None]
    return [one for one in known if text(one, "name") not in {"", *OWN}]


def _page(database: dict[str, Any], answer: Fetched) -> ApiPage:
    url = resolve(answer.url, f"./{encoded(text(database, 'name'))}.json")
    return ApiPage(url, number(database, "tables_count") or 0, deeper=True)


def _table(table: dict[str, Any], database: Any, folder: str) -> Dataset:
    name = text(table, "name")
    page = f"{folder}/{encoded(name)}"
    return Dataset(
        title=name,
        url=page,
        identifier=page,
        publisher=text(database, "source"),
        licence=text(database, "license_url") or text(database, "license"),
        files=(ListedFile(f"{page}.csv?_stream=on&_dl=on", title=name, format="text/csv"),),
    )


def encoded(name: str) -> str:
    """Return a name as Datasette writes it in URLs (since 0.60).

    >>> encoded("rain/2024 é")
    'rain~2F2024+~C3~A9'
    """
    return "".join(
        "+" if char == " " else char if PLAIN.match(char) else _tilde(char) for char in name
    )


def _tilde(char: str) -> str:
    return "".join(f"~{octet:02X}" for octet in char.encode("utf-8", "replace"))
