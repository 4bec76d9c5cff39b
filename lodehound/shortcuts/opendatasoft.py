"""OpenDataSoft (Huwise): one request lists all datasets, each with an export of its records."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.datasets import any_text
from lodehound.shortcuts.documents import Fetched, number, pick, records, text, texts
from lodehound.shortcuts.paging import next_page

ASSETS = (b"static.opendatasoft.com", b"static.huwise.com", b"ods-widgets")
# The export of the catalogue has no limit; portals with version 1 only answer the other.
PROBES = ("api/explore/v2.1/catalog/exports/json", "api/datasets/1.0/search/?rows=1000&start=0")


class Opendatasoft(Shortcut):
    """OpenDataSoft portals: every dataset with its records as CSV, and its attachments."""

    title = "OpenDataSoft"
    marks = ASSETS

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the scripts and styles of the portal."""
        return (origin_of(page.url) + "/",) if page.names(*ASSETS) else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return tuple(resolve(origin_of(root) + "/", probe) for probe in PROBES)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        found = data if isinstance(data, list) else pick(data, "results") or pick(data, "datasets")
        entries = [one.get("dataset", one) for one in records(found)]
        described = [one for one in entries if _identifier(one) and pick(one, "metas") is not None]
        if not described and not (found == [] and number(data, "nhits") is not None):
            return None
        return Expansion(
            datasets=tuple(_dataset(one, answer) for one in described),
            more=_more(data, answer, len(described)),
        )


def _more(data: Any, answer: Fetched, got: int) -> tuple[ApiPage, ...]:
    if number(data, "total_count") is not None:
        return next_page(answer.url, offset="offset", got=got, total=number(data, "total_count"))
    if number(data, "nhits") is not None:
        return next_page(answer.url, offset="start", got=got, total=number(data, "nhits"))
    return ()


def _identifier(entry: Any) -> str:
    return text(entry, "dataset_id") or text(entry, "datasetid")


def _dataset(entry: dict[str, Any], answer: Fetched) -> Dataset:
    metas = pick(entry, "metas", "default") or pick(entry, "metas")
    name = quote(_identifier(entry), safe="@")
    portal = origin_of(answer.url)
    api = f"{portal}/api/explore/v2.1/catalog/datasets/{name}"
    files = [_attachment(one, api) for one in records(entry, "attachments")]
    if pick(entry, "has_records") is True:
        modified = text(metas, "data_processed") or text(metas, "modified")
        files.insert(0, ListedFile(f"{api}/exports/csv", format="text/csv", modified=modified))
    return Dataset(
        title=text(metas, "title") or _identifier(entry),
        url=f"{portal}/explore/dataset/{name}/",
        identifier=_identifier(entry),
        description=text(metas, "description"),
        publisher=any_text(metas, "publisher"),
        licence=text(metas, "license_url") or text(metas, "license"),
        modified=text(metas, "modified"),
        keywords=texts(metas, "keyword") or tuple(filter(None, [text(metas, "keyword")])),
        files=tuple(file for file in files if file.url),
    )


def _attachment(entry: dict[str, Any], api: str) -> ListedFile:
    name = text(entry, "id")
    return ListedFile(
        url=f"{api}/attachments/{quote(name, safe='')}" if name else "",
        title=text(entry, "title"),
        format=text(entry, "mimetype"),
    )
