"""Figures are counted beside the pages, once for each state of a crawl, and not too often."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from lodehound.core.errors import ConfigError
from lodehound.workbench.snapshots import Snapshots


@pytest.fixture
def snapshots() -> Iterator[Snapshots]:
    made = Snapshots()
    yield made
    made.close()


def test_a_page_does_not_wait_for_what_takes_long(snapshots: Snapshots) -> None:
    go = threading.Event()
    shot = snapshots.get("x", 1, lambda: go.wait(30), patience=0.01)
    go.set()

    assert (shot.value, shot.busy) == (None, True)


def test_a_page_is_told_when_it_was_counted(snapshots: Snapshots) -> None:
    """It shows older figures until then, perhaps after the last change of the crawl."""
    snapshots.get("x", 1, lambda: "running", patience=30.0)
    go, before = threading.Event(), snapshots.made()
    assert snapshots.get("x", 2, lambda: go.wait(30), patience=0.0, sparing=False).busy
    assert snapshots.made() == before
    go.set()
    snapshots.get("x", 2, lambda: "", patience=30.0)

    assert snapshots.made() != before


def test_each_state_is_counted_once(snapshots: Snapshots) -> None:
    calls = []
    for stamp in (1, 1, 2):
        snapshots.get("x", stamp, lambda: calls.append(1), patience=30.0, sparing=False)

    assert len(calls) == 2


def test_a_running_crawl_keeps_its_processor(snapshots: Snapshots) -> None:
    wait = threading.Event()
    snapshots.get("x", 1, lambda: wait.wait(0.2), patience=30.0)

    shot = snapshots.get("x", 2, lambda: "again", patience=30.0)
    assert (shot.value, shot.busy) == (False, False)
    shot = snapshots.get("x", 3, lambda: "ended", patience=30.0, sparing=False)
    assert shot.value == "ended"


def test_what_cannot_be_counted_says_why(snapshots: Snapshots) -> None:
    def refuse() -> None:
        raise ConfigError("There is no crawl here.")

    assert snapshots.get("x", 1, refuse, patience=30.0).error == "There is no crawl here."
