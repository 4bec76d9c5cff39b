"""The policy `lodehound` with one of its mechanisms removed, for bench.ablation."""

from __future__ import annotations

from typing import Any

from lodehound.core.link import Link
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.policies.lodehound.features import SourcePage
from lodehound.policies.lodehound.model import FIND, LinkModel


class WithoutSightings(LodehoundPolicy):
    """A link belongs to the first group it was seen in only."""

    def _see_again(self, links: tuple[Link, ...], source: SourcePage) -> None:
        pass


class WithoutPrior(LodehoundPolicy):
    """Endings say nothing at the beginning."""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._model.weights.rows[:, FIND] = 0


class LinearOnly(LinkModel):
    """A model without group means."""

    linear_share = 1.0


class MeansOnly(LinkModel):
    """A model without linear regression."""

    linear_share = 0.0


class WithoutMeans(LodehoundPolicy):
    """The linear model alone predicts values."""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._model = LinearOnly(shrink=self.shrink, decay=self.decay)


class WithoutLinear(LodehoundPolicy):
    """The group means alone predict values."""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._model = MeansOnly(shrink=self.shrink, decay=self.decay)
