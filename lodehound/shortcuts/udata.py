"""udata: the portal software of data.gouv.fr lists datasets with all their files."""

from __future__ import annotations

from typing import Any

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, pick, records, text, texts

LIST = "api/1/datasets/?page_size=100&page=1"


class Udata(Shortcut):
    """Portals that run on udata."""

    title = "udata"
    key_header = "X-API-KEY"

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See udata as generator, or its assets."""
        found = "udata" in page.generator or page.names(b"/_themes/udata", b"/api/1/swagger.json")
        return (origin_of(page.url) + "/",) if found else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return (resolve(origin_of(root) + "/", LIST),)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        entries = records(data, "data")
        known = [one for one in entries if isinstance(pick(one, "resources"), list)]
        if number(data, "page_size") is None or len(known) < len(entries):
            return None
        following = answer.resolve(pick(data, "next_page")) if entries else ""
        more = (ApiPage(following, len(entries)),) if following not in {"", answer.url} else ()
        return Expansion(datasets=tuple(_dataset(one, answer) for one in known), more=more)


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
