"""The errors of the URL classifier: Tables 8 to 16 of the SB paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from lodehound.core.policy import Policy
from lodehound.core.truth import Kind
from lodehound.lab.site_truth import SiteTruth
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier

TRUE_KINDS: tuple[Kind, ...] = ("html", "target", "neither")


@dataclass(slots=True)
class Confusion:
    """Predictions counted by (true kind, whether a target was predicted)."""

    counts: Counter[tuple[Kind, bool]] = field(default_factory=Counter)

    @classmethod
    def watching(cls, policy: Policy, truth: SiteTruth) -> Self | None:
        """Count a policy's predictions from now on; return None if it makes none."""
        if not isinstance(policy, SbClassifier) or policy.needs_truth:
            return None
        confusion = cls()

        def count(url: str, taken: bool) -> None:
            confusion.counts[truth.kind(url), taken] += 1

        policy.classifier.on_prediction = count
        return confusion

    @classmethod
    def total(cls, many: Iterable[Confusion]) -> Self:
        """Add up several runs: the shares are then weighted by the number of predictions."""
        summed = cls()
        for one in many:
            summed.counts.update(one.counts)
        return summed

    def share(self, kind: Kind, *, predicted_target: bool) -> float:
        """Return a cell of the matrix, in percent of all predictions."""
        return 100 * self.counts[kind, predicted_target] / (self.counts.total() or 1)

    @property
    def misclassified(self) -> float:
        """MR of Table 5: wrong predictions for true HTML and true targets, in percent."""
        wrong = self.counts["html", True] + self.counts["target", False]
        judged = sum(self.counts[kind, taken] for kind in TRUE_KINDS[:2] for taken in (True, False))
        return 100 * wrong / (judged or 1)
