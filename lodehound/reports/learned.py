"""What was learned: which kinds of links led to finds, counted from the journal.

A policy gives a reason with every choice; what stands before its first ": " names the kind
of link (SB-CLASSIFIER: the group of tag paths). A kind is credited with the
finds that were linked from the pages it brought, and with those it brought itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from lodehound.stores.crawl_dir.events import plain
from lodehound.stores.crawl_dir.look import Look

CHOSEN = """
    SELECT asks.url, why, found, title FROM asks JOIN answers USING (number)
    WHERE method = 'GET' AND sent ORDER BY asks.number"""
MOST_KINDS = 20_000  # a policy whose every reason is another has not learned any
SHOWN = 8
ENOUGH = 3  # visits before a kind counts as bad


@dataclass(slots=True)
class Kind:
    """Links that were chosen for the same reason."""

    name: str
    example: str
    title: str  # of the page behind the example
    visits: int = 0
    direct: int = 0  # finds among the links themselves
    behind: int = 0  # finds linked from the pages that the links led to

    @property
    def brought(self) -> int:
        return self.direct + self.behind

    @property
    def rate(self) -> float:
        return self.brought / self.visits


@dataclass(frozen=True, slots=True)
class Learned:
    """Kinds of links, the best and the worst."""

    best: list[Kind]
    worst: list[Kind]
    count: int


def learned_of(look: Look) -> Learned:
    """Count what every kind of link brought."""
    kinds: dict[str, Kind] = {}
    kind_of: dict[int, Kind] = {}  # hash of a page -> the kind of link that led there
    for row in look.rows(CHOSEN):
        name = plain(row["why"]).partition(": ")[0]
        if name not in kinds and len(kinds) >= MOST_KINDS:
            continue
        url = plain(row["url"])
        kind = kinds.setdefault(name, Kind(name, url, plain(row["title"])))
        kind.visits += 1
        kind.direct += row["found"]
        kind_of[hash(url)] = kind
    for row in look.rows("SELECT url, found_on FROM finds"):
        led = kind_of.get(hash(plain(row["found_on"])))
        # One that stands on a page of its own kind is counted once.
        if led is not None and led is not kind_of.get(hash(plain(row["url"]))):
            led.behind += 1
    ranked = sorted(kinds.values(), key=lambda kind: (-kind.rate, -kind.visits))
    best = [kind for kind in ranked if kind.brought][:SHOWN]
    visits = sum(kind.visits for kind in ranked)
    mean = sum(kind.brought for kind in ranked) / visits if visits else 0.0
    # Only what is below the mean is bad: where all brought much, the others are not.
    poor = [kind for kind in ranked if kind.visits >= ENOUGH and kind.rate < mean]
    poor = [kind for kind in poor if kind not in best]
    worst = sorted(poor, key=lambda kind: (kind.rate, -kind.visits))[:SHOWN]
    return Learned(best, worst, len(kinds))
