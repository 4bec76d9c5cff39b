"""How true forecasts were, by hand, and of a race."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from lodehound.lab.forecasts import MOMENTS, Interval, of_left, of_next
from tests.lab.test_race import rows, site
from tests.live import run

__all__ = ["site"]


@pytest.mark.parametrize(
    ("truth", "score", "holds"),
    [(2.0, 3.0, True), (1.0, 3.0, True), (0.5, 13.0, False), (4.25, 8.0, False)],
)
def test_the_score_is_the_width_and_twenty_times_the_miss(
    truth: float, score: float, holds: bool
) -> None:
    one = Interval(1.0, 2.0, 4.0, truth)

    assert (one.score, one.holds) == (score, holds)


def test_forecasts_are_compared_in_logarithms_of_finds_and_five() -> None:
    soon = {"expected": 5.0, "low": 0.0, "high": 15.0, "true": 10}
    row = {"left": 15.0, "low": 5.0, "high": 35.0, "true_left": 0, "next500": soon}
    unknown = row | {"next500": soon | {"true": None}}

    [left], [next_] = of_left([row]), of_next([row, unknown, row | {"next500": None}])

    assert left == tuple(map(math.log, (10, 20, 40, 5)))
    assert left.factor == pytest.approx(4)
    assert next_ == tuple(map(math.log, (5, 10, 20, 15)))


def test_rows_tell_what_was_forecast_and_what_came(site: tuple[Path, ...]) -> None:
    """41 requests; eight moments from 2 to 90 % of them. The end is known: all was followed."""
    forecasts = rows(site, "lodehound", measure="forecast")[0].row.forecasts

    assert [one["requests"] for one in forecasts] == [max(41 * p // 100, 1) for p in MOMENTS]
    assert len(MOMENTS) == 8
    for one in forecasts:
        assert one["true_left"] == 20 - one["found"] == one["next500"]["true"]
        assert one["low"] <= one["left"] <= one["high"]
        assert one["next500"]["low"] <= one["next500"]["expected"] <= one["next500"]["high"]


def test_what_a_budget_cuts_off_is_not_known(site: tuple[Path, ...]) -> None:
    forecasts = rows(site, "lodehound", measure="forecast", requests=20)[0].row.forecasts

    assert [one["next500"]["true"] for one in forecasts] == [None] * 7  # 2 and 5 % are one
    assert forecasts[-1]["requests"] == 18


def test_a_policy_without_estimates_has_no_forecasts(site: tuple[Path, ...]) -> None:
    assert rows(site, "bfs", measure="forecast")[0].row.forecasts == []


def test_the_command_prints_the_figures(site: tuple[Path, ...], tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    words = ("race", *site, "--policy", "lodehound", "--seeds", "1", "--measure", "forecast")
    done = run(*words, "--json", out, "--cache", tmp_path / "cache")

    [row] = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    shares = [one.holds for one in of_left(row["forecasts"])]
    line = next(line for line in done.out.splitlines() if line.split()[:2] == ["all", "lodehound"])
    assert line.split()[2] == f"{100 * sum(shares) / 8:.0f}"
