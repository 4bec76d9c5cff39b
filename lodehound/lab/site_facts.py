"""What a recorded site is like: Table 1 of the SB paper."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

import numpy as np

from lodehound.core.crawl import MAX_REDIRECTS
from lodehound.drivers.replay import replay
from lodehound.lab.site_truth import SiteTruth
from lodehound.policies.bfs import Bfs
from lodehound.read.mime import is_html
from lodehound.stores.site import ABSENT


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """One line of Table 1."""

    start: str
    whole: bool  # no page that exists is left out of the recording
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
        start=truth.starts[0],
        whole=not truth.site.cut,
        available=available,
        targets=len(sizes),
        html_to_target=100 * _linking(truth) / (html or 1),
        size=_mean_and_spread(sizes),
        depth=_mean_and_spread(depths),
    )


def _linking(truth: SiteTruth) -> int:
    """Count the reached pages with a link to a target, or to a redirect that ends at one."""
    site = truth.site
    wanted = np.zeros(len(site.urls), dtype=bool)
    wanted[[site.number(url) for url in truth.found]] = True
    for _ in range(MAX_REDIRECTS):
        moved = np.flatnonzero(site.location != ABSENT)
        wanted[moved] |= wanted[site.location[moved]]
    sums = np.concatenate(([0], np.cumsum(wanted[site.link_url])))
    numbers = np.array(truth.pages, dtype=np.int64)
    linked = sums[site.starts[numbers + 1]] - sums[site.starts[numbers]]
    return int((linked > 0).sum())


def _mean_and_spread(values: list[float]) -> tuple[float, float]:
    if not values:
        return 0.0, 0.0
    return statistics.fmean(values), statistics.pstdev(values)
