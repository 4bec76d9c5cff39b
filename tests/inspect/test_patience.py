"""Hostile files of one kind cost a few limits, not a limit each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lodehound.inspect import FileLimits, Options, Worker
from lodehound.inspect.patience import FIRST_SKIPS, TRIES, Patience
from lodehound.inspect.records import SKIPPED, TOO_LONG
from tests.inspect import make

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


def tried(patience: Patience, files: int, *, costly: bool = True) -> list[int]:
    """Offer files of one group; return the numbers of those that are inspected."""
    inspected = []
    for number in range(files):
        if patience.allows("group"):
            inspected.append(number)
            patience.learn("group", costly=costly)
    return inspected


def test_costly_files_are_tried_less_and_less() -> None:
    assert tried(Patience(), 100) == [0, 1, 2, 11, 28, 61]
    assert len(tried(Patience(), 100_000)) < 110


def test_a_group_that_can_be_read_again_is_read() -> None:
    patience = Patience()
    tried(patience, TRIES + FIRST_SKIPS)
    assert tried(patience, 5, costly=False) == [0, 1, 2, 3, 4]


def test_single_costly_files_are_no_reason() -> None:
    patience = Patience()
    for _ in range(10):
        assert len(tried(patience, TRIES - 1)) == TRIES - 1
        assert len(tried(patience, 1, costly=False)) == 1


def test_other_groups_are_inspected() -> None:
    patience = Patience()
    tried(patience, TRIES)
    assert patience.allows("another")


@needs_pipes
def test_a_worker_skips_what_takes_too_long(tmp_path: Path) -> None:
    """Reading a pipe that no one writes to takes for ever."""
    worker = Worker[str](Options(limits=FileLimits(seconds=0.5)))
    names = [f"{number}.csv" for number in range(6)]
    for name in names:
        os.mkfifo(tmp_path / name)
        worker.submit(name, tmp_path / name, "text/csv", group=("s.example", "text/csv"))
    (tmp_path / "good.csv").write_text(make.csv(make.POPULATION))
    worker.submit("good", tmp_path / "good.csv", "text/csv", group=("t.example", "text/csv"))
    assert worker.close(wait_seconds=60) == []
    errors = [found.error for _, found in worker.results()]
    assert errors == [TOO_LONG] * TRIES + [SKIPPED] * 3 + [""]
