"""Texts as mean word vectors, and their similarity."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
ROOM = 200_000  # words in the cache
FREQUENT, FEWEST, PAIRS = 5000, 100, 50_000  # words and pairs that cosines are compared by


class WordVectors(Hashable, Protocol):
    """A source of word vectors: see lodehound.stores.word_vectors."""

    name: str  # identifies the vectors: verdicts are stored under it
    size: int

    def vector(self, word: str) -> Floats | None:
        """Return the vector of a word in lower case, or None if it has none."""
        ...

    def frequent(self, count: int) -> list[str]:
        """Return so many of the most frequent words, in lower case, or fewer."""
        ...


@lru_cache(maxsize=8)
def exceeded_by(
    source: WordVectors, shares: tuple[float, ...], default: tuple[float, ...]
) -> tuple[float, ...]:
    """Return the cosines that these shares of random pairs of frequent words exceed.

    Cosines of word vectors are not comparable between sources: what is very similar by one is
    unheard of by another. These are.

    Args:
        source: Where the vectors come from.
        shares: From 0 to 1.
        default: Returned when the source knows too few words.
    """
    words = source.frequent(FREQUENT)
    if len(words) < FEWEST:
        return default
    vectors = np.array([source.vector(word) for word in words], dtype=np.float32)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(norms > 0, norms, np.float32(1))
    one, other = np.random.default_rng(0).integers(len(words), size=(2, PAIRS))
    apart = one != other
    cosines = (vectors[one[apart]] * vectors[other[apart]]).sum(axis=1)
    return tuple(np.quantile(cosines, [1 - share for share in shares]).tolist())


class Means:
    """Mean vectors of texts; every word is looked up once.

    Args:
        source: The source of the vectors.
    """

    def __init__(self, source: WordVectors) -> None:
        self.source = source
        self._rows: dict[str, int] = {}
        self._matrix: Floats = np.zeros((1024, source.size), dtype=np.float32)
        self._used = 1  # row 0 is for words without a vector

    def of(self, texts: Sequence[Sequence[str]]) -> Floats:
        """Return a unit vector for each text, given as its words; zeros if no word has one."""
        self._make_room()
        rows = [row for words in texts for row in (self._row(word) for word in words)]
        sums = np.zeros((len(texts), self.source.size), dtype=np.float32)
        filled = [i for i, words in enumerate(texts) if words]
        if filled:
            ends = np.cumsum([len(texts[i]) for i in filled])
            starts = np.concatenate(([0], ends[:-1]))
            sums[filled] = np.add.reduceat(self._matrix[rows], starts, axis=0)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        sums /= np.where(norms > 0, norms, np.float32(1))
        return sums

    def of_counts(self, counts: Mapping[str, int]) -> Floats:
        """Return a unit vector for a text, given as its words and their counts."""
        self._make_room()
        rows = [self._row(word) for word in counts]
        weights = np.fromiter(counts.values(), dtype=np.float32, count=len(counts))
        total: Floats = weights @ self._matrix[rows]
        unit: Floats = total / (float(np.linalg.norm(total)) or 1.0)
        return unit

    def _make_room(self) -> None:
        """Clear the cache if it is too large."""
        if self._used > ROOM:
            self._rows.clear()
            self._matrix = np.zeros((1024, self.source.size), dtype=np.float32)
            self._used = 1

    def _row(self, word: str) -> int:
        row = self._rows.get(word)
        if row is None:
            row = self._look_up(word)
        return row

    def _look_up(self, word: str) -> int:
        vector = self.source.vector(word)
        if vector is None:
            return 0
        if self._used == len(self._matrix):
            self._matrix = np.concatenate((self._matrix, np.zeros_like(self._matrix)))
        self._matrix[self._used] = vector
        self._rows[word] = self._used
        self._used += 1
        return self._used - 1
