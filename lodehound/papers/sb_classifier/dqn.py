"""Double deep Q-learning with a small network, in numpy (TRES, arXiv 2112.07620)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEAK = 0.1  # slope of the leaky rectifier, as in TRES


class Network:
    """A feed-forward network with one output: leaky rectifiers, squared error, Adam.

    Args:
        sizes: Sizes of the layers, from the input to the output of 1.
        rate: Learning rate.
        clip: Maximum norm of a gradient.
        rng: Random generator for the initial weights.
    """

    def __init__(
        self, sizes: Sequence[int], *, rate: float, clip: float, rng: np.random.Generator
    ) -> None:
        self.rate = rate
        self.clip = clip
        self.weights: list[Floats] = []
        for inputs, outputs in pairwise(sizes):
            bound = np.sqrt(6 / inputs)  # He et al. 2015
            self.weights.append(rng.uniform(-bound, bound, (inputs, outputs)))
            self.weights.append(np.zeros(outputs))
        self._first = [np.zeros_like(w) for w in self.weights]
        self._second = [np.zeros_like(w) for w in self.weights]
        self._steps = 0

    def predict(self, rows: Floats) -> Floats:
        return self._forward(rows)[-1][:, 0]

    def copy_of(self) -> list[Floats]:
        return [weight.copy() for weight in self.weights]

    def learn(self, rows: Floats, wanted: Floats) -> float:
        """Take one step towards the wanted outputs; return the mean squared error before it."""
        layers = self._forward(rows)
        errors = layers[-1][:, 0] - wanted
        gradients = self._gradients(layers, errors)
        norm = float(np.sqrt(sum(float((g * g).sum()) for g in gradients)))
        scale = min(1.0, self.clip / norm) if norm else 0.0
        self._steps += 1
        for i, gradient in enumerate(gradients):
            self._adam(i, gradient * scale)
        return float((errors * errors).mean())

    def _forward(self, rows: Floats, weights: Sequence[Floats] | None = None) -> list[Floats]:
        """Return the outputs of every layer, starting with the input."""
        used = self.weights if weights is None else weights
        layers = [rows]
        for i in range(0, len(used), 2):
            total = layers[-1] @ used[i] + used[i + 1]
            layers.append(total if i == len(used) - 2 else np.where(total > 0, total, LEAK * total))
        return layers

    def with_weights(self, rows: Floats, weights: Sequence[Floats]) -> Floats:
        """Return the predictions with these weights."""
        return self._forward(rows, weights)[-1][:, 0]

    def _gradients(self, layers: list[Floats], errors: Floats) -> list[Floats]:
        slope: Floats = (2 * errors / len(errors))[:, None]
        gradients: list[Floats] = []
        for i in range(len(self.weights) - 2, -1, -2):
            below = layers[i // 2]
            gradients[:0] = [below.T @ slope, slope.sum(axis=0)]
            if i:
                slope = (slope @ self.weights[i].T) * np.where(below > 0, 1.0, LEAK)
        return gradients

    def _adam(self, i: int, gradient: Floats) -> None:
        """Update with Adam (Kingma and Ba 2015), with the paper's constants."""
        self._first[i] = 0.9 * self._first[i] + 0.1 * gradient
        self._second[i] = 0.999 * self._second[i] + 0.001 * gradient * gradient
        first = self._first[i] / (1 - 0.9**self._steps)
        second = self._second[i] / (1 - 0.999**self._steps)
        self.weights[i] -= self.rate * first / (np.sqrt(second) + 1e-8)


@dataclass(frozen=True, slots=True)
class Experience:
    """A link that was followed, its reward, and the links on its page."""

    row: Floats
    reward: float
    following: Floats  # one row per link; empty if there was no page


class DoubleDqn:
    """Learns the long-term value of links.

    Args:
        size: Number of features of a link.
        gamma: Discount.
        memory: Number of experiences stored.
        batch: Number of experiences per training step.
        copy_every: Steps after which the target network is updated.
        seed: Random seed of the initial weights and of the samples from memory.
    """

    def __init__(
        self,
        size: int,
        *,
        gamma: float = 0.99,
        memory: int = 20_000,
        batch: int = 60,
        copy_every: int = 500,
        seed: int = 0,
    ) -> None:
        self.gamma = gamma
        self.batch = batch
        self.copy_every = copy_every
        self._rng = np.random.default_rng(seed)
        self.network = Network((size, 30, 15, 1), rate=1e-3, clip=1.0, rng=self._rng)
        self._slow = self.network.copy_of()
        self._memory: deque[Experience] = deque(maxlen=memory)
        self._steps = 0

    def __len__(self) -> int:
        return len(self._memory)

    def remember(self, experience: Experience) -> None:
        self._memory.append(experience)
        self._steps += 1
        if self._steps % self.copy_every == 0:
            self._slow = self.network.copy_of()

    def learn(self) -> None:
        """Learn from one batch, if there are enough experiences."""
        if len(self._memory) < self.batch:
            return
        drawn = self._rng.integers(len(self._memory), size=self.batch)
        batch = [self._memory[int(i)] for i in drawn]
        self.network.learn(np.array([e.row for e in batch]), self.wanted(batch))

    def wanted(self, batch: Sequence[Experience]) -> Floats:
        """Return r + gamma * target(the next link that the online network ranks highest)."""
        rewards = np.array([experience.reward for experience in batch])
        counts = np.array([len(experience.following) for experience in batch])
        if not counts.any():
            return rewards
        rows = np.concatenate([e.following for e in batch if len(e.following)])
        fast = self.network.predict(rows)
        slow = self.network.with_weights(rows, self._slow)
        starts = np.cumsum(counts) - counts
        for i in np.flatnonzero(counts):
            mine = slice(starts[i], starts[i] + counts[i])
            rewards[i] += self.gamma * slow[mine][int(np.argmax(fast[mine]))]
        return rewards
