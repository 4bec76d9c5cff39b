"""Every case of the public suites holds, except those that are listed with a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.suites import load
from tests.suites.checks import CHECKS, not_held
from tests.suites.reasons import NOT_HELD
from tests.suites.table import table

DOCUMENT = Path(__file__).parents[2] / "docs" / "research" / "reliability.md"


@pytest.mark.parametrize("name", CHECKS)
def test_a_suite(name: str) -> None:
    assert not_held(name, load(name).cases) == set(NOT_HELD[name])


def test_the_table_in_the_documentation_is_this_one() -> None:
    assert table() in DOCUMENT.read_text("utf-8")


def test_every_case_that_does_not_hold_has_a_reason() -> None:
    reasons = [reason for listed in NOT_HELD.values() for reason in listed.values()]
    assert all(re.search(r"\w+ \w+", reason) for reason in reasons)
