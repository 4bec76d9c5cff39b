"""NADA: catalogues of surveys (microdata) of the World Bank and statistical offices."""

from __future__ import annotations

import re
from typing import Any

from lodehound.core.urls import resolve
from lodehound.shortcuts.contract import Dataset, Expansion, Shortcut
from lodehound.shortcuts.documents import Fetched, number, pick, records, text
from lodehound.shortcuts.paging import next_page

ROOT = re.compile(rb"""href\s*=\s*["']?([^"'\s>]{0,300}?)index\.php/catalog(?=[/?"'\s>])""")
SIZE = 1000
LIST = f"index.php/api/catalog/search?ps={SIZE}&page=1"


class Nada(Shortcut):
    """NADA: studies; their pages are crawled, because most files want a registration."""

    title = "NADA"
    key_header = "X-API-KEY"
    marks = (b"index.php/catalog",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See links to the catalogue."""
        named = page.first_url(b"index.php/catalog", ROOT)
        return (named,) if named.endswith("/") else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return (resolve(root, LIST),)

    def expand(self, answer: Fetched) -> Expansion | None:
        found = pick(answer.json, "result")
        rows = records(found, "rows")
        total = number(found, "found")
        if total is None or not all(text(one, "idno") for one in rows):
            return None
        return Expansion(
            datasets=tuple(_dataset(one, answer) for one in rows),
            more=next_page(
                answer.url,
                offset="page",
                got=len(rows),
                total=total,
                first=1,
                step=number(found, "limit") or SIZE,  # a server may return fewer than asked for
            ),
        )


def _dataset(row: dict[str, Any], answer: Fetched) -> Dataset:
    site = answer.url.partition("api/catalog/")[0]
    return Dataset(
        title=text(row, "title"),
        url=answer.resolve(pick(row, "url")) or resolve(site, f"catalog/{text(row, 'id')}"),
        identifier=text(row, "idno"),
        description=text(row, "subtitle"),
        publisher=text(row, "authoring_entity"),
        issued=text(row, "created") or text(row, "year_start"),
        modified=text(row, "changed"),
    )
