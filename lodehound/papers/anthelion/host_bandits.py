"""Bandits over very many arms: find the best one without looking at all of them.

The Anthelion paper scores every host at every choice. Its scores depend on a few
values (how many pages of the host were good and bad, and the confidence of its
best waiting page), so a change moves only one arm, and many arms have equal
values.
"""

from __future__ import annotations

import heapq
import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lodehound.papers.anthelion.beta import tail, value_of_tail

Score = Callable[[int, int, float], float]  # of good, bad, best

ALPHA = BETA = 1  # the paper's priors


class Arms(ABC):
    """Arms that are ready; each has counts of good and bad, and a best confidence."""

    uses_best = False
    """The score depends on the best confidence."""

    is_random = False
    """Scores are drawn anew for each choice."""

    @abstractmethod
    def put(self, arm: str, good: int, bad: int, best: float) -> None:
        """Add an arm, or update its values."""

    @abstractmethod
    def remove(self, arm: str) -> None: ...

    @abstractmethod
    def choose(self) -> tuple[str, float]:
        """Return the arm with the highest score, and the score. There must be an arm."""


class Ranked(Arms):
    """Arms in a heap by score, with ties in random order.

    Args:
        score: Computes the score.
        rng: Breaks ties.
        uses_best: The score depends on the best confidence.
    """

    def __init__(self, score: Score, rng: random.Random, *, uses_best: bool) -> None:
        self.uses_best = uses_best
        self._score = score
        self._rng = rng
        self._heap: list[tuple[float, float, str]] = []  # stale entries included
        self._entries: dict[str, tuple[float, float, str]] = {}

    def put(self, arm: str, good: int, bad: int, best: float) -> None:
        entry = (-self._score(good, bad, best), self._rng.random(), arm)
        self._entries[arm] = entry
        heapq.heappush(self._heap, entry)
        if len(self._heap) > 2 * len(self._entries) + 1000:
            self._heap = list(self._entries.values())
            heapq.heapify(self._heap)

    def remove(self, arm: str) -> None:
        del self._entries[arm]

    def choose(self) -> tuple[str, float]:
        while self._entries.get(self._heap[0][2]) is not self._heap[0]:
            heapq.heappop(self._heap)
        score, _, arm = self._heap[0]
        return arm, -score


STEP = 0.94  # ratio of two levels of best confidences; arms on a level are treated as equal
LEVELS = 100
SURE = 30.0  # exp(-30): a bound of this size is not exceeded in practice
CHUNK = 1000  # arms that are drawn one by one


@dataclass(slots=True)
class _Class:
    """Arms with the same counts and the same level of confidence."""

    arms: list[str] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)


class Thompson(Arms):
    """A draw from Beta(good + 1, bad + 1) for every arm; the highest wins.

    Arms with the same counts draw from the same distribution, and the highest of n
    such draws is the value with the tail 1 - U^(1/n): one draw for any number of arms
    (the others follow in order of size, as far as needed). Classes that can no longer
    win are skipped.

    Args:
        seed: Random seed.
        times_best: Multiply each draw by the arm's best confidence.
    """

    is_random = True

    def __init__(self, seed: int, *, times_best: bool = False) -> None:
        self.uses_best = times_best
        self._rng = np.random.default_rng(seed)
        self._scalars = random.Random(seed)  # faster for single numbers
        self._classes: list[_Class] = []
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._keys: list[tuple[int, int, int]] = []
        self._places: dict[str, tuple[int, int]] = {}  # class, and index in it
        self._free: list[int] = []
        # By class: parameters, number of arms, highest weight.
        self._a: NDArray[np.float64] = np.ones(64)
        self._b: NDArray[np.float64] = np.ones(64)
        self._n: NDArray[np.float64] = np.zeros(64)
        self._top: NDArray[np.float64] = np.ones(64)
        self._scale: NDArray[np.float64] = np.zeros(64)  # log(b B(a, b))
        self._new: NDArray[np.bool_] = np.zeros(64, dtype=bool)  # never pulled

    # --- updating -----------------------------------------------------------------------------

    def put(self, arm: str, good: int, bad: int, best: float) -> None:
        weight = best if self.uses_best else 1.0
        key = (good, bad, _level(weight))
        place = self._places.get(arm)
        if place is not None and self._keys[place[0]] == key:
            self._classes[place[0]].weights[place[1]] = weight
            self._top[place[0]] = max(self._top[place[0]], weight)
            return
        if place is not None:
            self.remove(arm)
        number = self._numbers.get(key)
        if number is None:
            number = self._add_class(key)
        kept = self._classes[number]
        self._places[arm] = (number, len(kept.arms))
        kept.arms.append(arm)
        kept.weights.append(weight)
        self._top[number] = max(self._top[number], weight)
        self._n[number] += 1

    def remove(self, arm: str) -> None:
        number, place = self._places.pop(arm)
        kept = self._classes[number]
        last, weight = kept.arms.pop(), kept.weights.pop()
        if last != arm:
            kept.arms[place], kept.weights[place] = last, weight
            self._places[last] = (number, place)
        self._n[number] -= 1
        if not kept.arms:
            del self._numbers[self._keys[number]]
            self._free.append(number)

    def _add_class(self, key: tuple[int, int, int]) -> int:
        if self._free:
            number = self._free.pop()
            self._keys[number] = key
        else:
            number = len(self._classes)
            self._classes.append(_Class())
            self._keys.append(key)
            if number == self._a.size:
                columns = (self._a, self._b, self._n, self._top, self._scale)
                self._a, self._b, self._n, self._top, self._scale = (
                    np.concatenate((column, np.zeros(number))) for column in columns
                )
                self._new = np.concatenate((self._new, np.zeros(number, dtype=bool)))
        good, bad, _ = key
        a, b = good + ALPHA, bad + BETA
        self._a[number], self._b[number] = a, b
        self._scale[number] = math.log(b) + math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
        self._top[number] = 0.0  # until arms are added; later it may stay above their weights
        self._new[number] = not good and not bad
        self._n[number] = 0
        self._numbers[key] = number
        return number

    # --- choosing -----------------------------------------------------------------------------

    def choose(self) -> tuple[str, float]:
        counts = self._n[: len(self._classes)]
        new = self._new[: len(self._classes)]
        best = ("", -1.0)
        fresh = np.flatnonzero((counts > 0) & new)
        for number in fresh[np.argsort(-self._top[fresh], kind="stable")].tolist():
            if self._top[number] <= best[1]:
                break
            best = self._from_class(number, best)
        others = np.flatnonzero((counts > 0) & ~new)
        if counts[others].sum() > CHUNK:
            return self._from_many(others, best)
        if self.uses_best and best[0]:
            others = others[self._tails(others, best[1]) < SURE]
        return self._from_few(others, best)

    def _tails(self, numbers: NDArray[np.int64], least: float) -> NDArray[np.float64]:
        """Return -log of an upper bound on the chance that an arm of each class reaches a value.

        Two bounds on the tail: Beta is sub-Gaussian with 1 / (4 (a + b + 1))
        (Marchal and Arbel 2017); and x^(a-1) <= 1 in its integral.
        """
        a, b = self._a[numbers], self._b[numbers]
        wanted = np.minimum(least / np.maximum(self._top[numbers], 1e-12), 1 - 1e-15)
        above = np.maximum(wanted - a / (a + b), 0)
        bulk = 2 * (a + b + 1) * above * above
        end = self._scale[numbers] - b * np.log1p(-np.maximum(wanted, 0))
        bounds: NDArray[np.float64] = np.maximum(np.maximum(bulk, end), 0)
        return bounds

    def _from_many(self, numbers: NDArray[np.int64], best: tuple[str, float]) -> tuple[str, float]:
        """Draw the maximum of each class as a tail; compute only the values that may win."""
        draws = np.log1p(-self._rng.random(numbers.size)) / self._n[numbers]
        tails = np.maximum(-np.expm1(draws), 1e-300)
        a, b = self._a[numbers], self._b[numbers]
        means = a / (a + b)
        spreads = np.sqrt(means * (1 - means) / (a + b + 1))
        guesses = np.minimum(means + spreads * np.sqrt(-2 * np.log(tails)), 1) * self._top[numbers]
        order = np.argsort(-guesses)
        seen = 0
        while order.size:
            if seen & (seen - 1) == 0:  # before the first, and after 1, 2, 4, 8 ...
                left = numbers[order]
                order = order[-np.log(tails[order]) > self._tails(left, best[1])]
            if order.size:
                first, order = int(order[0]), order[1:]
                best = self._from_class(int(numbers[first]), best, exponent=-float(draws[first]))
            seen += 1
        return best

    def _from_few(self, numbers: NDArray[np.int64], best: tuple[str, float]) -> tuple[str, float]:
        """Draw for every arm of these classes."""
        if not numbers.size:
            return best
        counts = self._n[numbers].astype(np.int64)
        ends = np.cumsum(counts)
        owners = np.repeat(numbers, counts)
        draws = self._rng.beta(self._a[owners], self._b[owners])
        bounds = draws * self._top[owners] if self.uses_best else draws
        highest = int(bounds.argmax())
        if bounds[highest] <= best[1]:
            return best
        # The weights in a class differ from its highest: other arms may still beat this one.
        for turn in (0, 1):
            for place in np.flatnonzero(bounds > best[1]).tolist() if turn else [highest]:
                at = int(np.searchsorted(ends, place, side="right"))
                kept = self._classes[int(numbers[at])]
                member = place - int(ends[at] - counts[at])
                value = float(draws[place]) * kept.weights[member]
                if value > best[1]:
                    best = (kept.arms[member], value)
            if not self.uses_best:
                break
        return best

    def _from_class(
        self, number: int, best: tuple[str, float], *, exponent: float | None = None
    ) -> tuple[str, float]:
        """Draw in descending order, as long as the next may still win.

        The tail of the highest of n draws is 1 - exp(-E), with E exponential of mean 1 / n; for
        the next one, add an exponential of mean 1 / (n - 1), and so on.
        """
        kept = self._classes[number]
        a, b, top = float(self._a[number]), float(self._b[number]), float(self._top[number])
        count, new = len(kept.arms), bool(self._new[number])
        total = 0.0
        for taken in range(count):
            if taken or exponent is None:
                total += self._scalars.expovariate(1.0) / (count - taken)
            else:
                total = exponent
            if new:
                draw = math.exp(-total)  # Beta(1, 1) is uniform
                if draw * top <= best[1]:
                    break
            else:
                beyond, least = -math.expm1(-total), best[1] / top
                if least > 0 and (least >= 1 or tail(a, b, least) <= beyond):
                    break
                draw = value_of_tail(a, b, beyond)
            arm, weight = self._take(number, taken)
            if draw * weight > best[1]:
                best = (arm, draw * weight)
        return best

    def _take(self, number: int, taken: int) -> tuple[str, float]:
        """Move a random arm that was not taken yet to the front; return it and its weight."""
        kept = self._classes[number]
        other = self._scalars.randrange(taken, len(kept.arms))
        arms, weights = kept.arms, kept.weights
        arms[taken], arms[other] = arms[other], arms[taken]
        weights[taken], weights[other] = weights[other], weights[taken]
        for place in (taken, other):
            self._places[kept.arms[place]] = (number, place)
        return kept.arms[taken], kept.weights[taken]


def _level(weight: float) -> int:
    """Return the level of a weight: from STEP^(level + 1) to STEP^level."""
    return min(int(math.log(max(weight, 1e-9)) / math.log(STEP)), LEVELS)


class Uniform:
    """Arms that are drawn uniformly.

    Args:
        rng: The random generator.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._arms: list[str] = []
        self._places: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._arms)

    def __contains__(self, arm: str) -> bool:
        return arm in self._places

    def add(self, arm: str) -> None:
        self._places[arm] = len(self._arms)
        self._arms.append(arm)

    def remove(self, arm: str) -> None:
        place, last = self._places.pop(arm), self._arms.pop()
        if last != arm:
            self._arms[place] = last
            self._places[last] = place

    def draw(self) -> str:
        return self._arms[self._rng.randrange(len(self._arms))]
