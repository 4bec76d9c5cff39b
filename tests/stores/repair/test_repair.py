"""lodehound repair keeps whatever is sound; a resumed crawl then finds everything."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import sqlite3
from pathlib import Path
from unittest import mock

import pytest

from lodehound.assembly.rebuild import rebuild
from lodehound.core.errors import ContractError
from lodehound.stores.crawl_dir import CrawlDir
from tests.stores.repair.attacks import (
    ON_DATABASE,
    ON_FILES,
    ON_LOG,
    Attack,
    blank_a_page,
    commands,
    cut_the_database,
    edit_the_config,
    files_of,
    flip_bits,
    rows,
    run,
)

FINDS = "SELECT final_url, sha256 FROM finds ORDER BY 1"
ATTACKS = [attack for attack in (*ON_DATABASE, *ON_FILES) if attack is not edit_the_config]
NOTHING_LEFT = "Nothing of the journal in"


def is_whole_again(crawl: Path, whole: Path) -> None:
    """Repaired, it is sound; resumed, it has every find with its file, as if nothing had been."""
    assert run("repair", crawl).out == f"{crawl}: nothing is damaged\n"
    done = run("resume", crawl, "--requests", "none", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert rows(crawl, FINDS) == rows(whole / "finished", FINDS)
    for file, sha256 in rows(crawl, "SELECT file, sha256 FROM finds"):
        assert hashlib.sha256((crawl / file).read_bytes()).hexdigest() == sha256


@pytest.fixture(scope="session", autouse=True)
def finished(whole: Path) -> None:
    shutil.copytree(whole / "crawl", whole / "finished")
    run("resume", whole / "finished", "--requests", "none", "--quiet")


def repair(crawl: Path) -> bool:
    """Repair a crawl; return whether anything of its journal could be read."""
    done = run("repair", crawl)
    if done.code:
        assert done.err.startswith(f"lodehound: {NOTHING_LEFT}")
        assert done.err.count("\n") == 1
    return done.code == 0


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_what_is_sound_is_kept(crawl: Path, whole: Path, attack: Attack) -> None:
    attack(crawl, random.Random(9))
    assert repair(crawl)
    is_whole_again(crawl, whole)


@pytest.mark.parametrize(
    "change", ["asks SET number = 'x' WHERE number = 3", "rounds SET first = 'x'"]
)
def test_a_number_that_is_text(crawl: Path, whole: Path, change: str) -> None:
    rows(crawl, f"UPDATE {change}")
    assert repair(crawl)
    is_whole_again(crawl, whole)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_what_is_sound_is_always_kept(crawl: Path, whole: Path, attack: Attack, seed: int) -> None:
    attack(crawl, random.Random(seed))
    if repair(crawl) and attack not in {flip_bits, cut_the_database, blank_a_page}:
        is_whole_again(crawl, whole)


@pytest.mark.parametrize("attack", ON_LOG, ids=lambda attack: attack.__name__)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_a_damaged_log(logged: Path, whole: Path, attack: Attack, seed: int) -> None:
    """SQLite reads the log up to its last sound commit."""
    attack(logged, random.Random(seed))
    assert repair(logged)
    is_whole_again(logged, whole)


def test_an_updated_crawl_is_not_damaged(crawl: Path) -> None:
    """A further round requests the same URLs again."""
    run("resume", crawl, "--requests", "none", "--quiet")
    assert run("update", crawl, "--quiet").code == 0
    assert run("repair", crawl).out == f"{crawl}: nothing is damaged\n"


@pytest.mark.parametrize("budgets", [(), ("200",)])
def test_lost_files_of_earlier_rounds_are_fetched_again(
    crawl: Path, budgets: tuple[str, ...]
) -> None:
    """Whether a later round has asked for them or not."""
    run("resume", crawl, "--requests", "none", "--quiet")
    for budget in (*budgets, "9"):
        assert run("update", crawl, "--requests", budget, "--quiet").code == 0
    before = files_of(crawl)
    shutil.rmtree(crawl / "files")
    assert run("repair", crawl).code == 0
    assert run("resume", crawl, "--requests", "none", "--quiet").code == 0
    assert files_of(crawl) == before
    assert run("repair", crawl).out == f"{crawl}: nothing is damaged\n"


def test_files_that_are_fetched_again_are_not_new(crawl: Path) -> None:
    """Those that are not what the catalogue said have changed."""
    run("resume", crawl, "--requests", "none", "--quiet")
    run("update", crawl, "--requests", "9", "--quiet")
    finds, status = rows(crawl, FINDS), run("status", crawl, "--json").out
    other = finds[0][0]
    rows(crawl, "UPDATE finds SET sha256 = ? WHERE final_url = ?", "0" * 64, other)
    shutil.rmtree(crawl / "files")
    assert run("repair", crawl).code == 0
    assert run("resume", crawl, "--requests", "none", "--quiet").code == 0
    assert rows(crawl, FINDS) == finds
    assert json.loads(run("status", crawl, "--json").out)["finds"] == json.loads(status)["finds"]
    round_ = json.loads(run("report", crawl, "--round", "2", "--json").out)
    assert (round_["new"], [one["url"] for one in round_["changed"]]) == ([], [other])
    assert run("list", crawl, "--new", "--json").out == ""
    changes = json.loads(run("diff", crawl, "--rounds", "1", "2", "--json").out)["changes"]
    assert [(one["what"], one["url"]) for one in changes] == [("changed", other)]
    with CrawlDir.open(crawl) as directory:
        assert rebuild(directory).finds == len(finds)


def test_rounds_are_compared_without_finds_that_are_lost(crawl: Path) -> None:
    """Even if several versions of them were known."""
    run("resume", crawl, "--requests", "none", "--quiet")
    run("update", crawl, "--requests", "9", "--quiet")
    shutil.rmtree(crawl / "files")
    run("repair", crawl)
    rows(crawl, "CREATE TABLE newer AS SELECT * FROM versions")
    rows(crawl, "UPDATE newer SET number = number + 1000, sha256 = ?", "0" * 64)
    rows(crawl, "INSERT INTO versions SELECT * FROM newer")
    done = run("diff", crawl, "--rounds", "1", "2", "--json")
    assert (done.code, json.loads(done.out)["changes"]) == (0, [])


def test_a_find_that_is_missing_is_fetched_again(crawl: Path, whole: Path) -> None:
    rows(crawl, "DELETE FROM finds WHERE number = (SELECT max(number) FROM finds)")
    assert "damage      table finds: the find of request" in run("repair", crawl).out
    is_whole_again(crawl, whole)


def test_what_is_said(crawl: Path) -> None:
    """What was damaged, what is kept, what is lost, where the original is, what comes next."""
    lost = files_of(crawl)[0]
    lost.unlink()
    rows(crawl, "UPDATE answers SET links = x'00' WHERE number = 1")
    finds = len(rows(crawl, "SELECT 1 FROM finds"))
    done = run("repair", crawl)
    (original,) = crawl.glob("damaged-*")
    name = lost.relative_to(crawl).as_posix()
    problem = "it is incomplete"
    assert done.out.splitlines() == [
        f"{crawl}: repaired",
        f"damage      table answers, request 1: links cannot be read ({problem})",
        f"damage      {name} is missing",
        "kept        40 requests, 38 answered",
        f"kept        {finds - 1} finds",
        "lost        answers: 2 damaged or left out",
        "lost        finds: 1 damaged or left out",
        f"lost        {name}: lost or changed, requested again by resume",
        f"original    {original}",
        f"next        lodehound resume {crawl}",
    ]


def test_a_bug_in_the_replay_is_told_from_damage(
    crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was saved is said first."""
    files_of(crawl)[0].unlink()
    monkeypatch.setattr("lodehound.assembly.repair.rebuild", mock.Mock(side_effect=TypeError("x")))
    done = run("repair", crawl)
    (original,) = crawl.glob("damaged-*")
    assert (done.code, done.out.splitlines()[-1]) == (1, f"original    {original}")
    assert done.err.startswith("lodehound: A bug of Lodehound or of a plug-in: TypeError: x (")


def test_what_prevents_a_replay_is_said(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files_of(crawl)[0].unlink()
    error = ContractError("chose it twice.")
    monkeypatch.setattr("lodehound.assembly.repair.rebuild", mock.Mock(side_effect=error))
    said = "note        the crawl cannot be resumed as it is: chose it twice."
    assert said in run("repair", crawl).out.splitlines()


def test_the_original_is_kept(crawl: Path) -> None:
    cut_the_database(crawl, random.Random(6))
    before = (crawl / "crawl.sqlite").read_bytes()
    assert run("repair", crawl).code == 0
    (kept,) = crawl.glob("damaged-*/crawl.sqlite")
    assert kept.read_bytes() == before


def test_a_changed_file_is_kept_too(crawl: Path) -> None:
    changed = files_of(crawl)[0]
    changed.write_bytes(b"edited by the user")
    assert run("repair", crawl).code == 0
    (original,) = crawl.glob("damaged-*")
    assert (original / changed.relative_to(crawl)).read_bytes() == b"edited by the user"


def test_other_commands_do_not_make_it_worse(crawl: Path, whole: Path, tmp_path: Path) -> None:
    """What repair saves is the same before and after all commands have failed."""
    blank_a_page(crawl, random.Random(6))
    first = Path(shutil.copytree(crawl, tmp_path / "first"))
    for words in commands(crawl, whole / "crawl"):
        run(*words)
    for folder in (first, crawl):
        assert run("repair", folder).code == 0
    for table in ("asks", "answers", "finds"):
        count = f"SELECT count(*) FROM {table}"
        assert rows(crawl, count)[0] >= rows(first, count)[0]


def test_lost_options_are_replaced_by_defaults(crawl: Path) -> None:
    rows(crawl, "DELETE FROM meta WHERE key = 'config'")
    done = run("repair", crawl)
    assert "lost        the options of the crawl: defaults are used, give yours" in done.out
    assert run("status", crawl).out.splitlines()[1] == "start       https://s.example/"


@pytest.mark.parametrize("value", ["[]", "null"])
def test_options_of_another_kind_are_replaced_by_defaults(crawl: Path, value: str) -> None:
    rows(crawl, "UPDATE meta SET value = ? WHERE key = 'config'", value)
    assert run("repair", crawl).code == 0
    assert run("status", crawl).code == 0


def test_a_format_that_never_was_is_refused_in_one_line(crawl: Path) -> None:
    rows(crawl, "UPDATE meta SET value = '0' WHERE key = 'format'")
    done = run("repair", crawl)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_nothing_left(crawl: Path) -> None:
    (crawl / "crawl.sqlite").write_bytes(b"")
    done = run("repair", crawl)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.startswith(f"lodehound: {NOTHING_LEFT} '{crawl}' can be saved")
    assert (crawl / "crawl.sqlite").read_bytes() == b""


def test_a_folder_without_a_crawl(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    done = run("repair", tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "contains no crawl.sqlite" in done.err


def test_a_fleet_is_told_from_a_crawl(crawl: Path, tmp_path: Path) -> None:
    (tmp_path / "fleet.sqlite").touch()
    assert f"'{tmp_path}' is a fleet of crawls" in run("repair", tmp_path).err
    said = f"'{crawl}' is a crawl, not a fleet: use 'lodehound status {crawl}' and the like.\n"
    assert run("fleet", "status", crawl).err == f"lodehound: {said}"


@pytest.mark.parametrize("size", [512, 1024, 65536])
def test_pages_of_any_size(crawl: Path, size: int) -> None:
    """Rows are found without the trees, long ones with their overflow pages."""
    db = sqlite3.connect(crawl / "crawl.sqlite", isolation_level=None)
    db.execute("PRAGMA journal_mode = DELETE")
    db.execute(f"PRAGMA page_size = {size}")
    db.execute("VACUUM")
    (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'answers'").fetchone()
    db.close()
    before = rows(crawl, "SELECT number, links FROM answers ORDER BY 1")
    data = bytearray((crawl / "crawl.sqlite").read_bytes())
    kind = data[(page - 1) * size]
    data[(page - 1) * size] = 0  # the root of the tree: SQLite reaches nothing of the table
    (crawl / "crawl.sqlite").write_bytes(data)
    assert run("repair", crawl).code == 0
    after = rows(crawl, "SELECT number, links FROM answers ORDER BY 1")
    if kind == 5:  # the root was an inner page: every leaf is still there
        assert after == before
    else:
        assert {number for number, _ in after} < {number for number, _ in before}


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE rounds SET number = -number", "a round is missing"),
        ("UPDATE rounds SET first = 1 << 50", "the first requests of the rounds are out of order"),
        ("UPDATE rounds SET seq = 7", "round 1 begins at another event than its first request"),
        ("UPDATE rounds SET at = 9e999", "at is of the wrong type in 2 rows"),
        ("UPDATE rounds SET at = -1e308", "at is of the wrong type in 2 rows"),
        ("DELETE FROM rounds WHERE number = 1", "a round is missing"),
        ("UPDATE answers SET seq = 1 << 50 WHERE number = 5", "round 2 begins at another event"),
        ("UPDATE asks SET seq = 1 << 50 WHERE number = 5", "round 2 begins at another event"),
    ],
)
def test_damaged_rounds_are_found_anew(crawl: Path, statement: str, problem: str) -> None:
    """A round begins where a request is repeated; no request and no find is lost."""
    run("resume", crawl, "--requests", "none", "--quiet")
    run("update", crawl, "--quiet")
    what = ("SELECT number, url FROM asks", FINDS, "SELECT number, first, seq FROM rounds")
    before = [rows(crawl, one) for one in what]
    rows(crawl, statement)
    assert f"damage      table rounds: {problem}" in run("repair", crawl).out
    assert [rows(crawl, one) for one in what] == before
    assert run("update", crawl, "--quiet").code == 0


@pytest.mark.parametrize("change", ["size = 1 << 62", "number = -number WHERE number = 9"])
def test_numbers_that_cannot_be_are_left_out(crawl: Path, whole: Path, change: str) -> None:
    rows(crawl, f"UPDATE answers SET {change}")
    assert run("status", crawl).code in {0, 2}
    assert repair(crawl)
    is_whole_again(crawl, whole)


@pytest.mark.parametrize(
    ("change", "url"),
    [("url = 'http://e.org:7x/'", "is damaged"), ("method = CAST(method AS BLOB)", "is readable")],
)
def test_damaged_requests_that_wait_are_no_obstacle(
    crawl: Path, whole: Path, change: str, url: str
) -> None:
    rows(crawl, f"UPDATE asks SET {change} WHERE number = 9")
    rows(crawl, "DELETE FROM answers WHERE number = 9")
    assert ("request 9: url cannot be read" in run("repair", crawl).out) == (url == "is damaged")
    is_whole_again(crawl, whole)


def test_requests_without_their_places_stay_in_their_rounds(crawl: Path) -> None:
    run("resume", crawl, "--requests", "none", "--quiet")
    run("update", crawl, "--quiet")
    rows(crawl, "UPDATE asks SET depth = -1")
    assert "the crawl cannot be resumed" not in run("repair", crawl).out
    assert run("repair", crawl).out == f"{crawl}: nothing is damaged\n"
    assert run("update", crawl, "--quiet").code == 0


def test_an_update_that_was_stopped_leaves_the_older_versions_to_put_back(crawl: Path) -> None:
    """It stores a newer file before the catalogue names it, and keeps the older one until then."""
    before = files_of(crawl)
    name, sha256 = rows(crawl, "SELECT file, sha256 FROM finds")[0]
    kept = crawl / "versions" / sha256[:2] / f"{sha256}.csv"
    kept.parent.mkdir(parents=True)
    shutil.copyfile(crawl / name, kept)
    (crawl / name).write_text("newer")
    assert f"{name}: put back from {kept.name}" in run("repair", crawl).out
    assert files_of(crawl) == before


@pytest.mark.parametrize("damage", ["DELETE FROM finds", "UPDATE finds SET file = '5'"])
def test_the_file_of_a_lost_find_stays_although_an_older_version_had_its_name(
    crawl: Path, damage: str
) -> None:
    columns = rows(crawl, "PRAGMA table_info(finds)")
    names = ", ".join(column[1] for column in columns[1:])
    rows(crawl, f"INSERT INTO versions (number, replaced_by, kept, {names}) "
                f"SELECT 1000 + number, number, '', {names} FROM finds")  # fmt: skip
    before = files_of(crawl)
    rows(crawl, f"{damage} WHERE number = (SELECT max(number) FROM finds)")
    assert run("resume", crawl, "--requests", "+1", "--quiet").code in {0, 2}
    assert run("repair", crawl).code == 0
    assert set(before) <= set(files_of(crawl))


def test_a_round_without_requests_begins_after_all_answers(crawl: Path) -> None:
    """As when an update refused a damaged find as soon as it had begun."""
    first = "SELECT 2, 1 + max(number), (SELECT max(seq) FROM answers), 1.0, '2026-01-01', ''"
    rows(crawl, f"INSERT INTO rounds {first} FROM asks")
    rows(crawl, "UPDATE finds SET file = '5' WHERE number = (SELECT max(number) FROM finds)")
    assert "cannot be resumed" not in run("repair", crawl).out
    assert run("repair", crawl).out == f"{crawl}: nothing is damaged\n"
