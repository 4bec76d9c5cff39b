"""The tables of the SB paper, computed from the runs of a race."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rich import box
from rich.table import Table
from rich.text import Text

from lodehound.lab.confusion import TRUE_KINDS, Confusion
from lodehound.lab.floor import SHARE
from lodehound.lab.metrics import FIRST, PARTS
from lodehound.lab.race import Row, Run
from lodehound.papers.sb_classifier.tp_off import WARMUP
from lodehound.stores.cache import stem_of

Measure = Callable[[Row], float | None]


def requests_table(runs: Sequence[Run]) -> Table:
    """Table 2: percent of requests to 90 % of the targets."""
    table = _by_site(
        runs, "Requests to 90 % of the targets, % of an exhaustive crawl", _pct_requests
    )
    table.add_section()
    table.add_row("floor", *_per_site(runs, lambda row: _floor(row, row.floor_requests)))
    table.add_row("floor, links known", *_per_site(runs, _seer))
    table.add_section()
    table.add_row("targets", *_per_site(runs, lambda row: f"{row.targets_total:,}"))
    table.add_row("requests in all", *_per_site(runs, lambda row: f"{row.requests_total:,}"))
    return table


def first_table(runs: Sequence[Run]) -> Table:
    """Finds of the first requests, or of equal times at the same delay."""
    title = f"Finds after {', '.join(f'{first:,}' for first in FIRST)} requests"
    measures = [partial(_found_after, first=str(first)) for first in FIRST]
    return _by_site(runs, title, *measures, shown=_mean)


def volume_table(runs: Sequence[Run]) -> Table:
    """Table 3: percent of the non-target volume to 90 % of the target volume."""
    title = "Other bytes received before 90 % of the target bytes, % of all other bytes"
    return _by_site(runs, title, lambda row: row.pct_volume_to_90)


def early_stop_table(runs: Sequence[Run]) -> Table:
    """The lower part of Table 2: requests saved and targets lost by early stopping."""
    title = "Early stopping: requests saved / targets lost, %"
    return _by_site(runs, title, _saved, _lost)


def confusion_table(runs: Sequence[Run], label: str) -> Table:
    """Tables 8 to 16: the URL classifier's predictions, in percent of all URLs it classified."""
    mine = [run.confusion for run in runs if run.label == label and run.confusion is not None]
    total = Confusion.total(mine)
    title = f"URL classifier of {label}: misclassified {total.misclassified:.2f} %"
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("truth")
    table.add_column("predicted HTML", justify="right")
    table.add_column("predicted target", justify="right")
    for kind in TRUE_KINDS:
        cells = [f"{total.share(kind, predicted_target=taken):.2f}" for taken in (False, True)]
        table.add_row(kind, *cells)
    return table


def harvest_table(runs: Sequence[Run], site: str) -> Table:
    """Table 2 of the Anthelion paper: the share of finds among requests, and among pages."""
    mine = [run for run in runs if run.row.site == site]
    first = mine[0].row
    title = (
        f"{stem_of(site)}: share of finds among the first requests, and among their pages "
        f"({first.targets_total:,} finds, {first.requests_total:,} requests in all)"
    )
    columns = [f"{percent} %, {what}" for what in ("requests", "pages") for percent in PARTS]
    table = _policy_table(title, [*columns, "ms per choice", "ms to learn"])
    for label, rows in _by_policy(mine):
        cells = [summary([row.harvest[str(part)] for row in rows], digits=3) for part in PARTS]
        cells += [summary([row.precision[str(part)] for row in rows], digits=3) for part in PARTS]
        cells.append(summary([row.choose_ms for row in rows], digits=3))
        cells.append(summary([row.learn_ms for row in rows], digits=3))
        table.add_row(Text(label), *cells)
    return table


def retrieved_table(runs: Sequence[Run], site: str) -> Table:
    """Figure 2(b) of the LDCOC paper: the percentage of targets found at equal budgets."""
    mine = [run for run in runs if run.row.site == site]
    first = mine[0].row
    title = (
        f"{stem_of(site)}: percent of the {first.targets_total:,} finds, by part of the budget "
        f"({first.requests_total:,} requests in all)"
    )
    table = _policy_table(title, [f"{part} %" for part in PARTS])
    for label, rows in _by_policy(mine):
        cells = [summary([row.retrieved[str(part)] for row in rows]) for part in PARTS]
        table.add_row(Text(label), *cells)
    return table


def _policy_table(title: str, columns: Sequence[str]) -> Table:
    """Return an empty table with one row for each policy to come."""
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("policy", overflow="fold")
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _by_policy(runs: Sequence[Run]) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows of each policy, in the order of the policies."""
    for label in dict.fromkeys(run.label for run in runs):
        yield label, [run.row for run in runs if run.label == label]


def _mean(values: Sequence[float | None]) -> str:
    """Return the mean alone: the spread of three values has no room in a cell."""
    return f"{statistics.fmean(value or 0.0 for value in values):.0f}" if values else ""


def _found_after(row: Row, first: str) -> float | None:
    return row.found_after[first]


def _pct_requests(row: Row) -> float | None:
    return row.pct_requests_to_90


def _saved(row: Row) -> float | None:
    return 100 * max(row.requests_total - row.requests, 0) / row.requests_total


def _lost(row: Row) -> float | None:
    return 100 * (1 - row.found / row.targets_total) if row.targets_total else None


def _floor(row: Row, requests: float) -> str:
    return f"{100 * requests / row.requests_total:.1f}"


def _seer(row: Row) -> str:
    return _floor(row, SHARE * row.targets_total)


def is_all_training(row: Row) -> bool:
    """Return whether TP-OFF spent the whole site on its breadth-first part: it is BFS there."""
    return row.policy == "tp-off" and row.requests_total <= int(row.params.get("warmup", WARMUP))


def _by_site(
    runs: Sequence[Run],
    title: str,
    *measures: Measure,
    shown: Callable[[Sequence[float | None]], str] | None = None,
) -> Table:
    """Return one row per policy and one column per site: mean and spread, unless told else."""
    shown = shown or summary
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("policy", overflow="fold")
    sites = _sites(runs)
    for site in sites:
        table.add_column(Text(stem_of(site)), justify="right", no_wrap=True)
    for label in dict.fromkeys(run.label for run in runs):
        cells = []
        for site in sites:
            rows = [run.row for run in runs if run.label == label and run.row.site == site]
            cell = " / ".join(shown([measure(row) for row in rows]) for measure in measures)
            cells.append(f"{cell} (bfs)" if any(map(is_all_training, rows)) else cell)
        table.add_row(Text(label), *cells)
    return table


def _sites(runs: Sequence[Run]) -> list[str]:
    return list(dict.fromkeys(run.row.site for run in runs))


def _per_site(runs: Sequence[Run], cell: Callable[[Row], str]) -> list[str]:
    first = {run.row.site: run.row for run in reversed(runs)}
    return [cell(first[site]) for site in _sites(runs)]


def summary(values: Sequence[float | None], *, digits: int = 1) -> str:
    """Return mean and standard deviation as text; ∞ if a run never reached the value.

    >>> summary([1.0, 3.0]), summary([2.5]), summary([1.0, None]), summary([])
    ('2.0 ±1.4', '2.5', '∞', '')
    """
    reached = [value for value in values if value is not None]
    if not values:
        return ""
    if len(reached) < len(values):
        return "∞"
    mean = statistics.fmean(reached)
    spread = f" ±{statistics.stdev(reached):.{digits}f}" if len(reached) > 1 else ""
    return f"{mean:.{digits}f}{spread}"
