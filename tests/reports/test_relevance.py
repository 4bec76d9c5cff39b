"""Relevance over time, from verdicts written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from lodehound.reports.charts import POINTS, Chart
from lodehound.reports.page import make_report
from lodehound.reports.relevance import relevance_chart
from tests.reports.crawls import crawl, opened, page


def chart(found: list[int], values: Sequence[float | None]) -> Chart | None:
    return relevance_chart(np.arange(1.0, len(found) + 1), found, values)


def test_share_and_mean_are_those_of_the_last_requests() -> None:
    """Twenty requests, windows of ten: 2 finds of 0.25 in the first, 10 of 0.75 in the last."""
    found = [0] * 8 + [1] * 12
    made = chart(found, [0.5] * 8 + [0.25] * 2 + [0.75] * 10)

    assert made is not None
    assert made.alt == (
        "finds among the first 10 requests: 20 %, mean relevance 0.25; "
        "among the last 10: 100 %, mean relevance 0.75"
    )
    mean, share = made.curves
    assert share.path.startswith("M500.0 320.0L550.0 280.0L")  # 2 of 10, 3 of 10
    assert mean.path.startswith("M500.0 300.0L550.0 233.3L")  # 0.25, then (0.5 + 0.75) / 3
    assert share.path.endswith("L1000.0 0.0")
    assert made.y_labels == ("1", "0.75", "0.5", "0.25", "0")


def test_where_nothing_was_found_the_mean_has_a_gap() -> None:
    made = chart([1] + [0] * 20 + [1] * 3, [0.5] * 24)

    assert made is not None
    mean, share = made.curves
    assert mean.path.count("M") == 2
    assert share.path.count("M") == 1


def test_a_point_alone_is_drawn() -> None:
    made = chart([0] * 20 + [1], [0.5] * 21)

    assert made is not None
    assert made.curves[0].path == "M1000.0 0.0h0"


def test_a_find_of_unknown_relevance_is_not_one_of_none() -> None:
    made = chart([1] * 20, [0.5, None] * 10)

    assert made is not None
    assert made.alt.count("100 %, mean relevance 0.50") == 2


def test_the_axis_ends_above_the_highest_point() -> None:
    made = chart([1, *[0] * 9] * 4, [0.14] * 40)

    assert made is not None
    assert made.y_labels[0] == "0.2"
    assert made.curves[1].path.startswith("M250.0 200.0")  # 0.1 of 0.2


def test_no_find_falls_between_two_points() -> None:
    """Of 300 points in as many requests as this, a window of 500 would pass over most."""
    count = 1000 * POINTS
    found = [0] * count
    found[500::1000] = [1] * POINTS
    made = chart(found, [0.5] * count)

    assert made is not None
    assert made.curves[0].path.count("M") == 1  # no gap
    assert "of the last 1,000" in made.curves[1].name


@pytest.mark.parametrize(
    "values",
    [[1.0] * 30, [12.0, 0.5] * 15, [None] * 30, [-0.5] * 30],
    ids=["all alike", "counts", "unknown", "below zero"],
)
def test_finds_that_are_not_graded_have_no_relevance(values: list[float | None]) -> None:
    assert chart([1] * 30, values) is None


def test_a_short_crawl_or_one_without_finds_has_no_course() -> None:
    assert chart([1] * 19, [0.5] * 19) is None
    assert chart([0] * 30, [0.5] * 30) is None


def test_a_crawl_for_a_topic_shows_it_and_one_for_files_does_not(
    tmp_path: Path, office_crawl: Path
) -> None:
    pages = [page("", *(f"p{n}" for n in range(30)))]
    pages += [page(f"p{n}", title="cancer and tumours" if n % 3 else "weather") for n in range(30)]
    folder = crawl(
        tmp_path, pages, "--want", "topic:cancer", "--vectors", "none", "--policy", "bfs"
    )
    for place, shown in ((folder, True), (office_crawl, False)):
        with opened(place) as (directory, look):
            made = make_report(directory, look, tmp_path / "report.html")
        assert ("mean relevance of these finds" in made) is shown
