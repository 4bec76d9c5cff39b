"""Han, Wuillemin and Senellart's crawler, written from the paper's text alone (Algorithm 1).

Pages and links are tuples of numbers, pairs of them a dictionary; nothing is kept in matrices.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from lodehound.core.messages import Outcome

Pair = tuple[tuple[int, ...], tuple[int, ...]]  # the features of a page, and of a link on it
FIVE, SIX = (0.2, 0.4, 0.6, 0.8), (0.1, 0.3, 0.5, 0.7, 0.9)
GAMMA, ALPHA, BETA, DELTA_1, DELTA_2 = 0.9, 0.001, 0.4, 0.1, 0.3  # Sec. 4


class Page:
    """What is known of a crawled page (Sec. 3.1, States)."""

    def __init__(self, near: Sequence[float], parents: Sequence[Page], *, relevant: bool) -> None:
        self.near, self.relevant = near[0], relevant
        self.average, change = near[0], 0.0
        if parents:
            highest = max(parent.average for parent in parents)
            self.average = BETA * near[0] + (1 - BETA) * highest
            change = near[0] - highest
        self.distance: int = 0 if relevant else min([9, *(page.distance + 1 for page in parents)])
        means = both(mean(parents)) + both(mean([page for page in parents if page.relevant]))
        categories = [index for one in near[1:] for index in both(one)]
        self.state = (*both(near[0]), changed(change), *categories, *means, self.distance)


class Sarsa:
    """The frontier, the weights, and the parents of every link."""

    def __init__(self, size: int, update: str, near: Mapping[str, Sequence[float]]) -> None:
        self.update, self.near = update, near  # near: of links, by their texts
        self.weights = [0.0] * size
        self.values = dict[Pair, float]()
        self.links = defaultdict[Pair, list[str]](list)
        self.parents = defaultdict[str, list[Page]](list)
        self.visited = set[str]()

    def best(self) -> list[tuple[Pair, list[str]]]:
        """Return the pairs with the highest value, of those with links that were not visited."""
        awake = {
            pair: left
            for pair in self.values
            if (left := [url for url in self.links[pair] if url not in self.visited])
        }
        highest = max((self.values[pair] for pair in awake), default=0.0)
        return [(pair, left) for pair, left in awake.items() if self.values[pair] > highest - 1e-9]

    def q(self, pair: Pair) -> float:
        return sum(w * x for w, x in zip(self.weights, pair[0] + pair[1], strict=True))

    def visit(self, outcome: Outcome, near: Sequence[float], taken: Pair | None) -> None:
        """Lines 24 to 47 for a page that was fetched; ``taken``: None for a seed."""
        url = outcome.url
        self.visited.add(url)
        page = Page(near, self.parents[url], relevant=outcome.verdict.found)
        pairs = [self.offered(to, page) for to in self.shown(outcome)]
        if taken is not None:
            self.learn(taken, page, pairs)
        stale = self.values if self.update == "synchronous" else pairs_of(self.values, page.state)
        for pair in [*stale, *pairs]:
            self.values[pair] = self.q(pair)

    def shown(self, outcome: Outcome) -> list[str]:
        seen = dict.fromkeys(link.url for link in (*outcome.links, *outcome.again))
        return [to for to in seen if to not in self.visited]

    def offered(self, to: str, page: Page) -> Pair:
        """Add a link to its pair (line 30, and Sec. 3.1, Actions)."""
        parents = self.parents[to]
        parents.append(page)
        own = [index for one in self.near[to] for index in both(one)]
        means = both(mean(parents)) + both(mean([one for one in parents if one.relevant]))
        pair = (page.state, (*own, *means))
        self.links[pair].append(to)
        return pair

    def learn(self, taken: Pair, page: Page, pairs: Sequence[Pair]) -> None:
        """Lines 32 to 39; where a page shows nothing to go on with, an episode ends."""
        reward = 30.0 if page.relevant else -1.0
        now, later = self.q(taken), 0.0
        if not page.relevant and pairs:
            most = max(map(self.q, pairs))
            later = next(self.q(pair) for pair in pairs if self.q(pair) > most - 1e-9)
        error = reward + GAMMA * later - now
        if self.update == "moderated" and not page.relevant and pairs:
            error = reward + GAMMA * (later - error) - now  # Eq. 4
        gradient = taken[0] + taken[1]
        self.weights = [w + ALPHA * error * x for w, x in zip(self.weights, gradient, strict=True)]


def both(value: float) -> tuple[int, int]:
    return sum(value >= end for end in FIVE), sum(value >= end for end in SIX)


def changed(change: float) -> int:
    if abs(change) <= DELTA_1:
        return 0
    far = abs(change) > DELTA_2
    return 1 + far if change > 0 else 3 + far


def mean(pages: Sequence[Page]) -> float:
    return sum(page.near for page in pages) / len(pages) if pages else 0.0


def pairs_of(values: Mapping[Pair, float], state: tuple[int, ...]) -> list[Pair]:
    return [pair for pair in values if pair[0] == state]
