"""PxWeb: databases of statistical offices, level by level (version 1) or all tables (version 2)."""

from __future__ import annotations

from typing import Any

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, records, text
from lodehound.shortcuts.paging import next_page
from lodehound.shortcuts.rel_links import related

SIZE = 1000
PROBES = (f"api/v2/tables?lang=en&pageSize={SIZE}&pageNumber=1", "api/v1/en/")


class Pxweb(Shortcut):
    """PxWeb databases; files only from version 2, because version 1 sends tables after a POST."""

    title = "PxWeb"
    distinct = False  # any list of records with these names
    marks = (b"PxWeb", b"/pxweb/")

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See pages and scripts of PxWeb."""
        return (origin_of(page.url) + "/",) if page.names(b"PxWeb", b"/pxweb/") else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return tuple(resolve(origin_of(root) + "/", probe) for probe in PROBES)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        if isinstance(data, list):
            return _level(records(data), answer)
        if _is_table(data):
            return Expansion(datasets=(_table(data, answer),))
        found = records(data, "tables")
        if not found or not all(_is_table(one) for one in found):
            return None
        total = number(data, "page", "totalElements")
        return Expansion(
            datasets=tuple(_table(one, answer) for one in found),
            more=next_page(
                answer.url, offset="pageNumber", got=len(found), total=total, first=1, step=SIZE
            ),
        )


def _is_table(data: Any) -> bool:
    return bool(text(data, "id") and text(data, "label")) and bool(records(data, "links"))


def _table(data: dict[str, Any], answer: Fetched) -> Dataset:
    files = tuple(
        ListedFile(text(link, "href"), title=text(data, "label"), modified=text(data, "updated"))
        for link in related(data, answer, "data")
    )
    return Dataset(
        title=text(data, "label"),
        identifier=text(data, "id"),
        description=text(data, "description"),
        publisher=text(data, "source"),
        modified=text(data, "updated"),
        files=files,
    )


def _level(entries: list[dict[str, Any]], answer: Fetched) -> Expansion | None:
    """Return a level of version 1: databases, folders ("l") and tables ("t")."""
    databases = [one for one in entries if text(one, "dbid") and text(one, "text")]
    known = [one for one in entries if text(one, "type") in {"l", "t", "h"} and text(one, "text")]
    if not entries or len(entries) not in {len(databases), len(known)}:
        return None
    here = answer.url.partition("?")[0].rstrip("/") + "/"
    folders = [text(one, "dbid") for one in databases]
    folders += [text(one, "id") for one in known if text(one, "type") == "l"]
    tables = (one for one in known if text(one, "type") == "t")
    urls = (resolve(here, "./" + name) for name in folders if name)
    return Expansion(
        datasets=tuple(
            Dataset(
                title=text(one, "text"),
                identifier=resolve(here, "./" + text(one, "id")),
                modified=text(one, "updated"),
            )
            for one in tables
        ),
        more=tuple(ApiPage(url, deeper=True) for url in urls if url.startswith(here)),
    )
