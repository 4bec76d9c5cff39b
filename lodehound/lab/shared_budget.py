"""Compares ways to share one budget of requests between recorded sites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from lodehound.drivers.replay import replay, scope_of
from lodehound.lab.race import RaceOptions
from lodehound.learn.shares import SharedBudget, SiteStanding
from lodehound.registry import make_policy, make_target, parse
from lodehound.stores.cache import open_site, site_name
from lodehound.stores.verdicts import judged

Found = list[NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class FleetRow:
    """One way to share, with one seed. The names are a contract."""

    way: str  # equal, shared, best
    seed: int
    sites: int
    requests: int
    finds: int
    times_equal: float
    per_site: dict[str, tuple[int, int]]  # requests and finds

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def race_fleet(
    sites: Sequence[tuple[Path, ...]],
    policy: str,
    *,
    total: int,
    seeds: int,
    options: RaceOptions,
) -> Iterator[FleetRow]:
    """Crawl all sites with one budget: equal shares, shares by yield, and the best possible.

    Equal shares hand on what an exhausted site leaves over. The best possible knows in advance
    what each request brings, and only divides.

    Args:
        sites: Recorded sites.
        policy: The policy of every crawl.
        total: Requests to all sites together.
        seeds: Number of random seeds.
        options: What counts as a find, and so on.
    """
    names = [site_name(site) for site in sites]
    for seed in range(1, seeds + 1):
        found = [_found(site, policy, seed, total, options) for site in sites]
        equal = _equal(found, total)
        base = max(_finds(found, equal), 1)
        for way, shares in (
            ("equal", equal),
            ("shared", _shared(found, total, seed)),
            ("best", _best(found, total)),
        ):
            figures = {
                name: (share, int(found[n][:share].sum()))
                for n, (name, share) in enumerate(zip(names, shares, strict=True))
            }
            finds = _finds(found, shares)
            yield FleetRow(way, seed, len(sites), sum(shares), finds, finds / base, figures)


def _found(
    site: tuple[Path, ...], policy: str, seed: int, total: int, options: RaceOptions
) -> NDArray[np.int64]:
    """Return for each request whether it found something.

    The crawl of a site does not depend on those of others, so this says what any share brings.
    """
    opened = open_site(site, cache=options.cache)
    target = make_target(parse("target", options.want))
    if target.needs_body:
        target = judged(site, opened, target, cache=options.cache)
    scope = scope_of(opened, [opened.root], block=options.block, traps=options.traps)
    _, steps = replay(
        opened,
        policy=make_policy(parse("policy", policy), seed=seed),
        target=target,
        scope=target.adapt(scope),
    )
    return np.array([step.found for step in islice(steps, total)], dtype=np.int64)


def _finds(found: Found, shares: Sequence[int]) -> int:
    return sum(int(one[:share].sum()) for one, share in zip(found, shares, strict=True))


def _equal(found: Found, total: int) -> list[int]:
    shares, left = [0] * len(found), total
    while left and (open_ := [n for n, one in enumerate(found) if shares[n] < len(one)]):
        for n in open_[:left]:
            shares[n] += 1
        left -= min(left, len(open_))
    return shares


def _shared(found: Found, total: int, seed: int) -> list[int]:
    """Return the shares that a fleet with this budget gives."""
    budget = SharedBudget(total, len(found), seed=seed)
    shares = [0] * len(found)

    def standing() -> dict[int, SiteStanding]:
        return {
            n: SiteStanding(shares[n], int(one[: shares[n]].sum()), shares[n] < len(one))
            for n, one in enumerate(found)
        }

    while granted := budget.grants(standing()):
        for n, amount in granted.items():
            shares[n] = min(amount, len(found[n]))
    return shares


def _best(found: Found, total: int) -> list[int]:
    """Return the shares with most finds, by dynamic programming over the sites."""
    values = np.zeros(total + 1, dtype=np.int64)
    chosen = []
    for one in found:
        brought = np.concatenate(([0], np.cumsum(one)))[: total + 1]
        better, share = values.copy(), np.zeros(total + 1, dtype=np.int64)
        for amount in range(1, len(brought)):
            sums = values[: total + 1 - amount] + brought[amount]
            wins = np.flatnonzero(sums > better[amount:]) + amount
            better[wins], share[wins] = sums[wins - amount], amount
        values = better
        chosen.append(share)
    shares, left = [], total
    for share in reversed(chosen):
        shares.append(int(share[left]))
        left -= shares[-1]
    return shares[::-1]


def fleet_table(rows: Sequence[FleetRow]) -> Table:
    """Return the finds of each way to share, as means over the seeds."""
    table = Table(title=f"{rows[0].sites} sites, {max(row.requests for row in rows):,} requests")
    for heading in ("shares", "finds", "times equal"):
        table.add_column(heading, justify="left" if heading == "shares" else "right")
    for way in dict.fromkeys(row.way for row in rows):
        mine = [row for row in rows if row.way == way]
        finds = sum(row.finds for row in mine) / len(mine)
        times = sum(row.times_equal for row in mine) / len(mine)
        table.add_row(way, f"{finds:,.0f}", f"{times:.2f}")
    return table
