"""Rows of finds in Python."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path

import pytest

import lodehound
from lodehound.core.errors import ConfigError
from lodehound.stores.crawl_dir import CrawlDir
from tests.exports.crawls import add, zipped

RATES = [("Chisinau", 2010, 6.1), ("Balti", 2011, 7.9), ("Cahul", 2012, 5.5)]


def test_a_table_is_typed(crawl: Path) -> None:
    saved = lodehound.open(crawl)
    for name in (
        1,
        "1",
        "https://s.example/t1.csv",
        next(iter(saved)),
        crawl / saved.finds[0].path,
    ):
        frame = saved.table(name if not isinstance(name, Path) else str(name))
        assert list(frame.itertuples(index=False, name=None)) == RATES
    assert [str(kind) for kind in frame.dtypes] == ["object", "Int64", "float64"]


def test_the_second_table_of_a_file(crawl: Path) -> None:
    days = b"day,old,open\n2020-01-31,1801-01-01,true\n2020-02-01,,false\n,1802-01-01,\n"
    with CrawlDir.open(crawl, write=True) as directory:
        body = zipped(**{"one.csv": b"a,b\n1,2\n3,4\n", "two.csv": days})
        find = add(directory, "z.zip", body, "application/zip")
    frame = lodehound.open(crawl).table(find.number, 2)
    kinds = [str(kind) for kind in frame.dtypes]
    assert kinds == ["datetime64[s]", "datetime64[s]", "boolean"]
    assert frame.old[0].date() == date(1801, 1, 1)
    assert (int(frame.day.isna().sum()), int(frame.open.isna().sum())) == (1, 1)
    with pytest.raises(ConfigError, match=r"There is no table 3 in .*: 2 tables are known"):
        lodehound.open(crawl).table(find.number, 3)


def test_what_is_left_out_is_said(crawl: Path) -> None:
    with CrawlDir.open(crawl, write=True) as directory:
        rows = "".join(f"t{number},{number}\n" for number in range(50))
        noted = add(directory, "noted.csv", f"town,rate\n{rows}t,see below\n".encode())
        gone = add(directory, "gone.csv", b"a,b\n1,2\n3,4\n", anchor="Gone")
    (crawl / gone.file).unlink()
    saved = lodehound.open(crawl)
    with pytest.warns(UserWarning, match=r"noted\.csv: 1 cell is empty here"):
        assert int(saved.table(noted.number).rate.isna().sum()) == 1
    with pytest.raises(ConfigError, match="the file is no longer there"):
        saved.table(gone.number)
    with pytest.raises(ConfigError, match="There is no find '99'"):
        saved.table(99)
    with pytest.warns(UserWarning, match="no longer there"), pytest.raises(ConfigError):
        saved.sql("SELECT * FROM gone")


def test_sql_gives_rows_by_name(crawl: Path) -> None:
    statement = 'SELECT Region, "Year" AS year, 1 AS year FROM labour_market ORDER BY 2 LIMIT 1'
    rows = lodehound.open(crawl).sql(statement)
    assert rows == [{"Region": "Chisinau", "year": 2010, "year 2": 1}]


def test_pandas_is_optional(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match=r"table\(\) needs pandas: pip install pandas"):
        lodehound.open(crawl).table(1)
