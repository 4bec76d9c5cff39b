"""SB-ORACLE (SB paper, Sec. 4.5): SB-CLASSIFIER told what every link leads to."""

from __future__ import annotations

from typing import Any

from lodehound.core.link import Link
from lodehound.core.messages import Outcome
from lodehound.core.truth import Kind, Truth
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier, Visit


class SbOracle(SbClassifier):
    """SB-CLASSIFIER with a perfect URL classifier that costs nothing.

    Args:
        truth: The answers of the recorded site.
        options: Those of sb-classifier; b, model and features have no effect here.
    """

    needs_truth = True
    uses_head = False
    drops = "links that lead to neither page nor target: the oracle says so (released code)"

    def __init__(self, *, truth: Truth, **options: Any) -> None:
        super().__init__(**options)
        self.truth = truth

    def _kind(self, visit: Visit) -> Kind | None:
        return self.truth.kind(visit.links[visit.at].url)

    def _label(self, link: Link, outcome: Outcome) -> None:
        """Keep no labels: nothing learns from them, and they would pile up for ever."""
