"""A choice between request and answer, and its reason in words."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lodehound.policies.lodehound.features import Rows
from lodehound.policies.lodehound.groups import EXPECTED
from lodehound.policies.lodehound.model import CERTAIN

Floats = NDArray[np.float32]


class PendingChoice(NamedTuple):
    """A choice that has no outcome yet."""

    url: str
    row: Rows
    find: float  # probability
    value: float  # expected, if it is a page
    group: str
    numbers: Floats | None = None  # its nearness to the topic, if there is one

    @property
    def file(self) -> bool:
        """Whether it is an expected file."""
        return self.find > CERTAIN

    def why(self, evidence: str, record: str, *, explored: bool) -> str:
        """Return the reason for this choice.

        Args:
            evidence: What speaks most for a find.
            record: What the visits of its group brought.
            explored: Whether it was chosen to learn from it.
        """
        if self.file:
            return f"{EXPECTED}: {self.find:.0%} sure, by {evidence}"
        lead = f"{'exploring ' if explored else ''}{self.group}"
        return f"{lead}: {record}, {math.expm1(self.value):.2g} files expected"
