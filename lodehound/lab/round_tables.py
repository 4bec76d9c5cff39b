"""Tables of rounds over timelines: requests to 90 %, and delays at a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from lodehound.lab.rounds import LEAST, RoundRow, TimelineRun
from lodehound.lab.tables import summary
from lodehound.stores.cache import stem_of

Measure = Callable[[Sequence[RoundRow]], float | None]


def pct_to_90(rows: Sequence[RoundRow]) -> float | None:
    """Pool the requests to 90 % of the wanted files, in percent of exhaustive recrawls."""
    counted = [row for row in rows if row.round and row.wanted >= LEAST]
    if not counted or any(row.requests_to_90 is None for row in counted):
        return None
    needed = sum(row.requests_to_90 or 0 for row in counted)
    return 100 * needed / sum(row.recrawl_requests for row in counted)


def pct_floor(rows: Sequence[RoundRow]) -> float | None:
    """Pool the fewest requests that would do, in percent of exhaustive recrawls."""
    counted = [row for row in rows if row.round and row.wanted >= LEAST]
    total = sum(row.recrawl_requests for row in counted)
    return 100 * sum(row.floor_requests for row in counted) / total if total else None


def _pooled(rows: Sequence[RoundRow], of: Callable[[RoundRow], float]) -> float | None:
    """Pool something over the files that appeared in rounds with enough of them."""
    counted = [row for row in rows if row.round and row.appeared >= LEAST]
    total = sum(row.appeared for row in counted)
    return sum(map(of, counted)) / total if total else None


def pct_ever(rows: Sequence[RoundRow]) -> float | None:
    return _pooled(rows, lambda row: 100 * row.ever_found)


def pct_same_round(rows: Sequence[RoundRow]) -> float | None:
    return _pooled(rows, lambda row: 100 * row.found_same_round)


def mean_delay(rows: Sequence[RoundRow]) -> float | None:
    return _pooled(rows, lambda row: row.appeared * row.mean_delay)


def rounds_table(runs: Sequence[TimelineRun]) -> Table:
    """Requests to 90 % of the new and changed files, and the floor."""
    title = "Requests to 90 % of the new and changed files, % of a recrawl, all rounds pooled"
    table = _table(runs, title, pct_to_90)
    table.add_section()
    firsts = {run.site: run for run in reversed(runs)}
    table.add_row("floor", *(summary([pct_floor(firsts[site].rows)]) for site in _sites(runs)))
    return table


def delay_table(runs: Sequence[TimelineRun]) -> Table:
    """What a budget finds, and when."""
    title = "At a budget: % ever found / % found in the round they appeared / mean delay in rounds"
    return _table(runs, title, pct_ever, pct_same_round, mean_delay)


def _table(runs: Sequence[TimelineRun], title: str, *measures: Measure) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    budgets = list(dict.fromkeys(run.budget for run in runs))
    if any(budgets):
        table.add_column("budget")
    table.add_column("policy", overflow="fold")
    for site in _sites(runs):
        table.add_column(Text(stem_of(site)), justify="right", no_wrap=True)
    for budget in budgets:
        mine = [run for run in runs if run.budget == budget]
        for label in dict.fromkeys(run.label for run in mine):
            named = [budget] if any(budgets) else []
            table.add_row(*named, Text(label), *_cells(mine, _sites(runs), label, measures))
        table.add_section()
    return table


def _cells(
    runs: Sequence[TimelineRun], sites: Sequence[str], label: str, measures: Sequence[Measure]
) -> Iterator[str]:
    for site in sites:
        mine = [run for run in runs if run.label == label and run.site == site]
        found = (summary([measure(run.rows) for run in mine]) for measure in measures)
        yield " / ".join(found)


def _sites(runs: Sequence[TimelineRun]) -> list[str]:
    return list(dict.fromkeys(run.site for run in runs))
