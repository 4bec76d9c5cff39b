"""export --to sqlite and duckdb, lodehound sql."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from lodehound.core.errors import ConfigError
from lodehound.exports import sql_query
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.tables.names import LONGEST, named_tables
from tests.exports.crawls import add, begin, fill, zipped

Program = Callable[..., tuple[int, str, str]]
RATES = "SELECT * FROM labour_market ORDER BY 2"
ROWS = [("Chisinau", 2010, 6.1), ("Balti", 2011, 7.9), ("Cahul", 2012, 5.5)]


@pytest.mark.parametrize("form", ["sqlite", "duckdb"])
def test_tables_are_written_typed(program: Program, crawl: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / f"out.{form}"
    code, _, err = program("export", crawl, "--to", form, "--output", out)
    assert (code, err) == (0, f"4 finds and 4 tables written to {out}\n")
    db = sqlite3.connect(out) if form == "sqlite" else duckdb.connect(str(out))
    assert db.execute(RATES).fetchall() == ROWS
    listed = db.execute("SELECT name, find, title, rows, loaded, note FROM tables").fetchall()
    assert listed[0] == ("labour_market", 1, "Labour market", 3, 3, "")
    (url,) = db.execute("SELECT url FROM finds WHERE number = 1").fetchall()
    assert url == ("https://s.example/t1.csv",)
    db.close()


@pytest.mark.parametrize("form", ["sqlite", "duckdb"])
def test_a_database_of_somebody_else_is_kept(
    program: Program, crawl: Path, tmp_path: Path, form: str
) -> None:
    out = tmp_path / "mine"
    db = sqlite3.connect(out) if form == "sqlite" else duckdb.connect(str(out))
    db.execute("CREATE TABLE tables (x INTEGER)")
    db.close()
    code, _, err = program("export", crawl, "--to", form, "--output", out)
    assert (code, "--force" in err) == (2, True)
    assert program("export", crawl, "--to", form, "--output", out, "--force")[0] == 0
    code = program("export", crawl, "--to", form, "--output", out)[0]
    assert code == 0  # an export of ours


def test_names_can_be_used_without_quotes(tmp_path: Path) -> None:
    with begin(tmp_path / "c") as directory:
        fill(directory)
        for at, anchor in enumerate(
            ("Order", "order", "x" * 90, "x" * 90, "2019", "\u0426", "Finds")
        ):
            add(directory, f"n{at}.csv", f"a,b\n{at},1\n{at},2\n".encode(), anchor=anchor)
        sheets = zipped(**{"one.csv": b"a,b\n1,2\n3,4\n", "two.csv": b"a,b\n5,6\n7,8\n"})
        add(directory, "z.zip", sheets, "application/zip", anchor="Two tables")
    with Catalogue(tmp_path / "c") as catalogue:
        names = [table.name for table in named_tables(catalogue)]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z][a-z0-9_]*", name) and len(name) <= LONGEST for name in names)
    assert {"two_tables_one_csv", "two_tables_two_csv", "order_table"} <= {*names}
    with sql_query.ask(tmp_path / "c", "SELECT sum(a) AS s FROM two_tables_two_csv") as answer:
        assert (answer.columns, list(answer.rows)) == (("s",), [(12,)])


def test_an_odd_file_does_not_stop_the_others(
    program: Program, crawl: Path, tmp_path: Path
) -> None:
    with CrawlDir.open(crawl, write=True) as directory:
        odd = add(directory, "odd.csv", b"a,b\n1,2\n3,4\n", anchor="Odd")
        gone = add(directory, "gone.csv", b"a,b\n1,2\n5,6\n", anchor="Gone")
    (crawl / odd.file).write_bytes(b"\x00" * 100)
    (crawl / gone.file).unlink()
    out = tmp_path / "out.sqlite"
    code, _, err = program("export", crawl, "--to", "sqlite", "--output", out)
    said = err.splitlines()
    assert (code, said[0]) == (0, f"6 finds and 4 tables written to {out}")
    assert any(line.startswith("odd (https://s.example/odd.csv): ") for line in said)
    assert any("gone.csv): the file is no longer there" in line for line in said)


def test_questions_are_answered(program: Program, crawl: Path) -> None:
    code, out, err = program("sql", crawl, RATES)
    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == ["Region\tYear\tUnemployment rate (%)", "Chisinau\t2010\t6.1"]
    code, out, err = program("sql", crawl, RATES, "--json", "--limit", "1")
    assert json.loads(out) == {"Region": "Chisinau", "Year": 2010, "Unemployment rate (%)": 6.1}
    assert err == "Only the first 1 rows: --limit shows more.\n"
    out = program("sql", crawl, "SELECT count(*) AS n FROM finds", "--csv")[1]
    assert out == '"n"\r\n4\r\n'
    named = "SELECT name FROM tables WHERE loaded IS NOT NULL"
    assert program("sql", crawl, named)[1] == "name\n"  # no table was named, so none was read


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("SELECT * FROM labor_market", "Did you mean 'labour_market'?"),
        ("COPY labour_market TO '/tmp/x'", "not COPY"),
        ("ATTACH '/tmp/x'", "not ATTACH"),
        ("INSTALL httpfs", "not LOAD"),
        ("PRAGMA version", "not PRAGMA"),
        ("INSERT INTO finds VALUES (1)", "not INSERT"),
        ("SET memory_limit = '1TB'", "not SET"),
        ("EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1", "not EXPLAIN"),
        ("SELECT 1; DROP TABLE finds", "not DROP"),
        ("", "an empty one"),
        ("SELEC 1", "syntax error"),
        ("SELECT * FROM read_text('/etc/passwd')", "Cannot access file"),
        ("SELECT * FROM glob('/*')", "Cannot access file"),
        ("SELECT * FROM '/etc/passwd'", "There is no table '/etc/passwd'"),
        ("SELECT * FROM read_csv('http://127.0.0.1:1/')", "SQL: "),
        ("SELECT nothing FROM labour_market", "nothing"),
        ("SELECT * FROM program", "There is no table 'program'"),
    ],
)
def test_statements_are_refused_in_one_line(
    program: Program, crawl: Path, statement: str, said: str
) -> None:
    code, out, err = program("sql", crawl, statement)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert said in err


def test_the_time_of_a_statement_is_limited(crawl: Path) -> None:
    endless = "SELECT count(*) FROM range(100000000000) a, range(100000000000) b"
    with (
        pytest.raises(ConfigError, match="takes more than"),
        sql_query.ask(crawl, endless, seconds=0.2),
    ):
        pass


def test_times_with_a_zone_are_texts(crawl: Path) -> None:
    moment = "TIMESTAMPTZ '2020-01-31 10:00:00+00'"
    statement = f"SELECT 1 AS a, {moment} AS a, [{moment}] AS b FROM tables LIMIT 1 ; "
    with sql_query.ask(crawl, statement) as answer:
        ((number, time, times),) = answer.rows
    assert (answer.columns, number) == (("a", "a", "b"), 1)
    assert re.fullmatch(r"2020-0[12]-[0-9]{2} [0-9:]{8}[+-][0-9:]+", time)
    assert time in times
