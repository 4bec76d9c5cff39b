"""What the workbench keeps while it runs: figures, and a process that reads files."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lodehound.inspect import PREVIEW, Inspection, Options, Reader
from lodehound.reports.charts import Chart
from lodehound.reports.estimates import estimate_chart
from lodehound.reports.group_yields import groups_of
from lodehound.reports.request_log import Failure, HostCounts, HostFigures, RequestLog
from lodehound.reports.site_map import SiteMap, site_map_of
from lodehound.reports.skipped import skips_of
from lodehound.stores.catalogue.entries import Catalogue, Facets
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.log.events import EstimateRow
from lodehound.stores.log.sleeping import SleepReader
from lodehound.workbench.crawls import Crawls, WatchedCrawl
from lodehound.workbench.figures import figures_of
from lodehound.workbench.skipped_list import SkippedList
from lodehound.workbench.snapshots import PATIENCE, Counted, Snapshots

LIMITS = replace(
    PREVIEW, seconds=10.0, memory_bytes=512 << 20, read_bytes=64 << 20, parse_bytes=16 << 20,
    preview_rows=20, preview_chars=4000,
)  # fmt: skip
HOSTS = 30  # asleep, in a table


@dataclass(frozen=True, slots=True)
class TrafficFigures:
    """Requests and answers, drawn and counted."""

    finds: Chart
    estimate: Chart | None
    pace: Chart | None
    hosts: list[HostFigures]
    errors: list[Failure]
    asleep: list[tuple[str, str]]  # host, and why
    asleep_count: int
    host_count: int
    points: list[list[float | None]]  # requests, finds, all finds by estimate, low, high


@dataclass(frozen=True, slots=True)
class SkipCounts:
    """What was seen and not fetched, and the sections of the site."""

    seen: int
    by_reason: dict[str, int]
    details: dict[str, list[tuple[str, int]]]
    site_map: SiteMap
    listed: SkippedList


@dataclass(slots=True)
class _Watched:
    """What is kept of one crawl."""

    log: RequestLog = field(default_factory=RequestLog)
    asleep: SleepReader = field(default_factory=SleepReader)


class Workbench:
    """Everything the pages ask.

    Args:
        places: Crawl directories, and folders that contain some.
        control: Whether crawls may be started and stopped.
    """

    def __init__(self, places: Sequence[Path], *, control: bool = False) -> None:
        self.crawls = Crawls(places)
        self.control = control
        self._snapshots = Snapshots()
        self._kept: dict[str, _Watched] = {}
        self._folder = tempfile.TemporaryDirectory(
            prefix="lodehound-ui-", ignore_cleanup_errors=True
        )
        self._reader = Reader(Options(limits=LIMITS))
        self._reading = threading.Lock()

    @property
    def folder(self) -> Path:
        """A folder for temporary files, removed in the end."""
        return Path(self._folder.name)

    def close(self) -> None:
        self._snapshots.close()
        self._reader.close()
        self._folder.cleanup()

    def counted_at(self) -> tuple[float, ...]:
        """Return numbers that change whenever something was counted."""
        return self._snapshots.made()

    def figures(self, crawl: WatchedCrawl, patience: float = PATIENCE) -> Counted:
        """Return the CrawlFigures of a crawl."""
        return self._read(crawl, "figures", figures_of, patience=patience)

    def traffic(self, crawl: WatchedCrawl) -> Counted:
        """Return the TrafficFigures of a crawl."""
        kept = self._of(crawl)
        return self._read(crawl, "traffic", lambda directory, look: _traffic(kept, directory, look))

    def facets(self, crawl: WatchedCrawl) -> Counted:
        """Return the Facets of a crawl, up to date or nearly so."""

        def read() -> Facets:
            with Catalogue(crawl.folder) as catalogue:
                return catalogue.facets()

        return self._count(crawl, "facets", read)

    def groups(self, crawl: WatchedCrawl) -> Counted:
        """Return what every group of links brought, the best first."""
        return self._read(crawl, "groups", lambda _, look: groups_of(look), thread="slow")

    def skips(self, crawl: WatchedCrawl) -> Counted:
        """Return the SkipCounts of a crawl."""
        return self._read(crawl, "skips", self._skipped, thread="slow")

    def counted(self, key: tuple[str, ...], stamp: Any, make: Any) -> Counted:
        """Return anything else that takes long to count."""
        return self._snapshots.get(key, stamp, make, thread="slow")

    def preview(self, path: Path, mime: str) -> Inspection:
        """Return the beginning of a file, read in another process with limits."""
        with self._reading:
            return self._reader.inspect(path, mime)

    def _of(self, crawl: WatchedCrawl) -> _Watched:
        return self._kept.setdefault(crawl.id, _Watched())

    def _read(
        self,
        crawl: WatchedCrawl,
        what: str,
        make: Any,
        *,
        thread: str = "quick",
        patience: float = PATIENCE,
    ) -> Counted:
        def read() -> Any:
            with crawl.opened() as opened:
                return make(*opened)

        return self._count(crawl, what, read, thread=thread, patience=patience)

    def _count(
        self,
        crawl: WatchedCrawl,
        what: str,
        count: Callable[[], Any],
        *,
        thread: str = "quick",
        patience: float = PATIENCE,
    ) -> Counted:
        return self._snapshots.get(
            (crawl.id, what),
            crawl.stamp(),
            count,
            thread=thread,
            sparing=bool(crawl.crawling),
            patience=patience,
        )

    def _skipped(self, directory: Any, look: CrawlReader) -> SkipCounts:
        with skips_of(directory, look) as skips:
            details: dict[str, list[tuple[str, int]]] = {}
            for (reason, detail), count in skips.counts.most_common():
                details.setdefault(reason, []).append((detail, count))
            listed = SkippedList(self.folder, skips.rows())
            made = site_map_of(look, skips)
            return SkipCounts(skips.seen, skips.by_reason(), details, made, listed)


def _traffic(kept: _Watched, directory: CrawlDir, look: CrawlReader) -> TrafficFigures:
    log, estimates = kept.log.read(look), directory.estimates()
    asleep = sorted(kept.asleep.read(look))
    reasons = [(host, _why(host, log.hosts)) for host in asleep[:HOSTS]]
    return TrafficFigures(
        log.finds_chart(), estimate_chart(estimates, sum(log.requests)),
        log.pace_chart(), log.top_hosts(), log.errors(), reasons, len(asleep),
        len(log.hosts), points_of(log, estimates),
    )  # fmt: skip


def points_of(log: RequestLog, estimates: Sequence[EstimateRow]) -> list[list[float | None]]:
    """Return the curves of a chart over the same requests; None where one has no point."""
    rows: dict[int, list[float | None]] = {x: [y, None, None, None] for x, y in log.points()}
    for one in estimates:
        known = rows.setdefault(one.requests, [one.finds, None, None, None])
        known[1:] = [one.finds + value for value in (one.expected, one.low, one.high)]
    xs = sorted(rows)
    return [list(xs), *(list(curve) for curve in zip(*(rows[x] for x in xs), strict=True))]


def _why(name: str, hosts: Mapping[str, HostCounts]) -> str:
    if " " in name:
        return "this API asked to wait"
    if (host := hosts.get(name)) is None:
        return "its robots.txt is being read, or its first answer is awaited"
    return f"its last answer failed: {host.flaw}" if host.flaw else "the delay between requests"
