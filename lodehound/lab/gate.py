"""Pinned limits for the quality of each policy, on small generated sites and disguised real ones.

A floor is the mean percentage of requests to 90 % of the targets over the seeds,
plus a margin of two standard errors (at least MARGIN, because floating point sums
differ slightly between machines). Lower is better.
"""

from __future__ import annotations

import json
import math
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from lodehound.core.errors import ConfigError, reason_of
from lodehound.lab.race import RaceOptions, Run, race
from lodehound.registry import shipped
from lodehound.sites import Lookalike, StatsOffice
from lodehound.stores.files.replacing import refuse_crawl
from lodehound.stores.text_files import read_json
from lodehound.stores.warc import write_warc
from lodehound.text.values import converted

FLOORS = Path(__file__).with_name("floors.json")
SEEDS = 12
MARGIN = 1.0  # percentage points

# Three types: a typical office, one with many files, a deep one in two languages with dead links.
SITES = {
    "office": StatsOffice(pages=300, files=40, seed=1),
    "dense": StatsOffice(pages=200, files=200, seed=2),
    "deep": StatsOffice(pages=400, files=60, depth=7, languages=("en", "fr"), dead=0.15, seed=3),
}
# Real sites in disguise. They notice what the generated ones do not: a policy without sightings.
LOOKALIKES = {name: Lookalike(name) for name in ("agency", "conference", "proceedings")}
COMPARED = ("lodehound", "sb-classifier")  # on these
# Every shipped policy except the upper bound. Small sites need a short warm-up. The linked-data
# crawlers are left out because these sites have no RDF.
WRITTEN = {"tp-off": "tp-off:warmup=100"}
UNGATED = {
    "omniscient", "ldcoc", "rdf-batch", "rdf-filter",
    "recrawl", "revisit-all", "revisit-rate", "revisit-uniform",  # for further rounds
}  # fmt: skip
POLICIES = tuple(
    WRITTEN.get(name, name) for name in sorted(shipped("policy")) if name not in UNGATED
)


@dataclass(frozen=True, slots=True)
class Mark:
    """The result of a policy on a site: mean and standard deviation over the seeds."""

    site: str
    policy: str
    mean: float
    spread: float
    seeds: Annotated[int, msgspec.Meta(ge=1)]

    @property
    def floor(self) -> float:
        return self.mean + max(MARGIN, 2 * self.spread / math.sqrt(self.seeds))


def measure(*, jobs: int = 1, seeds: int = SEEDS) -> list[Mark]:
    """Run every policy on every generated site, and the two best on the disguised real ones."""
    return [
        *measure_on(SITES, POLICIES, jobs=jobs, seeds=seeds),
        *measure_on(LOOKALIKES, COMPARED, jobs=jobs, seeds=seeds),
    ]


def measure_on(
    sites: Mapping[str, StatsOffice | Lookalike],
    policies: Sequence[str],
    *,
    jobs: int = 1,
    seeds: int = SEEDS,
) -> list[Mark]:
    """Run every policy on every site."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"{name}.warc.gz" for name in sites}
        for name, path in paths.items():
            write_warc(path, sites[name].records())
        options = RaceOptions(cache=Path(folder), enough=True)
        places = [(path,) for path in paths.values()]
        runs = list(race(places, policies, seeds=seeds, jobs=jobs, options=options))
    return [
        _mark(name, policy, [r for r in runs if (r.row.site, r.label) == (path.name, policy)])
        for name, path in paths.items()
        for policy in policies
    ]


def _mark(site: str, policy: str, runs: Sequence[Run]) -> Mark:
    # A run that never finds 90 % counts as two exhaustive crawls: worse than any other run.
    values = [200.0 if r.row.pct_requests_to_90 is None else r.row.pct_requests_to_90 for r in runs]
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    return Mark(site, policy, round(statistics.fmean(values), 3), round(spread, 3), len(values))


def read_floors(path: Path) -> list[Mark]:
    try:
        marks: list[Mark] = converted(read_json(path), list[Mark])
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"The floors {str(path)!r} cannot be read ({reason_of(error)}): "
            f"name another file, or remove it and make it anew with gate --update."
        ) from error
    return marks


def compare(floors: Sequence[Mark], measured: Sequence[Mark]) -> list[str]:
    """Return a message for each policy that is worse than its floor, or has none."""
    pinned = {(mark.site, mark.policy): mark for mark in floors}
    failures = []
    for mark in measured:
        floor = pinned.get((mark.site, mark.policy))
        if floor is None:
            failures.append(f"{mark.policy} on {mark.site} has no floor: pin it with gate --update")
        elif mark.mean > floor.floor:
            failures.append(
                f"{mark.policy} on {mark.site} needs {mark.mean:.2f} % of the requests, "
                f"its floor is {floor.floor:.2f} %"
            )
    return failures


def update(path: Path, measured: Sequence[Mark], *, allow_regression: bool) -> None:
    """Pin the results; refuse a worse floor unless `allow_regression` is set."""
    pinned = {(m.site, m.policy): m for m in read_floors(path)} if path.exists() else {}
    worse = [
        f"{mark.policy} on {mark.site}: {pinned[key].floor:.2f} would become {mark.floor:.2f}"
        for mark in measured
        if (key := (mark.site, mark.policy)) in pinned and mark.floor > pinned[key].floor
    ]
    if worse and not allow_regression:
        raise ConfigError(f"{'; '.join(worse)}. Pin a worse result only with --allow-regression.")
    pinned |= {(mark.site, mark.policy): mark for mark in measured}
    refuse_crawl(path)
    path.write_text(
        json.dumps([asdict(mark) for mark in pinned.values()], indent=1) + "\n", encoding="utf-8"
    )
