"""Frictionless Data Packages: ``datapackage.json`` names the files of a dataset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lodehound.core.urls import path_of, resolve
from lodehound.shortcuts.contract import Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, pick, records, text, texts
from lodehound.shortcuts.rel_links import person

NAME = "datapackage.json"
LINK = re.compile(rb"""href\s*=\s*["']?([^"'\s>]{0,300}datapackage\.json)["'\s>]""")


class Datapackage(Shortcut):
    """Data Packages (Frictionless): the files that datapackage.json names."""

    title = "Data Package"
    distinct = False  # any record with a list of resources
    marks = (NAME.encode(),)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See a package, or a link to one."""
        if not page.is_html:
            is_package = path_of(page.url).endswith("/" + NAME) and page.head.startswith("{")
            return (page.url,) if is_package else ()
        url = page.first_url(NAME.encode(), LINK)
        return (url,) if url else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return (root,) if path_of(root).endswith(NAME) else (resolve(root, NAME),)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        found = records(data, "resources")
        known = [one for one in found if any(key in one for key in ("path", "url", "data"))]
        if not found or len(known) < len(found) or not all(text(one, "name") for one in found):
            return None
        return Expansion(
            datasets=(
                Dataset(
                    title=text(data, "title") or text(data, "name"),
                    url=answer.resolve(pick(data, "homepage")),
                    identifier=text(data, "id") or text(data, "name"),
                    description=text(data, "description"),
                    publisher=_person(data),
                    licence=text(data, "licenses", 0, "path") or text(data, "licenses", 0, "name"),
                    issued=text(data, "created"),
                    keywords=texts(data, "keywords"),
                    files=tuple(file for one in known for file in _files(one, answer)),
                ),
            )
        )


def _person(data: Any) -> str:
    return text(data, "contributors", 0, "title") or person(data, "sources")


def _files(resource: dict[str, Any], answer: Fetched) -> Iterator[ListedFile]:
    """Yield the files of a resource: one path, or the parts of a large file."""
    path = resource.get("path") or resource.get("url")
    for part in path[:1000] if isinstance(path, list) else [path]:
        if url := answer.resolve(part):
            yield ListedFile(
                url,
                title=text(resource, "title") or text(resource, "name"),
                format=text(resource, "mediatype") or text(resource, "format"),
                size=number(resource, "bytes"),
                description=text(resource, "description"),
            )
