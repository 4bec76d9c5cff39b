"""The policy `lodehound` without each of its mechanisms, on recorded sites, from random beginnings.

    python -m bench.ablation [--corpora DIR] [--sites NAME,...] [--seeds N] [--rows FILE]

Writes docs/research/ablation.md: the requests to 90 % of the finds without each mechanism, as
ratios, and the mechanism to remove as chosen by leaving one site out. Finds are all data files, and
types of which a site has few. With ``--rows`` runs are kept in a file as they end
and are not made again: delete it when the policy was changed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
from collections import defaultdict
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.pages import RESEARCH
from bench.policies import NEVER
from lodehound.lab.race import RaceEntry, RaceOptions, in_processes, run_entry

WHOLE = "bench.variants:Whole"
VARIANTS = {
    "sightings": "bench.variants:WithoutSightings",
    "group means": "bench.variants:WithoutMeans",
    "linear model": "bench.variants:WithoutLinear",
    "prior on endings": "bench.variants:WithoutPrior",
    "covariances": "bench.variants:WithoutCovariances",
    "gains": "bench.variants:WithoutGains",
    "decay": f"{WHOLE}:decay=0",
    "backup": f"{WHOLE}:gamma=0",
    "exploration": f"{WHOLE}:explore=0",
    "optimism": f"{WHOLE}:optimism=0",
}
FEW = {  # types of files that are rare on a site
    "who-immz": ["csv,xlsx"], "openbsd": ["pdf"], "openbsd-opaque": ["pdf"], "jaalonso": ["pdf"],
    "emijrp": ["pdf"], "skimage": ["zip"], "irishaid": ["docx"], "mirandanet": ["doc", "pdf"],
}  # fmt: skip

ABOUT = """# What each mechanism is worth

Written by `python -m bench.ablation`, which removes one mechanism of the policy `lodehound` after
the other, and then chooses among the variants by leaving one site out. All crawls have
[random beginnings](lodehound-policy.md#from-random-beginnings). The table shows the requests to
90 % of the finds without each mechanism, as ratios to those of the policy, with standard errors.
The column "seeds" is the number of random beginnings. The sites were used in development.
"""
NOTES = """A gain is what a page gains
[after its visit](policy-rules.md#what-is-a-page-worth). A mechanism does not pay if the
other sites would remove it and the site left out is no worse for that. What was removed, and what
was never taken: [what was tried](what-was-tried.md).
"""


class Measured(NamedTuple):
    """Requests of one crawl to 90 % of the finds, in percent of all requests."""

    site: str
    want: str
    policy: str
    seed: int
    percent: float


Values = dict[tuple[str, str], dict[str, dict[int, float]]]  # (site, want) -> policy -> seed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=os.environ.get("LODEHOUND_CORPORA"))
    parser.add_argument("--sites", help="names, with commas; else all")
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rows", type=Path, help="where runs are kept, and looked for")
    parser.add_argument("--out", type=Path, default=RESEARCH / "ablation.md")
    parser.add_argument("--cache", type=Path)
    given = parser.parse_args()
    if given.corpora is None:
        parser.error("give --corpora, or set LODEHOUND_CORPORA")
    # A timeline with the name of a recorded site is another recording of the same site.
    folders = [given.corpora / "timelines", given.corpora / "sites"]
    paths = {_name(path): path for folder in folders for path in folder.glob("*.warc*")}
    sites = given.sites.split(",") if given.sites else sorted(paths)
    done = _kept(given.rows)
    known = {(one.site, one.want, one.policy, one.seed) for one in done}
    tasks = [
        partial(_measure, paths[site], RaceOptions(want=want, cache=given.cache), policy, seed)
        for site in sites
        for want in ["files", *[f"files:{few}" for few in FEW.get(site, [])]]
        for seed in range(given.seeds)
        for policy in (WHOLE, *VARIANTS.values())
        if (site, want, policy, seed) not in known
    ]
    for one in in_processes(tasks, given.jobs):
        print(*one, flush=True)
        done.append(one)
        if given.rows is not None:
            with given.rows.open("a", encoding="utf-8") as kept:
                kept.write(json.dumps(one) + "\n")
    values: Values = defaultdict(lambda: defaultdict(dict))
    for one in done:
        values[one.site, one.want][one.policy][one.seed] = one.percent
    given.out.write_text(page(values), encoding="utf-8")


def _kept(rows: Path | None) -> list[Measured]:
    if rows is None or not rows.exists():
        return []
    with rows.open(encoding="utf-8") as lines:
        return [Measured(*json.loads(line)) for line in lines]


def _measure(path: Path, options: RaceOptions, policy: str, seed: int) -> Measured:
    options = replace(options, enough=True)
    percent = run_entry(RaceEntry((path,), policy, seed), options).row.pct_requests_to_90
    percent = NEVER if percent is None else percent
    return Measured(_name(path), options.want, policy, seed, percent)


def _name(path: Path) -> str:
    return path.name.partition(".")[0]


def page(values: Values) -> str:
    return "\n".join([ABOUT, *table(values), "", *left_out(values), "", NOTES])


def table(values: Values) -> list[str]:
    """Return a line for each site and want, with the requests without each mechanism as a ratio."""
    head = ["site", "finds", "seeds", "as it is, %", *VARIANTS]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for (site, want), runs in sorted(values.items()):
        whole = list(runs[WHOLE].values())
        cells = [_cell(runs[WHOLE], runs[policy]) for policy in VARIANTS.values()]
        figures = [site, want, str(len(whole)), f"{statistics.fmean(whole):.1f}", *cells]
        lines.append(f"| {' | '.join(figures)} |")
    means = [f"{_mean(values, policy):.3f}" for policy in VARIANTS.values()]
    return [*lines, f"| geometric mean | | | | {' | '.join(means)} |"]


def left_out(values: Values) -> list[str]:
    """Return a line for each site: what the others would remove, and what that does here.

    A mechanism does not pay if the policy without it is chosen, and is no worse on the site left
    out.
    """
    names = {WHOLE: "none", **{policy: name for name, policy in VARIANTS.items()}}
    lines = ["| site left out | removed, by the others | requests, against the policy |"]
    lines.append("|---|---|---|")
    for site in sorted({site for site, _ in values}):
        here = {task: runs for task, runs in values.items() if task[0] == site}
        others = {task: runs for task, runs in values.items() if task[0] != site}
        chosen = min(names, key=lambda policy: _mean(others, policy))
        lines.append(f"| {site} | {names[chosen]} | {_mean(here, chosen):.2f} |")
    return lines


def _mean(values: Values, policy: str) -> float:
    """Return the geometric mean of a policy's ratios."""
    ratios = [_ratio(runs[WHOLE], runs[policy])[0] for runs in values.values() if runs[policy]]
    return statistics.geometric_mean(ratios) if ratios else 1.0


def _ratio(whole: dict[int, float], other: dict[int, float]) -> tuple[float, float]:
    """Return the ratio of two means over the same seeds, and its standard error."""
    seeds = [seed for seed in whole if seed in other]
    base = statistics.fmean(whole[seed] for seed in seeds)
    ratio = statistics.fmean(other[seed] for seed in seeds) / base
    # By the delta method: the error of a ratio of means.
    rests = [(other[seed] - ratio * whole[seed]) / base for seed in seeds]
    return ratio, statistics.stdev(rests) / math.sqrt(len(rests)) if len(rests) > 1 else 0.0


def _cell(whole: dict[int, float], other: dict[int, float]) -> str:
    if not other:
        return "-"
    ratio, error = _ratio(whole, other)
    return f"{ratio:.2f} ±{error:.2f}"


if __name__ == "__main__":
    main()
