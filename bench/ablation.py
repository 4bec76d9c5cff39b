"""Each ingredient of the policy `lodehound` off: paired differences on every recorded site.

    python -m bench.ablation [--corpora DIR] [--seeds N] [--jobs N] [--rows FILE] [--out FILE]

Writes a table for docs/lodehound-policy.md. Runs that ``bench.policies --rows`` kept are used.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections import defaultdict
from pathlib import Path

from bench.policies import NEVER, OURS, entries, made
from lodehound.lab.race import RaceOptions

SWITCHES = (
    "sightings=false",
    "source_patterns=false",
    "means=false",
    "linear=false",
    "decay=0",
    "reestimate=false",
    "gamma=0",
    "explore=0",
    "optimism=0",
    "neighbours=false",
    "prior=false",
)

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
    sites = [(path,) for path in sorted((given.corpora / "sites").glob("*.warc*"))]
    policies = [OURS, *(f"{OURS}:{switch}" for switch in SWITCHES)]
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
    given.out.write_text("\n".join(table(values)) + "\n", encoding="utf-8")


def table(values: Values) -> list[str]:
    """Return a line for each switch: mean and standard deviation of the paired differences."""
    sites = sorted({site for site, _ in values})
    lines = [
        f"| switch | {' | '.join(site.partition('.')[0] for site in sites)} |",
        "|" + "---|" * (len(sites) + 1),
        f"| as it is | {' | '.join(_mean(values[site, OURS]) for site in sites)} |",
    ]
    for switch in SWITCHES:
        cells = [_difference(values[s, OURS], values[s, f"{OURS}:{switch}"]) for s in sites]
        lines.append(f"| `{switch}` | {' | '.join(cells)} |")
    return lines


def _mean(values: dict[int, float]) -> str:
    return f"{statistics.fmean(values.values()):.1f}" if values else "-"


def _difference(base: dict[int, float], other: dict[int, float]) -> str:
    pairs = [other[seed] - base[seed] for seed in base if seed in other]
    if not pairs:
        return "-"
    return f"{statistics.fmean(pairs):+.1f} ±{statistics.pstdev(pairs):.1f}"


if __name__ == "__main__":
    main()
