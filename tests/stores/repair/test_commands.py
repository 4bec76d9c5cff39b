"""Every command on a damaged crawl directory says in one line what is damaged and what to do."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.errors import DamagedCrawlError
from tests.live import run as run_command
from tests.stores.repair.attacks import ON_DATABASE, ON_FILES, Attack, commands, rows, run

ENDS = {0, 2, 4, 6}  # well; damaged; as the site or the budget ended it
CONFIG = "json(?)) WHERE key = 'config'"
DATASET = "INSERT INTO datasets VALUES (1, 1, '', '', '', '', '', '', '', '', '', '[5]')"
LISTED = """
    INSERT INTO listed SELECT NULL, url, 1, 1, '', '', '', NULL, '', '', '' FROM finds LIMIT 1"""
LINKS = "UPDATE answers SET links = x'00' WHERE number = 1"


def complain_in_one_line(crawl: Path, other: Path) -> None:
    for words in commands(crawl, other):
        done = run(*words)
        assert done.code in ENDS, (words, done.err)
        if done.code == 2:
            assert done.err.startswith("lodehound: ")
            assert done.err.count("\n") == 1


@pytest.mark.parametrize("attack", ON_DATABASE, ids=lambda attack: attack.__name__)
def test_no_command_fails_otherwise(crawl: Path, whole: Path, attack: Attack) -> None:
    attack(crawl, random.Random(1))
    complain_in_one_line(crawl, whole / "crawl")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(200))
@pytest.mark.parametrize("attack", [*ON_DATABASE, *ON_FILES], ids=lambda attack: attack.__name__)
def test_no_command_ever_fails_otherwise(
    crawl: Path, whole: Path, attack: Attack, seed: int
) -> None:
    attack(crawl, random.Random(seed))
    complain_in_one_line(crawl, whole / "crawl")


@pytest.mark.parametrize(
    ("statement", "command", "what"),
    [
        ("UPDATE meta SET value = 'abc' WHERE key = 'format'", "status", "format is 'abc'"),
        ("DELETE FROM meta WHERE key = 'config'", "resume", "there is no config"),
        ("UPDATE meta SET value = '{' WHERE key = 'config'", "report", "config cannot be read"),
        ("DELETE FROM meta", "status", "the table meta is missing or empty"),
        ("UPDATE answers SET at = 'soon'", "status", "at is of the wrong type"),
        ("UPDATE inspections SET rows = 'many'", "report", "rows is of the wrong type"),
        (LINKS, "resume", "request 1: links cannot be read"),
        (LINKS, "skipped", "request 1: links cannot be read"),
        ("UPDATE asks SET asleep = '{'", "resume", "asleep cannot be read"),
        ("UPDATE finds SET sha256 = 'xyz'", "resume", "sha256 cannot be read"),
        ("UPDATE finds SET file = 'abc'", "resume", "file cannot be read ('abc' is no file"),
        ("DELETE FROM asks WHERE number = 3", "resume", "request 3 was answered before it was"),
        ("DROP TABLE asks", "explain", "no such table: asks"),
    ],
)
def test_the_damage_is_named(crawl: Path, statement: str, command: str, what: str) -> None:
    rows(crawl, statement)
    (words,) = [w for w in commands(crawl, crawl) if w[0] == command][:1]
    done = run(*words)
    assert done.code == 2
    assert done.err.startswith(f"lodehound: The crawl in '{crawl}' is damaged (")
    assert what in done.err
    assert done.err.endswith(f"): save all that is sound with 'lodehound repair {crawl}'.\n")


@pytest.mark.parametrize("value", ["5", '"auth"', '["nonsense"]'])
def test_secrets_that_are_none(crawl: Path, value: str) -> None:
    rows(crawl, f"UPDATE meta SET value = json_set(value, '$.had_secrets', {CONFIG}", value)
    done = run("resume", crawl, "--requests", "+3")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "stored with the crawl cannot be used (had_secrets = " in done.err


def test_an_error_without_damage_stays_what_it_is(crawl: Path) -> None:
    with pytest.raises(ZeroDivisionError), CrawlDir.open(crawl):
        raise ZeroDivisionError


def test_an_error_with_damage_is_the_damage(crawl: Path) -> None:
    with pytest.raises(DamagedCrawlError), CrawlDir.open(crawl, write=False):  # noqa: PT012
        rows(crawl, "UPDATE answers SET at = 'soon'")
        raise ZeroDivisionError


def test_output_that_was_begun_ends_with_the_complaint(crawl: Path) -> None:
    """In a process of its own: what was begun on the standard output does no harm."""
    rows(crawl, "UPDATE finds SET anchor = x'ff' WHERE number = (SELECT max(number) FROM finds)")
    done = run_command("export", crawl, "--to", "csv", "--output", "-")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "is damaged" in done.err


def test_a_damaged_journal_is_not_written(crawl: Path) -> None:
    """SQLite's own check comes before resume writes: to go on would spread the damage."""
    rows(crawl, "UPDATE answers SET at = 'soon'")
    before = rows(crawl, "SELECT count(*) FROM asks")
    assert run("resume", crawl, "--requests", "+3").code == 2
    assert rows(crawl, "SELECT count(*) FROM asks") == before


def test_keywords_of_a_dataset_that_are_none(crawl: Path) -> None:
    rows(crawl, DATASET)
    rows(crawl, LISTED)
    rows(crawl, "UPDATE datasets SET keywords = 'null'")
    done = run("list", crawl)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert (
        "is damaged (table datasets, row 1: keywords cannot be read (no list of words))" in done.err
    )
