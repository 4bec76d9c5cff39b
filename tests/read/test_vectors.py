"""How similar words are by some vectors, compared with how similar they usually are."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.read.vectors import exceeded_by


class Circle:
    """A thousand words, evenly around a circle: a share s of pairs is nearer than cos(pi s)."""

    name = "circle"
    size = 2

    def frequent(self, count: int) -> list[str]:
        return [str(number) for number in range(1000)][:count]

    def vector(self, word: str) -> np.ndarray | None:
        if not word.isdigit():
            return None
        angle = 2 * np.pi * int(word) / 1000
        return np.array([3 * np.cos(angle), 3 * np.sin(angle)], dtype=np.float32)


class FewWords(Circle):
    def frequent(self, count: int) -> list[str]:
        return super().frequent(count)[:99]


def test_cosines_that_a_share_of_pairs_exceeds() -> None:
    cosines = exceeded_by(Circle(), (1 / 4, 1 / 3, 1 / 2), (9, 9, 9))

    assert cosines == pytest.approx((0.5**0.5, 0.5, 0), abs=0.02)


def test_few_words_tell_nothing() -> None:
    assert exceeded_by(FewWords(), (0.5,), (0.7,)) == (0.7,)
