"""DSpace: the REST API lists items, and the files (bitstreams) of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, pick, records, text
from lodehound.shortcuts.paging import next_page

SIZE = 100
PROBES = (
    f"server/api/discover/search/objects?dsoType=item&embed=bundles/bitstreams&size={SIZE}&page=0",
    f"rest/items?expand=metadata,bitstreams&limit={SIZE}&offset=0",  # until version 6
)
BUNDLES = frozenset({"ORIGINAL", ""})  # others hold thumbnails, licences and extracted text


class Dspace(Shortcut):
    """DSpace repositories: items and their files."""

    title = "DSpace"
    key_header = "Authorization"
    marks = (b"generator: dspace", b"dspace-angular")

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See DSpace as generator, or its application."""
        found = "dspace" in page.generator or page.names(b"dspace-angular")
        return (origin_of(page.url) + "/",) if found else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return tuple(resolve(root, probe) for probe in PROBES)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        result = pick(data, "_embedded", "searchResult")
        if isinstance(result, dict):
            return _search(result, answer)
        bundles = pick(data, "_embedded", "bundles")
        if isinstance(bundles, list):
            return Expansion(files=tuple(_bundled(bundles, answer)))
        if isinstance(data, list):
            return _old_items(data, answer)
        return None


def _search(result: dict[str, Any], answer: Fetched) -> Expansion:
    found = records(result, "_embedded", "objects")
    items = [one for one in (pick(hit, "_embedded", "indexableObject") for hit in found) if one]
    datasets = tuple(_dataset(one, answer) for one in items)
    bundles = (
        answer.resolve(pick(item, "_links", "bundles", "href"))
        for item, dataset in zip(items, datasets, strict=True)
        if not dataset.files and pick(item, "_embedded", "bundles") is None
    )
    lists = tuple(ApiPage(f"{url}?embed=bitstreams", 1, deeper=True) for url in bundles if url)
    following = answer.resolve(pick(result, "_links", "next", "href"))
    more = (ApiPage(following, len(items)),) if following and items else ()
    return Expansion(datasets=datasets, more=(*lists, *more))


def _dataset(item: Any, answer: Fetched) -> Dataset:
    about = pick(item, "metadata")
    handle = text(item, "handle")
    site = answer.url.partition("/server/")[0]
    bundles = pick(item, "_embedded", "bundles", "_embedded", "bundles")
    return Dataset(
        title=text(item, "name"),
        url=f"{site}/handle/{handle}" if handle else "",
        identifier=_value(about, "dc.identifier.uri") or text(item, "uuid"),
        description=_value(about, "dc.description.abstract"),
        publisher=_value(about, "dc.publisher") or _value(about, "dc.contributor.author"),
        licence=_value(about, "dc.rights.uri") or _value(about, "dc.rights"),
        issued=_value(about, "dc.date.issued"),
        modified=text(item, "lastModified"),
        keywords=tuple(text(one, "value") for one in records(about, "dc.subject")),
        files=tuple(_bundled(bundles, answer)),
    )


def _value(about: Any, name: str) -> str:
    return text(about, name, 0, "value")


def _bundled(bundles: Any, answer: Fetched) -> Iterator[ListedFile]:
    for bundle in records(bundles):
        inner = pick(bundle, "_embedded", "bitstreams")
        found = inner if isinstance(inner, list) else pick(inner, "_embedded", "bitstreams")
        for one in records(found) if text(bundle, "name") in BUNDLES else []:
            if url := answer.resolve(pick(one, "_links", "content", "href")):
                yield ListedFile(url, title=text(one, "name"), size=number(one, "sizeBytes"))


def _old_items(data: list[Any], answer: Fetched) -> Expansion | None:
    """Return the items of the REST API before version 7."""
    items = records(data)
    if not items or not all(text(one, "type") == "item" and pick(one, "handle") for one in items):
        return None
    datasets = tuple(
        Dataset(
            title=text(item, "name"),
            url=answer.resolve(f"/handle/{text(item, 'handle')}"),
            identifier=text(item, "uuid") or text(item, "id"),
            modified=text(item, "lastModified"),
            files=tuple(_old_files(item, answer)),
        )
        for item in items
    )
    total = None if len(items) >= SIZE else 0
    return Expansion(
        datasets=datasets,
        more=next_page(answer.url, offset="offset", got=len(items), total=total),
    )


def _old_files(item: Any, answer: Fetched) -> Iterator[ListedFile]:
    for one in records(item, "bitstreams"):
        url = answer.resolve(pick(one, "retrieveLink"))
        if url and text(one, "bundleName") in BUNDLES:
            yield ListedFile(
                answer.resolve(f"/rest{text(one, 'retrieveLink')}")
                if text(one, "retrieveLink").startswith("/bitstreams/")
                else url,
                title=text(one, "name"),
                format=text(one, "mimeType"),
                size=number(one, "sizeBytes"),
            )
