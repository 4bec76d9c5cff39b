"""Dataverse: a search for files lists 1,000 of them, each with its dataset."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, pick, records, text, texts
from lodehound.shortcuts.paging import next_page

SEARCH = "api/search?q=*&type=file&sort=date&order=asc&per_page=1000&start=0"


class Dataverse(Shortcut):
    """Dataverse repositories: published files, and the datasets they belong to."""

    title = "Dataverse"
    key_header = "X-Dataverse-key"
    marks = (b"javax.faces",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the pages of Dataverse, which are made with JavaServer Faces."""
        found = page.names(b"javax.faces") and page.names(b"dataverse")
        return (origin_of(page.url) + "/",) if found else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return (resolve(origin_of(root) + "/", SEARCH),)

    def expand(self, answer: Fetched) -> Expansion | None:
        found = pick(answer.json, "data")
        total = number(found, "total_count")
        if text(answer.json, "status") != "OK" or total is None:
            return None
        items = records(found, "items")
        return Expansion(
            datasets=(*_with_files(items, answer), *_alone(items, answer)),
            more=next_page(answer.url, offset="start", got=len(items), total=total),
        )


def _with_files(items: list[dict[str, Any]], answer: Fetched) -> list[Dataset]:
    """Return the datasets of the files that were found, in their order."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for item in items:
        if text(item, "type") == "file" and pick(item, "restricted") is not True:
            groups[text(item, "dataset_persistent_id") or text(item, "dataset_id")].append(item)
    return [
        Dataset(
            title=text(group[0], "dataset_name"),
            url=_page(text(group[0], "dataset_persistent_id"), answer),
            identifier=name,
            files=tuple(filter(lambda file: file.url, (_file(one, answer) for one in group))),
        )
        for name, group in groups.items()
    ]


def _alone(items: list[dict[str, Any]], answer: Fetched) -> list[Dataset]:
    """Return the datasets that were found themselves, without their files."""
    return [
        Dataset(
            title=text(item, "name"),
            url=_page(text(item, "global_id"), answer),
            identifier=text(item, "global_id"),
            description=text(item, "description"),
            publisher=text(item, "publisher") or ", ".join(texts(item, "authors")),
            issued=text(item, "published_at"),
            modified=text(item, "updatedAt"),
            keywords=texts(item, "keywords"),
        )
        for item in items
        if text(item, "type") == "dataset"
    ]


def _page(name: str, answer: Fetched) -> str:
    return answer.resolve(f"/dataset.xhtml?persistentId={name}") if name else ""


def _file(item: dict[str, Any], answer: Fetched) -> ListedFile:
    return ListedFile(
        url=answer.resolve(item.get("url")),
        title=text(item, "name"),
        format=text(item, "file_content_type"),
        size=number(item, "size_in_bytes"),
        modified=text(item, "published_at"),
        description=text(item, "description"),
    )
