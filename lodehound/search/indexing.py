"""Keeps the index of a crawl up to date."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lodehound.core.errors import LodehoundError
from lodehound.search.fields import FIELDS, said_of
from lodehound.search.words import languages_of, stems_of, words_of
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.stores.catalogue.search_index import SearchIndex, StoredIndex, Words
from lodehound.stores.crawl_dir import CrawlDir

FIELD_OF = {place: field for field, places in FIELDS.items() for place in places}
REPEATING = {"title", "context"}  # fields in which a word that occurs twice counts twice
SAMPLE = 60  # texts that tell the language of a find


def indexed_words(entry: CatalogueEntry, path: Path | None) -> Words:
    """Return the number of a find and its words, for every column of the index."""
    texts = [(FIELD_OF[said.place], words_of(said.text)) for said in said_of(entry, path)]
    languages = dict.fromkeys(
        ["en", *languages_of(word for _, words in texts[:SAMPLE] for word in words)]
    )
    found: dict[str, list[str]] = {field: [] for field in FIELDS}
    for field, words in texts:
        found[field] += words
    return entry.find.number, [
        " ".join(
            form
            for word in (words if field in REPEATING else dict.fromkeys(words))
            for form in (word, *sorted(stems_of(word, languages)))
        )
        for field, words in found.items()
    ]


def index_finds(directory: CrawlDir, *, anew: bool = False) -> None:
    """Add what a crawl has found and inspected since the last time to its index.

    Args:
        directory: The crawl directory.
        anew: Whether to make the whole index again.
    """
    stored = StoredIndex(directory.database)
    if anew:
        stored.forget()
    with Catalogue(directory.path) as catalogue:
        seq, row = catalogue.last_event()
        if (seq, row) == (stored.seq, stored.row):
            return
        with stored.adding(seq, row) as index:
            index.add(_new_words(catalogue, stored))


def indexes_of(catalogue: Catalogue, *, damaged: bool = False) -> list[SearchIndex]:
    """Return the index of a crawl, and one in memory of what is not in it, if it runs.

    Args:
        catalogue: The finds.
        damaged: Whether the index cannot be read: everything is indexed in memory then.
    """
    stored = StoredIndex(catalogue)
    if damaged:
        stored.forget()
    if (stored.seq, stored.row) == catalogue.last_event():
        return [index] if (index := stored.index()) else []
    late = SearchIndex.in_memory(_new_words(catalogue, stored))
    return [late, *([index] if (index := stored.index()) else [])]


def bring_up_to_date(folder: Path, *, anew: bool = False) -> bool:
    """Add to the index of a crawl what is not in it, unless it runs or may not be written.

    Return whether the index has everything.

    Args:
        folder: The crawl directory.
        anew: Whether to make the whole index again.
    """
    with Catalogue(folder) as catalogue:
        stored = StoredIndex(catalogue)
        if not anew and (stored.seq, stored.row) == catalogue.last_event():
            return True
    try:
        with CrawlDir.open(folder) as directory:
            index_finds(directory, anew=anew)
    except LodehoundError:  # it runs, or is on a medium that is only read: see indexes_of
        return False
    return True


def _new_words(catalogue: Catalogue, stored: StoredIndex) -> Iterator[Words]:
    seen = set()
    for entry in catalogue.answered_since(stored.seq):
        seen.add(entry.find.number)
        yield indexed_words(entry, catalogue.path_of(entry.find))
    for entry in catalogue.inspected_since(stored.row):
        if entry.find.number not in seen:
            yield indexed_words(entry, catalogue.path_of(entry.find))
