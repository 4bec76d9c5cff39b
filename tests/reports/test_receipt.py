"""The receipt: the same for the same crawl, with hashes that anybody can make again."""

from __future__ import annotations

import hashlib
import html
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import lodehound
from lodehound.core.errors import ConfigError
from lodehound.core.forecasts import Outlook
from lodehound.exports.columns import row_of
from lodehound.reports.listed import MOST
from lodehound.reports.receipt import receipt_json, receipt_of, receipt_page, write_receipt
from lodehound.reports.template import environment
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.records import Record
from tests.reports.crawls import ROOT, SCRIPT, crawl, csv, opened, page, run

NAMED = ("a.csv", "b.csv", "gone.csv", "film.mp4", "about")
SITEMAP = "".join(f"<url><loc>{ROOT}{name}</loc></url>" for name in NAMED)


def site() -> list[Record]:
    """A site with a sitemap that names more than can be fetched."""
    xml = f'<?xml version="1.0"?><urlset>{SITEMAP}<url><loc>https://o.example/c.csv</loc></url>'
    return [
        page("", "a.csv", "list.xml", "locked", "gone", "https://other.example/"),
        Record(f"{ROOT}list.xml", 200, "application/xml", f"{xml}</urlset>".encode()),
        csv("a.csv"),
        Record(f"{ROOT}b.csv", 200, "text/csv", b"year,value\n" + b"2020,1\n" * 900),
        page("about"),
        Record(f"{ROOT}locked", 403, "text/html", b"no"),
    ]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("listed")
    return crawl(folder, site(), "--max-file", 2000, "--exclude", SCRIPT, "--retries", 0)


@pytest.fixture
def copied(done: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(done, tmp_path / "copy"))


def told_of(folder: Path) -> dict[str, Any]:
    with opened(folder) as (directory, look):
        return receipt_of(directory, look)


def hash_of(lines: list[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def test_the_same_crawl_has_the_same_receipt_at_any_time_in_any_place(
    done: Path, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(environment().globals, "now", pytest.fail)
    (copied / "note.txt").write_text("a file of the user")
    for make in (receipt_json, receipt_page):
        made = []
        for folder in (done, copied):
            with opened(folder) as (directory, look):
                made.append(make(directory, look))
        assert made[0] == made[1]
        assert str(done.parent) not in made[0]


def test_the_hashes_are_those_of_the_exported_finds_and_of_the_files_on_disk(done: Path) -> None:
    told = told_of(done)["hashes"]
    with Catalogue(done) as catalogue:
        rows = [row_of(entry) for entry in catalogue.entries()]

    keys = ("url", "sha256", "size", "fetched_at")
    lines = [json.dumps({k: row[k] for k in keys}, separators=(",", ":")) for row in rows]
    assert (told["catalogue"]["lines"], told["catalogue"]["sha256"]) == (3, hash_of(lines))
    whole = sorted(row["file"] for row in rows if not row["truncated"])
    sums = [f"{hashlib.sha256((done / one).read_bytes()).hexdigest()}  {one}" for one in whole]
    assert (told["files"]["lines"], told["files"]["sha256"]) == (2, hash_of(sums))
    assert told["files"]["without_hash"] == 1


@pytest.mark.parametrize("column", ["url", "sha256", "size", "fetched_at"])
def test_a_changed_find_changes_the_hash_of_the_catalogue(copied: Path, column: str) -> None:
    before = told_of(copied)["hashes"]["catalogue"]["sha256"]
    with sqlite3.connect(copied / "crawl.sqlite") as db:
        db.execute(f"UPDATE finds SET {column} = {column} || '1' WHERE number = 2")
    db.close()

    assert told_of(copied)["hashes"]["catalogue"]["sha256"] != before


def test_every_address_counts_once(done: Path, nasty_crawl: Path) -> None:
    urls = told_of(done)["urls"]

    counted = {name: urls[name] for name in ("failed", "cut_off", "forbidden", "on_other_hosts")}
    assert counted == {"failed": 2, "cut_off": 1, "forbidden": 1, "on_other_hosts": 2}
    for folder in (done, nasty_crawl):
        urls = told_of(folder)["urls"]
        single = [n for name, n in urls.items() if name not in {"seen", "skipped", "reasons"}]
        assert sum(single) + sum(urls["skipped"].values()) == urls["seen"]


def test_what_a_sitemap_lists_is_held_against_what_was_fetched(done: Path) -> None:
    told = told_of(done)

    [counts] = told["lists"]
    reasons = {"size": 1, "error": 1, "blocked": 1, "scope": 1}
    assert counts == {
        "list": "sitemap", "datasets": 0, "listed": 6, "fetched": 2, "not_fetched": reasons
    }  # fmt: skip
    missing = {one["url"]: (one["reason"], one["detail"]) for one in _missing(told)}
    assert missing == {
        f"{ROOT}b.csv": ("size", "truncated"),
        f"{ROOT}gone.csv": ("error", "status 404"),
        f"{ROOT}film.mp4": ("blocked", "blocked extension"),
        "https://o.example/c.csv": ("scope", "other site"),
    }


def _missing(told: dict[str, Any]) -> list[dict[str, str]]:
    assert told["listed_not_fetched"]["count"] == len(told["listed_not_fetched"]["first"])
    return list(told["listed_not_fetched"]["first"])


def _list(folder: Path, *urls: str) -> None:
    """Add files that an API lists to the catalogue of a crawl."""
    with sqlite3.connect(folder / "crawl.sqlite") as db:
        row = "INSERT INTO listed VALUES (NULL, ?, NULL, 1, 'ckan', '', '', NULL, '', '', '')"
        db.executemany(row, [(url,) for url in urls])
    db.close()


def test_what_only_the_catalogue_lists_counts_too_and_long_lists_are_cut(copied: Path) -> None:
    _list(copied, f"{ROOT}a.csv", f"{ROOT}a.csv", *(f"{ROOT}{n}.csv" for n in range(MOST + 5)))
    told = told_of(copied)

    ckan = next(one for one in told["lists"] if one["list"] == "ckan")
    assert (ckan["listed"], ckan["fetched"]) == (MOST + 6, 1)
    assert ckan["not_fetched"] == {"unread": MOST + 5}
    assert told["listed_not_fetched"]["count"] == MOST + 5 + 4
    assert len(told["listed_not_fetched"]["first"]) == MOST


def test_nothing_from_the_web_is_markup(copied: Path) -> None:
    _list(copied, f"javascript:{SCRIPT}")
    with opened(copied) as (directory, look):
        written = receipt_page(directory, look)

    reasons = {one["url"]: one["reason"] for one in _missing(told_of(copied))}
    assert reasons[f"javascript:{SCRIPT}"] == "address"
    assert SCRIPT not in written
    assert written.count(html.escape(SCRIPT).replace("&#x27;", "&#39;")) == 2  # and an option
    assert 'href="javascript' not in written
    assert "<script" not in written


def test_the_options_say_what_was_chosen_and_no_secrets(done: Path) -> None:
    told = told_of(done)

    assert (told["options"]["max_file"], told["options"]["exclude"]) == (2000, [SCRIPT])
    assert told["options"]["replica"] == "site.warc.gz"
    assert not {"header", "auth", "proxy", "weights_before"}.intersection(told["options"])
    with opened(done) as (directory, look):
        written = receipt_page(directory, look)
    shown = [name for name in told["options"] if f"<dt>--{name.replace('_', '-')}</dt>" in written]
    assert shown == ["policy", "exclude", "max_file", "retries", "replica"]


def test_the_record_of_forecasts_outlives_the_end_of_a_crawl(copied: Path) -> None:
    with CrawlDir.open(copied) as directory:
        nothing = Outlook.nothing(9, 2)
        directory.facts.note_outlook(
            Outlook(9, 2, nothing.left, nothing.sum, nothing.next, checked=13, held=12)
        )
    told = told_of(copied)["estimate"]

    assert told["left"] == {"finds": 0.0, "low": 0.0, "high": 0.0}
    assert told["forecasts_checked"] == {"requests": 100, "forecasts": 13, "held": 12}


def test_it_replaces_an_earlier_receipt_and_nothing_else(done: Path, tmp_path: Path) -> None:
    with opened(done) as (directory, look):
        for as_json in (True, False):
            place = tmp_path / f"receipt.{as_json}"
            for _ in range(2):
                write_receipt(directory, look, place, as_json=as_json)
            with pytest.raises(ConfigError, match="is not an earlier receipt"):
                write_receipt(directory, look, place, as_json=not as_json)


def test_the_command_and_python_give_the_same(
    copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("receipt", copied, "--json")
    printed = capsys.readouterr().out
    run("receipt", copied)
    run("receipt", copied, "--json", "--output", tmp_path / "r.json")
    run("receipt", copied, "--output", tmp_path / "r.html")

    assert json.loads(printed) == lodehound.open(copied).receipt()
    assert printed == (tmp_path / "r.json").read_text(encoding="utf-8")
    assert (copied / "receipt.html").read_bytes() == (tmp_path / "r.html").read_bytes()
