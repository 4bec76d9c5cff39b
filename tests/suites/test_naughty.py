"""The big list of naughty strings through crawl, list, report and export."""

from __future__ import annotations

import csv
import html
import io
import re
from pathlib import Path
from urllib.parse import quote

import pytest

from lodehound.exports.csv_file import CONTROL, FORMULA
from lodehound.stores.records import Record
from lodehound.stores.warc import write_warc
from tests.stores.repair.attacks import ROOT, run
from tests.suites import load

STRINGS = list(load("naughty").cases.values())
# What a terminal obeys: control characters and marks that turn the direction of writing.
ORDERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def site() -> list[Record]:
    """Every string is the title of a page, a link text, an address, a file name and a column."""
    start = "".join(f'<a href="/p{at}">{html.escape(text)}</a>' for at, text in enumerate(STRINGS))
    records = [Record(ROOT, 200, "text/html; charset=utf-8", start.encode("utf-8", "replace"))]
    for at, text in enumerate(STRINGS):
        place = f"f/{at}/{quote(text.encode('utf-8', 'replace')[:200], safe='')}.csv"
        title = html.escape(text)
        page = f'<title>{title}</title><a href="/{place}">{title}</a>'
        body = f"year,{text}\n1,2\n3,4\n"
        records.append(Record(f"{ROOT}p{at}", 200, "text/html; charset=utf-8", encoded(page)))
        records.append(Record(ROOT + place, 200, "text/csv", encoded(body)))
    return records


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("naughty")
    write_warc(folder / "site.warc.gz", site())
    words = ("--replica", folder / "site.warc.gz", "--no-traps", "--quiet", "--policy", "bfs")
    done = run("crawl", *words, "--out", folder / "crawl", "--no-inspect")
    assert (done.code, done.said) == (0, "")
    return folder / "crawl"


def test_nothing_is_lost(crawl: Path) -> None:
    lines = run("list", crawl, "--json").out.splitlines()
    assert len(lines) == len(STRINGS)


@pytest.mark.parametrize(
    "words", [["list"], ["list", "--wide"], ["status"], ["skipped"]], ids=" ".join
)
def test_no_order_reaches_a_terminal(crawl: Path, words: list[str]) -> None:
    command, *options = words
    done = run(command, crawl, *options)
    assert (done.code, done.err) == (0, "")
    assert ORDERS.findall(done.out) == []


def test_no_formula_reaches_a_spreadsheet_unmarked(crawl: Path) -> None:
    done = run("export", crawl, "--to", "csv", "--output", "-")
    assert done.code == 0
    rows = list(csv.reader(io.StringIO(done.out, newline="")))
    assert len(rows) == len(STRINGS) + 1
    assert [cell for row in rows for cell in row if FORMULA.match(cell)] == []
    assert CONTROL.findall(done.out) == []


def test_no_markup_of_the_web_is_in_the_report(crawl: Path) -> None:
    """Tags of the strings stand in it as text only."""
    done = run("report", crawl, "--output", "-")
    assert done.code == 0
    assert (
        re.findall(r"<(?:img|iframe|svg|meta http|base|embed|object)\b[^>]*\bon\w+=", done.out)
        == []
    )
    assert "<script>alert(" not in done.out
