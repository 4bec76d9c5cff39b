"""The table of how true forecasts were."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from lodehound.lab.forecasts import Interval, of_left, of_next
from lodehound.lab.race import Run
from lodehound.stores.cache import stem_of

Forecasts = Sequence[list[dict[str, Any]]]  # of some runs


def forecast_table(runs: Sequence[Run]) -> Table:
    """Return the coverage, width and score of forecasts by site, and their means."""
    title = "Forecasts: 90 % intervals that held the truth, width and score in log(finds + 5)"
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("site", overflow="fold")
    table.add_column("policy", overflow="fold")
    for what in ("left", "next 500"):
        for name in ("held, %", "width", "score", "factor"):
            table.add_column(f"{what}: {name}", justify="right")
    for label in dict.fromkeys(run.label for run in runs):
        rows = [run.row for run in runs if run.label == label]
        mine = [(row.site, row.forecasts) for row in rows if row.forecasts]
        sites = list(dict.fromkeys(site for site, _ in mine))
        for site in sites:
            made = [rows for name, rows in mine if name == site]
            table.add_row(Text(stem_of(site)), Text(label), *_cells([made]))
        table.add_section()
        by_site = [[rows for name, rows in mine if name == site] for site in sites]
        table.add_row("all", Text(label), *_cells(by_site))
        table.add_section()
    return table


def _cells(by_site: Sequence[Forecasts]) -> list[str]:
    return [text for part in (of_left, of_next) for text in _figures(by_site, part)]


def _figures(
    by_site: Sequence[Forecasts], part: Callable[[Sequence[dict[str, Any]]], list[Interval]]
) -> list[str]:
    """Return means over moments, then over runs, then over sites; of factors, the median."""
    sites = [[part(run) for run in runs] for runs in by_site]
    sites = [[run for run in runs if run] for runs in sites]
    every = [one for runs in sites for run in runs for one in run]
    if not every:
        return [""] * 4

    def mean(measure: Callable[[Interval], float]) -> float:
        means = [[statistics.fmean(map(measure, run)) for run in runs] for runs in sites if runs]
        return statistics.fmean(map(statistics.fmean, means))

    return [
        f"{100 * mean(lambda one: one.holds):.0f}",
        f"{mean(lambda one: one.width):.2f}",
        f"{mean(lambda one: one.score):.2f}",
        f"{statistics.median(one.factor for one in every):.2f}",
    ]
