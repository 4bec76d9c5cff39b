"""What was learned: which groups of links led to finds, counted from the journal.

A group is the policy's own (Choice.group); of a policy without groups, the links that it chose
for the same reason. It is credited with the finds among its links, and with those that were
linked from the pages behind them.
"""

from __future__ import annotations

from dataclasses import dataclass

from lodehound.stores.catalogue.find_reads import pages_of_finds
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.log.request_reads import chosen_links

MOST_GROUPS = 20_000  # a policy whose every reason is another has not learned any
SHOWN = 8
ENOUGH = 3  # visits before a group counts as bad


@dataclass(slots=True)
class GroupYield:
    """What the links of one group brought."""

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
    """Groups of links, the best and the worst."""

    best: list[GroupYield]
    worst: list[GroupYield]
    count: int


def learned_of(look: CrawlReader) -> Learned:
    """Return the best and the worst groups of links."""
    ranked = groups_of(look)
    best = [group for group in ranked if group.brought][:SHOWN]
    visits = sum(group.visits for group in ranked)
    mean = sum(group.brought for group in ranked) / visits if visits else 0.0
    # Only what is below the mean is bad: where all brought much, the others are not.
    poor = [group for group in ranked if group.visits >= ENOUGH and group.rate < mean]
    poor = [group for group in poor if group not in best]
    worst = sorted(poor, key=lambda group: (group.rate, -group.visits))[:SHOWN]
    return Learned(best, worst, len(ranked))


def groups_of(look: CrawlReader) -> list[GroupYield]:
    """Count what every group of links brought, the best first."""
    groups: dict[str, GroupYield] = {}
    group_of: dict[int, GroupYield] = {}  # hash of a page -> the group whose link led there
    for row in chosen_links(look):
        name = row["name"]
        if name not in groups and len(groups) >= MOST_GROUPS:
            continue
        url = row["url"]
        group = groups.setdefault(name, GroupYield(name, url, row["title"]))
        group.visits += 1
        group.direct += row["found"]
        group_of[hash(url)] = group
    for row in pages_of_finds(look):
        led = group_of.get(hash(row["found_on"]))
        # One that stands on a page of its own group is counted once.
        if led is not None and led is not group_of.get(hash(row["url"])):
            led.behind += 1
    return sorted(groups.values(), key=lambda group: (-group.rate, -group.visits))
