"""TRES (Kontogiannis et al., arXiv 2112.07620): a tree of waiting links and a double DQN.

What is small here and large there: the BiLSTM that says whether a page or an anchor is
relevant. A page is relevant when the target says so, and P(relevant | anchor) is a logistic
regression over hashed words, begun with the keywords and learned from every page fetched.

Where files are wanted, as in Section 4.3 of the SB paper: pages are relevant that link to
files, the keywords are those of its appendix B.2, links taken for files are asked for at
once, and only pages wait in the tree. In the lab the recorded site says which links are
files, as it did there; elsewhere their extensions do.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lodehound.core.errors import ConfigError
from lodehound.core.file_endings import FILE_ENDINGS
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.core.truth import Truth
from lodehound.core.urls import extension_of
from lodehound.papers.sb_classifier.dqn import DoubleDqn, Experience
from lodehound.papers.sb_classifier.linear import Columns, Sgd
from lodehound.papers.sb_classifier.tree_frontier import Leaf, TreeFrontier
from lodehound.policies.pools import Fifo
from lodehound.read.subject import Subject, data_files
from lodehound.read.text import tokens, url_text

Floats = NDArray[np.float64]
WORDS = 1 << 16  # columns of the classifier of anchors
FOLLOWING = 64  # links of a page that an experience remembers
TRIES = 8  # draws from a leaf before all of it is looked through for a host awake


@dataclass(frozen=True, slots=True)
class Trail:
    """The way to a page: what its links inherit."""

    relevant: bool  # the page itself
    distance: int  # to the last relevant page, 1 from a relevant one
    pages: int  # on the path
    hits: int  # relevant ones among them


NO_TRAIL = Trail(relevant=False, distance=1, pages=0, hits=0)


@dataclass(slots=True)
class Domain:
    """What is known of a host."""

    pages: int = 0
    relevant: int = 0


class Tres(ResumablePolicy):
    """A tree of waiting links and a double DQN over 7 or 9 numbers each.

    Args:
        warmup: Requests during which leaves are drawn at random.
        domains: Add two numbers on the host of a link; for crawls of many hosts.
        gamma: Discount.
        batch: Experiences learned from at once.
        every: Requests from one learning to the next.
        min_samples: Experiences before a leaf is split.
        seed: Seed of the network and of the draws.
        subject: What is looked for, in words.
        truth: In the lab: says which links are files.
    """

    def __init__(
        self,
        *,
        warmup: int = 300,
        domains: bool = False,
        gamma: float = 0.99,
        batch: int = 60,
        every: int = 3,
        min_samples: int = 10,
        seed: int = 0,
        subject: Subject | None = None,
        truth: Truth | None = None,
    ) -> None:
        if warmup < 0 or min(batch, every, min_samples) < 1 or not 0 <= gamma < 1:
            raise ConfigError(
                f"warmup={warmup} is at least 0, batch={batch}, every={every} and "
                f"min_samples={min_samples} at least 1, gamma={gamma} from 0 to below 1."
            )
        self.warmup = warmup
        self.domains = domains
        self.gamma = gamma
        self.batch = batch
        self.every = every
        self.min_samples = min_samples
        self.seed = seed
        self.subject = subject or data_files()
        self.truth = truth
        self._wants_files = subject is None
        self._rng = random.Random(seed)
        self._dqn = DoubleDqn(9 if domains else 7, gamma=gamma, batch=batch, seed=seed)
        self._tree: TreeFrontier[Link] = TreeFrontier(min_samples=min_samples)
        self._first = Fifo()
        self._anchors = Sgd(WORDS, seed=seed)
        self._taken: dict[str, tuple[Floats, Trail]] = {}
        self._trails: dict[str, tuple[Floats, Trail]] = {}  # of links in the tree
        self._hosts: dict[str, Domain] = {}
        self._waiting: Counter[str] = Counter()  # links in the tree, by host
        self._requests = 0
        self._begin_with_keywords()

    def _begin_with_keywords(self) -> None:
        """Train the classifier of anchors on the keywords: anchors with one are relevant."""
        stems = self.subject.stems_of(self.subject.lang)
        rows = [_columns(stems.of(tokens(word))) for word in self.subject.words]
        known = [row for row in rows if len(row)]
        self._anchors.learn([*known, *known], [True] * (2 * len(known)))
        self._keywords = frozenset(
            stem for word in self.subject.words for stem in stems.of(tokens(word))
        )

    # --- choosing -----------------------------------------------------------------------------

    def pick(self, asleep: Collection[str]) -> Choice | None:
        link = self._first.peek(asleep)
        if link is not None:
            return Choice(link, why="taken for a file" if link.kind else "start URL")
        if asleep and all(host in asleep for host in self._waiting):
            return None
        drawn = [(leaf, at) for leaf in self._tree.waiting() for at in self._draw(leaf, asleep)]
        if not drawn:
            return None
        probability = 1.0
        if self._requests < self.warmup:
            chosen = self._rng.randrange(len(drawn))
            probability /= len(drawn)
            why = f"a random one of {len(drawn)} leaves"
        else:
            rows = np.array([leaf.items[at][0] for leaf, at in drawn])
            values = self._dqn.network.predict(rows)
            chosen = int(np.argmax(values))
            value = float(values[chosen])
            why = f"value {value:.2f}, best of one link from each of {len(drawn)} leaves"
        leaf, at = drawn[chosen]
        links = leaf.items
        awake = sum(link.host not in asleep for _, link in links) if asleep else len(links)
        return Choice(leaf.to_end(at), probability=probability / awake, why=why)

    def take(self, choice: Choice) -> None:
        link = choice.link
        self._requests += 1
        known = self._trails.pop(link.url, None)
        if known is None:
            self._first.take(link)
            return
        self._taken[link.url] = known
        self._tree.remove(known[0], lambda other: other.url == link.url)
        self._waiting[link.host] -= 1
        if not self._waiting[link.host]:
            del self._waiting[link.host]

    def _draw(self, leaf: Leaf[Link], asleep: Collection[str]) -> list[int]:
        """Return the place of a random link of a leaf whose host is awake, if there is one."""
        links = leaf.items
        for _ in range(TRIES if asleep else 1):
            at = self._rng.randrange(len(links))
            if links[at][1].host not in asleep:
                return [at]
        awake = [at for at, (_, link) in enumerate(links) if link.host not in asleep]
        return [self._rng.choice(awake)] if awake else []

    # --- learning -----------------------------------------------------------------------------

    def learn(self, outcome: Outcome) -> None:
        if outcome.choice is None:
            self._take_in(outcome.links, NO_TRAIL, starts=True)
            return
        link = outcome.choice.link
        row, above = self._taken.pop(link.url, (None, NO_TRAIL))
        links = outcome.links
        relevant = outcome.verdict.found
        if self._wants_files:
            relevant = any(map(self._is_file, (*links, *outcome.again)))
        domain = self._hosts.setdefault(link.host, Domain())
        domain.pages += 1
        domain.relevant += relevant
        trail = Trail(
            relevant,
            1 if relevant else above.distance + 1,
            above.pages + 1,
            above.hits + relevant,
        )
        following = self._take_in(links, trail)
        if row is not None:
            self._remember(link, row, float(relevant), following)

    def _remember(self, link: Link, row: Floats, reward: float, following: Floats) -> None:
        self._dqn.remember(Experience(row, reward, following))
        self._tree.learn(row, reward)
        stems = self._stems(link.anchor)
        if stems:
            self._anchors.learn([_columns(stems)], [bool(reward)])
        if len(self._dqn) % self.every == 0:
            self._dqn.learn()

    def _take_in(self, links: Sequence[Link], trail: Trail, *, starts: bool = False) -> Floats:
        """Sort links into the tree, or first in line; return what the tree's are known by."""
        waiting: list[Link] = []
        for link in links:
            if (starts and not link.kind) or (self._wants_files and self._is_file(link)):
                self._first.push(link)
            else:
                waiting.append(link)
        if not waiting:
            return np.zeros((0, 9 if self.domains else 7))
        rows = self._rows(waiting, trail)
        for link, row in zip(waiting, rows, strict=True):
            self._trails[link.url] = row, trail
            self._tree.push(row, link)
            self._waiting[link.host] += 1
        return np.unique(rows, axis=0)[:FOLLOWING]

    def _is_file(self, link: Link) -> bool:
        if self.truth is not None:
            return self.truth.kind(link.url) == "target"
        return extension_of(link.url)[1:] in FILE_ENDINGS

    def _rows(self, links: Sequence[Link], trail: Trail) -> Floats:
        """Describe links by the way to them and by their words (TRES, Sec. 4)."""
        way = [
            float(trail.relevant),
            1 / max(trail.distance, 1),
            trail.hits / max(trail.pages, 1),
        ]
        rows = []
        for link in links:
            own = self._stems(link.anchor)
            address = self._stems(url_text(link.url))
            row = [
                *way,
                float(not self._keywords.isdisjoint(address)),
                float(not self._keywords.isdisjoint(own)),
                float(self.subject.names(frozenset(own), tokens(link.anchor), self.subject.lang)),
                round(self._chance(own), 2),
            ]
            if self.domains:
                host = self._hosts.get(link.host)
                row += [0.5, 1.0] if host is None else [host.relevant / max(host.pages, 1), 0.0]
            rows.append(row)
        return np.array(rows)

    def _stems(self, text: str) -> list[str]:
        return self.subject.stems_of(self.subject.lang).of(tokens(text))

    def _chance(self, stems: Sequence[str]) -> float:
        """Return P(relevant | anchor)."""
        products = np.array([self._anchors.weights[_columns(stems)].sum()])
        score = float(np.clip(self._anchors.score(products)[0], -30, 30))
        return float(1 / (1 + np.exp(-score)))


def _columns(stems: Sequence[str]) -> Columns:
    """Hash words to columns; crc32, because Python's own hash is another one every day."""
    return np.array([zlib.crc32(stem.encode()) % WORDS for stem in stems], dtype=np.int64)
