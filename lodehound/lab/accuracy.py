"""How often the page classifier was right: Figure 3 of the Anthelion paper."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from lodehound.core.policy import Policy
from lodehound.lab.metrics import POINTS
from lodehound.papers.anthelion.anthelion import Anthelion
from lodehound.papers.anthelion.online import Online


@dataclass(slots=True)
class Accuracy:
    """Was each page predicted rightly, just before the classifier learned what it is?"""

    right: array[int] = field(default_factory=lambda: array("b"))

    @classmethod
    def watching(cls, policy: Policy) -> Self | None:
        """Count a policy's predictions from now on; None when it has no page classifier."""
        if not isinstance(policy, Anthelion | Online):
            return None
        accuracy = cls()

        def count(odds: float, relevant: bool) -> None:
            accuracy.right.append((odds > 0) == relevant)

        policy.classifier.on_page = count
        return accuracy

    def curve(self) -> dict[str, list[float]]:
        """Return pages so far, and the share of them that was predicted rightly."""
        pages = len(self.right)
        if not pages:
            return {"pages": [], "accuracy": []}
        at = np.unique(np.linspace(0, pages - 1, min(POINTS, pages)).astype(int))
        right = np.cumsum(np.frombuffer(self.right, dtype=np.int8), dtype=np.int64)[at]
        return {"pages": (at + 1).tolist(), "accuracy": (right / (at + 1)).tolist()}
