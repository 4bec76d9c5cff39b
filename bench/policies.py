"""What every policy needs on every recorded site: docs/research/results.md, written anew.

    python -m bench.policies [--quick] [--corpora DIR] [--sites NAME,...] [--seeds N] [--jobs N]
                             [--rows FILE]

All sites of CORPORA/sites, 15 seeds; ``--quick`` takes three seeds and the
sites under 7,000 requests. Policies that are no rivals run with three seeds,
the slow one with one and on those sites only. A run ends when 95 % of the
targets and 90 % of their bytes are there; the early stop is measured in runs of
its own. With ``--rows`` runs are kept in a file as they end and are not made again:
delete it when a policy was changed.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import statistics
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from PIL import Image

from lodehound.lab.curves import write_curves
from lodehound.lab.metrics import FIRST, MOST
from lodehound.lab.race import RaceEntry, RaceOptions, Row, Run, in_processes, run_entry
from lodehound.lab.tables import is_all_training
from lodehound.registry import accepts, load_policy, parse
from lodehound.version import VERSION

OURS = "lodehound"
RIVALS = ("sb-classifier", "sb-classifier:compat=kit")
OTHERS = ("files-first", "bfs", "dfs", "random", "tp-off")
FOCUSED = "focused"  # no rival, but what it needs varies much from seed to seed
SLOW = "tres"
SMALL = 7000  # requests
FEW = 3  # seeds of what is no rival
TINY = 300  # requests: too few to judge an early stop by
NEVER = 200.0  # percent, where a run did not get there: worse than any that did
OUT = Path(__file__).parent.parent / "docs" / "research" / "results.md"
QUICK_OUT = Path("results-quick.md")
COLOURS = 64  # of the picture, which is kept with the text: a quarter of its size

Table = dict[str, dict[str, list[Row]]]  # site -> policy as written -> rows
Site = tuple[Path, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=os.environ.get("LODEHOUND_CORPORA"))
    parser.add_argument("--quick", action="store_true", help="3 seeds, sites under 7,000 requests")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rows", type=Path, help="where runs are kept, and looked for")
    parser.add_argument("--out", type=Path, help=f"else {OUT.name}, or {QUICK_OUT}")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--sites", default="", help="names, with commas; else all")
    given = parser.parse_args()
    if given.corpora is None:
        parser.error("give --corpora, or set LODEHOUND_CORPORA")
    seeds = given.seeds or (FEW if given.quick else 15)
    names = given.sites.split(",") if given.sites else None
    paths = sorted((given.corpora / "sites").glob("*.warc*"))
    sites = [(path,) for path in paths if not names or path.name.partition(".")[0] in names]
    small = [site for site in sites if _size(site, given.cache) < SMALL]
    if given.quick:
        sites = small
    options = RaceOptions(cache=given.cache, curves=True, enough=True)
    stopping = RaceOptions(cache=given.cache, auto_stop=True)
    few = min(seeds, FEW)
    plan = [(entry, stopping) for entry in entries(sites, [OURS], few)]
    plan += [(entry, options) for entry in entries(small, [SLOW], 1)]
    plan += [(entry, options) for entry in entries(sites, OTHERS, few)]
    plan += [(entry, options) for entry in entries(sites, [FOCUSED], seeds)]
    plan += [(entry, options) for entry in entries(sites, [OURS, *RIVALS], seeds)]
    runs = list(made(plan, given.jobs, given.rows))
    stops = [run for run in runs if not run.curve]
    runs = [run for run in runs if run.curve]
    out: Path = given.out or (QUICK_OUT if given.quick else OUT)
    curves = out.with_suffix(".png")
    text = report(runs, stops, seeds, curves.name, quick=given.quick)
    out.write_text(text, encoding="utf-8")
    if not given.quick:
        write_curves(curves, [run for run in runs if run.label in (OURS, *RIVALS)])
        Image.open(curves).convert("RGB").quantize(COLOURS).save(curves, optimize=True)
    print(text)


def entries(sites: Sequence[Site], policies: Sequence[str], seeds: int) -> list[RaceEntry]:
    """List the runs to make; a policy without a seed needs one."""
    counts = {p: seeds if accepts(load_policy(parse("policy", p)), "seed") else 1 for p in policies}
    return [
        RaceEntry(site, policy, seed)
        for site in sites
        for policy in policies
        for seed in range(counts[policy])
    ]


def _size(site: Site, cache: Path | None) -> int:
    """Return the requests of an exhaustive crawl."""
    return run_entry(
        RaceEntry(site, "bfs", 0), RaceOptions(cache=cache, requests=1)
    ).row.requests_total


def made(
    plan: Sequence[tuple[RaceEntry, RaceOptions]], jobs: int, rows: Path | None
) -> Iterator[Run]:
    """Make the runs that were not made before; yield all."""
    done = _kept(rows)
    keys = [(e.site[0].name, e.policy, e.seed, o.enough) for e, o in plan]
    yield from (done[key] for key in keys if key in done)
    todo = [job for key, job in zip(keys, plan, strict=True) if key not in done]
    for run in in_processes([partial(run_entry, entry, options) for entry, options in todo], jobs):
        row = run.row
        print(row.site, run.label, row.seed, row.stop_reason, row.pct_requests_to_90, flush=True)
        if rows is not None:
            with rows.open("a", encoding="utf-8") as kept:
                kept.write(json.dumps(asdict(run)) + "\n")
        yield run


def _kept(rows: Path | None) -> dict[tuple[str, str, int, bool], Run]:
    if rows is None or not rows.exists():
        return {}
    with rows.open(encoding="utf-8") as lines:
        made = [json.loads(line) for line in lines]
    runs = [Run(Row(**run["row"]), run["label"], run["curve"]) for run in made]
    return {(run.row.site, run.label, run.row.seed, bool(run.curve)): run for run in runs}


def report(
    runs: Sequence[Run], stops: Sequence[Run], seeds: int, curves: str, *, quick: bool
) -> str:
    """Write the page."""
    table = _table(runs)
    today = datetime.datetime.now(tz=datetime.UTC).date()
    parts = [
        f"# Results{': small sites, three seeds' * quick}\n",
        textwrap.fill(
            f"Measured {today} with version {VERSION} by `{'QUICK=1 ' * quick}make results`, on "
            f"{len(table)} recorded sites, with {seeds} seeds ({min(seeds, FEW)} for "
            f"{', '.join(OTHERS)}; 1 for {SLOW}, on sites under {SMALL:,} requests only). Figures "
            "are means over the seeds, ± one standard deviation. A geometric mean is of the sites "
            "a policy ran on. Most sites were used while `lodehound` was developed.",
            100,
        ),
        "",
        "## Percent of requests to 90 % of the targets\n",
        *_lines(table, _requests),
        "`(bfs)`: the 3,000 training requests of TP-OFF cover the whole site.\n",
        "## Finds after the first requests, or in equal time at the same delay\n",
        *_first(table),
        "## Percent of the other volume to 90 % of the target volume\n",
        *_lines(table, _volume),
        f"## From seed to seed: `{OURS}`, percent of requests to 90 %\n",
        *_spread(table),
        "## Early stopping by estimate (`--early-stop auto`)\n",
        *_stop_lines(runs, stops),
    ]
    if not quick:
        parts.append(f"![Targets against requests]({curves})\n")
    return "\n".join(parts)


def _table(runs: Iterable[Run]) -> Table:
    table: Table = defaultdict(lambda: defaultdict(list))
    for run in sorted(runs, key=lambda run: (run.row.site, _place(run.label))):
        table[run.row.site.partition(".")[0]][run.label].append(run.row)
    return table


def _place(label: str) -> int:
    return [OURS, *RIVALS, *OTHERS, FOCUSED, SLOW].index(label)


def _requests(row: Row) -> float | None:
    return row.pct_requests_to_90


def _volume(row: Row) -> float | None:
    return row.pct_volume_to_90


def _mean(rows: Sequence[Row], measure: Callable[[Row], float | None]) -> float:
    return statistics.fmean(NEVER if (v := measure(row)) is None else v for row in rows)


def _middle(ratios: Iterable[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def _first(table: Table) -> list[str]:
    """Return one line per site: finds after so many requests."""
    shown = [OURS, *RIVALS, "files-first", "bfs"]
    heads = [f"{policy}, {first:,}" for first in FIRST for policy in shown]
    lines = [f"| site | targets | {' | '.join(heads)} |", "|" + "---|" * (len(heads) + 2)]
    for site, by_policy in table.items():
        cells = [
            f"{statistics.fmean(row.found_after[str(first)] for row in by_policy[policy]):.0f}"
            for first in FIRST
            for policy in shown
        ]
        lines.append(f"| {site} | {by_policy[OURS][0].targets_total} | {' | '.join(cells)} |")
    return [*lines, ""]


def _cell(rows: Sequence[Row], measure: Callable[[Row], float | None]) -> str:
    """Return mean and spread of a policy on a site."""
    values = [NEVER if (v := measure(row)) is None else v for row in rows]
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    note = f" ±{spread:.1f}" if spread >= 0.05 else ""
    return f"{statistics.fmean(values):.1f}{note}{' (bfs)' * is_all_training(rows[0])}"


def _lines(table: Table, measure: Callable[[Row], float | None]) -> list[str]:
    """Return one line per site, and the geometric means of the ratios to the better rival."""
    policies = list(dict.fromkeys(policy for rows in table.values() for policy in rows))
    lines = [
        f"| site | {' | '.join(policies)} | {OURS} : better SB | : files-first | : best other |",
        "|" + "---|" * (len(policies) + 4),
    ]
    ratios: dict[str, list[float]] = defaultdict(list)
    for site, by_policy in table.items():
        means = {policy: _mean(rows, measure) for policy, rows in by_policy.items()}
        rival = min(means[policy] for policy in RIVALS)
        best = min(mean for policy, mean in means.items() if policy != OURS)
        for policy, mean in means.items():
            ratios[policy].append(mean / rival)
        plain = means[OURS] / means["files-first"]
        ratios["plain"].append(plain)
        cells = [_cell(by_policy[p], measure) if p in means else "-" for p in policies]
        cells += [f"{means[OURS] / rival:.3f}", f"{plain:.3f}", f"{means[OURS] / best:.3f}"]
        lines.append(f"| {site} | {' | '.join(cells)} |")
    cells = [f"{_middle(ratios[policy]):.3f}" for policy in (*policies, OURS, "plain")]
    lines.append(f"| geometric mean of ratios | {' | '.join(cells)} | |")
    worst = [f"{max(ratios[name]):.3f}" for name in (OURS, "plain")]
    lines.append(f"| worst | {'- | ' * len(policies)}{' | '.join(worst)} | |")
    return [*lines, ""]


def _spread(table: Table) -> list[str]:
    lines = ["| site | least | median | most | CPU ms per request |", "|---|---|---|---|---|"]
    for site, by_policy in table.items():
        rows = by_policy[OURS]
        values = sorted(_mean([row], _requests) for row in rows)
        cost = 1000 * sum(row.cpu_s for row in rows) / sum(row.requests for row in rows)
        ends = f"{values[0]:.1f} | {statistics.median(values):.1f} | {values[-1]:.1f}"
        lines.append(f"| {site} | {ends} | {cost:.2f} |")
    return [*lines, ""]


def _stop_lines(runs: Sequence[Run], stops: Sequence[Run]) -> list[str]:
    """Return what stopping lost, and what it saved of the requests after 95 % were found."""
    whole = {(run.row.site, run.row.seed): run for run in runs if run.label == OURS}
    lines = ["| site | requests | stopped after | targets lost, % |", "|---|---|---|---|"]
    saved = spare = 0.0
    losses = []
    by_site: dict[str, list[Run]] = defaultdict(list)
    for run in sorted(stops, key=lambda run: run.row.site):
        by_site[run.row.site].append(run)
        after = _request_of(whole[run.row.site, run.row.seed], MOST)
        spare += run.row.requests_total - after
        saved += run.row.requests_total - max(run.row.requests, after)
    for site, some in by_site.items():
        lost = statistics.fmean(100 * (1 - r.row.found / max(r.row.targets_total, 1)) for r in some)
        ended = statistics.fmean(r.row.requests for r in some)
        total = some[0].row.requests_total
        if total >= TINY:
            losses.append(lost)
        lines.append(f"| {site.partition('.')[0]} | {total} | {ended:.0f} | {lost:.2f} |")
    share = 100 * saved / spare if spare else 0.0
    return [
        *lines,
        "",
        f"Lost in the mean, sites under {TINY} requests apart: {statistics.fmean(losses):.2f} %.",
        f"Saved of the requests after 95 % were found, pooled: {share:.1f} %.\n",
    ]


def _request_of(run: Run, share: float) -> int:
    """Return the request by which a share of the targets was found, to the curve's exactness."""
    needed = share * run.row.targets_total
    points = zip(run.curve["requests"], run.curve["found"], strict=True)
    return next((int(at) for at, found in points if found >= needed), run.row.requests)


if __name__ == "__main__":
    main()
