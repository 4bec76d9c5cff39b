"""Anthelion, written from the paper's text alone (Sec. 3.1 and 3.2): every host is scored anew.

The paper takes its naive Bayes from a library and does not print it; here it is Bayes' rule with
chances shrunk towards the share of relevant pages, as docs/research/anthelion.md says.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable

from lodehound.core.messages import Outcome

K = 10_000  # hashes
MANY = (1, 2, 3, 5, 10)  # the number of relevant parents, as columns

Score = Callable[[int, int, float], float]  # of good pages, bad pages, and the best waiting page
SCORES: dict[str, Score] = {
    "neg-bad": lambda good, bad, best: -bad,
    "best": lambda good, bad, best: best,
    "success": lambda good, bad, best: (good + 1) / (bad + 1),
    "good-x-best": lambda good, bad, best: good * best,
    "success-x-best": lambda good, bad, best: (good + 1) / (bad + 1) * best,
}


class Anthelion:
    """The books of a crawl; says which hosts and pages may be next."""

    def __init__(self, score: str, features: str) -> None:
        self.score, self.features = SCORES[score], features
        self.good, self.bad = Counter[str](), Counter[str]()
        self.waiting = defaultdict[str, dict[str, float]](dict)  # by host: page -> confidence
        self.parents = Counter[str]()  # relevant pages that link to a page
        self.pages = Counter[bool]()  # by label
        self.seen = Counter[tuple[str, bool]]()  # of a feature, by label

    def hosts(self) -> list[str]:
        """Return the hosts with the highest score, of those where a page waits."""
        scores = {
            host: self.score(self.good[host], self.bad[host], max(pages.values()))
            for host, pages in self.waiting.items()
            if pages
        }
        return [host for host, score in scores.items() if score > max(scores.values()) - 1e-9]

    def pages_of(self, host: str) -> list[str]:
        best = max(self.waiting[host].values())
        return [page for page, sure in self.waiting[host].items() if sure > best - 1e-9]

    def learn(self, outcome: Outcome, number: int) -> None:
        """Take in a crawled page: reward, feedback, and the links that it shows."""
        url, relevant = outcome.url, outcome.verdict.found
        host = host_of(url)
        (self.good if relevant else self.bad)[host] += 1
        del self.waiting[host][url]
        self.pages[relevant] += 1
        for feature in self.described(url):
            self.seen[feature, relevant] += 1
        shown = {link.url for link in (*outcome.links, *outcome.again)}
        more = {page for page in shown if relevant and self.parents[page] + 1 in MANY}
        self.parents.update(page for page in shown if relevant)
        new = {link.url for link in outcome.links}
        for page in shown:
            waits = page in self.waiting[host_of(page)]
            if page in new or (waits and page in more and self.features != "a"):
                self.waiting[host_of(page)][page] = self.confidence(page)

    def described(self, url: str) -> set[str]:
        """Return the features of a page that is not crawled yet (Sec. 3.1)."""
        found = set[str]()
        if self.features != "b":
            for token in re.split(r"[^a-z0-9]+", url.split("/", 3)[3]):
                word = "[NUMBER]" if token.isdigit() else token
                if len(word) >= 3:
                    found.add(f"token {hashed(word)}")
        if self.features != "a":
            found |= {f"parents {many}" for many in MANY if self.parents[url] >= many}
        return found

    def confidence(self, url: str) -> float:
        """Return P(relevant | features) by Bayes' rule under independence."""
        share = (self.pages[True] + 1) / (self.pages.total() + 2)
        odds = base = share / (1 - share)
        for feature in self.described(url):
            yes, no = self.seen[feature, True] + share, self.seen[feature, False] + 1 - share
            odds *= yes / no / base
        return odds / (1 + odds)


def hashed(token: str) -> int:
    """Return Equation 1 with its footnote: Java's hashCode of the token, in k parts."""
    value: int = sum(ord(sign) * 31**at for at, sign in enumerate(reversed(token))) % 2**32
    return abs(value - 2**32 if value >= 2**31 else value) % K


def host_of(url: str) -> str:
    return url.split("/")[2]


def share_of_random(explore: float, m: int, t: int) -> float:
    """Return the decaying lambda of Sec. 3.2; rounds are counted from 1 (Algorithm 1)."""
    return explore * m / (t + m)


def is_close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
