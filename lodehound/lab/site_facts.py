"""What a recorded site is like: Table 1 of the SB paper."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from lodehound.drivers.replay import replay
from lodehound.lab.truth import SiteTruth
from lodehound.policies.bfs import Bfs
from lodehound.read.mime import is_html


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """One line of Table 1."""

    available: int  # URLs that answer with 2xx
    targets: int
    html_to_target: float  # percent of the HTML pages that link to a target
    size: tuple[float, float]  # of a target in MB, mean and standard deviation
    depth: tuple[float, float]  # of a target: links from the root, at least


def facts_of(truth: SiteTruth) -> SiteFacts:
    """Crawl all of a recorded site breadth first, and say what it is like."""
    available = html = 0
    sizes, depths = [], []
    steps = replay(
        truth.site, policy=Bfs(), target=truth.target, starts=truth.starts, scope=truth.scope
    )[1]
    for step in steps:
        ok = 200 <= step.status < 300
        available += ok
        if step.found:
            sizes.append(step.size / 1e6)
            depths.append(float(step.depth))
        html += ok and not step.found and is_html(step.mime)
    return SiteFacts(
        available=available,
        targets=len(sizes),
        html_to_target=100 * truth.linking_pages / (html or 1),
        size=_mean_and_spread(sizes),
        depth=_mean_and_spread(depths),
    )


def _mean_and_spread(values: list[float]) -> tuple[float, float]:
    if not values:
        return 0.0, 0.0
    return statistics.fmean(values), statistics.pstdev(values)
