"""Sharing a budget in the lab: equally, by yield, and as well as possible."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np

from lodehound.lab.race import RaceOptions
from lodehound.lab.shared_budget import _best, _equal, race_fleet
from lodehound.sites import StatsOffice
from lodehound.stores.warc import write_warc


def test_the_best_possible_is_the_best_of_all() -> None:
    draws = np.random.default_rng(1)
    found = [draws.integers(0, 2, 6) for _ in range(3)]

    def finds(shares: tuple[int, ...] | list[int]) -> int:
        return sum(int(one[:share].sum()) for one, share in zip(found, shares, strict=True))

    every = [shares for shares in product(range(7), repeat=3) if sum(shares) <= 8]
    best = _best(found, 8)
    assert sum(best) <= 8
    assert finds(best) == max(map(finds, every))


def test_equal_shares_hand_on_what_is_left_over() -> None:
    assert _equal([np.ones(2, int), np.ones(9, int), np.ones(9, int)], 12) == [2, 5, 5]


def test_a_fleet_is_raced_three_ways(tmp_path: Path) -> None:
    sites = []
    for name, files in (("rich", 60), ("poor", 4)):
        path = tmp_path / f"{name}.warc.gz"
        write_warc(
            path, StatsOffice(pages=80, files=files, host=f"https://{name}.example/").records()
        )
        sites.append((path,))
    options = RaceOptions(cache=tmp_path)
    rows = list(race_fleet(sites, "bfs", total=150, seeds=2, options=options))
    assert [(row.way, row.seed) for row in rows] == [
        (way, seed) for seed in (1, 2) for way in ("equal", "shared", "best")
    ]
    assert all(row.requests <= 150 and len(row.per_site) == 2 for row in rows)
    for equal, shared, best in (rows[:3], rows[3:]):
        assert equal.times_equal == 1.0
        assert best.finds >= max(equal.finds, shared.finds)
        assert sum(finds for _, finds in shared.per_site.values()) == shared.finds
