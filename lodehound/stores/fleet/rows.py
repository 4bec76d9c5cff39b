"""What a fleet's database says of sites, leases and totals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lodehound.core.errors import ConfigError, LodehoundError
from lodehound.text.shell import quoted


class NoFleetError(ConfigError):
    """There is no fleet in a place."""

    def __init__(self, place: str, *, is_crawl: bool = False) -> None:
        word = quoted(place)
        super().__init__(
            f"{place!r} is a crawl, not a fleet: use 'lodehound status {word}' and the like."
            if is_crawl
            else f"There is no fleet in {place!r}: "
            f"start one with 'lodehound fleet SITES.txt --out {word}'."
        )


class LeaseLostError(LodehoundError):
    """Another worker holds the site: nothing more may be asked or written."""


@dataclass(frozen=True, slots=True)
class FleetSite:
    """One site of a fleet, and how it stands."""

    number: int
    name: str
    start: str
    options: str  # JSON
    team: int
    state: str  # waiting, running, ended, failed
    reason: str
    detail: str
    requests: int
    finds: int
    bytes: int
    drought: int
    links: int
    per_minute: float
    obstacle: str
    granted: int | None
    rounds: int = 1  # that its crawl should have
    idle: int = 0  # it is a part of a divided crawl and waits for links

    @property
    def urls(self) -> list[str]:
        return [word for word in self.start.split() if "://" in word]


class SiteFigures(NamedTuple):
    """What a site has used and brought so far."""

    number: int
    requests: int
    finds: int
    granted: int | None
    active: bool  # it can use more
    lost: bool  # workers died over it, and it may have made more requests than are known


@dataclass(frozen=True, slots=True)
class FleetTotals:
    """The figures of all sites together."""

    states: Mapping[str, int]  # number of sites
    requests: int
    finds: int
    bytes: int
    per_minute: float

    @property
    def sites(self) -> int:
        return sum(self.states.values())


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to crawl the sites of one team."""

    team: int
    worker: str
    epoch: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How a running site stands."""

    requests: int
    finds: int
    bytes: int
    drought: int
    links: int
    per_minute: float
    obstacle: str
    idle: bool = False
    # Of a part, since it was last told: the last records for other parts, and those of them taken.
    sent: Mapping[int, int] = field(default_factory=dict)
    taken: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewSite:
    """A site as the list has it."""

    name: str
    start: str
    options: str
    team: int


def progress_row(number: int, now: Progress) -> tuple[object, ...]:
    return (
        now.requests, now.finds, now.bytes, now.drought, now.links, now.per_minute, now.obstacle,
        now.idle, now.idle, now.requests, number,
    )  # fmt: skip
