"""Rounds over a timeline: a crawl comes back at every snapshot for what is new or changed.

The first round is exhaustive. A file is *wanted* from the snapshot in which a version of it
appeared that an exhaustive crawl reaches, until that version or a later one is fetched.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from lodehound.core.errors import ConfigError
from lodehound.core.history import History
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget
from lodehound.core.target import Target
from lodehound.drivers.replay import replay
from lodehound.lab.floor import SHARE, floor_requests, most_finds
from lodehound.lab.race import (
    RaceEntry,
    RaceOptions,
    given_starts,
    in_processes,
    race_scope,
    seeds_of,
    target_of,
)
from lodehound.lab.site_truth import survey
from lodehound.registry import make_policy
from lodehound.registry import parse as parse_spec
from lodehound.stores.site import RecordedSite
from lodehound.stores.timeline import Timeline, moment, open_timeline

DAY = 86400.0
LEAST = 3  # wanted files that a round needs to be counted in a table


@dataclass(frozen=True, slots=True)
class RoundBudget:
    """The most requests of a round: a number, or a share of the URLs there were before it.

    These are the URLs that an exhaustive crawl of the snapshot before gets an answer from, so that
    every policy has the same budget.
    """

    requests: int | None = None
    share: float | None = None

    @classmethod
    def parse(cls, text: str) -> RoundBudget:
        """Read ``--budget``: ``5%`` or ``200``; "" is no limit.

        >>> RoundBudget.parse("5%")
        RoundBudget(requests=None, share=0.05)
        """
        try:
            if not text:
                return cls()
            if text.endswith("%"):
                share = float(text[:-1]) / 100
                if 0 < share <= 1:
                    return cls(share=share)
            elif int(text) > 0:
                return cls(requests=int(text))
        except ValueError:
            pass
        raise ConfigError(f"--budget {text!r} is not understood: write 5% or 200.")

    def of(self, urls: int) -> Budget:
        """Return the budget of a round before which there were so many URLs."""
        if self.share is None:
            return Budget(requests=self.requests)
        return Budget(requests=max(math.ceil(self.share * urls), 1))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a timeline holds at one of its dates, and what is new there."""

    site: RecordedSite
    scope: Scope
    date: str
    time: float  # in days
    recrawl_requests: int
    urls: int  # that answer
    wanted: dict[str, str]  # new and changed files since the one before: digests by URL
    held: frozenset[str]  # files that an exhaustive crawler knows from those before
    known: frozenset[int]  # numbers of the pages it knows from them
    pages: Sequence[int]  # numbers of the pages it reaches here
    floor: float

    def most_finds(
        self, wanted: Iterable[str], held: Container[str], requests: int
    ) -> tuple[list[str], list[str]]:
        """Return the wanted files that so many requests may find, and all that are seen then."""
        site = self.site
        there = [url for url in wanted if site.status[site.number(url)] < 400]
        return most_finds(site, there, held, self.known, self.pages, requests=requests)


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One line of ``--rounds --json``. The names are a contract."""

    site: str
    policy: str
    params: dict[str, str]
    seed: int
    budget: str
    round: int
    snapshot: str
    wanted: int  # files that are new or changed by then, and not yet fetched as they are
    found: int
    requests: int
    requests_to_90: int | None
    recrawl_requests: int
    found_same_round: int  # of those that appeared in this round
    appeared: int
    mean_delay: float  # rounds until what appeared here was found; never: the rounds left
    ever_found: int  # of what appeared here
    floor_requests: float
    best_same_round: int  # as above, by a crawler that knows what is new
    best_mean_delay: float
    best_ever_found: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class BestRound:
    """What a crawler that knows what is new could do with the budget of a round."""

    same_round: int  # files found of those that appeared in this round, if only these count
    mean_delay: float  # of those that appeared in this round, if as many as possible are found
    ever_found: int


@dataclass(slots=True)
class _Round:
    """One round as it goes; what it brought is known when the last round has ended."""

    number: int
    snapshot: Snapshot
    wanted: int = 0
    requests: int = 0
    found_at: list[int] = field(default_factory=list)
    delays: list[int] = field(default_factory=list)  # of the files that appeared here, if found


@dataclass(frozen=True, slots=True)
class TimelineRun:
    """A policy on a timeline with a seed."""

    label: str
    rows: list[RoundRow]
    found_at: list[list[int]]  # requests at which each round found something

    @property
    def site(self) -> str:
        return self.rows[0].site

    @property
    def budget(self) -> str:
        return self.rows[0].budget


class _Wanted:
    """Files that are wanted, and since which rounds."""

    def __init__(self) -> None:
        self._since: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._since)

    def __iter__(self) -> Iterator[str]:
        return iter(self._since)

    def appear(self, files: Iterable[str], number: int) -> None:
        for url in files:
            self._since.setdefault(url, []).append(number)

    def fetch(self, url: str) -> list[int]:
        """Return the rounds in which the versions appeared that are fetched now."""
        return self._since.pop(url, [])


def race_rounds(
    sites: Sequence[tuple[Path, ...]],
    policies: Sequence[str],
    *,
    seeds: int = 1,
    jobs: int = 1,
    options: RaceOptions | None = None,
    budget: str = "",
) -> Iterator[TimelineRun]:
    """Run every policy through every timeline with every seed; yield runs as they finish.

    Args:
        sites: Each the file of one timeline.
        policies: As written on the command line.
        seeds: Random seeds 0, 1, ...; a policy without a seed runs once.
        jobs: Number of processes.
        options: What is the same for every run.
        budget: Most requests of a round but the first: ``5%`` or ``200``, or several of these
            with commas; "" for no limit.
    """
    options = options or RaceOptions()
    limits = {text: RoundBudget.parse(text) for text in map(str.strip, budget.split(","))}
    plans = [(policy, seed) for policy in policies for seed in seeds_of(policy, seeds)]
    tasks = [
        partial(run_rounds, RaceEntry(site, policy, seed), options, limit, written=text)
        for site in sites
        for text, limit in limits.items()
        for policy, seed in plans
    ]
    yield from in_processes(tasks, jobs)


def run_rounds(
    entry: RaceEntry, options: RaceOptions, budget: RoundBudget, *, written: str = ""
) -> TimelineRun:
    """Run a policy through all snapshots of a timeline."""
    timeline, target, snapshots = prepared_timeline(entry.site, options)
    spec = parse_spec("policy", entry.policy)
    history, wanted, rounds = History(), _Wanted(), list[_Round]()
    for number, snapshot in enumerate(snapshots):
        wanted.appear(snapshot.wanted, number)
        rounds.append(_Round(number, snapshot, len(wanted)))
        history.begin_round(snapshot.time)
        _, steps = replay(
            snapshot.site,
            policy=make_policy(spec, seed=entry.seed, given=options.topic.of_policy(target)),
            target=target,
            starts=options.starts,
            scope=snapshot.scope,
            budget=budget.of(snapshots[number - 1].urls) if number else None,
            history=history,
        )
        for step in steps:
            rounds[-1].requests += 1
            since = wanted.fetch(step.url) if step.found else []
            if since:
                rounds[-1].found_at.append(rounds[-1].requests)
            for first in since:
                rounds[first].delays.append(number - first)
    best = best_rounds(entry.site, options, budget)
    rows = [_row(entry, timeline.name, written, one, best) for one in rounds]
    return TimelineRun(entry.policy, rows, [one.found_at for one in rounds])


def _row(
    entry: RaceEntry, site: str, budget: str, one: _Round, best: Sequence[BestRound]
) -> RoundRow:
    spec = parse_spec("policy", entry.policy)
    needed = math.ceil(SHARE * one.wanted - 1e-9)
    reached = needed and len(one.found_at) >= needed
    return RoundRow(
        site=site,
        policy=spec.name,
        params=spec.params,
        seed=entry.seed,
        budget=budget,
        round=one.number,
        snapshot=one.snapshot.date,
        wanted=one.wanted,
        found=len(one.found_at),
        requests=one.requests,
        requests_to_90=one.found_at[needed - 1] if reached else None,
        recrawl_requests=one.snapshot.recrawl_requests,
        found_same_round=one.delays.count(0),
        appeared=len(one.snapshot.wanted),
        mean_delay=_mean_delay(one, len(best)),
        ever_found=len(one.delays),
        floor_requests=one.snapshot.floor,
        best_same_round=best[one.number].same_round,
        best_mean_delay=best[one.number].mean_delay,
        best_ever_found=best[one.number].ever_found,
    )


def _mean_delay(one: _Round, rounds: int) -> float:
    """Return after how many rounds files were found; what never was counts the rounds left."""
    appeared = len(one.snapshot.wanted)
    missed = appeared - len(one.delays)
    delays = sum(one.delays) + missed * (rounds - one.number)
    return delays / appeared if appeared else 0.0


@lru_cache(maxsize=8)  # one for each budget
def best_rounds(
    paths: tuple[Path, ...], options: RaceOptions, budget: RoundBudget
) -> Sequence[BestRound]:
    """Find out what a crawler that knows what is new could do with a budget."""
    _, _, snapshots = prepared_timeline(paths, options)
    rounds = [_Round(0, snapshots[0], delays=[0] * len(snapshots[0].wanted))]
    same_round = [len(snapshots[0].wanted)]
    wanted, seen = _Wanted(), set(snapshots[0].wanted)
    for number, (before, now) in enumerate(pairwise(snapshots), start=1):
        rounds.append(_Round(number, now))
        wanted.appear(now.wanted, number)
        requests = budget.of(before.urls).requests or now.recrawl_requests
        same_round.append(len(now.most_finds(now.wanted, now.held, requests)[0]))
        found, shown = now.most_finds(wanted, seen, requests)
        seen.update(shown)
        for url in found:
            for first in wanted.fetch(url):
                rounds[first].delays.append(number - first)
    return [
        BestRound(most, _mean_delay(one, len(snapshots)), len(one.delays))
        for most, one in zip(same_round, rounds, strict=True)
    ]


@lru_cache(maxsize=1)  # runs come timeline by timeline
def prepared_timeline(
    paths: tuple[Path, ...], options: RaceOptions
) -> tuple[Timeline, Target, Sequence[Snapshot]]:
    """Open a timeline and find out what is new in each of its snapshots."""
    if len(paths) != 1:
        raise ConfigError("--rounds needs timelines of one file each.")
    target = target_of(options)
    if target.needs_body:
        raise ConfigError(f"--rounds looks for files: {options.want!r} looks into pages.")
    timeline = open_timeline(paths[0], cache=options.cache)
    return timeline, target, list(_snapshots(timeline, target, options))


def _snapshots(timeline: Timeline, target: Target, options: RaceOptions) -> Iterator[Snapshot]:
    held: dict[str, str] = {}  # the version of every file that was reachable last
    reached: set[int] = set()  # numbers of URLs that an exhaustive crawler knows
    for number, date in enumerate(timeline.dates):
        site = timeline.at(number)
        starts = given_starts(site, options)
        scope = race_scope(site, target, options)
        truth = survey(site, target=target, starts=starts, scope=scope)
        now = {url: site.digests[site.number(url)] for url in truth.found}
        wanted = {url: digest for url, digest in now.items() if held.get(url) != digest}
        known = reached or {site.number(url) for url in starts}
        yield Snapshot(
            site=site,
            scope=scope,
            date=date,
            time=moment(date).timestamp() / DAY,
            recrawl_requests=truth.requests_total,
            urls=len(now) + int((site.status[truth.pages] < 400).sum()),
            wanted=wanted,
            held=frozenset(held),
            known=frozenset(reached),
            pages=truth.pages,
            floor=floor_requests(site, wanted, held, known, truth.pages),
        )
        held.update(now)
        reached.update(truth.pages)
