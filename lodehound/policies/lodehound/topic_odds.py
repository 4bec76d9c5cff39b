"""How near waiting links are to a topic, and how much that says about finds.

Four kinds of numbers describe a link: the nearness of its words to the topic and to each category,
the share of finds among the pages that show it, and the mean relevance of these pages. The last
number is 1, for the intercept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lodehound.core.link import Link
from lodehound.core.messages import Outcome
from lodehound.learn.bayesian_logistic import BayesianLogistic
from lodehound.learn.remaining import LIKELY
from lodehound.policies.lodehound.features import Floats, Ints, SourcePage
from lodehound.policies.lodehound.frontier import Frontier
from lodehound.policies.lodehound.model import RATE, Estimates
from lodehound.policies.lodehound.visits import request_worths
from lodehound.read.subject import Subject

FIRST_WEIGHT = 5.0  # of the nearness to the topic; all others begin with 0
PRIOR_VARIANCE = 16.0  # of a weight
PAGES = -3  # first of the columns: pages that show a link, finds among them, their relevance
NO_NUMBERS: Floats = np.zeros(0, dtype=np.float32)
NOWHERE: Ints = np.zeros(0, dtype=np.int64)


class NoTopic:
    """What the policy asks of a topic, where nothing but the features says what is a find."""

    rate = RATE  # step size of the regression over the features
    values_pages = True  # a page is worth what it leads to

    def add(self, places: Ints, links: Sequence[Link], source: SourcePage) -> None:
        """Take in new links, and the page that shows them."""

    def show_again(self, frontier: Frontier, outcome: Outcome, source: SourcePage) -> Ints:  # noqa: ARG002
        """Take in what a page shows again; return the places of links whose odds changed."""
        return NOWHERE

    def numbers(self, places: Ints | int) -> Floats:  # noqa: ARG002
        """Return the numbers of waiting links, or of one."""
        return NO_NUMBERS

    def odds(self, numbers: Floats) -> Floats | float:  # noqa: ARG002
        """Return what such numbers add to the log odds of a find."""
        return 0.0

    def outweighs(self, numbers: Floats, weight: float) -> bool:  # noqa: ARG002
        """Return whether these numbers say more for a find than a weight does."""
        return False

    def learn(self, numbers: Floats, probability: float, *, found: bool) -> None:
        """Learn whether a link was a find.

        Args:
            numbers: Of the link when it was requested.
            probability: Of a find, as it was estimated.
            found: Whether it was one.
        """

    def scores(self, links: Estimates, optimism: float) -> Floats:
        """Return the scores that order requests: what links are worth, 1 more for a file."""
        return request_worths(links, optimism * links.novelty)

    def promise(self, links: Estimates) -> Floats | float:  # noqa: ARG002
        """Return how much what is unknown about links counts when exploring."""
        return 1.0

    def files(self, scores: Floats) -> tuple[NDArray[np.bool_], Floats]:
        """Return which links are expected files, by their scores, and the scores to compare."""
        file = scores > 1
        return file, scores - file


class TopicOdds(NoTopic):
    """A logistic regression over the numbers of each waiting link.

    Any page may be a find, and finds link to each other: links are requested by their probability.

    Args:
        subject: The topic.
        shrink: Number of pages that the share of finds of the whole crawl counts for in that of
            the pages that show a link.
    """

    rate = 0.05  # a find about a topic says less of its features
    values_pages = False

    def __init__(self, subject: Subject, *, shrink: float) -> None:
        self._subject = subject
        self._shrink = np.float32(shrink)
        width = 1 + len(subject.categories) + 3
        self._nothing: Floats = np.zeros(width, dtype=np.float32)
        self._nothing[:PAGES] = -1.0  # the least cosine
        self._seen: Floats = np.zeros((0, width), dtype=np.float32)  # by place
        first = FIRST_WEIGHT * np.eye(width)[0]
        self._regression = BayesianLogistic(first, prior_variance=PRIOR_VARIANCE)
        self._finds, self._requests = 1.0, 3.0

    def add(self, places: Ints, links: Sequence[Link], source: SourcePage) -> None:
        missing = int(places.max(initial=-1)) + 1 - len(self._seen)
        if missing > 0:
            more = np.tile(self._nothing, (max(missing, len(self._seen)), 1))
            self._seen = np.concatenate((self._seen, more))
        self._seen[places] = self._nothing
        self.add_sighting(places, links, source)

    def add_sighting(self, places: Ints, links: Sequence[Link], source: SourcePage) -> None:
        """Add a page that shows links, each of them once."""
        near, pages = self._seen[places, :PAGES], self._seen[places, PAGES:]
        self._seen[places, :PAGES] = np.maximum(near, self._subject.nearness(links))
        if source.group:
            seen = np.array([1.0, source.found, source.relevance], dtype=np.float32)
            self._seen[places, PAGES:] = pages + seen

    def show_again(self, frontier: Frontier, outcome: Outcome, source: SourcePage) -> Ints:
        new = {link.url for link in outcome.links}
        again = {link.url: link for link in outcome.again if link.url not in new}
        links, places = frontier.find(again.values())
        self.add_sighting(places, links, source)
        return places

    def numbers(self, places: Ints | int) -> Floats:
        numbers: Floats = self._seen.take(places, axis=0)
        pages, finds, relevance = numbers[..., PAGES:].T
        usual = np.float32(self._finds / self._requests)
        share = (finds + self._shrink * usual) / (pages + self._shrink)
        mean = relevance / np.maximum(pages, 1)
        numbers[..., PAGES:] = np.stack((share, mean, np.ones_like(mean)), axis=-1)
        return numbers

    def odds(self, numbers: Floats) -> Floats | float:
        return self._regression.odds(numbers)

    def outweighs(self, numbers: Floats, weight: float) -> bool:
        return bool(self._regression.odds(numbers) > weight)

    def scores(self, links: Estimates, optimism: float) -> Floats:  # noqa: ARG002
        return links.find

    def promise(self, links: Estimates) -> Floats | float:
        return links.find

    def files(self, scores: Floats) -> tuple[NDArray[np.bool_], Floats]:
        return scores > LIKELY, scores

    def learn(self, numbers: Floats, probability: float, *, found: bool) -> None:
        self._regression.learn(numbers, probability, label=found)
        self._finds += found
        self._requests += 1
