"""What every policy needs on every recorded site: docs/results.md, written anew.

    python -m bench.policies [--quick] [--corpora DIR] [--seeds N] [--jobs N] [--out FILE]

All sites of CORPORA/sites, 15 seeds; ``--quick`` takes three seeds and the
sites under 7,000 requests. Policies that need much time or are no rivals run
with fewer seeds. The early stop is measured in runs of its own.
"""

from __future__ import annotations

import argparse
import datetime
import math
import os
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from lodehound.lab.curves import write_curves
from lodehound.lab.race import Options, Row, Run, race
from lodehound.version import VERSION

OURS = "lodehound"
RIVALS = ("sb-classifier", "sb-classifier:compat=kit")
OTHERS = ("bfs", "dfs", "random", "focused", "tp-off")
SMALL = 7000  # requests
FEW = 3  # seeds of what is no rival
NEVER = 200.0  # percent, where a run did not get there: worse than any that did
OUT = Path(__file__).parent.parent / "docs" / "results.md"
CURVES = "results.svg"

Table = dict[str, dict[str, list[Row]]]  # site -> policy as written -> rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=os.environ.get("LODEHOUND_CORPORA"))
    parser.add_argument("--quick", action="store_true", help="3 seeds, sites under 7,000 requests")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--cache", type=Path)
    given = parser.parse_args()
    if given.corpora is None:
        parser.error("give --corpora, or set LODEHOUND_CORPORA")
    seeds = given.seeds or (FEW if given.quick else 15)
    sites = [(path,) for path in sorted((given.corpora / "sites").glob("*.warc*"))]
    options = Options(cache=given.cache, curves=True)
    if given.quick:
        sites = [site for site in sites if _size(site, options) < SMALL]
    runs = _race(sites, (OURS, *RIVALS), seeds, given.jobs, options)
    runs += _race(sites, OTHERS, min(seeds, FEW), given.jobs, options)
    stops = _race(
        sites, (OURS,), min(seeds, FEW), given.jobs, Options(cache=given.cache, auto_stop=True)
    )
    given.out.write_text(report(runs, stops, seeds), encoding="utf-8")
    write_curves(given.out.with_name(CURVES), [run for run in runs if run.label in (OURS, *RIVALS)])
    print(given.out.read_text(encoding="utf-8"))


def _size(site: tuple[Path, ...], options: Options) -> int:
    """Return the requests of an exhaustive crawl."""
    return next(
        race([site], ["bfs"], options=Options(cache=options.cache, requests=1))
    ).row.requests_total


def _race(
    sites: Sequence[tuple[Path, ...]],
    policies: Sequence[str],
    seeds: int,
    jobs: int,
    options: Options,
) -> list[Run]:
    runs = []
    for run in race(sites, policies, seeds=seeds, jobs=jobs, options=options):
        print(
            f"{run.row.site} {run.label} {run.row.seed}: {run.row.pct_requests_to_90}", flush=True
        )
        runs.append(run)
    return runs


def report(runs: Sequence[Run], stops: Sequence[Run], seeds: int) -> str:
    """Write the page."""
    requests, volume = _table(runs), _table(runs)
    today = datetime.datetime.now(tz=datetime.UTC).date()
    parts = [
        "# Results\n",
        f"Measured {today} with version {VERSION}, {seeds} seeds, by `make bench-policies`.\n",
        "## Percent of requests to 90 % of the targets\n",
        *_lines(requests, _requests),
        "## Percent of the other volume to 90 % of the target volume\n",
        *_lines(volume, _volume),
        "## Early stopping by estimate (`--early-stop auto`)\n",
        *_stop_lines(runs, stops),
        f"![Targets against requests]({CURVES})\n",
    ]
    return "\n".join(parts)


def _table(runs: Iterable[Run]) -> Table:
    table: Table = defaultdict(lambda: defaultdict(list))
    for run in runs:
        table[run.row.site.partition(".")[0]][run.label].append(run.row)
    return table


def _requests(row: Row) -> float | None:
    return row.pct_requests_to_90


def _volume(row: Row) -> float | None:
    return row.pct_volume_to_90


def _mean(rows: Sequence[Row], measure: Callable[[Row], float | None]) -> float:
    return statistics.fmean(NEVER if (v := measure(row)) is None else v for row in rows)


def _lines(table: Table, measure: Callable[[Row], float | None]) -> list[str]:
    """Return one line per site, and the geometric mean of the ratios to the better rival."""
    policies = list(dict.fromkeys(policy for rows in table.values() for policy in rows))
    lines = [
        "| site | " + " | ".join(policies) + " | ratio to the better SB |",
        "|" + "---|" * (len(policies) + 2),
    ]
    ratios: dict[str, list[float]] = defaultdict(list)
    for site, by_policy in table.items():
        means = {policy: _mean(rows, measure) for policy, rows in by_policy.items()}
        rival = min(means[policy] for policy in RIVALS)
        for policy, mean in means.items():
            ratios[policy].append(mean / rival)
        cells = " | ".join(f"{means[policy]:.1f}" for policy in policies)
        lines.append(f"| {site} | {cells} | {means[OURS] / rival:.3f} |")
    middle = {p: math.exp(statistics.fmean(map(math.log, r))) for p, r in ratios.items()}
    cells = " | ".join(f"{middle[policy]:.3f}" for policy in policies)
    return [*lines, f"| geometric mean of ratios | {cells} | {middle[OURS]:.3f} |", ""]


def _stop_lines(runs: Sequence[Run], stops: Sequence[Run]) -> list[str]:
    """Return what stopping lost, and what it saved of the requests after 95 % were found."""
    whole = {(run.row.site, run.row.seed): run for run in runs if run.label == OURS}
    lines = ["| site | requests | stopped after | targets lost, % |", "|---|---|---|---|"]
    saved = spare = 0.0
    by_site: dict[str, list[Run]] = defaultdict(list)
    for run in stops:
        by_site[run.row.site].append(run)
        full = whole[run.row.site, run.row.seed]
        after = _request_of(full, 0.95)
        spare += full.row.requests - after
        saved += full.row.requests - max(run.row.requests, after)
    for site, some in by_site.items():
        lost = statistics.fmean(100 * (1 - r.row.found / max(r.row.targets_total, 1)) for r in some)
        ended = statistics.fmean(r.row.requests for r in some)
        name = site.partition(".")[0]
        lines.append(f"| {name} | {some[0].row.requests_total} | {ended:.0f} | {lost:.2f} |")
    share = 100 * saved / spare if spare else 0.0
    return [*lines, "", f"Saved of the requests after 95 % were found, pooled: {share:.1f} %.", ""]


def _request_of(run: Run, share: float) -> int:
    """Return the request by which a share of the targets was found, to the curve's exactness."""
    needed = share * run.row.targets_total
    points = zip(run.curve["requests"], run.curve["found"], strict=True)
    return next((int(at) for at, found in points if found >= needed), run.row.requests)


if __name__ == "__main__":
    main()
