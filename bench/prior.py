"""Does what some sites taught help on another? A prior of all other sites, site by site.

    python -m bench.prior SITE.warc.zst... [--seeds 3]

Every site is crawled with a prior that was learned on all others, and without. Requests to 90 % of
the targets, in percent of all requests, and the share of the targets found with the first tenth of
the requests; means over the seeds.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from statistics import fmean, geometric_mean

from lodehound.core.policy import Lessons
from lodehound.drivers.replay import replay
from lodehound.lab.race import RaceOptions, Row, prepared, race
from lodehound.learn.lessons import mean_of
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.stores.topics import TopicOptions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sites", type=Path, nargs="+")
    parser.add_argument("--seeds", type=int, default=3)
    told = parser.parse_args()
    lessons = {path: lessons_of(path) for path in told.sites}
    print(
        f"{'site':16} {'to 90 %: without':>17} {'with':>6} {'first tenth: without':>21} {'with':>6}"
    )
    ratios = []
    for path in told.sites:
        prior = mean_of([lessons[other] for other in told.sites if other != path], least=2)
        without = rows_of(path, told.seeds, RaceOptions())
        topic = TopicOptions(prior=json.dumps(prior))
        with_prior = rows_of(path, told.seeds, replace(RaceOptions(), topic=topic))
        before, after = (to_90(rows) for rows in (without, with_prior))
        first, later = (fmean(row.retrieved["10"] for row in r) for r in (without, with_prior))
        name = path.name.partition(".")[0]
        print(f"{name:16} {before:17.1f} {after:6.1f} {first:21.1f} {later:6.1f}", flush=True)
        ratios.append(after / before)
    print(f"requests with a prior: {geometric_mean(ratios):.3f} times those without")


def lessons_of(path: Path) -> Lessons:
    """Crawl a site to its end, and return what was learned."""
    site, truth, scope = prepared((path,), RaceOptions())
    policy = LodehoundPolicy()
    _, steps = replay(site, policy=policy, target=truth.target, scope=scope)
    for _ in steps:
        pass
    return policy.lessons()


def rows_of(path: Path, seeds: int, options: RaceOptions) -> list[Row]:
    return [run.row for run in race([(path,)], ["lodehound"], seeds=seeds, options=options)]


def to_90(rows: list[Row]) -> float:
    return fmean(row.pct_requests_to_90 or 100.0 for row in rows)


if __name__ == "__main__":
    main()
