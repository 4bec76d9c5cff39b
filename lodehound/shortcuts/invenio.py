"""Invenio and Zenodo: ``/api/records`` lists records with their files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.datasets import any_text, named, objects
from lodehound.shortcuts.documents import Fetched, number, pick, records, text, texts
from lodehound.shortcuts.paging import next_page

ASSETS = re.compile(rb"InvenioRDM|invenio[-_](?:app|config|rdm|search|theme)|zenodo\.org/static")
SIZES = (100, 25)  # Zenodo returns 25 to those who are not signed in


class Invenio(Shortcut):
    """InvenioRDM, Zenodo and other repositories that are made with Invenio."""

    title = "Invenio, Zenodo"
    key_header = "Authorization"
    marks = (b"nvenio", b"zenodo")

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the scripts and styles of Invenio."""
        found = page.names(b"nvenio", b"zenodo") and ASSETS.search(page.body)
        return (origin_of(page.url) + "/",) if found else ()

    def probes(self, root: str) -> tuple[str, ...]:
        site = origin_of(root) + "/"
        return tuple(resolve(site, f"api/records?sort=oldest&size={n}&page=1") for n in SIZES)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        if isinstance(pick(data, "entries"), list) and pick(data, "enabled") is not None:
            return Expansion(files=tuple(_files(data, answer)))
        found = pick(data, "hits", "hits")
        if not isinstance(found, list) or not isinstance(pick(data, "links"), dict):
            return None
        entries = records(found)
        lists = tuple(
            ApiPage(url, 1, deeper=True)
            for url in (_file_list(one, answer) for one in entries)
            if url
        )
        return Expansion(
            datasets=tuple(_dataset(one, answer) for one in entries),
            more=(*lists, *_more(data, answer, len(entries))),
        )


def _more(data: Any, answer: Fetched, got: int) -> tuple[ApiPage, ...]:
    if following := answer.resolve(pick(data, "links", "next")):
        return (ApiPage(following, got),) if got else ()
    total = number(data, "hits", "total") or number(data, "hits", "total", "value")
    if total is None or "next" in pick(data, "links"):
        return ()
    return next_page(answer.url, offset="page", got=got, total=total, first=1, step=got)


def _dataset(record: dict[str, Any], answer: Fetched) -> Dataset:
    about = pick(record, "metadata")
    links = pick(record, "links")
    licence = named(about, "license") or text(about, "license", "id") or named(about, "rights")
    return Dataset(
        title=text(about, "title") or text(record, "title"),
        url=answer.resolve(any_text(links, "self_html", "html")),
        identifier=text(record, "doi") or text(record, "id"),
        description=text(about, "description"),
        publisher=text(about, "publisher") or "; ".join(_people(about)),
        licence=licence,
        issued=text(about, "publication_date") or text(record, "created"),
        modified=text(record, "updated") or text(record, "modified"),
        keywords=texts(about, "keywords"),
        files=tuple(_files(pick(record, "files"), answer)),
    )


def _people(about: Any) -> Iterator[str]:
    for one in records(about, "creators")[:20]:
        if name := text(one, "name") or text(one, "person_or_org", "name"):
            yield name


def _files(data: Any, answer: Fetched) -> Iterator[ListedFile]:
    """Yield the files of a record: a list, or the entries of an object."""
    found = pick(data, "entries") if isinstance(data, dict) else data
    entries = list(found.values()) if isinstance(found, dict) else found
    for entry in records(entries):
        links = pick(entry, "links")
        if url := answer.resolve(any_text(links, "content", "download", "self")):
            yield ListedFile(
                url,
                title=any_text(entry, "key", "filename"),
                format=any_text(entry, "mimetype", "type"),
                size=number(entry, "size") or number(entry, "filesize"),
                modified=text(entry, "updated"),
            )


def _file_list(record: dict[str, Any], answer: Fetched) -> str:
    """Return where the files of a record are listed, if the record has files but lists none."""
    has = pick(record, "files", "enabled") is True and not objects(pick(record, "files"), "entries")
    return answer.resolve(pick(record, "links", "files")) if has else ""
