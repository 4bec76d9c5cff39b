"""The policy `lodehound` without each of its mechanisms, on every recorded site.

    python -m bench.ablation [--corpora DIR] [--seeds N] [--jobs N] [--rows FILE] [--out FILE]

Writes two tables for docs/lodehound-policy.md: paired differences, and the choice of a variant
by leaving one site out. Runs that ``bench.policies --rows`` kept are used.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections import defaultdict
from pathlib import Path

from bench.policies import NEVER, OURS, entries, made
from lodehound.lab.race import RaceOptions

VARIANTS = {
    "sightings": "bench.variants:WithoutSightings",
    "group means": "bench.variants:WithoutMeans",
    "linear model": "bench.variants:WithoutLinear",
    "prior on endings": "bench.variants:WithoutPrior",
    "covariances": "bench.variants:WithoutCovariances",
    "valuing again": "bench.variants:WithoutValuingAgain",
    "usual pages": "bench.variants:WithoutUsual",
    "decay": f"{OURS}:decay=0",
    "backup": f"{OURS}:gamma=0",
    "exploration": f"{OURS}:explore=0",
    "optimism": f"{OURS}:optimism=0",
}

Values = dict[tuple[str, str], dict[int, float]]  # (site, policy as written) -> seed -> percent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=os.environ.get("LODEHOUND_CORPORA"))
    parser.add_argument("--seeds", type=int, default=15)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rows", type=Path, help="where runs are kept, and looked for")
    parser.add_argument("--out", type=Path, default=Path("ablation.md"))
    parser.add_argument("--cache", type=Path)
    given = parser.parse_args()
    if given.corpora is None:
        parser.error("give --corpora, or set LODEHOUND_CORPORA")
    # A timeline with the name of a recorded site is another recording of the same site.
    folders = [given.corpora / "timelines", given.corpora / "sites"]
    named = {path.name: path for folder in folders for path in folder.glob("*.warc*")}
    sites = [(named[name],) for name in sorted(named)]
    policies = [OURS, *VARIANTS.values()]
    options = RaceOptions(cache=given.cache, curves=True, enough=True)
    plan = [(entry, options) for entry in entries(sites, policies, given.seeds)]
    # Seed by seed: a table of all sites can be made of whatever there was time for.
    plan.sort(key=lambda job: job[0].seed)
    values: Values = defaultdict(dict)
    for run in made(plan, given.jobs, given.rows):
        row = run.row
        if run.curve and run.label in policies:
            percent = NEVER if row.pct_requests_to_90 is None else row.pct_requests_to_90
            values[row.site, run.label][row.seed] = percent
    lines = [*table(values), "", *left_out(values)]
    given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def table(values: Values) -> list[str]:
    """Return a line for each site: mean and deviation of the paired differences."""
    lines = [f"| site | as it is | {' | '.join(VARIANTS)} |", "|" + "---|" * (len(VARIANTS) + 2)]
    for site in sorted({site for site, _ in values}):
        base = values[site, OURS]
        cells = [_difference(base, values[site, policy]) for policy in VARIANTS.values()]
        lines.append(f"| {site.partition('.')[0]} | {_mean(base)} | {' | '.join(cells)} |")
    return lines


def left_out(values: Values) -> list[str]:
    """Return a line for each site: the variant that is best on the others, and its effect here.

    A mechanism does not pay if the policy without it is chosen, and is no worse on the site
    left out.
    """
    sites = sorted({site for site, _ in values})
    names = {OURS: "none", **{policy: name for name, policy in VARIANTS.items()}}
    ratios = {
        (site, policy): _ratio(values[site, OURS], values[site, policy])
        for site in sites
        for policy in names
    }
    lines = ["| site left out | removed, by the others | requests, against the policy |"]
    lines.append("|---|---|---|")
    for site in sites:
        others = [other for other in sites if other != site]
        means = {
            policy: statistics.geometric_mean(ratios[other, policy] for other in others)
            for policy in names
        }
        chosen = min(means, key=lambda policy: means[policy])
        name = site.partition(".")[0]
        lines.append(f"| {name} | {names[chosen]} | {ratios[site, chosen]:.2f} |")
    return lines


def _ratio(base: dict[int, float], other: dict[int, float]) -> float:
    seeds = [seed for seed in base if seed in other]
    if not seeds:
        return 1.0
    return sum(other[seed] for seed in seeds) / sum(base[seed] for seed in seeds)


def _mean(values: dict[int, float]) -> str:
    return f"{statistics.fmean(values.values()):.1f}" if values else "-"


def _difference(base: dict[int, float], other: dict[int, float]) -> str:
    pairs = [other[seed] - base[seed] for seed in base if seed in other]
    if not pairs:
        return "-"
    return f"{statistics.fmean(pairs):+.1f} ±{statistics.pstdev(pairs):.1f}"


if __name__ == "__main__":
    main()
