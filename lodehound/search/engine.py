"""Answers questions about what crawls have found."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lodehound.core.errors import ConfigError
from lodehound.core.urls import host_of
from lodehound.search.fields import FIELDS, Said, said_of, years_of
from lodehound.search.indexing import bring_up_to_date, indexes_of
from lodehound.search.question import Term, terms_of
from lodehound.search.words import languages_of, stems_of, words_of
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.stores.catalogue.search_index import DamagedIndexError, SearchIndex
from lodehound.text.shell import shown

# What names a file tells more about it than what is in it.
WEIGHTS = {"title": 4.0, "context": 2.0, "name": 2.0, "columns": 3.0, "content": 1.0}
PLACES = [place for places in FIELDS.values() for place in places]  # the most telling first
MANY = 5_000  # finds in which words that most of them have are left out
SIFTED = 2_000  # finds that are looked at for filters
SNIPPET = 120  # characters


@dataclass(frozen=True, slots=True)
class Filter:
    """Which finds are answers.

    Attributes:
        type: csv, xlsx, pdf..., or a MIME type; "" for all.
        years: The first and the last year: tables that cover some of them; None for all.
        site: A host, or the end of one; "" for all.
    """

    type: str = ""
    years: tuple[int, int] | None = None
    site: str = ""

    def takes(self, entry: CatalogueEntry) -> bool:
        """Return whether a find fits."""
        if self.type and self.type.lower() not in {entry.type, entry.ending, entry.find.mime}:
            return False
        host = host_of(entry.find.final_url)
        if self.site and host != self.site and not host.endswith("." + self.site):
            return False
        if self.years is None:
            return True
        covered = years_of(entry)
        return bool(covered and covered[0] <= self.years[1] and covered[1] >= self.years[0])


@dataclass(frozen=True, slots=True)
class Match:
    """A word of the question, and where it stands.

    Attributes:
        word: As it was asked for, folded.
        place: One of `PLACES`: title, column, value...
        text: What stands there.
        table: The number of the table in the file; 0 outside of tables.
    """

    word: str
    place: str
    text: str
    table: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """An answer: a find, and why.

    Attributes:
        folder: Its crawl directory.
        entry: The find.
        score: Comparable within one search.
        matches: The words of the question that it has.
        missing: Those that it does not have.
        path: Its file; None if that is no longer there.
    """

    folder: Path
    entry: CatalogueEntry
    score: float
    matches: tuple[Match, ...]
    missing: tuple[str, ...]
    path: Path | None = None

    @property
    def table(self) -> int:
        """Return the number of the table that most of the words are about; 0 if none is."""
        tables = [match.table for match in self.matches if match.table]
        return max(tables, key=tables.count, default=0)


def search(
    question: str,
    folders: Sequence[Path],
    *,
    limit: int = 10,
    only: Filter | None = None,
    warn: Callable[[str], None] = lambda _: None,
) -> list[Found]:
    """Return the finds of crawls that answer a question, the likeliest first.

    Args:
        question: In plain words; search syntax means nothing.
        folders: Crawl directories.
        limit: How many at most.
        only: Which finds.
        warn: Called with what the user should know.

    Raises:
        ConfigError: There are no words in the question.
    """
    terms = terms_of(question)
    if not terms:
        raise ConfigError(
            f"There is no word to search for in {question[:80]!r}: ask in words, for example "
            f"'unemployment by region'."
        )
    found: list[Found] = []
    for folder in folders:
        try:
            found += _of_crawl(folder, terms, limit, only)
        except DamagedIndexError as error:
            warn(f"The search index of {shown(folder)} was damaged ({error}) and is made anew.")
            found += _of_crawl(folder, terms, limit, only, damaged=True)
    return sorted(found, key=lambda answer: -answer.score)[:limit]


def numbers_for(question: str, folder: Path) -> tuple[int, ...] | None:
    """Return the numbers of the finds of a crawl that answer a question, the likeliest first.

    The last word may be incomplete: it is being typed. None if there are no words.
    """
    if not (terms := terms_of(question, typing=True)):
        return None
    bring_up_to_date(folder)
    with Catalogue(folder) as catalogue:
        try:
            ranked = rank(indexes_of(catalogue), terms)
        except DamagedIndexError:
            ranked = rank(indexes_of(catalogue, damaged=True), terms)
    return tuple(number for number, _ in ranked)


def _of_crawl(
    folder: Path, terms: list[Term], limit: int, only: Filter | None, *, damaged: bool = False
) -> list[Found]:
    stored = bring_up_to_date(folder, anew=damaged)
    with Catalogue(folder) as catalogue:
        ranked = rank(indexes_of(catalogue, damaged=damaged and not stored), terms)
        entries = _entries(catalogue, ranked[:SIFTED])
        fitting = ((entry, score) for entry, score in entries if only is None or only.takes(entry))
        return [
            _explained(folder, catalogue, entry, score, terms)
            for entry, score in itertools.islice(fitting, limit)
        ]


def _entries(
    catalogue: Catalogue, ranked: Iterable[tuple[int, float]]
) -> Iterator[tuple[CatalogueEntry, float]]:
    """Yield the finds; those that a later version replaced are left out, and copies."""
    files = set()
    for number, score in ranked:
        for entry in itertools.islice(catalogue.with_number(number), 1):
            if not entry.find.file or entry.find.file not in files:
                files.add(entry.find.file)
                yield entry, score


def rank(indexes: Sequence[SearchIndex], terms: Sequence[Term]) -> list[tuple[int, float]]:
    """Return the finds with any of the words, the best first, with their scores.

    A find that has all words comes before one that has the rarest of them often: the sum of the
    BM25 scores of the words is multiplied by the share of the words that it has, in which rare
    ones count more.
    """
    total = sum(index.count() for index in indexes)
    if total > MANY:
        terms = _rare(indexes, terms, total)
    scores: dict[int, float] = defaultdict(float)
    shares: dict[int, float] = defaultdict(float)
    for term in terms:
        matches: dict[int, float] = {}
        for index in indexes:
            some = index.matches(*_asked(term), list(WEIGHTS.values()))
            matches = some | matches  # the first index has the newest words
        rarity = math.log(1 + total / (1 + len(matches)))
        for number, score in matches.items():
            scores[number] += score
            shares[number] += rarity
    most = max(shares.values(), default=1.0)
    ranked = [(number, score * shares[number] / most) for number, score in scores.items()]
    return sorted(ranked, key=lambda one: (-one[1], one[0]))


def _rare(indexes: Sequence[SearchIndex], terms: Sequence[Term], total: int) -> Sequence[Term]:
    """Return the words that tell finds apart: those that most finds have weigh nothing."""
    counted = [
        (count, term)
        for term in terms
        if (count := sum(index.count_of(*_asked(term)) for index in indexes))
    ]
    rare = [term for count, term in counted if count <= total / 2]
    return rare or [term for _, term in sorted(counted, key=lambda one: one[0])[:1]]


def _asked(term: Term) -> tuple[list[str], list[str]]:
    return sorted(term.forms), [term.beginning] if term.beginning else []


def _explained(
    folder: Path, catalogue: Catalogue, entry: CatalogueEntry, score: float, terms: list[Term]
) -> Found:
    path = catalogue.path_of(entry.find)
    said = sorted(said_of(entry, path), key=lambda one: PLACES.index(one.place))
    matches = [match for term in terms if (match := _match(term, said))]
    matched = {match.word for match in matches}
    missing = tuple(term.word for term in terms if term.word not in matched)
    return Found(folder, entry, round(score, 3), tuple(matches), missing, path)


def _match(term: Term, said: Iterable[Said]) -> Match | None:
    """Return the most telling place of a word."""
    for one in said:
        words = words_of(one.text)
        languages = ["en", *languages_of(words)]
        if any(term.matches(word) or stems_of(word, languages) & term.forms for word in words):
            return Match(term.word, one.place, one.text[:SNIPPET], one.table)
    return None
