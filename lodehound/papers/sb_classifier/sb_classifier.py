"""SB-CLASSIFIER (EDBT 2026): a sleeping bandit over groups of tag paths, and a URL classifier.

The recursion of the paper's Algorithm 4 (a link taken for a target is fetched
at once, in the middle of its page) becomes a stack of visits: the top visit's
links are classified in document order up to the next expected target, which is
the next choice; when no visit has links left, the bandit chooses a group.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Group, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.core.truth import Kind
from lodehound.learn.paths import PathVectors
from lodehound.papers.sb_classifier.bandits import Auer, RunningMean
from lodehound.papers.sb_classifier.linear import ModelName
from lodehound.papers.sb_classifier.readings import AS_PRINTED, READINGS, Compat
from lodehound.papers.sb_classifier.tag_path_groups import NO_GROUP, TagPathGroups
from lodehound.papers.sb_classifier.training_limits import check_hash, check_paths
from lodehound.papers.sb_classifier.url_classifier import FeatureName, UrlClassifier
from lodehound.policies.pools import Fifo

EXPECTED = "taken for a target"  # links that are asked for before any group's
GONE = {404, 410}
KIT_SEED = 42  # of the released code's classifier
SHOWN = {"a", "area", "iframe", "frame"}  # edges of the paper's graph (Sec. 2.2; frame: the code's)


@dataclass(slots=True)
class Visit:
    """A page whose links are being classified; its reward goes to the group it came from."""

    group: int
    links: tuple[Link, ...]
    at: int = 0
    waiting: int = 0  # expected targets of this page that have no answer yet
    reward: float = 0.0
    within: Visit | None = None  # the visit that waits until this one is over


class SbClassifier(ResumablePolicy):
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
        time: What t counts in the bandit's score: requests, pulls, or gets as in Algorithm 4.
        reward: Count targets found, or targets predicted as in Algorithm 4.
        edges: Links of all kinds, or only those that a page shows, as in the paper.
        compat: "" for the recommended reading, kit for the released local crawler, paper for
            the algorithms as printed.
        seed: Seed of the draw within a group.
    """

    uses_head = True
    drops = (
        "links whose HEAD says they are gone, or neither page nor target (Sec. 3.3); with "
        "edges=shown, those that no page shows"
    )
    as_printed = AS_PRINTED

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
        time: Literal["requests", "pulls", "gets"] = "requests",
        reward: Literal["found", "predicted"] = "found",
        edges: Literal["all", "shown"] = "all",
        compat: Compat = "",
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
        self.edges = edges
        self.compat = compat
        self.seed = seed
        self._check()
        self.reading = READINGS[compat]
        self.classifier = self._make_classifier()
        bandit = RunningMean if self.reading.running_mean else Auer
        self._groups = TagPathGroups(
            vectors=PathVectors(n=n, m=m, w=w, pi=pi, tf=self.reading.tf, empty=self.reading.empty),
            theta=theta,
            bandit=bandit(alpha=alpha, epsilon=epsilon),
            rng=random.Random(seed),
        )
        self._first = Fifo()  # start URLs, then expected targets: asked for before anything else
        self._visits: list[Visit] = []
        self._target_of: dict[str, Visit] = {}  # expected targets -> the visit that showed them
        self._headed: dict[str, Visit] = {}  # HEADs on their way
        self._pulled: dict[str, int] = {}  # GETs on their way -> group
        self._predicted: set[str] = set()  # only kept where only these become labels
        # Requests of an earlier run that this policy would have made later, if at all:
        self._taken: set[str] = set()  # GETs of links that are not sorted yet
        self._known_heads: set[str] = set()  # HEADs
        self._counts = {"requests": 0, "pulls": 0, "gets": 0}

    def _check(self) -> None:
        """Refuse what cannot be run, or would run for ever."""
        check_paths(n=self.n, theta=self.theta)
        if not (0 <= self.alpha < math.inf and 0 < self.epsilon < math.inf):
            raise ConfigError(
                f"alpha={self.alpha}, epsilon={self.epsilon}: both must be finite, >= 0 and > 0."
            )
        check_hash(m=self.m, w=self.w, pi=self.pi)
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
        return self._groups.best(5)

    def groups(self) -> list[Group]:
        return self._groups.ranked(self._time())

    def group_of(self, url: str) -> str:
        if url in self._target_of:
            return EXPECTED
        if url in self._pulled:
            return self._groups.name(self._pulled[url])
        return self._groups.name_of(url)

    def _time(self) -> int:
        return self._counts[self.time]

    # --- choosing -----------------------------------------------------------------------------

    def pick(self, asleep: Collection[str]) -> Choice | None:
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
        return choice or self._groups.pick(asleep, self._time())

    def _first_served(self, asleep: Collection[str]) -> Choice | None:
        link = self._first.peek(asleep)
        if link is None:
            return None
        why, group = (EXPECTED, EXPECTED) if link.kind else ("start URL", "")
        return Choice(link, why=why, group=group)

    def _sort(self, visit: Visit) -> bool:
        """Sort a visit's links up to the next expected target; False when a HEAD must tell."""
        while visit.at < len(visit.links):
            link = visit.links[visit.at]
            if link.url in self._taken:
                self._taken.remove(link.url)
                visit.at += 1
                continue
            kind = self._kind(visit)
            if kind is None and link.url in self._known_heads:
                kind = "html"  # no second HEAD is possible
            if kind is None:
                return False
            visit.at += 1
            if kind == "target":
                self._expect(visit, link)
                return True
            if kind == "html":
                self._groups.push(link)
        return True

    def _kind(self, visit: Visit) -> Kind | None:
        """Return what the visit's next link leads to; None if only a HEAD can tell."""
        if not self.classifier.train_if_due():
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

    def _head(self, visit: Visit, asleep: Collection[str]) -> Choice | None:
        """Ask what the visit's next link is, as long as the first batch needs labels."""
        link = visit.links[visit.at]
        if link.host in asleep or not self.classifier.may_head(len(self._headed)):
            return None
        return Choice(link, "HEAD", why="first labels for the URL classifier")

    # --- taking -------------------------------------------------------------------------------

    def take(self, choice: Choice) -> None:
        self._counts["requests"] += 1
        self._counts["gets"] += choice.method == "GET"
        if choice.method == "HEAD":
            self._take_head(choice.link)
        elif not self._take_sorted(choice.link):
            # An earlier run chose it before this policy has sorted it.
            self._sort_all()
            if not self._take_sorted(choice.link):
                self._take_unsorted(choice.link)

    def _take_head(self, link: Link) -> None:
        visit = self._visits[-1] if self._visits else Visit(NO_GROUP, ())
        if [one.url for one in visit.links[visit.at : visit.at + 1]] != [link.url]:
            self._known_heads.add(link.url)
            return
        visit.at += 1
        visit.waiting += 1
        self._headed[link.url] = visit

    def _take_sorted(self, link: Link) -> bool:
        """Remove a start URL, an expected target or a link of a group; False if it is neither."""
        if link.url in self._target_of or not link.kind:
            self._first.take(link)
            return True
        group = self._groups.take(link)
        if group == NO_GROUP:
            return False
        self._pull(link, group)
        return True

    def _pull(self, link: Link, group: int) -> None:
        self._counts["pulls"] += 1
        self._pulled[link.url] = group
        if self.reading.count_failures:
            self._groups.bandit.pull(group)

    def _sort_all(self) -> None:
        """Sort all links that can be sorted without a HEAD."""
        while self._visits and self.classifier.train_if_due():
            visit = self._visits[-1]
            while visit.at < len(visit.links):
                if not self._sort(visit):
                    return
            self._visits.pop()
            self._close(visit)

    def _take_unsorted(self, link: Link) -> None:
        """Skip a link when its page is sorted; the visit of that page gets the reward."""
        self._taken.add(link.url)
        shown = (v for v in self._visits if any(one.url == link.url for one in v.links[v.at :]))
        visit = self._headed.get(link.url) or next(shown, None)
        if visit is None:  # it was dropped
            self._pull(link, self._groups.join(link))
        else:
            visit.waiting += 1
            self._target_of[link.url] = visit

    # --- learning -----------------------------------------------------------------------------

    def learn(self, outcome: Outcome) -> None:
        if outcome.choice is None:
            for link in outcome.links:
                if not link.kind:
                    self._first.push(link)
            # A sitemap's links are sorted as a page's are, to nobody's credit.
            self._visits.append(Visit(NO_GROUP, self._followed(outcome)))
        elif outcome.choice.method == "HEAD":
            self._learn_head(outcome.choice.link, outcome)
        else:
            self._learn_get(outcome.choice.link, outcome)

    def _followed(self, outcome: Outcome) -> tuple[Link, ...]:
        kept = (link for link in outcome.links if link.kind)
        return tuple(link for link in kept if self.edges == "all" or link.kind in SHOWN)

    def _learn_head(self, link: Link, outcome: Outcome) -> None:
        visit = self._headed.pop(link.url, None)
        kind = self._label_head(link, outcome)
        if visit is None:  # an earlier run asked it; the link is in another place
            return
        visit.waiting -= 1
        if link.url in self._taken:
            self._taken.remove(link.url)
        elif kind == "target":
            self._expect(visit, link)
        elif kind == "html":
            self._groups.push(link)
        self._close(visit)

    def _label_head(self, link: Link, outcome: Outcome) -> Kind:
        """Learn what a HEAD says of a link; return what the link is taken for."""
        moved = 300 <= outcome.status < 400
        if outcome.is_html or (moved and ("html" in outcome.mime or not self.reading.withdraw)):
            self.classifier.label(link, target=False)
            return "html"
        if outcome.verdict.found:
            self.classifier.label(link, target=True)
            return "target"
        if self.reading.withdraw or outcome.status in GONE or 200 <= outcome.status < 300:
            return "neither"
        # A server may refuse HEAD, or be unwell: that says nothing of the link.
        self.classifier.no_label()
        return "html"

    def _learn_get(self, link: Link, outcome: Outcome) -> None:
        self._counts["gets"] += outcome.url != link.url  # the request at the end of its redirects
        self._label(link, outcome)
        visit = self._target_of.pop(link.url, None)
        group = self._pulled.pop(link.url, NO_GROUP)
        links = self._followed(outcome)
        if outcome.is_html:
            self._visits.append(self._visit(link, links, group, visit))
        elif links:
            # A file may list others. They are classified like those of a page, without a reward.
            self._visits.append(Visit(NO_GROUP, links))
        elif self.reading.running_mean and 300 <= outcome.status < 400 and group != NO_GROUP:
            self._groups.bandit.reward(group, 0.0)  # it leads to what is known: the end of Alg. 4
        if visit is not None:
            direct = self.reading.through_redirects or outcome.url == link.url
            visit.reward += outcome.verdict.found and direct and self.reward == "found"
            if not (outcome.is_html and self.reading.credit_chosen):
                visit.waiting -= 1
                self._close(visit)

    def _visit(self, link: Link, links: tuple[Link, ...], group: int, shown: Visit | None) -> Visit:
        """Return the visit of a page; ``shown``: of the page that showed it as a target."""
        if shown is None:
            return Visit(group, links)
        if self.reading.credit_chosen:  # the recursion of Algorithm 4: it ends before its page
            return Visit(shown.group, links, within=shown)
        # A page taken for a target is a visit of its own group (released code).
        group = self._groups.join(link)
        if self.reading.count_failures:
            self._groups.bandit.pull(group)
        return Visit(group, links)

    def _label(self, link: Link, outcome: Outcome) -> None:
        if self.reading.only_predicted and (
            link.url not in self._predicted or outcome.url != link.url
        ):
            return
        if outcome.is_html or outcome.verdict.found:
            labelled = link._replace(url=outcome.url) if self.reading.label_end else link
            self.classifier.label(labelled, target=outcome.verdict.found)

    def _close(self, visit: Visit) -> None:
        """Credit the group once every link of the page is sorted and every target answered."""
        if visit.waiting or visit.at < len(visit.links):
            return
        group, visit.group = visit.group, NO_GROUP
        if group != NO_GROUP:
            if not self.reading.count_failures:
                self._groups.bandit.pull(group)
            self._groups.bandit.reward(group, visit.reward)
        within, visit.within = visit.within, None
        if within is not None:
            within.waiting -= 1
            self._close(within)
