"""The figures of Han et al. as tables, computed from the rows of repeated tasks."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

import numpy as np
from rich import box
from rich.table import Table
from rich.text import Text

from lodehound.lab.repeated_tasks import INTERVALS, TaskRow
from lodehound.lab.tables import summary

SHARES = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)


def learning_table(rows: Sequence[TaskRow]) -> Table:
    """Figure 3 and the time: finds of the first task, of the last, and of all."""
    table = _table("Finds per task; mean and spread over the trials", "first task", "last task")
    table.add_column("mean of all", justify="right")
    table.add_column("CPU s per task", justify="right")
    for label, mine in _by_policy(rows).items():
        trials = _by_trial(mine)
        first = [float(trial[0].found) for trial in trials]
        last = [float(trial[-1].found) for trial in trials]
        mean = [statistics.fmean(row.found for row in trial) for trial in trials]
        cpu = statistics.fmean(row.cpu_s for row in mine)
        table.add_row(Text(label), *map(summary, (first, last, mean)), f"{cpu:.2f}")
    return table


def steps_table(rows: Sequence[TaskRow]) -> Table:
    """Figure 1: cumulative finds at each tenth of the requests, mean of all tasks."""
    table = _table("Finds after a share of the requests, %", *map(str, SHARES))
    return _filled(table, rows, _at_shares)


def intervals_table(rows: Sequence[TaskRow]) -> Table:
    """Figure 2: finds by relevance, mean of all tasks."""
    names = [f"{n / INTERVALS:.1f}-" for n in range(INTERVALS)]
    table = _table("Finds per interval of relevance", *names)
    return _filled(table, rows, lambda row: [float(count) for count in row.intervals])


def _at_shares(row: TaskRow) -> list[float]:
    wanted = [share / 100 * row.requests for share in SHARES]
    curve: list[float] = np.interp(wanted, row.steps, row.accumulated).tolist()
    return curve


def _filled(
    table: Table, rows: Sequence[TaskRow], values: Callable[[TaskRow], list[float]]
) -> Table:
    for label, mine in _by_policy(rows).items():
        means = np.mean([values(row) for row in mine], axis=0)
        table.add_row(Text(label), *(f"{value:.0f}" for value in means))
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("policy", overflow="fold")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _by_policy(rows: Sequence[TaskRow]) -> dict[str, list[TaskRow]]:
    found: dict[str, list[TaskRow]] = {}
    for row in rows:
        found.setdefault(row.policy, []).append(row)
    return found


def _by_trial(rows: Sequence[TaskRow]) -> list[list[TaskRow]]:
    found: dict[int, list[TaskRow]] = {}
    for row in rows:
        found.setdefault(row.seed, []).append(row)
    return list(found.values())
