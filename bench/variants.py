"""The policy `lodehound` with a random beginning, whole or without one of its mechanisms.

For bench.ablation. With a seed alone, crawls of one site begin with nearly the same requests, and
a lucky or unlucky beginning would decide about a mechanism.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from lodehound.core.link import Link
from lodehound.core.messages import Choice
from lodehound.learn.joint_posterior import JointPosterior
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.policies.lodehound.features import COLUMNS, Rows, SourcePage
from lodehound.policies.lodehound.model import FIND, NOISE, LinkModel
from lodehound.policies.lodehound.visits import VisitedPage, Visits

RANDOM_REQUESTS = 10


class Whole(LodehoundPolicy):
    """Half of the first requests are drawn from all waiting links.

    For replays, in which no host sleeps. The probabilities of choices leave out these draws.
    """

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._left = RANDOM_REQUESTS
        self._beginning = np.random.default_rng((self.seed, RANDOM_REQUESTS))

    def pick(self, asleep: Collection[str]) -> Choice | None:
        places = self._frontier.places()
        if self._left and len(places):
            self._left -= 1
            if self._beginning.random() < 0.5:
                place = int(places[self._beginning.integers(len(places))])
                return self._choice(place, 0.5 / len(places))
        return super().pick(asleep)


class WithoutSightings(Whole):
    """A link belongs to the first group it was seen in only."""

    def _see_again(self, links: tuple[Link, ...], source: SourcePage) -> None:
        pass


class NoPriorOnEndings(LinkModel):
    """A model that begins with equal weights for all endings."""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        intercept = self.weights[self._bias, FIND]
        self.weights[:, FIND] = 0
        self.weights[self._bias, FIND] = intercept


class WithoutPrior(Whole):
    """Endings say nothing at the beginning."""

    model_type = NoPriorOnEndings


class LinearOnly(LinkModel):
    """A model without group means."""

    linear_share = 1.0


class MeansOnly(LinkModel):
    """A model without linear regression."""

    linear_share = 0.0


class WithoutMeans(Whole):
    """The linear model alone predicts values."""

    model_type = LinearOnly


class WithoutLinear(Whole):
    """The group means alone predict values."""

    model_type = MeansOnly


class NoGains(Visits):
    """Visits whose pages gain nothing by what their links turn out to be."""

    def _gaining(self, url: str) -> VisitedPage | None:  # noqa: ARG002 - as in the base class
        return None


class WithoutGains(Whole):
    """What the links of a page turn out to be does not count for it."""

    visits_type = NoGains


class DiagonalOnly(LinkModel):
    """A model whose linear part keeps no covariances."""

    def learn_page(self, row: Rows, value: float, finds: float = 0.0) -> int:
        self._joint = JointPosterior(1, longest=COLUMNS + 1, noise=NOISE)
        return super().learn_page(row, value, finds)


class WithoutCovariances(Whole):
    """Each visit is learned by itself; no page gains anything later."""

    model_type = DiagonalOnly
    visits_type = NoGains
