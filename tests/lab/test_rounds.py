"""The measures of rounds, on timelines small enough to count by hand."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from rich.text import Text
from typer.testing import CliRunner

from lodehound.cli.program import app
from lodehound.core.errors import ConfigError
from lodehound.lab import timeline_race
from lodehound.lab.race import RaceEntry, RaceOptions
from lodehound.lab.race_command import ROUND_POLICIES
from lodehound.lab.round_curves import round_curve
from lodehound.lab.round_tables import delay_table, mean_delay, pct_ever, pct_same_round, pct_to_90
from lodehound.lab.timeline_race import RoundBudget, RoundRow, TimelineRun, run_rounds
from lodehound.sites import ChangingSite
from lodehound.stores.records import Record
from lodehound.stores.timeline import Timeline
from tests.helpers import http, page, timeline, warc


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


def run(
    patch: pytest.MonkeyPatch, site: Timeline, budget: str, policy: str = "revisit-all"
) -> list[RoundRow]:
    timeline_race.prepared_timeline.cache_clear()
    timeline_race.best_rounds.cache_clear()
    patch.setattr(timeline_race, "open_timeline", lambda path, cache: site)
    entry = RaceEntry((Path(f"{budget}.warc"),), policy, 0)
    return run_rounds(entry, RaceOptions(), RoundBudget.parse(budget), written=budget).rows


def test_a_row_counts_what_a_round_wanted_and_found(rows: list[RoundRow]) -> None:
    """The round asks for the list, b, the root, c and a: the second find is its last request."""
    second = rows[1]

    assert (second.wanted, second.found, second.requests) == (2, 2, 5)
    assert (second.requests_to_90, second.recrawl_requests) == (5, 5)
    assert (second.found_same_round, second.mean_delay) == (2, 0.0)


@pytest.mark.parametrize("policy", ROUND_POLICIES)
def test_every_policy_for_rounds_finds_what_is_new(
    monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    rows = run(monkeypatch, SITE, "", policy)

    assert [row.found for row in rows] == [2, 2, 1]


def test_a_budget_is_held_against_what_it_could_find_at_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With two requests, a and the list; then b, which the list has shown, and c."""
    rows = run(monkeypatch, SITE, "2")

    assert [(row.best_same_round, row.best_ever_found) for row in rows[1:]] == [(1, 2), (1, 1)]
    assert [row.best_mean_delay for row in rows[1:]] == [0.5, 0.0]


def test_the_floor_is_the_pages_that_must_be_read_and_the_files(rows: list[RoundRow]) -> None:
    """At first both pages and both files; then b must be seen on the list, and c is known."""
    assert [row.floor_requests for row in rows] == [4.0, 3.0, 1.0]


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


def test_curve_of_a_run_pools_its_rounds() -> None:
    """Half of the four wanted files is found after a tenth of a recrawl, three after a half."""
    first = row(round=0, wanted=9, recrawl_requests=10)
    second = row(round=1, wanted=4, recrawl_requests=10)

    curve = round_curve([first, second], [[1] * 9, [1, 1, 5]])

    at = {percent: curve["share"][curve["percent"].index(percent)] for percent in (5.0, 10.0, 50.0)}
    assert at == {5.0: 0.0, 10.0: 50.0, 50.0: 75.0}
    assert (curve["round"], curve["found_share"]) == ([1.0], [75.0])


def test_a_table_of_several_budgets_and_a_plot(tmp_path: Path) -> None:
    """Also in several processes."""
    site = ChangingSite(months=2, archive=1, tables=1)
    dates = " ".join(site.date(month) for month in range(2))
    records = [warc("", f"snapshots: {dates}\r\n".encode(), kind="warcinfo")]
    for one in site.records():
        text = http(one.body, Content_Type=one.content_type, ETag=one.etag)
        records.append(warc(one.url, text, date=one.date))
    path, curves = tmp_path / "changing.warc.gz", tmp_path / "curves.svg"
    path.write_bytes(b"".join(map(gzip.compress, records)))
    words = ["race", path, "--rounds", "--policy", "revisit-all", "--jobs", 2]
    words += ["--budget", "10%,100%", "--curves", curves, "--cache", tmp_path]

    done = CliRunner().invoke(app, list(map(str, words)))

    lines = [line.split() for line in done.stdout.splitlines() if "revisit-all" in line]
    assert [line[:2] for line in lines] == [["10%", "revisit-all"], ["100%", "revisit-all"]]
    assert lines[1][2:] == ["100.0", "/", "100.0", "/", "0.0"]
    assert curves.read_text().startswith("<?xml")


def test_table_ends_with_the_best_that_is_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third of the wanted files needs the list, which the budget does not allow."""
    site = timeline(
        {"": page("list", "a.csv", "b.csv"), "a.csv": version(1), "b.csv": version(1)},
        {"": page("list", "a.csv", "b.csv", "c.csv"), "a.csv": version(2), "b.csv": version(2),
         "c.csv": version(1)},
    )  # fmt: skip
    rows = run(monkeypatch, site, "2")
    table = delay_table([TimelineRun("revisit-all", rows, [])])

    assert [list(column.cells) for column in table.columns] == [
        ["2", "2"],
        [Text("revisit-all"), "best possible"],
        ["33.3 / 33.3 / 0.7", "66.7 / 66.7 / 0.3"],
    ]
