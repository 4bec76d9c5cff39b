"""Tables of rounds over timelines: requests to 90 %, and delays at a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from lodehound.lab.tables import summary
from lodehound.lab.timeline_race import LEAST, RoundRow, TimelineRun
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


def best_ever(rows: Sequence[RoundRow]) -> float | None:
    return _pooled(rows, lambda row: 100 * row.best_ever_found)


def best_same_round(rows: Sequence[RoundRow]) -> float | None:
    return _pooled(rows, lambda row: 100 * row.best_same_round)


def best_mean_delay(rows: Sequence[RoundRow]) -> float | None:
    return _pooled(rows, lambda row: row.appeared * row.best_mean_delay)


def rounds_table(runs: Sequence[TimelineRun]) -> Table:
    """Requests to 90 % of the new and changed files, and the floor."""
    title = "Requests to 90 % of the new and changed files, % of a recrawl, all rounds pooled"
    return _table(runs, title, [pct_to_90], "floor", [pct_floor])


def delay_table(runs: Sequence[TimelineRun]) -> Table:
    """What a budget finds, and when; and what it could find at best."""
    title = "At a budget: % ever found / % found in the round they appeared / mean delay in rounds"
    best = [best_ever, best_same_round, best_mean_delay]
    return _table(runs, title, [pct_ever, pct_same_round, mean_delay], "best possible", best)


def _table(
    runs: Sequence[TimelineRun],
    title: str,
    measures: Sequence[Measure],
    bound: str,
    bounds: Sequence[Measure],
) -> Table:
    """Make a table with a line for each policy, and one for what no policy can exceed."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    sites, budgets = _sites(runs), list(dict.fromkeys(run.budget for run in runs))
    if any(budgets):
        table.add_column("budget")
    table.add_column("policy", overflow="fold")
    for site in sites:
        table.add_column(Text(stem_of(site)), justify="right", no_wrap=True)
    for budget in budgets:
        mine = [run for run in runs if run.budget == budget]
        named = [budget] if any(budgets) else []
        for label in dict.fromkeys(run.label for run in mine):
            one = [run for run in mine if run.label == label]
            table.add_row(*named, Text(label), *_cells(one, sites, measures))
        firsts = list({run.site: run for run in reversed(mine)}.values())
        table.add_row(*named, bound, *_cells(firsts, sites, bounds))
        table.add_section()
    return table


def _cells(
    runs: Sequence[TimelineRun], sites: Sequence[str], measures: Sequence[Measure]
) -> Iterator[str]:
    for site in sites:
        mine = [run for run in runs if run.site == site]
        yield " / ".join(summary([measure(run.rows) for run in mine]) for measure in measures)


def _sites(runs: Sequence[TimelineRun]) -> list[str]:
    return list(dict.fromkeys(run.site for run in runs))
