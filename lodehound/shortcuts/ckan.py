"""CKAN: ``package_search`` lists 1,000 datasets with all their files in one answer."""

from __future__ import annotations

import re
from typing import Any

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import (
    URL_UP_TO,
    Fetched,
    number,
    pick,
    records,
    text,
    texts,
)
from lodehound.shortcuts.paging import next_page, query_of

ROWS = 1000  # the most that CKAN returns by default (ckan.search.rows_max)
ORDER = "metadata_created+asc,+id+asc"  # new datasets come last; ties have an order, too
API = b"/api/3"
ROOT = re.compile(URL_UP_TO + rb"""/)api/3(?=["'/?#\s>)])""")
WHOLE = {"rows", "start", "sort"}  # parameters of a search for everything
SEARCH = f"api/3/action/package_search?rows={ROWS}&start=0&sort={ORDER}"


class Ckan(Shortcut):
    """CKAN portals: datasets and resources from the action API."""

    title = "CKAN"
    key_header = "Authorization"
    marks = (b"generator: ckan", b"data-site-root", API)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the generator, the assets of CKAN's pages, its API, or links to it."""
        if "ckan" in page.generator or page.names(b"data-site-root"):
            return (self._root(page),)
        root = page.first_url(API, ROOT)
        return (page.url if self._is_whole(page) else root,) if root else ()

    def _is_whole(self, page: Fetched) -> bool:
        """Return whether a page is itself an answer with all datasets."""
        query, found = query_of(page.url), self.expand(page)
        is_first = query.get("start", "0") == "0" and query.keys() <= WHOLE
        return is_first and found is not None and not found.more

    def _root(self, page: Fetched) -> str:
        """Return where CKAN is mounted: its pages say so in ``body[data-site-root]``."""
        body = page.html.css_first("body[data-site-root]") if page.html is not None else None
        named = page.resolve(body.attributes.get("data-site-root")) if body is not None else ""
        root = named or origin_of(page.url) + "/"
        return root if root.endswith("/") else root + "/"

    def probes(self, root: str) -> tuple[str, ...]:
        """Search for everything."""
        return (resolve(root, SEARCH),)

    def expand(self, answer: Fetched) -> Expansion | None:
        found = pick(answer.json, "result")
        if pick(answer.json, "success") is not True or not isinstance(pick(found, "results"), list):
            return None
        packages = records(found, "results")
        return Expansion(
            datasets=tuple(_dataset(package, answer) for package in packages),
            more=next_page(
                answer.url, offset="start", got=len(packages), total=number(found, "count")
            ),
        )


def _dataset(package: dict[str, Any], answer: Fetched) -> Dataset:
    name = text(package, "name")
    portal = answer.url.partition("api/3/action/")[0]
    files = (_file(one, answer) for one in records(package, "resources"))
    return Dataset(
        title=text(package, "title") or name,
        url=resolve(portal, f"dataset/{name}") if name else "",
        identifier=text(package, "id"),
        description=text(package, "notes"),
        publisher=text(package, "organization", "title") or text(package, "author"),
        licence=text(package, "license_url") or text(package, "license_title"),
        issued=text(package, "metadata_created"),
        modified=text(package, "metadata_modified"),
        keywords=texts(package, "tags"),
        files=tuple(file for file in files if file.url),
    )


def _file(resource: dict[str, Any], answer: Fetched) -> ListedFile:
    return ListedFile(
        url=answer.resolve(resource.get("url")),
        title=text(resource, "name"),
        format=text(resource, "mimetype") or text(resource, "format"),
        size=number(resource, "size") or None,  # 0: unknown
        modified=text(resource, "last_modified") or text(resource, "created"),
        description=text(resource, "description"),
    )
