"""Repeated tasks on a tiny wiki."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.lab.race import Options
from lodehound.lab.task_tables import intervals_table, learning_table, steps_table
from lodehound.lab.tasks import TaskRow, race_tasks
from lodehound.stores.records import Record
from lodehound.stores.topics import Wishes
from lodehound.stores.warc import write_warc
from tests.helpers import ROOT


def wiki() -> list[Record]:
    """A home page, and twenty articles in two chains: birds, and bricks."""
    words = {"bird": "A bird has wings.", "brick": "A brick has corners."}
    home = "".join(f"<p><a href={ROOT}{word}/0>{word}s</a></p>" for word in words)
    records = [Record(ROOT, 200, "text/html", f"<html lang=en>Wings: {home}".encode())]
    for word, text in words.items():
        for i in range(10):
            body = f"<html lang=en><p>{text} <a href={ROOT}{word}/{i + 1}>{word} {i + 1}</a>"
            records.append(Record(f"{ROOT}{word}/{i}", 200, "text/html", body.encode()))
    return records


@pytest.fixture
def rows(tmp_path: Path) -> list[TaskRow]:
    path = tmp_path / "wiki.warc.gz"
    write_warc(path, wiki())
    options = Options(
        want="topic:wing",
        cache=tmp_path / "cache",
        requests=12,
        topic=Wishes(categories=("animal",), vectors="none"),
    )
    policies = ["best-first", "sarsa:similarity=tfidf"]
    return list(race_tasks([(path,)], policies, tasks=3, trials=2, options=options))


def test_rows_of_tasks(rows: list[TaskRow]) -> None:
    """What does not learn runs once; what does, in every trial as often as wanted."""
    first, *learned = rows

    assert [(row.seed, row.task) for row in learned] == [(t, k) for t in (0, 1) for k in range(3)]
    assert (first.policy, first.requests, first.targets_total) == ("best-first", 12, 11)
    assert all(row.accumulated[-1] == row.found == sum(row.intervals) for row in rows)
    assert all(row.steps[0] == 0 and row.steps[-1] == row.requests for row in rows)


def test_learning_helps(rows: list[TaskRow]) -> None:
    """In the last tasks it finds more than half of the birds in half of the requests."""
    assert all(row.found > 5 for row in rows if row.policy != "best-first" and row.task == 2)


def test_tables(rows: list[TaskRow]) -> None:
    """One line for each policy."""
    for table in (learning_table(rows), steps_table(rows), intervals_table(rows)):
        assert table.row_count == 2
