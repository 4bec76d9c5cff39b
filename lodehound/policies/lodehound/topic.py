"""How near waiting links are to a topic, and how much that says about finds.

Four kinds of numbers describe a link: the nearness of its words to the topic and to each category,
the share of finds among the pages that show it, and the mean relevance of these pages. The last
number is 1, for the intercept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lodehound.core.link import Link
from lodehound.learn.bayesian_logistic import BayesianLogistic
from lodehound.policies.lodehound.features import Floats, Ints, SourcePage
from lodehound.read.subject import Subject

STEP = 0.05  # of the regression over the other features: a find about a topic says less
FIRST_WEIGHT = 5.0  # of the nearness to the topic; all others begin with 0
PRIOR_VARIANCE = 16.0  # of a weight
PAGES = -3  # first of the columns: pages that show a link, finds among them, their relevance


class TopicOdds:
    """A logistic regression over the numbers of each waiting link.

    Args:
        subject: The topic.
        shrink: Number of pages that the share of finds of the whole crawl counts for in that of
            the pages that show a link.
    """

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
        """Take in new links, and the page that shows them."""
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

    def numbers(self, places: Ints | int) -> Floats:
        """Return the numbers of waiting links, or of one."""
        numbers: Floats = self._seen.take(places, axis=0)
        pages, finds, relevance = numbers[..., PAGES:].T
        usual = np.float32(self._finds / self._requests)
        share = (finds + self._shrink * usual) / (pages + self._shrink)
        mean = relevance / np.maximum(pages, 1)
        numbers[..., PAGES:] = np.stack((share, mean, np.ones_like(mean)), axis=-1)
        return numbers

    def odds(self, numbers: Floats) -> Floats:
        """Return what such numbers add to the log odds of a find."""
        return self._regression.odds(numbers)

    def learn(self, numbers: Floats, probability: float, *, found: bool) -> None:
        """Learn whether a link was a find.

        Args:
            numbers: Of the link when it was requested.
            probability: Of a find, as it was estimated.
            found: Whether it was one.
        """
        self._regression.learn(numbers, probability, label=found)
        self._finds += found
        self._requests += 1
