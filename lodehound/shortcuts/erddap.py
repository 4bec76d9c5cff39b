"""ERDDAP: one table lists all datasets of a server."""

from __future__ import annotations

import re
from typing import Any

from lodehound.core.urls import resolve
from lodehound.shortcuts.contract import Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import MAX_ITEMS, URL_UP_TO, Fetched, pick, text
from lodehound.shortcuts.paging import next_page

SIZE = 1000
ROOT = re.compile(URL_UP_TO + rb"/erddap/)", re.IGNORECASE)
LIST = f"info/index.json?page=1&itemsPerPage={SIZE}"


class Erddap(Shortcut):
    """ERDDAP servers: tables as CSV, and the folders of source files."""

    title = "ERDDAP"
    marks = (b"/erddap/",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See pages of ERDDAP, and addresses of it in other pages."""
        root = page.first_url(b"/erddap/", ROOT)
        return (root,) if root else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return (resolve(root if root.endswith("/erddap/") else resolve(root, "/erddap/"), LIST),)

    def expand(self, answer: Fetched) -> Expansion | None:
        names, rows = pick(answer.json, "table", "columnNames"), pick(answer.json, "table", "rows")
        if not isinstance(names, list) or "Dataset ID" not in names or not isinstance(rows, list):
            return None
        entries = [
            {name: cell for name, cell in zip(names, row, strict=False) if isinstance(name, str)}
            for row in rows[:MAX_ITEMS]
            if isinstance(row, list)
        ]
        public = [one for one in entries if text(one, "Accessible") in {"", "public"}]
        listed = [one for one in public if text(one, "Dataset ID") not in {"", "allDatasets"}]
        folders = (answer.resolve(one.get("files")) for one in listed)
        return Expansion(
            datasets=tuple(_dataset(one, answer) for one in listed),
            pages=tuple(dict.fromkeys(filter(None, folders))),
            more=next_page(
                answer.url, offset="page", got=len(rows), total=None, first=1, step=SIZE
            ),
        )


def _dataset(row: dict[str, Any], answer: Fetched) -> Dataset:
    """Return a dataset; a grid has no file, because all of it may be larger than any disk."""
    table = answer.resolve(row.get("tabledap"))
    file = ListedFile(f"{table}.csv", title=text(row, "Title"), format="text/csv")
    grid = answer.resolve(row.get("griddap"))
    return Dataset(
        title=text(row, "Title"),
        url=f"{table or grid}.html" if table or grid else "",
        identifier=text(row, "Dataset ID"),
        description=text(row, "Summary"),
        publisher=text(row, "Institution"),
        files=(file,) if table else (),
    )
