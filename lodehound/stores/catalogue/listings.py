"""What APIs list: the datasets and files in a crawl directory, fetched or not."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lodehound.core.listing import Dataset, ListedFile, Listing
from lodehound.stores.catalogue.dataset_changes import entries_of, note_changes
from lodehound.stores.database.connect import plain, storable

NEW_DATASET = "INSERT INTO datasets VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
NEW_FILE = "INSERT INTO listed VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
# What decides whether a crawl only catalogues what APIs list: then datasets are its finds.
ONLY_CATALOGUES = """EXISTS (SELECT 1 FROM meta WHERE key = 'config' AND json_valid(value)
    AND json_extract(value, '$.metadata_only'))"""
BEFORE = "number IN (SELECT number FROM answers WHERE url = ?) AND number <> ?"
DATASETS_BEFORE = f"""
    SELECT number, id, shortcut, title, url, identifier, description, publisher, licence, issued,
        modified, keywords FROM datasets WHERE {BEFORE}"""  # noqa: S608 - our own names
FILES_BEFORE = f"""
    SELECT number, shortcut, url, title, format, size, modified, licence, description
    FROM listed WHERE dataset IS NULL AND {BEFORE}"""  # noqa: S608 - as above
DATASETS = """
    SELECT id, shortcut, title, url, identifier, description, publisher, licence, issued, modified,
        keywords FROM datasets ORDER BY id"""
FILES = """
    SELECT url, title, format, size, modified, licence, description FROM listed
    WHERE dataset IS ? ORDER BY id"""
# The first dataset that lists a file describes it.
ABOUT = """
    SELECT listed.shortcut, listed.title, format, listed.size, listed.modified, listed.licence,
        listed.description, datasets.title, datasets.url, datasets.identifier,
        datasets.description, publisher, datasets.licence, issued, datasets.modified, keywords
    FROM listed LEFT JOIN datasets ON datasets.id = listed.dataset
    WHERE listed.url = ? ORDER BY listed.id LIMIT 1"""

Rows = Callable[..., Iterable[Any]]  # runs a statement with values


@dataclass(frozen=True, slots=True)
class ListedDataset:
    """A dataset, and the shortcut that read it."""

    shortcut: str
    dataset: Dataset


@dataclass(frozen=True, slots=True)
class FileDescription:
    """What an API says about a file, and about the dataset that it belongs to."""

    shortcut: str
    file: ListedFile
    dataset: Dataset

    @property
    def licence(self) -> str:
        return self.file.licence or self.dataset.licence

    @property
    def modified(self) -> str:
        return self.file.modified or self.dataset.modified


def write_listing(db: sqlite3.Connection, number: int, url: str, listing: Listing) -> None:
    """Add what the answer to a request lists, in place of what an earlier answer listed.

    Args:
        db: The database.
        number: Of the request.
        url: Of the request.
        listing: What the answer lists.
    """
    if db.execute(f"SELECT {ONLY_CATALOGUES}").fetchone()[0]:
        before = list(_listed_before(db, number, url))
        note_changes(db, number, listing.shortcut, entries_of(listing), before)
    for table in ("listed", "datasets"):
        db.execute(f"DELETE FROM {table} WHERE {BEFORE}", (storable(url), number))  # noqa: S608 - as above
    name = listing.shortcut
    for one in listing.datasets:
        row = (number, name, one.title, one.url, one.identifier, one.description, one.publisher,
               one.licence, one.issued, one.modified, json.dumps(one.keywords))  # fmt: skip
        place = db.execute(NEW_DATASET, [storable(value) for value in row]).lastrowid
        db.executemany(NEW_FILE, (_file_row(file, place, number, name) for file in one.files))
    db.executemany(NEW_FILE, (_file_row(file, None, number, name) for file in listing.files))


def _listed_before(
    db: sqlite3.Connection, number: int, url: str
) -> Iterator[tuple[int, str, Dataset]]:
    """Yield what an earlier answer to the same request listed."""
    for at, place, shortcut, *values in db.execute(DATASETS_BEFORE, (storable(url), number)):
        files = tuple(ListedFile(*map(plain, file)) for file in db.execute(FILES, (place,)))
        yield at, shortcut, _dataset(list(map(plain, values)), files)
    for at, shortcut, *values in db.execute(FILES_BEFORE, (storable(url), number)):
        file = ListedFile(*map(plain, values))
        yield at, shortcut, Dataset(file.title, files=(file,))


def _file_row(file: ListedFile, dataset: int | None, number: int, shortcut: str) -> list[object]:
    row = (file.url, dataset, number, shortcut, file.title, file.format, file.size, file.modified,
           file.licence, file.description)  # fmt: skip
    return [storable(value) for value in row]


def read_datasets(rows: Rows) -> Iterator[ListedDataset]:
    """Yield all datasets with their files; files without a dataset come last, one dataset each."""
    for row in rows(DATASETS):
        place, shortcut, *values = row
        files = tuple(ListedFile(*file) for file in rows(FILES, place))
        yield ListedDataset(shortcut, _dataset(values, files))
    for row in rows(FILES, None):
        file = ListedFile(*row)
        yield ListedDataset("", Dataset(title=file.title, files=(file,)))


def describe_file(rows: Rows, url: str) -> FileDescription | None:
    """Return what an API says about the file at a URL; None if none lists it."""
    row = next(iter(rows(ABOUT, storable(url))), None)
    if row is None:
        return None
    shortcut, title, form, size, modified, licence, about, *values = row
    file = ListedFile(url, title, form, size, modified, licence, about)
    dataset = _dataset(values) if values[0] is not None else Dataset()
    return FileDescription(shortcut, file, dataset)


def _dataset(values: list[Any], files: tuple[ListedFile, ...] = ()) -> Dataset:
    *texts, keywords = values
    title, url, identifier, about, publisher, licence, issued, modified = texts
    return Dataset(
        title, url, identifier, about, publisher, licence, issued, modified,
        tuple(json.loads(keywords)), files,
    )  # fmt: skip
