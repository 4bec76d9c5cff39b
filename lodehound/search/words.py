"""Text becomes words that can be compared: folded, split, stemmed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from lodehound.text.languages import STEMMERS, UNSPACED, stemmer, stop_words

RUN = re.compile(r"[^\W_]+")
# Parts of names such as GermanUnemployment, GDPGrowth and pm10_2019.
PART = re.compile(r"\d+|[^\W\d_]+")
HUMP = re.compile(r"(?<=[a-zß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-Z])(?=[A-Z][a-z])")
# Letters that no decomposition turns into plain ones.
PLAIN = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "\N{LATIN SMALL LETTER DOTLESS I}": "i",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
    }
)
LONGEST = 40  # characters of a word


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded, in their order.

    >>> words_of("Größe der Dörfer, pm10_2019: GermanUnemployment")
    ['grosse', 'der', 'dorfer', 'pm10', 'pm', '10', '2019', 'germanunemployment', 'german', \
'unemployment']
    """
    return [word for run in RUN.findall(text) for word in _words_of_run(run)]


def _words_of_run(run: str) -> Iterable[str]:
    """Return the words in a run of letters and digits."""
    return _words_of_short_run(run) if len(run) <= LONGEST else _parts_of_run(run)


@lru_cache(maxsize=50_000)  # the same words come again and again
def _words_of_short_run(run: str) -> tuple[str, ...]:
    return tuple(_parts_of_run(run))


def _parts_of_run(run: str) -> Iterator[str]:
    if UNSPACED.search(run):
        for signs in UNSPACED.findall(run):
            yield from (signs[at : at + 2] for at in range(max(len(signs) - 1, 1)))
        run = UNSPACED.sub(" ", run).strip()
        if not run:
            return
    if len(run) <= LONGEST:
        yield fold(run)
    parts = [hump for part in PART.findall(run) for hump in HUMP.split(part)]
    if len(parts) > 1:
        yield from (fold(part) for part in parts if len(part) <= LONGEST)


def fold(word: str) -> str:
    """Return a word in lower case and without accents."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word.casefold()).translate(PLAIN)
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def stems_of(word: str, languages: Iterable[str]) -> set[str]:
    """Return the stems of a folded word in some languages, without the word itself."""
    return {_stem(word, code) for code in languages} - {word}


@lru_cache(maxsize=50_000)
def _stem(word: str, language: str) -> str:
    return fold(stemmer(language)(word))


def languages_of(words: Iterable[str]) -> list[str]:
    """Return the languages whose frequent words a text has: the likeliest first, at most two."""
    mine = set(words)
    counts = {code: len(mine & _telling_words(code)) for code in STEMMERS}
    most = max(counts.values(), default=0)
    likely = [code for code, count in counts.items() if count and count >= 0.7 * most]
    return sorted(likely, key=lambda code: -counts[code])[:2]


@lru_cache(maxsize=len(STEMMERS))
def _telling_words(language: str) -> frozenset[str]:
    return frozenset(fold(word) for word in stop_words(language) if 1 < len(word) < 7)
