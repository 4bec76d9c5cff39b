"""What becomes of the datasets of a crawl that only catalogues: new, changed and gone by round.

An answer replaces what an earlier one to the same request listed. A portal sorts its datasets
anew, so one is gone only if no later answer lists it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lodehound.core.listing import Dataset, ListedFile, Listing
from lodehound.stores.database.connect import storable

GONE = 3 * 10**9  # numbers of gone datasets, which are far from those of others
BEGIN = "SELECT max(first) FROM rounds"
STATE = "SELECT number, digest, gone FROM catalogued WHERE name = ?"
KEEP = """
    INSERT INTO catalogued (name, number, digest, gone) VALUES (?, ?, ?, 0)
    ON CONFLICT (name) DO UPDATE SET number = excluded.number, digest = excluded.digest, gone = 0"""
LOSE = "UPDATE catalogued SET gone = 1 WHERE name = ?"
NEW_CHANGE = "INSERT INTO dataset_changes VALUES (NULL, ?, ?, ?, ?, ?)"
TAKE_BACK = "DELETE FROM dataset_changes WHERE name = ? AND change = 'gone' AND number >= ?"
NAMES = "SELECT change, name FROM dataset_changes WHERE number >= ? AND number < ?"
COUNTS = """
    SELECT change, count(*) FROM dataset_changes WHERE number >= ? AND number < ?
    GROUP BY change"""
LOST = """
    SELECT id, change.number, answers.url, fetched_at, shortcut, dataset
    FROM dataset_changes AS change JOIN answers USING (number)
    WHERE change = 'gone' AND change.number >= ? AND change.number < ? AND (?3 = 0 OR id = ?3)
    ORDER BY id"""

Rows = Callable[..., Iterable[Any]]  # runs a statement with values


def name_of_dataset(shortcut: str, dataset: Dataset) -> str:
    """Return what a dataset is known by: its identifier or, without one, an address."""
    first = next((file.url for file in dataset.files), "")
    return f"{shortcut} {dataset.identifier or dataset.url or first or dataset.title}"


def entries_of(listing: Listing) -> list[Dataset]:
    """Return the datasets that an answer lists; a file without one is one of its own."""
    return [*listing.datasets, *(Dataset(one.title, files=(one,)) for one in listing.files)]


def note_changes(
    db: sqlite3.Connection,
    number: int,
    shortcut: str,
    datasets: Iterable[Dataset],
    before: Iterable[tuple[int, str, Dataset]],
) -> None:
    """Keep what is new, changed or gone by an answer.

    Args:
        db: The database.
        number: Of the request.
        shortcut: What read the answer.
        datasets: What the answer lists.
        before: What an earlier answer to the same request listed: its number, its shortcut.
    """
    (begin,) = db.execute(BEGIN).fetchone()
    old = {name_of_dataset(by, one): (at, by, one) for at, by, one in before}
    for one in datasets:
        name, digest = name_of_dataset(shortcut, one), _digest(one)
        state = db.execute(STATE, (storable(name),)).fetchone()
        if state is None and name in old:  # listed by a version that kept no states
            state = (old[name][0], _digest(old[name][2]), 0)
        taken_back = state is not None and state[2] and _take_back(db, name, begin)
        if state is None or (state[2] and not taken_back):
            change = "new"
        else:  # of two that have one name, the first in a round counts
            change = "changed" if state[1] != digest and state[0] < begin else ""
            digest = digest if state[0] < begin else state[1]
        db.execute(KEEP, (storable(name), number, digest))
        if change:
            db.execute(NEW_CHANGE, (number, storable(name), storable(shortcut), change, ""))
        old.pop(name, None)
    for name, (at, by, one) in old.items():
        state = db.execute(STATE, (storable(name),)).fetchone()
        if state is None or (state[0] <= at and not state[2]):
            text = json.dumps(dataclasses.asdict(one))
            db.execute(NEW_CHANGE, (number, storable(name), storable(by), "gone", text))
            db.execute(LOSE, (storable(name),))


def _take_back(db: sqlite3.Connection, name: str, begin: int) -> bool:
    """Forget that a dataset is gone, if that was in this round: it is on another page."""
    return db.execute(TAKE_BACK, (storable(name), begin)).rowcount > 0


def _digest(dataset: Dataset) -> str:
    text = json.dumps(dataclasses.astuple(dataset))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def changed_datasets(rows: Rows, first: int, end: int) -> dict[str, str]:
    """Return what happened to datasets from one request up to another, by their names."""
    return {name: change for change, name in rows(NAMES, first, end)}


def gone_datasets(
    rows: Rows, first: int, end: int, number: int = 0
) -> Iterator[tuple[int, str, str, str, Dataset]]:
    """Yield datasets that were gone from one request up to another.

    Args:
        rows: Runs a statement with values.
        first: The first request.
        end: And up to this one.
        number: Only the one with this number.

    Yields:
        Its number, the address and the time of the answer that lacked it, its shortcut, itself.
    """
    for place, _, url, fetched, shortcut, text in rows(LOST, first, end, max(number - GONE, 0)):
        yield GONE + place, url, fetched, shortcut, _read(text)


def count_changes(rows: Rows, first: int, end: int) -> dict[str, int]:
    """Return how many datasets were new, changed and gone."""
    return dict(map(tuple, rows(COUNTS, first, end)))


def _read(text: str) -> Dataset:
    values = json.loads(text)
    files = tuple(ListedFile(**one) for one in values.pop("files"))
    return Dataset(**values | {"keywords": tuple(values["keywords"]), "files": files})
