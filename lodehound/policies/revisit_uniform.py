"""REVISIT-UNIFORM: every known URL with the same probability."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lodehound.core.history import KnownUrl
from lodehound.core.policy import Policy
from lodehound.policies.revisiting import Revisiting


class RevisitUniform(Revisiting):
    """In further rounds every known URL, in random order.

    Args:
        seed: Seed of the order.
    """

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__()
        self.seed = seed
        self._draws = random.Random(seed)

    def begin_round(self, known: Sequence[KnownUrl], time: float) -> Policy:
        self._draws = random.Random(f"{self.seed} {time}")  # another order in every round
        return super().begin_round(known, time)

    def rank(self, known: KnownUrl, time: float) -> float:  # noqa: ARG002
        return self._draws.random()
