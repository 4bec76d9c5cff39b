"""What the policy expects still to find, while a crawl runs and afterwards."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

import lodehound
from lodehound.core.forecasts import Outlook
from lodehound.core.messages import YieldEstimate
from lodehound.reports.status_rows import standing_rows
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.text.counts import counted
from tests.live import crawl_words, in_terminal, query, resume, run, run_many
from tests.live.office import open_office

REQUESTS = 60


@dataclass(frozen=True)
class Estimated:
    """A crawl of an office in a terminal, then resumed, and what commands say of it."""

    out: Path
    screen: str
    status: str
    told: dict[str, object]
    page: str


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Estimated:
    out = tmp_path_factory.mktemp("estimates") / "crawl"
    with open_office(pages=60, files=40) as office:
        words = crawl_words(
            office.server.url, out=out, requests=REQUESTS, concurrency=1, delay=0.03
        )
        screen = in_terminal(words)
        resume(out, "--requests", "+40")
    status, told, _ = run_many(
        [["status", out], ["status", out, "--json"], ["report", out]], out.parent
    )
    page = (out / "report.html").read_text(encoding="utf-8")
    return Estimated(out, screen, status.out, json.loads(told.out), page)


def test_estimates_are_kept_from_run_to_run(shown: Estimated) -> None:
    rows = query(shown.out, "SELECT requests, finds FROM estimates ORDER BY requests")
    requests = [row[0] for row in rows]
    assert requests[0] < REQUESTS
    assert requests[-1] > REQUESTS
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)


def test_status_shows_the_last_estimate_and_earlier_ones(shown: Estimated) -> None:
    *_, last = query(shown.out, "SELECT * FROM estimates ORDER BY requests")
    ends = f"{last[3]:,.0f} to {last[4]:,.0f}"
    line = f"expected    about {counted(round(last[2]), 'more find')} by estimate ({ends})"
    assert line in shown.status.splitlines()
    assert re.search(
        r"^earlier     \d+ after \d+ requests(, \d+ after \d+){3}$", shown.status, re.MULTILINE
    )


def test_nothing_is_expected_once_every_link_was_followed(shown: Estimated, tmp_path: Path) -> None:
    path = tmp_path / "crawl"
    shutil.copytree(shown.out, path)
    with CrawlDir.open(path) as directory:
        assert "expected" in dict(standing_rows(directory))
        directory.keep_end("exhausted")
        assert {"expected", "earlier"}.isdisjoint(dict(standing_rows(directory)))


def test_status_says_what_the_next_requests_bring(shown: Estimated) -> None:
    about = r"about \d+ finds? \(\d+ to \d+\)"
    line = rf"forecast    next 100 requests: {about}; 500: {about}; 2,000: {about}"
    assert re.search(rf"^{line}$", shown.status, re.MULTILINE)
    share = r"^share       \d+ % of all finds by estimate, \d+ % at least$"
    assert re.search(share, shown.status, re.MULTILINE)
    assert re.search(r"forecast.*next 100 requests: about \d+", shown.screen)
    assert "next 100 requests: about" in shown.page


def test_forecasts_for_programs(shown: Estimated) -> None:
    forecast, left = shown.told["forecast"], shown.told["left"]
    assert isinstance(forecast, list)
    assert isinstance(left, dict)
    assert [one["requests"] for one in forecast] == [100, 500, 2000]
    for one in forecast:
        assert one.keys() == {"requests", "finds", "low", "high"}
        assert 0 <= one["low"] <= one["finds"] <= one["high"] <= left["high"]
    *_, (requests, finds, expected, low, high) = query(
        shown.out, "SELECT * FROM estimates ORDER BY requests"
    )
    assert left == {"finds": expected, "low": low, "high": high}
    assert shown.told["share_found"] == finds / (finds + expected)
    with CrawlDir.open(shown.out, write=False) as directory:
        outlook = directory.outlook()
    assert outlook is not None
    assert (outlook.requests, outlook.left.left) == (requests, expected)


def test_a_resumed_crawl_expects_what_one_in_one_piece_does(
    shown: Estimated, tmp_path: Path
) -> None:
    """Also what it makes of its own record is restored."""
    with open_office(pages=60, files=40) as office:
        words = {"concurrency": 1, "delay": 0}
        whole, halves = tmp_path / "whole", tmp_path / "halves"
        run(*crawl_words(office.server.url, out=whole, requests=100, **words))
        run(*crawl_words(office.server.url, out=halves, requests=47, **words))
        resume(halves, "--requests", "100")
    every = "SELECT * FROM estimates ORDER BY requests"
    assert query(whole, every) == query(halves, every)
    assert outlook_of(whole) == outlook_of(halves)
    assert outlook_of(whole) is not None


def outlook_of(path: Path) -> Outlook | None:
    with CrawlDir.open(path, write=False) as directory:
        return directory.outlook()


@pytest.mark.parametrize("flaw", ["{", "[]", '{"requests": 1}', "NaN", "7", "[" * 100_000])
def test_a_damaged_forecast_is_none(shown: Estimated, tmp_path: Path, flaw: str) -> None:
    path = tmp_path / "crawl"
    shutil.copytree(shown.out, path)
    with closing(sqlite3.connect(path / "crawl.sqlite")) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'outlook'", (flaw,))
    assert outlook_of(path) is None
    assert "next 100 requests" not in run("status", path).out


def test_a_crawl_that_followed_every_link_says_that_nothing_is_left(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with open_office(pages=20, files=5) as office:
        run(*crawl_words(office.server.url, out=out))
    assert "left        0 finds: every link was followed" in run("status", out).out.splitlines()
    told = json.loads(run("status", out, "--json").out)
    assert (told["ended"], told["share_found"]) == ("exhausted", 1.0)
    assert told["left"] == {"finds": 0, "low": 0, "high": 0}
    assert {one["high"] for one in told["forecast"]} == {0}
    assert told["budget"]["early_stop"] == "auto"
    seen = lodehound.open(out).forecast
    assert seen is not None
    assert seen.left.high == 0


def test_status_proposes_to_stop_a_crawl_that_brings_nothing_more(
    shown: Estimated, tmp_path: Path
) -> None:
    """Seen while it runs: a crawl that has ended needs no advice."""
    path = tmp_path / "crawl"
    shutil.copytree(shown.out, path)
    left = YieldEstimate(0.2, 0.0, 1.4)
    with CrawlDir.open(path) as directory:
        directory.facts.note_outlook(Outlook(2000, 500, left, left))
        directory.keep_end("")
        advice = dict(standing_rows(directory))["advice"]
        assert re.fullmatch(
            r"(the last \d+ requests? brought nothing; )?about 0 to 1 are left; "
            r"stop with Ctrl-C, or let --early-stop auto do it",
            advice,
        )
        directory.keep_end("requests")
        assert "advice" not in dict(standing_rows(directory))


def test_the_live_screen_shows_them(shown: Estimated) -> None:
    assert re.search(r"expected.*about \d+ more finds? by estimate", shown.screen)
    assert re.search(r"earlier.*\d+ after \d+ requests", shown.screen)


def test_the_report_draws_them_against_requests(shown: Estimated) -> None:
    figure = re.search(
        r"<figcaption>Still to find<small>(.*?)</small>.*?</figure>", shown.page, re.DOTALL
    )
    assert figure is not None
    assert re.fullmatch(r"\d+ after \d+ requests, \d+ \(\d+ to [\d,]+\) after \d+", figure[1])
    assert figure[0].count('class="curve main" d="M') == 2  # the curve, and its legend
    assert "still to find, by estimate" in figure[0]


def test_status_for_programs(shown: Estimated) -> None:
    told = shown.told
    names = ("state", "ended", "requests", "files", "next")
    assert [told[name] for name in names] == [
        "not running", "requests", 100, len(query(shown.out, "SELECT DISTINCT file FROM finds")),
        f"lodehound resume {shown.out} --requests +100",
    ]  # fmt: skip
    assert told["budget"] == {
        "requests": 100, "bytes": None, "time": None, "finds": None, "early_stop": "off",
    }  # fmt: skip
    [(count,)] = query(shown.out, "SELECT count(*) FROM estimates")
    assert isinstance(told["estimates"], list)
    assert len(told["estimates"]) == count


def test_a_policy_without_estimates_shows_none(tmp_path: Path) -> None:
    with open_office(pages=20, files=5) as office:
        words = crawl_words(office.server.url, out=tmp_path / "c", requests=20, policy="bfs")
        run(*words)
    status = run("status", tmp_path / "c").out
    assert "drought" in status
    assert "expected" not in status
