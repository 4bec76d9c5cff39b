"""The finds of a crawl that only catalogues: the datasets that APIs list."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from lodehound.core.listing import Dataset, ListedFile
from lodehound.stores.catalogue.dataset_changes import (
    changed_datasets,
    gone_datasets,
    name_of_dataset,
)
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.catalogue.listings import FILES, ONLY_CATALOGUES, FileDescription
from lodehound.stores.texts import json_texts

# Numbers of datasets, and of listed files without one, which are far from those of requests.
DATASET, LOOSE = 10**9, 2 * 10**9
# The entries of answers after an event; those of one answer in their order.
ENTRIES = f"""
    SELECT seq, {DATASET} + datasets.id AS place, answers.url, fetched_at, shortcut,
        datasets.title, datasets.url, identifier, description, publisher, licence, issued,
        datasets.modified, keywords
    FROM datasets JOIN answers USING (number)
    WHERE {ONLY_CATALOGUES} AND seq > ?1 AND (?2 = 0 OR place = ?2)
    UNION ALL SELECT seq, {LOOSE} + listed.id AS place, answers.url, fetched_at, shortcut,
        listed.title, '', '', '', '', '', '', '', '[]'
    FROM listed JOIN answers USING (number)
    WHERE {ONLY_CATALOGUES} AND dataset IS NULL AND seq > ?1 AND (?2 = 0 OR place = ?2)
    ORDER BY 1, 2"""  # noqa: S608 - our own numbers
# How many of them each answer brought.
ENTRIES_OF_ANSWERS = f"""
    SELECT number, count(*) AS entries FROM (
        SELECT number FROM datasets UNION ALL SELECT number FROM listed WHERE dataset IS NULL
    ) WHERE {ONLY_CATALOGUES} GROUP BY number"""  # noqa: S608 - as above
LOOSE_FILE = """
    SELECT url, title, format, size, modified, licence, description FROM listed WHERE id = ?"""
COUNT_AFTER = f"SELECT count(*) FROM ({ENTRIES})"  # noqa: S608 - as above
COUNT = f"""
    SELECT (SELECT count(*) FROM datasets WHERE number >= ?1 AND number < ?2)
        + (SELECT count(*) FROM listed WHERE dataset IS NULL AND number >= ?1 AND number < ?2),
        (SELECT count(*) FROM listed WHERE number >= ?1 AND number < ?2)
    WHERE {ONLY_CATALOGUES}"""  # noqa: S608 - as above

Rows = Callable[..., Iterable[Any]]  # runs a statement with values


def only_catalogues(rows: Rows) -> bool:
    """Return whether a crawl only catalogues what APIs list: then datasets are its finds."""
    return bool(next(iter(rows(f"SELECT {ONLY_CATALOGUES}")))[0])


def count_datasets(rows: Rows, first: int = 0, end: int = 1 << 62) -> tuple[int, int]:
    """Return how many datasets a crawl that only catalogues has found, and how many files in them.

    Args:
        rows: Runs a statement.
        first: Of requests from this one.
        end: And up to this one.
    """
    row = next(iter(rows(COUNT, first, end)), (0, 0))
    return row[0], row[1]


def dataset_finds(
    rows: Rows, after: int = 0, number: int = 0
) -> Iterator[tuple[int, FindRow, FileDescription]]:
    """Yield the datasets as finds: the event that brought each, the find, and what the API says.

    A crawl that fetches files has none.

    Args:
        rows: Runs a statement.
        after: Only those of later events.
        number: Only the find with this number.
    """
    for row in rows(ENTRIES, after, number):
        seq, place, source, fetched, shortcut, *values = row
        *texts, keywords = values
        if place < LOOSE:
            files = [ListedFile(*file) for file in rows(FILES, place - DATASET)]
        else:
            files = [ListedFile(*one) for one in rows(LOOSE_FILE, place - LOOSE)]
        dataset = replace(Dataset(*texts), keywords=json_texts(keywords), files=tuple(files))
        first = files[0] if files else ListedFile(dataset.url)
        yield (
            seq,
            _find(place, source, fetched, shortcut, dataset),
            FileDescription(shortcut, first, dataset),
        )


def dataset_news(
    rows: Rows, first: int, end: int, number: int = 0
) -> Iterator[tuple[str, FindRow, FileDescription]]:
    """Yield the datasets that were new, changed or gone, as finds, and what happened to each.

    Args:
        rows: Runs a statement with values.
        first: From this request.
        end: And up to this one.
        number: Only the gone one with this number.
    """
    changes = {} if number else changed_datasets(rows, first, end)
    for _, find, listed in dataset_finds(rows) if set(changes.values()) - {"gone"} else ():
        if change := changes.get(name_of_dataset(listed.shortcut, listed.dataset)):
            yield change, find, listed
    for place, source, fetched, shortcut, dataset in gone_datasets(rows, first, end, number):
        file = dataset.files[0] if dataset.files else ListedFile(dataset.url)
        find = _find(place, source, fetched, shortcut, dataset)
        yield "gone", find, FileDescription(shortcut, file, dataset)


def _find(number: int, source: str, fetched: str, shortcut: str, dataset: Dataset) -> FindRow:
    url = dataset.url or next((file.url for file in dataset.files), source)
    return FindRow(
        number,
        url,
        url,
        file="",
        mime="",
        declared_mime="",
        bytes=0,
        size=sum(file.size or 0 for file in dataset.files),
        truncated=False,
        sha256="",
        last_modified=dataset.modified,
        etag="",
        content_disposition="",
        fetched_at=fetched,
        found_on=source,
        page_title="",
        anchor=dataset.title,
        tag_path="",
        depth=0,
        why=f"listed by {shortcut}",
        label="dataset",
        details=json.dumps(dataclasses.asdict(dataset), ensure_ascii=False),
    )


def formats_of(dataset: Dataset) -> list[str]:
    """Return the formats of the files, in lower case and without repetition.

    >>> files = ListedFile("u", format="CSV"), ListedFile("v", format="text/csv")
    >>> formats_of(Dataset(files=files))
    ['csv']
    """
    short = (file.format.lower().rpartition("/")[2].strip(". ") for file in dataset.files)
    return [name for name in dict.fromkeys(short) if name]
