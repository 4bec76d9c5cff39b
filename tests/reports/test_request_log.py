"""Curves, politeness and errors, from answers written by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from lodehound.reports.charts import bars, line, sampled
from lodehound.reports.request_log import Failure, RequestLog
from tests.reports.crawls import ROOT, Told

ANSWER = {
    "seq": 1, "url": ROOT, "asked_at": "2024-01-01T00:00:00.000+00:00", "at": 0.0, "status": 200,
    "error": "", "tries": 1, "sent": 1, "found": 0, "size": 100,
    "value": 1.0, "entries": 0,
}  # fmt: skip


def traffic(*answers: dict[str, Any]) -> RequestLog:
    return RequestLog.of(Told([ANSWER | answer for answer in answers]))


def test_the_curve_of_finds_counts_every_request() -> None:
    """Four answers, five requests (one was tried twice, one more was never sent), two finds."""
    another = {"found": 1, "url": f"{ROOT}b.csv"}
    one = traffic({}, {"found": 1, "tries": 2}, {"sent": 0, "status": 0}, another, {})
    chart = one.finds_chart()

    assert chart.alt == "2 finds after 5 requests; half of them after 3"
    assert chart.curves[1].path == (
        "M0.0 400.0L200.0 400.0L600.0 200.0L600.0 200.0L800.0 0.0L1000.0 0.0"
    )
    assert chart.x_labels == ("0", "1", "2", "4", "5")
    assert chart.y_labels == ("2", "1.5", "1", "0.5", "0")


def test_a_find_counts_once_and_so_does_each_dataset_of_an_answer() -> None:
    one = traffic({"found": 1}, {"found": 1}, {"entries": 300})
    assert one.finds_chart().alt == "301 finds after 3 requests; half of them after 3"
    assert list(one.points()) == [(0, 0), (1, 1), (2, 1), (3, 301)]


def test_the_volume_of_finds_is_part_of_everything() -> None:
    chart = traffic({"size": 300}, {"found": 1, "size": 700}).volume_chart()

    assert chart.alt == "1.0 kB in all, 700 B of it finds"
    assert [curve.name for curve in chart.curves] == ["everything", "finds"]


def test_gaps_are_between_requests_to_one_host() -> None:
    times = ["00:00:01.000", "00:00:02.500", "00:00:02.000", "00:01:10.000"]
    hosts = ["", "", "https://t.example/", ""]
    one = traffic(
        *(
            {"url": host or ROOT, "asked_at": f"2024-01-01T{time}+00:00"}
            for time, host in zip(times, hosts, strict=True)
        )
    )
    first, second = one.top_hosts()

    assert (first.name, first.requests, first.busiest) == ("s.example", 3, 2)
    assert first.gaps == (1.5, 34.5, 67.5)
    assert second.gaps is None


def test_the_pace_is_told_per_minute() -> None:
    """Thirty seconds in steps of ten: 2, 0, 1 and 1 answers, six times as many a minute."""
    chart = traffic(*({"at": at} for at in (1.0, 9.0, 25.0, 30.0))).pace_chart()

    assert chart is not None
    assert chart.alt == "at most 12 requests per minute, in steps of 10 s"
    assert traffic({"at": 3.0}).pace_chart() is None


def test_errors_have_an_example() -> None:
    dead = {"status": 404}
    one = traffic({}, dead | {"url": ROOT + "a"}, dead, {"status": 0, "error": "TLS: x"})

    assert one.errors() == [
        Failure("status 404", 2, ROOT + "a"),
        Failure("TLS", 1, ROOT),
    ]


def test_a_crawl_that_asked_nothing_has_charts_too() -> None:
    assert traffic().finds_chart().alt == "0 finds after 1 request"


def test_a_long_curve_keeps_its_ends() -> None:
    xs = np.arange(10_000.0)
    fewer, _ = sampled(xs, xs, most=300)

    assert len(fewer) == 300
    assert (fewer[0], fewer[-1]) == (0, 9999)
    assert line(xs, xs, 9999, 9999).startswith("M0.0 400.0L")


def test_bars_stand_side_by_side() -> None:
    assert bars([1, 0, 2], top=2) == "M2.0 400V200.0H331.3V400ZM668.7 400V0.0H998.0V400Z"
