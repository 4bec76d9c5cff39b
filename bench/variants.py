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
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.policies.lodehound.features import SourcePage
from lodehound.policies.lodehound.model import FIND, LinkModel
from lodehound.policies.lodehound.visits import Visits

RANDOM_REQUESTS = 10


class Whole(LodehoundPolicy):
    """Half of the first requests are drawn from all waiting links.

    For replays, in which no host sleeps. The probabilities of choices leave out these draws.
    """

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._left = RANDOM_REQUESTS
        self._beginning = np.random.default_rng((self.seed, RANDOM_REQUESTS))

    def pick_first(self, asleep: Collection[str]) -> Choice | None:
        places = self._frontier.places()
        if self._left and len(places):
            self._left -= 1
            if self._beginning.random() < 0.5:
                place = int(places[self._beginning.integers(len(places))])
                return self._choice(place, 0.5 / len(places))
        return super().pick_first(asleep)


class WithoutSightings(Whole):
    """A link belongs to the first group it was seen in only."""

    def _see_again(self, links: tuple[Link, ...], source: SourcePage) -> None:
        pass


class WithoutPrior(Whole):
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


class WithoutMeans(Whole):
    """The linear model alone predicts values."""

    model_type = LinearOnly


class WithoutLinear(Whole):
    """The group means alone predict values."""

    model_type = MeansOnly


class DiagonalOnly(LinkModel):
    """A model whose linear part keeps no covariances."""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.joint = None


class WithoutCovariances(Whole):
    """Features are learned one by one from the beginning; no page is valued again."""

    model_type = DiagonalOnly


class OnceOnly(Visits):
    """Visits that are valued when they happen only."""

    def _learn_again(self) -> None:
        pass


class WithoutValuingAgain(Whole):
    """What a page is worth stays as it was when the page was visited."""

    visits_type = OnceOnly
