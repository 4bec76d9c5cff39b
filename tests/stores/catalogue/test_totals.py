"""Rates and shares of a crawl, by hand."""

from __future__ import annotations

import pytest

from lodehound.stores.catalogue.totals import FileCounts, finds_per_hundred, requests_per_minute


@pytest.mark.parametrize(("finds", "requests", "rate"), [(3, 60, 5.0), (0, 7, 0.0), (0, 0, 0.0)])
def test_finds_per_hundred_requests(finds: int, requests: int, rate: float) -> None:
    assert finds_per_hundred(finds, requests) == rate


@pytest.mark.parametrize(("seconds", "rate"), [(30.0, 20.0), (1.0, 600.0), (0.9, None)])
def test_a_crawl_that_was_too_short_has_no_rate(seconds: float, rate: float | None) -> None:
    assert requests_per_minute(10, seconds) == rate


def test_every_file_is_in_one_class() -> None:
    one = FileCounts(
        truncated=1, not_inspected=2, unreadable=4, empty=8, no_rows=16, no_tables=32,
        with_tables=64, with_statistics=28, statistics=56,
    )  # fmt: skip
    assert (one.files, one.inspected, one.readable) == (127, 124, 112)
    assert (one.statistics_share, one.statistics_per_file) == (0.25, 0.5)
    assert (FileCounts().statistics_share, FileCounts().statistics_per_file) == (0.0, 0.0)
    assert (one + one).files == 254
