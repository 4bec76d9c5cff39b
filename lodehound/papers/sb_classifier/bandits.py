"""Bandits with sleeping arms."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

ASLEEP = -math.inf


class Auer:
    """Awake Upper-Estimated Reward (Kleinberg et al. 2008, as in SB paper, Sec. 3.2).

    score(a) = mean(a) + alpha * sqrt(ln t / (pulls(a) + epsilon)) for arms that
    are awake; the highest score wins, and the oldest arm among equals.

    Args:
        alpha: Weight of exploration.
        epsilon: Keeps the score finite for an arm that was never pulled.
    """

    def __init__(self, *, alpha: float = 2 * math.sqrt(2), epsilon: float = 1e-6) -> None:
        self.alpha = alpha
        self.epsilon = epsilon
        self.arms = 0
        self._means: NDArray[np.float64] = np.zeros(64)
        self._roots: NDArray[np.float64] = np.zeros(64)  # 1 / sqrt(pulls + epsilon)
        self._sleep: NDArray[np.float64] = np.full(64, ASLEEP)  # 0 if awake
        self._pulls: list[int] = []
        self._sums: list[float] = []

    def add(self) -> int:
        """Add a sleeping arm without pulls; return its number."""
        arm = self.arms
        if arm == self._means.size:
            self._means = np.concatenate((self._means, np.zeros(arm)))
            self._roots = np.concatenate((self._roots, np.zeros(arm)))
            self._sleep = np.concatenate((self._sleep, np.full(arm, ASLEEP)))
        self.arms += 1
        self._pulls.append(0)
        self._sums.append(0.0)
        self._refresh(arm)
        return arm

    def wake(self, arm: int) -> None:
        self._sleep[arm] = 0.0

    def put_to_sleep(self, arm: int) -> None:
        self._sleep[arm] = ASLEEP

    def best(self, t: int) -> int | None:
        """Return the awake arm with the highest score at time t, or None if all sleep."""
        if not self.arms:
            return None
        scores = self._scores(t)
        arm = int(scores.argmax())
        return None if scores[arm] == ASLEEP else arm

    def ranked(self, t: int) -> list[int]:
        """Return the awake arms, highest score first, oldest first among equals."""
        scores = self._scores(t)
        order = np.argsort(-scores, kind="stable")
        return [int(arm) for arm in order[: int((scores > ASLEEP).sum())]]

    def _scores(self, t: int) -> NDArray[np.float64]:
        weight = self.alpha * math.sqrt(math.log(t)) if t > 1 else 0.0
        used = slice(self.arms)
        scores = self._roots[used] * weight
        scores += self._means[used]
        scores += self._sleep[used]
        return scores

    def pull(self, arm: int) -> None:
        """Count one pull; it has reward 0 until its reward arrives."""
        self._pulls[arm] += 1
        self._refresh(arm)

    def reward(self, arm: int, reward: float) -> None:
        """Add the reward of a pull that was counted before."""
        self._sums[arm] += reward
        self._refresh(arm)

    def pulls(self, arm: int) -> int:
        return self._pulls[arm]

    def score(self, arm: int, t: int) -> float:
        """Return the score of an arm at time t as if it were awake."""
        weight = self.alpha * math.sqrt(math.log(t)) if t > 1 else 0.0
        return float(self._means[arm] + weight * self._roots[arm])

    def total(self, arm: int) -> float:
        """Return the sum of the rewards of an arm."""
        return self._sums[arm]

    def mean(self, arm: int) -> float:
        return float(self._means[arm])

    def _refresh(self, arm: int) -> None:
        pulls = self._pulls[arm]
        self._means[arm] = self._sums[arm] / pulls if pulls else 0.0
        self._roots[arm] = 1 / math.sqrt(pulls + self.epsilon)


class RunningMean(Auer):
    """AUER with the mean of Algorithm 4 as printed: R += (reward - R) / N.

    It changes only when a reward arrives: a pull that brings none leaves it as it was.
    """

    def pull(self, arm: int) -> None:
        mean = self.mean(arm)
        self._pulls[arm] += 1
        self._sums[arm] = mean * self._pulls[arm]
        self._refresh(arm)

    def reward(self, arm: int, reward: float) -> None:
        super().reward(arm, reward - self.mean(arm))
