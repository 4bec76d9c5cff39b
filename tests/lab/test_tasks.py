"""Repeated tasks on a tiny wiki."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lodehound.cli import main
from lodehound.lab.race import RaceOptions
from lodehound.lab.repeated_tasks import TaskRow, race_tasks
from lodehound.lab.task_tables import intervals_table, learning_table, steps_table
from lodehound.stores.records import Record
from lodehound.stores.topics import TopicOptions
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
    options = RaceOptions(
        want="topic:wing",
        cache=tmp_path / "cache",
        requests=12,
        topic=TopicOptions(categories=("animal",), vectors="none"),
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


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a user types it: an example page in place of a word, tables printed, rows written."""
    write_warc(tmp_path / "wiki.warc.gz", wiki())
    words = f"race {tmp_path}/wiki.warc.gz --want topic --like {ROOT}bird/1 --vectors none"
    more = f"--tasks 2 --seeds 1 --exclude */bird/9 --cache {tmp_path}/c --json {tmp_path}/r.jsonl"
    monkeypatch.setattr("sys.argv", ["lodehound", *words.split(), *more.split()])
    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code in {0, None}
    assert "Finds per interval of relevance" in capsys.readouterr().out
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert [(row["policy"], row["task"]) for row in rows] == [
        ("best-first", 0),
        ("sarsa", 0),
        ("sarsa", 1),
    ]
    assert {row["targets_total"] for row in rows} == {10}  # nine articles and the home page
