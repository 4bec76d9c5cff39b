"""The measures of rounds, on timelines small enough to count by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError
from lodehound.lab import rounds
from lodehound.lab.race import RaceEntry, RaceOptions
from lodehound.lab.round_tables import mean_delay, pct_ever, pct_same_round, pct_to_90
from lodehound.lab.rounds import RoundBudget, RoundRow, run_rounds
from lodehound.stores.records import Record
from lodehound.stores.timeline import Timeline
from tests.helpers import page, timeline


def version(number: int) -> Record:
    return Record("", 200, "text/csv", b"%d" % number, etag=f'"{number}"')


# The list shows b in the second snapshot; a changes there and c in the third.
SITE = timeline(
    {"": page("list", "c.csv"), "list": page("a.csv"), "a.csv": version(1), "c.csv": version(1)},
    {"list": page("a.csv", "b.csv"), "a.csv": version(2), "b.csv": version(1)},
    {"c.csv": version(2)},
)


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> list[RoundRow]:
    return run(monkeypatch, SITE, "")


def run(patch: pytest.MonkeyPatch, site: Timeline, budget: str) -> list[RoundRow]:
    rounds.prepared_timeline.cache_clear()
    patch.setattr(rounds, "open_timeline", lambda path, cache: site)
    entry = RaceEntry((Path(f"{budget}.warc"),), "revisit-all", 0)
    return run_rounds(entry, RaceOptions(), RoundBudget.parse(budget), written=budget).rows


def test_a_row_counts_what_a_round_wanted_and_found(rows: list[RoundRow]) -> None:
    """The round asks for the list, b, the root, c and a: the second find is its last request."""
    second = rows[1]

    assert (second.wanted, second.found, second.requests) == (2, 2, 5)
    assert (second.requests_to_90, second.recrawl_requests) == (5, 5)
    assert (second.found_same_round, second.mean_delay) == (2, 0.0)


def test_the_floor_is_the_pages_that_must_be_read_and_the_files(rows: list[RoundRow]) -> None:
    """B must be seen on the list; c is known."""
    assert [row.floor_requests for row in rows[1:]] == [3.0, 1.0]


def test_what_a_budget_misses_is_wanted_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three requests bring the list, b and the root; the next three both pages and c, never a."""
    rows = run(monkeypatch, SITE, "3")

    assert [(row.wanted, row.found, row.requests) for row in rows[1:]] == [(2, 1, 3), (2, 1, 3)]
    assert [(row.found_same_round, row.ever_found, row.mean_delay) for row in rows[1:]] == [
        (1, 1, 1.0),
        (1, 1, 0.0),
    ]


def test_what_is_never_found_counts_the_rounds_that_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One request a round: the list, then b; a and c are never found."""
    rows = run(monkeypatch, SITE, "1")

    assert [row.mean_delay for row in rows[1:]] == [1.5, 1.0]


def row(**given: object) -> RoundRow:
    usual: dict[str, object] = dict.fromkeys(RoundRow.__dataclass_fields__, 0)
    return RoundRow(**(usual | {"round": 1} | given))  # type: ignore[arg-type]


def test_rounds_are_pooled_by_requests_and_by_files() -> None:
    """Rounds that want fewer than three files do not count, nor does the first."""
    pooled = [
        row(wanted=5, requests_to_90=10, recrawl_requests=100),
        row(wanted=3, requests_to_90=40, recrawl_requests=100),
        row(wanted=2, requests_to_90=90, recrawl_requests=100),
        row(round=0, wanted=9, requests_to_90=90, recrawl_requests=100),
    ]
    files = [
        row(appeared=3, ever_found=3, found_same_round=3, mean_delay=0.0),
        row(appeared=9, ever_found=6, found_same_round=3, mean_delay=2.0),
        row(appeared=2, ever_found=0, found_same_round=0, mean_delay=9.0),
    ]

    assert pct_to_90(pooled) == 25.0
    assert (pct_ever(files), pct_same_round(files), mean_delay(files)) == (75.0, 50.0, 1.5)


def test_a_budget_is_a_number_or_a_share_of_the_urls_before() -> None:
    assert [RoundBudget.parse(text).of(110).requests for text in ("", "7", "5%")] == [None, 7, 6]


@pytest.mark.parametrize("text", ["0", "-1", "0%", "101%", "many", "%"])
def test_another_budget_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="write 5% or 200"):
        RoundBudget.parse(text)
