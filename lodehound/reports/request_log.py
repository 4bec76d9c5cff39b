"""What was asked and what came back, in one pass over the journal: curves, politeness, errors."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lodehound.core.urls import host_of
from lodehound.reports.charts import (
    Chart,
    Curve,
    Numbers,
    bars,
    ceiling,
    labels,
    line,
    sampled,
    short,
)
from lodehound.reports.relevance import relevance_chart
from lodehound.reports.screen_text import in_bytes, in_time
from lodehound.stores.catalogue.find_reads import answers_after
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.text.counts import counted

BARS = 120  # in the chart over time
HOSTS = 12  # in the table
MINUTE = 60.0


@dataclass(slots=True)
class HostCounts:
    """The requests to one host."""

    name: str
    requests: int = 0
    failed: int = 0
    asked: array[float] = field(default_factory=lambda: array("d"))  # seconds since the epoch
    flaw: str = ""  # of its last answer

    @property
    def busiest(self) -> int:
        """The maximum number of requests within a clock minute."""
        return max(Counter(int(at // MINUTE) for at in self.asked).values(), default=0)

    @property
    def gaps(self) -> tuple[float, float, float] | None:
        """The shortest, median and longest time between two requests."""
        if len(self.asked) < 2:
            return None
        gaps = np.diff(np.sort(np.array(self.asked)))
        return float(gaps.min()), float(np.median(gaps)), float(gaps.max())


@dataclass(frozen=True, slots=True)
class HostFigures:
    """The requests to one host, as they are shown."""

    name: str
    requests: int
    failed: int
    busiest: int
    gaps: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Failure:
    """One type of error."""

    name: str
    count: int
    example: str


@dataclass(slots=True)
class RequestLog:
    """The requests and answers of a crawl, counted."""

    seq: int = 0  # of the last answer
    requests: array[int] = field(default_factory=lambda: array("q"))  # per answer: 0, 1 or more
    found: array[int] = field(default_factory=lambda: array("b"))
    # A find counts once, however often it changed, and so does a dataset that an API lists.
    finds: array[int] = field(default_factory=lambda: array("q"))
    addresses: set[str] = field(default_factory=set)  # of the finds
    values: array[float] = field(default_factory=lambda: array("d"))  # the target's; NaN for none
    sizes: array[int] = field(default_factory=lambda: array("q"))
    at: array[float] = field(default_factory=lambda: array("d"))
    hosts: dict[str, HostCounts] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, look: CrawlReader) -> RequestLog:
        return cls().read(look)

    def read(self, look: CrawlReader) -> RequestLog:
        """Count what was answered since the last time; return itself."""
        for row in answers_after(look, self.seq):
            self.take(row)
        return self

    def take(self, row: Any) -> None:
        url = row["url"]
        self.seq = row["seq"]
        requests = row["tries"] - (not row["sent"])
        self.requests.append(requests)
        self.found.append(row["found"])
        is_new = bool(row["found"]) and url not in self.addresses
        if is_new:
            self.addresses.add(url)
        self.finds.append(is_new + row["entries"])
        self.values.append(math.nan if row["value"] is None else row["value"])
        self.sizes.append(row["size"])
        self.at.append(row["at"])
        failed = row["status"] == 0 or row["status"] >= 400
        kind = _failure(row) if failed else ""
        if row["sent"]:
            name = host_of(url)
            host = self.hosts.setdefault(name, HostCounts(name))
            host.requests += requests
            host.failed += failed
            host.flaw = kind
            host.asked.append(datetime.fromisoformat(row["asked_at"]).timestamp())
        if failed:
            self.failures[kind] += 1
            self.examples.setdefault(kind, url)

    def top_hosts(self) -> list[HostFigures]:
        top = sorted(self.hosts.values(), key=lambda host: -host.requests)[:HOSTS]
        return [HostFigures(h.name, h.requests, h.failed, h.busiest, h.gaps) for h in top]

    def errors(self) -> list[Failure]:
        return [Failure(k, count, self.examples[k]) for k, count in self.failures.most_common(30)]

    def points(self) -> Iterator[tuple[int, int]]:
        """Yield requests and finds so far at evenly spaced points, for a chart of one's own."""
        xs, ys = sampled(self._across(), self._sums(self.finds))
        return ((int(x), int(y)) for x, y in zip(xs, ys, strict=True))

    # --- charts -------------------------------------------------------------------------------

    def progress_charts(self) -> list[Chart]:
        """Draw the charts against requests."""
        charts = [self.finds_chart(), self.volume_chart(), self.relevance_chart()]
        return [chart for chart in charts if chart is not None]

    def finds_chart(self) -> Chart:
        xs, finds = self._across(), self._sums(self.finds)
        total, end = finds[-1], xs[-1]
        half = int(xs[np.searchsorted(finds, total / 2)])
        alt = f"{counted(int(total), 'find')} after {counted(int(end), 'request')}"
        alt += f"; half of them after {half:,}" if total else ""
        top = ceiling(total)
        even = f"M0 400L1000 {400 - 400 * total / top:.1f}"
        guide = [Curve("if finds were spread evenly", even, "guide")] if total else []
        curves = (*guide, Curve("finds", line(xs, finds, end, top), "main"))
        return self._chart("Finds", alt, curves, labels(top, short))

    def volume_chart(self) -> Chart:
        xs, everything = self._across(), self._sums(self.sizes)
        finds = self._sums(np.asarray(self.sizes) * np.asarray(self.found))
        top = ceiling(everything[-1])
        curves = (
            Curve("everything", line(xs, everything, xs[-1], top), "other"),
            Curve("finds", line(xs, finds, xs[-1], top), "main"),
        )
        alt = f"{in_bytes(everything[-1])} in all, {in_bytes(finds[-1])} of it finds"
        return self._chart("Volume", alt, curves, labels(top, _bytes_label))

    def relevance_chart(self) -> Chart | None:
        """Draw the relevance of the crawl; None if its target does not grade finds."""
        sent = [place for place, requests in enumerate(self.requests) if requests]
        found = [self.found[at] for at in sent]
        values = [None if math.isnan(self.values[at]) else self.values[at] for at in sent]
        return relevance_chart(self._across()[1:][sent], found, values)

    def pace_chart(self) -> Chart | None:
        """Draw the requests per minute over time; None if the crawl took only seconds."""
        end = max(self.at, default=0.0)
        if end < 20:
            return None
        width = 10.0 if end < 10 * MINUTE else MINUTE * math.ceil(end / BARS / MINUTE)
        counts = [0.0] * (int(end // width) + 1)
        for at, requests in zip(self.at, self.requests, strict=True):
            counts[int(at // width)] += requests * MINUTE / width
        top = ceiling(max(counts))
        across = "time"
        alt = f"at most {max(counts):,.0f} requests per minute, in steps of {in_time(width)}"
        drawn = (Curve("requests per minute", bars(counts, top), "bars"),)
        x_labels = labels(len(counts) * width, in_time)
        y_labels = labels(top, short)[::-1]
        return Chart("Requests per minute", alt, across, drawn, x_labels, y_labels)

    def _chart(
        self, title: str, alt: str, curves: tuple[Curve, ...], y_labels: tuple[str, ...]
    ) -> Chart:
        x_labels = labels(float(self._across()[-1]), _count_label)
        return Chart(title, alt, "requests", curves, x_labels, y_labels[::-1])

    def _across(self) -> Numbers:
        xs = self._sums(self.requests)
        xs[-1] = max(xs[-1], 1.0)  # a crawl without requests has an axis too
        return xs

    @staticmethod
    def _sums(values: ArrayLike) -> Numbers:
        return np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))


def _failure(row: Any) -> str:
    """Return what came back in place of an answer, in a few words."""
    error = str(row["error"]).partition(":")[0]
    return f"status {row['status']}" if row["status"] else error or "no answer"


def _count_label(value: float) -> str:
    return short(round(value))


def _bytes_label(value: float) -> str:
    return in_bytes(value).replace(".0 ", " ") if value else "0"
