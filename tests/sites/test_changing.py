"""A generated site that changes is as its laws say, and the best order on it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError
from lodehound.lab import timeline_race
from lodehound.lab.race import RaceEntry, RaceOptions
from lodehound.lab.timeline_race import RoundBudget, RoundRow, run_rounds
from lodehound.sites import ChangingSite

SITE = ChangingSite(months=6, archive=100, tables=2)


def run(monkeypatch: pytest.MonkeyPatch, policy: str) -> list[RoundRow]:
    timeline_race.prepared_timeline.cache_clear()
    timeline_race.best_rounds.cache_clear()
    monkeypatch.setattr(timeline_race, "open_timeline", lambda path, cache: SITE.timeline())
    return run_rounds(RaceEntry((Path("x"),), policy, 0), RaceOptions(), RoundBudget()).rows


def test_the_news_of_a_month_is_what_its_laws_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new release and eight tables; the floor is their requests and the list's."""
    rows = run(monkeypatch, "revisit-all")

    assert [row.wanted for row in rows[1:]] == [9] * 5
    assert {row.floor_requests for row in rows[1:]} == {9.0 + 1}


def test_the_laws_are_learned_in_two_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """From then on a round asks for hardly more than what is new, and never for the archive."""
    rows = run(monkeypatch, "lodehound")

    assert [row.requests_to_90 for row in rows[3:]] == pytest.approx([10.0] * 3, abs=3)


def test_an_exhaustive_order_goes_through_the_archive_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = run(monkeypatch, "revisit-all")

    assert all(row.requests_to_90 and row.requests_to_90 > 100 for row in rows[1:])


def test_a_site_needs_a_month() -> None:
    with pytest.raises(ConfigError, match="needs 1 month"):
        ChangingSite(months=0)
