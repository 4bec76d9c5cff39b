"""A question in plain words becomes what the index is asked for."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace

from lodehound.search.words import fold, languages_of, stems_of, words_of
from lodehound.text.languages import stop_words

MOST_CHARS = 500
MOST_TERMS = 20
TYPED = 2  # letters of a word that is being typed: those that it begins with are enough then
BEGINNING = 5  # letters of a word: longer ones also match as the beginning of words


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a question.

    Attributes:
        word: The word, folded.
        forms: The word and its stems.
        beginning: Words that begin with it match; "" if it is too short for that.
    """

    word: str
    forms: frozenset[str]
    beginning: str = ""

    def matches(self, word: str) -> bool:
        """Return whether a folded word, or one of its stems, is meant."""
        return word in self.forms or bool(self.beginning and word.startswith(self.beginning))


def terms_of(question: str, languages: Iterable[str] = (), *, typing: bool = False) -> list[Term]:
    """Return the words of a question that say something, in their order.

    >>> [term.word for term in terms_of("Which of these has the unemployment rate by region?")]
    ['unemployment', 'rate', 'region']

    Args:
        question: What a user typed: search syntax means nothing here.
        languages: Of the crawl, besides those of the question.
        typing: The last word may be incomplete.
    """
    words = list(dict.fromkeys(words_of(question[:MOST_CHARS])))
    known = dict.fromkeys(["en", *languages_of(words), *languages])
    stopped = {fold(word) for code in ("en", *languages_of(words)) for word in stop_words(code)}
    telling = [word for word in words if word not in stopped] or words
    terms = [_term(word, known) for word in telling[:MOST_TERMS]]
    if typing and terms and question[-1:].isalnum() and len(terms[-1].word) >= TYPED:
        terms[-1] = replace(terms[-1], beginning=terms[-1].beginning or terms[-1].word)
    return terms


def _term(word: str, languages: Iterable[str]) -> Term:
    stems = stems_of(word, languages)
    shared = [_shared_beginning(word, stem) for stem in (word, *stems)]
    beginnings = [beginning for beginning in shared if len(beginning) >= BEGINNING]
    return Term(word, frozenset({word, *stems}), min(beginnings, key=len, default=""))


def _shared_beginning(one: str, other: str) -> str:
    """Return the letters with which both words begin.

    >>> _shared_beginning("germany", "germani")
    'german'
    """
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(letter for letter, _ in same)
