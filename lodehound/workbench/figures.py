"""The figures of one crawl for the list of all crawls: read in a moment, also while it runs."""

from __future__ import annotations

from dataclasses import dataclass

from lodehound.assembly.ending import MEANINGS
from lodehound.assembly.resuming import next_command
from lodehound.config import CrawlConfig
from lodehound.core.forecasts import Outlook
from lodehound.core.urls import host_of
from lodehound.reports.charts import HEIGHT, WIDTH
from lodehound.reports.figures import rate_of
from lodehound.reports.screen_text import clean
from lodehound.stores.catalogue.totals import finds_per_hundred
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.log.events import EstimateRow
from lodehound.stores.log.request_reads import finds_by_part, recent_yield
from lodehound.text.shell import quoted
from lodehound.workbench.crawls import WatchedCrawl

PARTS = 30  # bars of a sparkline


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """What is known of a crawl at a glance."""

    site: str
    starts: tuple[str, ...]
    want: str
    policy: str
    created_at: str
    ended: str  # why, in words; "" while it runs or if it was killed
    requests: int
    finds: int
    bytes: int
    seconds: float
    per_minute: float | None
    recent_per_hundred: float  # finds per 100 of the last requests
    sparks: tuple[int, ...]
    next_command: str
    estimate: EstimateRow | None
    outlook: Outlook | None

    @property
    def per_hundred(self) -> float:
        return finds_per_hundred(self.finds, self.requests)

    @property
    def rate(self) -> str:
        """The requests per minute, as `lodehound status` shows them; "" in the first seconds."""
        return "" if self.per_minute is None else rate_of(self.per_minute)

    @property
    def left(self) -> str:
        """The finds that are still to come, by estimate; "" if there is none."""
        if self.estimate is None:
            return ""
        return (
            f"{self.estimate.expected:,.0f} ({self.estimate.low:,.0f} to {self.estimate.high:,.0f})"
        )

    @property
    def spark_path(self) -> str:
        """The finds of each part of the crawl as an SVG path."""
        top = max(self.sparks, default=0) or 1
        width = WIDTH / max(len(self.sparks), 1)
        return "".join(
            f"M{at * width + 4:.0f} {HEIGHT}V{HEIGHT - value * HEIGHT / top:.0f}"
            f"H{(at + 1) * width - 4:.0f}V{HEIGHT}Z"
            for at, value in enumerate(self.sparks)
            if value
        )


def figures_of(directory: CrawlDir, look: CrawlReader) -> CrawlFigures:
    """Read the figures of a crawl."""
    config, ended = CrawlConfig.without_secrets(directory.config), directory.ended
    summary, estimates = directory.summary(), directory.expected()
    recent, found = recent_yield(look)
    sparks = [0] * PARTS
    for part, count in finds_by_part(look, PARTS):
        sparks[part] = count
    hosts = list(dict.fromkeys(host_of(url) for url in config.urls))
    more = f" and {len(hosts) - 2} more" if hosts[2:] else ""
    return CrawlFigures(
        clean(", ".join(hosts[:2]), 80) + more,
        config.urls,
        clean(config.want, 80),
        clean(config.policy, 80),
        directory.created_at[:16].replace("T", " ") + " UTC",
        MEANINGS.get(ended, ended),
        summary.requests,
        summary.finds,
        summary.bytes,
        summary.at,
        summary.per_minute,
        finds_per_hundred(found, recent),
        tuple(sparks) if summary.requests else (),
        next_command(directory, summary),
        estimates[-1] if estimates else None,
        directory.outlook() if estimates else None,
    )


def watch_command(crawl: WatchedCrawl) -> str:
    """Return the command that shows the same in a terminal."""
    return f"lodehound status {quoted(crawl.folder)}"
