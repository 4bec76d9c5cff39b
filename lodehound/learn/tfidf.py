"""tf-idf cosines with document frequencies that are counted online.

idf(t) = ln((1 + N) / (1 + df(t))) + 1 over the N documents so far: smoothed, so that the
first documents are compared by their counts and every word has a positive weight.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Counts = Mapping[str, float]
Floats = NDArray[np.float64]


class TfIdf:
    """Document frequencies, and cosines based on them.

    Args:
        given: Document frequencies of another corpus, with "" for its number of documents. If
            given, nothing is counted.

    >>> tfidf = TfIdf()
    >>> tfidf.cosines([{"bird": 3, "tree": 4}], [{"bird": 1}]).tolist()
    [[0.6]]
    """

    def __init__(self, given: Mapping[str, int] | None = None) -> None:
        self.fixed = given is not None
        self.frequencies: dict[str, int] = dict(given or {})
        self.documents = self.frequencies.pop("", 0)

    def add(self, stems: Iterable[str]) -> None:
        """Count one document."""
        if self.fixed:
            return
        self.documents += 1
        frequencies = self.frequencies
        for stem in stems:
            frequencies[stem] = frequencies.get(stem, 0) + 1

    def idf(self, stem: str) -> float:
        return math.log((1 + self.documents) / (1 + self.frequencies.get(stem, 0))) + 1

    def cosines(
        self, documents: Sequence[Counts], queries: Sequence[Counts], rest: float = 0.0
    ) -> Floats:
        """Return the similarity of each document to each query.

        Args:
            documents: Stems and their counts in each document.
            queries: Stems and their weights.
            rest: Sum of squared counts of the other stems in each document: they count as words
                that occur in one document each.
        """
        result = np.zeros((len(documents), len(queries)))
        watched = set().union(*queries)
        weighted = [{s: weight * self.idf(s) for s, weight in query.items()} for query in queries]
        norms = [_norm(query.values()) or 1.0 for query in weighted]
        beyond = rest * (math.log((1 + self.documents) / 2) + 1) ** 2 if rest else 0.0
        for row, document in enumerate(documents):
            if watched.isdisjoint(document):
                continue
            weights = {stem: count * self.idf(stem) for stem, count in document.items()}
            norm = math.sqrt(sum(w * w for w in weights.values()) + beyond)
            for column, query in enumerate(weighted):
                dot = sum(w * weights[stem] for stem, w in query.items() if stem in weights)
                result[row, column] = dot / (norm * norms[column])
        return result


def _norm(values: Iterable[float]) -> float:
    return math.sqrt(sum(value * value for value in values))
