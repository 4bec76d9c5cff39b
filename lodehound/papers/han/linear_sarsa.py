"""SARSA with a linear value function over distinct state-action pairs (Han et al., Sec. 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lodehound.core.errors import ConfigError

Floats = NDArray[np.float64]
Codes = NDArray[np.uint8]

FIVE = (0.2, 0.4, 0.6, 0.8)  # Sec. 3.1: two indexes per value
SIX = (0.1, 0.3, 0.5, 0.7, 0.9)


def indexes(values: Floats) -> Codes:
    """Return both indexes of every value: each column of values becomes two.

    >>> indexes(np.array([[0.0, 0.25, 0.95]])).tolist()
    [[0, 0, 1, 1, 4, 5]]
    """
    codes = np.empty((values.shape[0], 2 * values.shape[1]), dtype=np.uint8)
    codes[:, 0::2] = np.digitize(values, FIVE)
    codes[:, 1::2] = np.digitize(values, SIX)
    return codes


def change_index(change: float, small: float = 0.1, large: float = 0.3) -> int:
    """Return the index of a change of relevance (Sec. 3.1).

    >>> [change_index(change) for change in (0.1, 0.2, 0.31, -0.2, -0.31)]
    [0, 1, 2, 3, 4]
    """
    if abs(change) <= small:
        return 0
    return (1 if change > 0 else 3) + (abs(change) > large)


class LinearSarsa:
    """q(s, a) = w . x(s, a), updated along its gradient (Eq. 3 and 4).

    Args:
        size: Length of x.
        alpha: Step size.
        gamma: Discount.
        moderated: Use Eq. 4, which lowers the estimate of the next pair by the error itself.
        weights: The weights of an earlier task; zeros by default.
    """

    def __init__(
        self,
        size: int,
        *,
        alpha: float = 0.001,
        gamma: float = 0.9,
        moderated: bool = False,
        weights: Sequence[float] | None = None,
    ) -> None:
        self.alpha = alpha
        self.gamma = gamma
        self.moderated = moderated
        self.weights: Floats = np.array(np.zeros(size) if weights is None else weights, dtype=float)
        if self.weights.shape != (size,) or not np.isfinite(self.weights).all():
            raise ConfigError(
                f"{self.weights.size} weights were given, but {size} are needed: they "
                f"come from a crawl with other categories."
            )

    def value(self, x: Floats) -> float:
        return float(x @ self.weights)

    def step(self, x: Floats, reward: float, following: Floats | None) -> float:
        """Learn from one transition; return the error.

        Args:
            x: The pair that was taken.
            reward: Its reward.
            following: The next pair; None at the end of an episode.
        """
        now = self.value(x)
        if following is None:
            error = reward - now
            self.weights += self.alpha * error * x
            return error
        later = self.value(following)
        error = reward + self.gamma * later - now
        # Eq. 4 as written; it equals a step of alpha * (1 - gamma).
        lowered = later - error if self.moderated else later
        self.weights += self.alpha * (reward + self.gamma * lowered - now) * x
        return error


class Pairs:
    """The distinct state-action pairs, as rows of a matrix, and their values.

    Many links share a pair, so updating all values is one product of a small matrix with the
    weights, not a sum per link.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.rows: Floats = np.zeros((256, size))
        self.values: Floats = np.zeros(256)
        self._scores: Floats = np.full(256, -np.inf)  # values of the pairs with links
        self._known: dict[bytes, int] = {}
        self._of_state: dict[bytes, list[int]] = {}

    def __len__(self) -> int:
        return len(self._known)

    def number(self, codes: Codes, state: bytes) -> int:
        """Return the number of a pair; a new pair has no value yet."""
        key = codes.tobytes()
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self._known)
            if number == len(self.rows):
                self.rows = np.concatenate((self.rows, np.zeros_like(self.rows)))
                self.values = np.concatenate((self.values, np.zeros_like(self.values)))
                self._scores = np.concatenate((self._scores, np.full(number, -np.inf)))
            self.rows[number] = codes
            self._of_state.setdefault(state, []).append(number)
        return number

    def wake(self, numbers: Sequence[int]) -> None:
        """Mark these pairs as having links."""
        self._scores[numbers] = self.values[numbers]

    def put_to_sleep(self, number: int) -> None:
        """Mark a pair as having no links left."""
        self._scores[number] = -np.inf

    def value_all(self, weights: Floats) -> None:
        """Update all pairs with the present weights (synchronous method)."""
        used = len(self)
        self.values[:used] = self.rows[:used] @ weights
        scores = self._scores[:used]
        np.copyto(scores, self.values[:used], where=scores > -np.inf)

    def value_state(self, state: bytes, weights: Floats) -> None:
        """Update only the pairs of this state (asynchronous method)."""
        numbers = self._of_state.get(state)
        if numbers is None:
            return
        self.values[numbers] = self.rows[numbers] @ weights
        awake = self._scores[numbers] > -np.inf
        self._scores[numbers] = np.where(awake, self.values[numbers], -np.inf)

    def awake(self) -> NDArray[np.int64]:
        """Return the pairs with links."""
        return np.flatnonzero(self._scores[: len(self)] > -np.inf)

    def best(self) -> int | None:
        """Return the pair with links that has the highest value, the oldest among equals."""
        if not len(self):
            return None
        number = int(np.argmax(self._scores[: len(self)]))
        return number if self._scores[number] > -np.inf else None

    def ranked(self) -> list[int]:
        """Return the pairs with links, highest value first."""
        awake = self.awake()
        order: list[int] = awake[np.argsort(-self._scores[awake], kind="stable")].tolist()
        return order
