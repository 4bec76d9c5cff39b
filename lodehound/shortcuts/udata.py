"""udata: the portal software of data.gouv.fr lists datasets with all their files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, pick, records, text, texts

LIST = "api/1/datasets/?page_size=100&page=1"


class Udata(Shortcut):
    """Portals that run on udata."""

    title = "udata"
    key_header = "X-API-KEY"
    marks = (b"generator: udata", b"/_themes/udata", b"/api/1/swagger.json")

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See udata as generator, or its assets."""
        found = "udata" in page.generator or page.names(b"/_themes/udata", b"/api/1/swagger.json")
        return (origin_of(page.url) + "/",) if found else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return (resolve(origin_of(root) + "/", LIST),)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        entries = records(data, "data")
        if number(data, "page_size") is None or not isinstance(pick(data, "data"), list):
            return None
        following = answer.resolve(pick(data, "next_page")) if entries else ""
        more = (ApiPage(following, len(entries)),) if following not in {"", answer.url} else ()
        if all(pick(one, "resources") is not None for one in entries):
            lists = tuple(page for one in entries for page in _resources(one, answer))
            datasets = tuple(_dataset(one, answer) for one in entries)
            return Expansion(datasets=datasets, more=(*lists, *more))
        if all(pick(one, "url") and pick(one, "filetype") for one in entries):
            files = (_file(one, answer) for one in entries)
            return Expansion(files=tuple(file for file in files if file.url), more=more)
        return None


def _resources(entry: dict[str, Any], answer: Fetched) -> Iterator[ApiPage]:
    """Yield where version 2 of the API lists the files of a dataset."""
    if url := answer.resolve(pick(entry, "resources", "href")):
        yield ApiPage(url, number(entry, "resources", "total") or 0, deeper=True)


def _dataset(entry: dict[str, Any], answer: Fetched) -> Dataset:
    files = (_file(one, answer) for one in records(entry, "resources"))
    return Dataset(
        title=text(entry, "title"),
        url=answer.resolve(pick(entry, "page")),
        identifier=text(entry, "id"),
        description=text(entry, "description"),
        publisher=text(entry, "organization", "name"),
        licence=text(entry, "license"),
        issued=text(entry, "created_at"),
        modified=text(entry, "last_modified"),
        keywords=texts(entry, "tags"),
        files=tuple(file for file in files if file.url),
    )


def _file(entry: dict[str, Any], answer: Fetched) -> ListedFile:
    return ListedFile(
        url=answer.resolve(pick(entry, "url")),
        title=text(entry, "title"),
        format=text(entry, "mime") or text(entry, "format"),
        size=number(entry, "filesize"),
        modified=text(entry, "last_modified"),
        description=text(entry, "description"),
    )
