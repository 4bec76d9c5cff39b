"""SB-CLASSIFIER (EDBT 2026): a sleeping bandit over groups of tag paths, and a URL classifier.

The recursion of the paper's Algorithm 4 (a link taken for a target is fetched
at once, in the middle of its page) becomes a stack of visits: the top visit's
links are classified in document order up to the next expected target, which is
the next choice; when no visit has links left, the bandit chooses a group.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Group, Outcome
from lodehound.core.policy import Policy
from lodehound.core.truth import Kind
from lodehound.learn.bandits import Auer
from lodehound.learn.linear import ModelName
from lodehound.learn.paths import Groups, PathVectors
from lodehound.policies.limits import MAX_BITS, check_paths
from lodehound.policies.pools import Bag, Fifo
from lodehound.policies.url_classifier import FeatureName, UrlClassifier

NO_GROUP = -1
EXPECTED = "taken for a target"  # links that are asked for before any group's
GONE = {404, 410}
KIT_SEED = 42  # of the released code's classifier


@dataclass(slots=True)
class Visit:
    """A page whose links are being classified; its reward goes to the group it came from."""

    group: int
    links: tuple[Link, ...]
    at: int = 0
    waiting: int = 0  # expected targets of this page that have no answer yet
    reward: float = 0.0


@dataclass(frozen=True, slots=True)
class PageReading:
    """Where the paper and the released code disagree (numbers: docs/sb-classifier.md)."""

    tf: bool = False  # 2: term frequencies in place of counts
    empty: bool = False  # 3: an empty symbol after the beginning of a path
    count_failures: bool = True  # 5: a pull that brings no page counts, with reward 0
    only_predicted: bool = False  # 12: only URLs the model has predicted become labels
    learn_late: bool = False  # 13: batches are learned one link too late
    through_redirects: bool = True  # 9: a target behind a redirect is a reward


RECOMMENDED = PageReading()
KIT = PageReading(
    tf=True,
    empty=True,
    count_failures=False,
    only_predicted=True,
    learn_late=True,
    through_redirects=False,
)


class SbClassifier(Policy):
    """Tag path groups as arms of a sleeping bandit; reward = new targets on the page.

    Args:
        n: Length of the n-grams of a tag path.
        m: Tag path vectors have 2**m dimensions.
        w: Bits of the hash that projects them.
        pi: Prime of that hash.
        theta: Least cosine to join a group.
        alpha: Weight of exploration; 2 * sqrt(2) is AUER's.
        epsilon: Added to the pulls under the root (the paper gives no value).
        b: Labels to a batch of the URL classifier; those of the first come from HEADs.
        model: Its model: lr, svm, nb or pa (Table 5).
        features: What it sees of a link: its url, or its context too.
        time: What t counts in the bandit's score: requests, or pulls.
        reward: Count targets found, or targets predicted as in Algorithm 4.
        compat: "" for the recommended reading, kit for the released local crawler.
        seed: Seed of the draw within a group.
    """

    uses_head = True
    drops = "links whose HEAD says they are gone, or neither page nor target (Sec. 3.3)"

    def __init__(
        self,
        *,
        n: int = 2,
        m: int = 12,
        w: int = 15,
        pi: int = 766_245_317,
        theta: float = 0.75,
        alpha: float = 2 * math.sqrt(2),
        epsilon: float = 1e-6,
        b: int = 10,
        model: ModelName = "lr",
        features: FeatureName = "url",
        time: Literal["requests", "pulls"] = "requests",
        reward: Literal["found", "predicted"] = "found",
        compat: Literal["", "kit"] = "",
        seed: int = 0,
    ) -> None:
        self.n = n
        self.m = m
        self.w = w
        self.pi = pi
        self.theta = theta
        self.alpha = alpha
        self.epsilon = epsilon
        self.b = b
        self.model = model
        self.features = features
        self.time = time
        self.reward = reward
        self.compat = compat
        self.seed = seed
        self._check()
        self.reading = KIT if compat == "kit" else RECOMMENDED
        self.classifier = self._make_classifier()
        self._rng = random.Random(seed)
        self._vectors = PathVectors(
            n=n, m=m, w=w, pi=pi, tf=self.reading.tf, empty=self.reading.empty
        )
        self._groups = Groups(theta=theta)
        self._bandit = Auer(alpha=alpha, epsilon=epsilon)
        self._bags: list[Bag] = []
        self._examples: list[str] = []  # the tag path each group was founded with
        self._founders: list[str] = []  # and the link
        self._hosts: Counter[str] = Counter()  # links waiting in groups
        self._first = Fifo()  # start URLs, then expected targets: asked for before anything else
        self._visits: list[Visit] = []
        self._target_of: dict[str, Visit] = {}  # expected targets -> the visit that showed them
        self._headed: dict[str, Visit] = {}  # HEADs on their way
        self._pulled: dict[str, int] = {}  # GETs on their way -> group
        self._predicted: set[str] = set()  # only kept where only these become labels
        self._requests = 0
        self._pulls = 0

    def _check(self) -> None:
        """Refuse what cannot be run, or would run for ever."""
        check_paths(n=self.n, theta=self.theta)
        if not (0 <= self.alpha < math.inf and 0 < self.epsilon < math.inf):
            raise ConfigError(
                f"alpha={self.alpha}, epsilon={self.epsilon}: both must be finite, >= 0 and > 0."
            )
        if not (0 < self.m < self.w <= MAX_BITS and self.pi > 0):
            raise ConfigError(
                f"m={self.m}, w={self.w}, pi={self.pi}: needed are 0 < m < w <= {MAX_BITS}, pi > 0."
            )
        if self.b < 1 or self.seed < 0:
            raise ConfigError(f"b={self.b}, seed={self.seed}: needed are b >= 1 and seed >= 0.")

    def _make_classifier(self) -> UrlClassifier:
        kit = self.compat == "kit"
        return UrlClassifier(
            model=self.model,
            features=self.features,
            b=self.b,
            late=self.reading.learn_late,
            fold_case=kit,
            seed=KIT_SEED if kit else self.seed,
        )

    def insights(self) -> list[str]:
        """Name the groups that brought most targets per visit."""
        visited = [group for group in range(self._bandit.arms) if self._bandit.pulls(group)]
        best = sorted(visited, key=self._bandit.mean, reverse=True)[:5]
        return [
            f"{self._bandit.mean(group):.2f} targets a page over {self._bandit.pulls(group)} "
            f"visits, {len(self._bags[group])} links left: {self._examples[group]}"
            for group in best
        ]

    def groups(self) -> list[Group]:
        t = self._time()
        made = [
            Group(
                self._name(group),
                self._bandit.score(group, t),
                self._bandit.pulls(group),
                self._bandit.total(group),
                len(self._bags[group]),
                self._founders[group],
            )
            for group in range(self._bandit.arms)
        ]
        # A stable sort: the oldest first among equals, as the bandit chooses.
        return sorted(made, key=lambda group: (not group.waiting, -group.score))

    def group_of(self, url: str) -> str:
        if url in self._target_of:
            return EXPECTED
        if url in self._pulled:
            return self._name(self._pulled[url]) if self._pulled[url] != NO_GROUP else ""
        for group, bag in enumerate(self._bags):
            if any(link.url == url for link in bag):
                return self._name(group)
        return ""

    def _name(self, group: int) -> str:
        return f"group {group} like {self._examples[group]}"

    def _time(self) -> int:
        return self._requests if self.time == "requests" else self._pulls

    # --- choosing -----------------------------------------------------------------------------

    def choose(self, asleep: Collection[str]) -> Choice | None:
        choice = self._first_served(asleep)
        while choice is None and self._visits:
            visit = self._visits[-1]
            if visit.at == len(visit.links):
                self._visits.pop()
                self._close(visit)
            elif not self._sort(visit):
                choice = self._head(visit, asleep)
                if choice is None:
                    break
            else:
                choice = self._first_served(asleep)
        choice = choice or self._pull(asleep)
        self._requests += choice is not None
        return choice

    def _first_served(self, asleep: Collection[str]) -> Choice | None:
        link = self._first.pop(asleep)
        if link is None:
            return None
        why, group = (EXPECTED, EXPECTED) if link.kind else ("start URL", "")
        return Choice(link, why=why, group=group)

    def _sort(self, visit: Visit) -> bool:
        """Sort a visit's links up to the next expected target; False when a HEAD must tell."""
        while visit.at < len(visit.links):
            kind = self._kind(visit)
            if kind is None:
                return False
            link = visit.links[visit.at]
            visit.at += 1
            if kind == "target":
                self._expect(visit, link)
                return True
            if kind == "html":
                self._shelve(link)
        return True

    def _kind(self, visit: Visit) -> Kind | None:
        """Say what the visit's next link leads to; None: not known without a HEAD."""
        if not self.classifier.ready():
            return None
        if self.reading.only_predicted:
            self._predicted.add(visit.links[visit.at].url)
        taken = self.classifier.is_target(visit.links, visit.at)
        return "target" if taken else "html"

    def _expect(self, visit: Visit, link: Link) -> None:
        """Put a expected target first in line."""
        visit.waiting += 1
        visit.reward += self.reward == "predicted"
        self._target_of[link.url] = visit
        self._first.push(link)

    def _shelve(self, link: Link) -> None:
        """Put a expected page into its group."""
        group = self._group(link)
        self._bags[group].push(link)
        self._hosts[link.host] += 1
        self._bandit.wake(group)

    def _group(self, link: Link) -> int:
        group = self._groups.join(*self._vectors.vector(link.tag_path))
        if group == len(self._bags):
            self._bandit.add()
            self._bags.append(Bag(self._rng))
            self._examples.append(link.tag_path)
            self._founders.append(link.url)
        return group

    def _head(self, visit: Visit, asleep: Collection[str]) -> Choice | None:
        """Ask what the visit's next link is, as long as the first batch needs labels."""
        link = visit.links[visit.at]
        if link.host in asleep or not self.classifier.may_head(len(self._headed)):
            return None
        visit.at += 1
        visit.waiting += 1
        self._headed[link.url] = visit
        return Choice(link, "HEAD", why="first labels for the URL classifier")

    def _pull(self, asleep: Collection[str]) -> Choice | None:
        """Choose a group by its score, and a link of it at random."""
        if asleep and all(host in asleep for host in self._hosts):
            return None
        t = self._time()
        best = self._bandit.best(t)
        choice = self._draw(best, asleep) if best is not None else None
        if choice is None and best is not None:
            # Every link of the best group waits for its host: go down the list.
            for group in self._bandit.ranked(t):
                choice = self._draw(group, asleep)
                if choice is not None:
                    break
        return choice

    def _draw(self, group: int, asleep: Collection[str]) -> Choice | None:
        bag = self._bags[group]
        awake = bag.awake(asleep)
        link = bag.pop(asleep)
        if link is None:
            return None
        why = (
            f"{self._name(group)}: {self._bandit.mean(group):.2f} "
            f"targets a page over {self._bandit.pulls(group)} visits; one of {awake} links"
        )
        if not len(bag):
            self._bandit.put_to_sleep(group)
        self._hosts[link.host] -= 1
        if not self._hosts[link.host]:
            del self._hosts[link.host]
        self._pulls += 1
        self._pulled[link.url] = group
        if self.reading.count_failures:
            self._bandit.pull(group)
        return Choice(link, probability=1 / awake, why=why, group=self._name(group))

    # --- learning -----------------------------------------------------------------------------

    def learn(self, outcome: Outcome) -> None:
        if outcome.choice is None:
            for link in outcome.links:
                if not link.kind:
                    self._first.push(link)
            # A sitemap's links are sorted as a page's are, to nobody's credit.
            listed = tuple(link for link in outcome.links if link.kind)
            self._visits.append(Visit(NO_GROUP, listed))
        elif outcome.choice.method == "HEAD":
            self._learn_head(outcome.choice.link, outcome)
        else:
            self._learn_get(outcome.choice.link, outcome)

    def _learn_head(self, link: Link, outcome: Outcome) -> None:
        visit = self._headed.pop(link.url)
        visit.waiting -= 1
        if outcome.is_html or 300 <= outcome.status < 400:
            self.classifier.label(link, target=False)
            self._shelve(link)
        elif outcome.verdict.found:
            self.classifier.label(link, target=True)
            self._expect(visit, link)
        elif not (outcome.status in GONE or 200 <= outcome.status < 300):
            # A server may refuse HEAD, or be unwell: that says nothing of the link.
            self.classifier.no_label()
            self._shelve(link)
        self._close(visit)

    def _learn_get(self, link: Link, outcome: Outcome) -> None:
        self._label(link, outcome)
        visit = self._target_of.pop(link.url, None)
        group = self._pulled.pop(link.url, NO_GROUP)
        if outcome.is_html:
            if visit is not None:
                # A page taken for a target is a visit of its own group (released code).
                group = self._group(link)
                if self.reading.count_failures:
                    self._bandit.pull(group)
            self._visits.append(Visit(group, outcome.links))
        if visit is not None:
            visit.waiting -= 1
            direct = self.reading.through_redirects or outcome.url == link.url
            visit.reward += outcome.verdict.found and direct and self.reward == "found"
            self._close(visit)

    def _label(self, link: Link, outcome: Outcome) -> None:
        if self.reading.only_predicted and (
            link.url not in self._predicted or outcome.url != link.url
        ):
            return
        if outcome.is_html or outcome.verdict.found:
            self.classifier.label(link, target=outcome.verdict.found)

    def _close(self, visit: Visit) -> None:
        """Credit the group once every link of the page is sorted and every target answered."""
        if visit.waiting or visit.at < len(visit.links) or visit.group == NO_GROUP:
            return
        if not self.reading.count_failures:
            self._bandit.pull(visit.group)
        self._bandit.reward(visit.group, visit.reward)
        visit.group = NO_GROUP
