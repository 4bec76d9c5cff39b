"""The policy `lodehound` with one of its mechanisms removed, for bench.ablation."""

from __future__ import annotations

from typing import Any

from lodehound.core.link import Link
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.policies.lodehound.features import SourcePage
from lodehound.policies.lodehound.model import FIND, LinkModel
from lodehound.policies.lodehound.visits import Visits


class WithoutSightings(LodehoundPolicy):
    """A link belongs to the first group it was seen in only."""

    def _see_again(self, links: tuple[Link, ...], source: SourcePage) -> None:
        pass


class WithoutPrior(LodehoundPolicy):
    """Endings say nothing at the beginning."""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._model.weights[:, FIND] = 0


class LinearOnly(LinkModel):
    """A model without group means."""

    linear_share = 1.0


class MeansOnly(LinkModel):
    """A model without linear regression."""

    linear_share = 0.0


class WithoutMeans(LodehoundPolicy):
    """The linear model alone predicts values."""

    model_type = LinearOnly


class WithoutLinear(LodehoundPolicy):
    """The group means alone predict values."""

    model_type = MeansOnly


class DiagonalOnly(LinkModel):
    """A model whose linear part keeps no covariances."""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.joint = None


class WithoutCovariances(LodehoundPolicy):
    """Features are learned one by one from the beginning; no page is valued again."""

    model_type = DiagonalOnly


class OnceOnly(Visits):
    """Visits that are valued when they happen only."""

    def _learn_again(self) -> None:
        pass


class WithoutValuingAgain(LodehoundPolicy):
    """What a page is worth stays as it was when the page was visited."""

    visits_type = OnceOnly


class NothingUsual(Visits):
    """Visits of pages whose links count whole, not by what they promise above usual pages."""

    @property
    def _usual(self) -> float:
        return 0.0


class WithoutUsual(LodehoundPolicy):
    """A list of usual pages is worth as much as they promise together."""

    visits_type = NothingUsual
