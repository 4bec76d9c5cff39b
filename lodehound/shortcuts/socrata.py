"""Socrata (Tyler Data & Insights): the discovery API lists all datasets of a domain."""

from __future__ import annotations

import re
from typing import Any

from lodehound.core.urls import host_of, name_of, origin_of, resolve
from lodehound.shortcuts.contract import Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, pick, records, text, texts
from lodehound.shortcuts.paging import next_page

HEADERS = ("x-socrata-requestid", "x-socrata-region")
ASSETS = (b"socrata-frontend", b"//cdn.socrata.com")
IDENTIFIER = re.compile(r"[a-z0-9]{4}-[a-z0-9]{4}\Z")
TABLES = frozenset({"dataset", "filter"})  # other kinds are charts, links and stories


class Socrata(Shortcut):
    """Socrata portals: every table as CSV."""

    title = "Socrata"
    key_header = "X-App-Token"
    marks = (*(name.encode() for name in HEADERS), *ASSETS)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the headers and scripts of Socrata."""
        known = any(name in page.headers for name in HEADERS) or page.names(*ASSETS)
        return (origin_of(page.url) + "/",) if known and page.is_html else ()

    def probes(self, root: str) -> tuple[str, ...]:
        """Ask for this domain only: otherwise those of all customers are listed."""
        host = name_of(host_of(root))
        query = f"domains={host}&search_context={host}&only=dataset&limit=1000&offset=0"
        return (resolve(origin_of(root) + "/", f"api/catalog/v1?{query}"),)

    def expand(self, answer: Fetched) -> Expansion | None:
        found = records(answer.json, "results")
        total = number(answer.json, "resultSetSize")
        tables = [one for one in found if IDENTIFIER.match(text(one, "resource", "id"))]
        if total is None or len(tables) < len(found):
            return None
        return Expansion(
            datasets=tuple(_dataset(one, answer) for one in tables),
            more=next_page(answer.url, offset="offset", got=len(found), total=total),
        )


def _dataset(entry: dict[str, Any], answer: Fetched) -> Dataset:
    resource = pick(entry, "resource")
    domain = resolve("", f"https://{text(entry, 'metadata', 'domain')}/")
    name = text(resource, "id")
    rows = f"api/views/{name}/rows.csv?accessType=DOWNLOAD"
    file = ListedFile(
        url=resolve(domain or answer.url, rows if domain else "/" + rows),
        title=text(resource, "name"),
        format="text/csv",
        modified=text(resource, "data_updated_at") or text(resource, "updatedAt"),
    )
    return Dataset(
        title=text(resource, "name"),
        url=answer.resolve(text(entry, "permalink") or text(entry, "link")),
        identifier=name,
        description=text(resource, "description"),
        publisher=text(resource, "attribution"),
        licence=text(entry, "metadata", "license"),
        issued=text(resource, "createdAt"),
        modified=text(resource, "updatedAt"),
        keywords=texts(entry, "classification", "domain_tags"),
        files=(file,) if text(resource, "type") in TABLES else (),
    )
