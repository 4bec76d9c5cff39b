"""The gate: the quality of every policy is held where it was pinned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.lab.gate import (
    FLOORS,
    LOOKALIKES,
    Mark,
    compare,
    measure,
    measure_on,
    read_floors,
    update,
)
from lodehound.policies.lodehound.features import SourcePage
from lodehound.policies.lodehound.lodehound_policy import LodehoundPolicy

MARK = Mark(site="office", policy="bfs", mean=50.0, spread=6.0, seeds=9)


def test_no_policy_has_fallen() -> None:
    """The pinned floors hold on this machine."""
    assert compare(read_floors(FLOORS), measure()) == []


class WithoutSightings(LodehoundPolicy):
    """Knows a link from the first page that shows it only."""

    def _see_again(self, links: tuple[Link, ...], source: SourcePage) -> None:
        pass


@pytest.mark.parametrize(
    ("site", "policy"),
    [
        ("agency", f"{__name__}:WithoutSightings"),
        ("proceedings", "lodehound:gamma=0"),
        ("proceedings", "lodehound:optimism=0"),
    ],
)
def test_a_mechanism_that_is_removed_is_noticed(site: str, policy: str) -> None:
    [floor] = [m for m in read_floors(FLOORS) if (m.site, m.policy) == (site, "lodehound")]
    [mark] = measure_on({site: LOOKALIKES[site]}, [policy], seeds=4)
    assert compare([floor], [replace(mark, policy="lodehound")]) != []


def test_floors_rest_on_ten_seeds_or_on_policies_without_any() -> None:
    assert all(mark.seeds >= 10 or mark.spread == 0 for mark in read_floors(FLOORS))


def test_a_floor_is_the_mean_and_two_standard_errors() -> None:
    assert MARK.floor == 50.0 + 2 * 6.0 / 3
    assert replace(MARK, spread=0.1).floor == 51.0


def test_a_fallen_policy_is_named_with_both_numbers() -> None:
    failures = compare([MARK], [replace(MARK, mean=54.1)])

    assert failures == ["bfs on office needs 54.10 % of the requests, its floor is 54.00 %"]
    assert compare([MARK], [replace(MARK, mean=53.9)]) == []


def test_a_policy_without_a_floor_fails() -> None:
    assert compare([], [MARK]) == ["bfs on office has no floor: pin it with gate --update"]


def test_update_refuses_to_lower_a_floor(tmp_path: Path) -> None:
    floors = tmp_path / "floors.json"
    update(floors, [MARK], allow_regression=False)
    worse = replace(MARK, mean=60.0)

    with pytest.raises(ConfigError, match="--allow-regression"):
        update(floors, [worse], allow_regression=False)
    assert read_floors(floors) == [MARK]
    update(floors, [worse], allow_regression=True)
    assert read_floors(floors) == [worse]


def test_unreadable_floors_name_the_way_out(tmp_path: Path) -> None:
    broken = tmp_path / "floors.json"
    broken.write_text("[{]", encoding="utf-8")

    with pytest.raises(ConfigError, match="gate --update"):
        read_floors(broken)
