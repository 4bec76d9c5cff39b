"""lodehound update: further rounds of a crawl of a site that changes."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

import lodehound
from lodehound.sites import ChangingSite
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.live import ENDLESS, Crawled, crawl, query, run, run_many, start, wait_for

HTML = "text/html; charset=utf-8"
Site = dict[str, Record]


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer() as server:
        yield server


def page(title: str, *links: str, design: str = "<li>{}</li>") -> Record:
    items = "".join(design.format(f'<a href="/{link}">{link}</a>') for link in links)
    return Record("", 200, HTML, f"<title>{title}</title><ul>{items}</ul>".encode())


def file(text: str) -> Record:
    tag = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Record("", 200, "text/csv", text.encode(), etag=f'"{tag}"')


def before() -> Site:
    tables = [f"table{n}.csv" for n in range(4)]
    return {
        "": page("Home", "tables", "reports", "copy.csv"),
        "tables": page("Tables", *tables),
        "reports": page("Reports", "old.csv", "lost.csv"),
        **{name: file(f"a,b\n{name},1\n") for name in tables},
        "copy.csv": file("a,b\ntable0.csv,1\n"),  # as table0.csv
        "old.csv": file("a,b\nold,1\n"),
        "lost.csv": file("a,b\nlost,1\n"),
    }


def after() -> Site:
    """The same later: a file of every fate, and another design."""
    tables = [f"table{n}.csv" for n in range(5)]
    design = "<section><p>{}</p></section>"
    return before() | {
        "tables": page("Tables", *tables, design=design),
        "reports": page("Reports", "moved.csv", "lost.csv", design=design),
        "table0.csv": file("a,b\ntable0.csv,2\n"),  # changed
        "table4.csv": file("a,b\ntable4.csv,1\n"),  # new
        "old.csv": Record("", 301, location="/moved.csv"),  # moved
        "moved.csv": file("a,b\nold,1\n"),
        "lost.csv": Record("", 404),  # gone
    }


def serve(server: SiteServer, site: Site) -> dict[str, str]:
    """Serve a site from now on; return the texts of its files by URL."""
    server.serve([replace(one, url=server.url + place) for place, one in site.items()])
    files = {at: one for at, one in site.items() if one.content_type == "text/csv"}
    return {server.url + place: one.body.decode() for place, one in files.items()}


def first(server: SiteServer, out: Path) -> Path:
    """Crawl the site as it is before."""
    serve(server, before())
    crawl(server.url, "--quiet", "--concurrency", 1, out=out)
    return out


def update(out: Path, *words: object) -> Crawled:
    return run("update", out, "--quiet", *words, out=out)


def on_disk(out: Path) -> dict[str, str]:
    """The texts of the files of the catalogue, by URL."""
    rows = query(out, "SELECT final_url, file FROM finds")
    return {url: (out / file).read_text() for url, file in rows}


def asked(server: SiteServer, since: int = 0) -> list[str]:
    return [one.path for one in server.log[since:] if one.path != "/robots.txt"]


def listed(out: Path, *words: object) -> list[str]:
    lines = run("list", out, *words).out.splitlines()
    return sorted(line.partition("\t")[0].rpartition("/")[2] for line in lines)


def entries(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("list", out, "--json").out.splitlines()]


def test_an_update_finds_what_is_new_changed_moved_and_gone(
    server: SiteServer, tmp_path: Path
) -> None:
    """Every figure agrees with the site; what did not change is not sent again."""
    out = first(server, tmp_path / "crawl")
    was = on_disk(out)
    asked_before = len(server.log)
    files = serve(server, after())

    command = f"{sys.executable} -c 'import sys; open(sys.argv[1], \"w\").write(sys.stdin.read())'"
    told = tmp_path / "told.json"
    done = update(out, "--exit-code", "--keep-versions", "--notify", f"{command} {told}")

    assert (done.code, done.said) == (7, "")
    gone = {server.url + name: was[server.url + name] for name in ("lost.csv", "old.csv")}
    assert on_disk(out) == files | gone  # what is gone from the site is kept
    counts = Counter(asked(server, asked_before))
    assert (counts.total(), max(counts.values())) == (12, 1)
    statuses = query(out, "SELECT status, count(*) FROM answers WHERE number > 10 GROUP BY 1")
    assert statuses == [(200, 6), (301, 1), (304, 4), (404, 1)]
    report = json.loads(told.read_text())
    assert [report[name] for name in ("round", "requests", "not_modified")] == [2, 12, 4]
    fates = {
        name: sorted(one["url"].rpartition("/")[2] for one in report[name])
        for name in ("new", "changed", "gone")
    }
    assert fates == {
        "new": ["moved.csv", "table4.csv"],
        "changed": ["table0.csv"],
        "gone": ["lost.csv", "old.csv"],
    }
    assert {name: listed(out, f"--{name}") for name in fates} == fates
    (kept,) = query(out, "SELECT kept FROM versions")
    assert (out / kept[0]).read_text() == "a,b\ntable0.csv,1\n"
    difference = json.loads(run("diff", out, "--rounds", 1, 2, "--json").out)["counts"]
    assert {name: count for name, count in difference.items() if count} == {
        "added": 1, "gone": 1, "moved": 1, "changed": 1, "same": 4,
    }  # fmt: skip


@pytest.mark.parametrize("fault", ["errors", "login", "maintenance", "validators"])
def test_a_site_out_of_order_erases_nothing(server: SiteServer, tmp_path: Path, fault: str) -> None:
    """When it is back, nothing is new; nor is what only has another validator."""
    site = before()
    broken = {
        "errors": dict.fromkeys(site, Record("", 503)),
        "login": dict.fromkeys(site, Record("", 302, location="/login")) | {"login": page("Login")},
        "maintenance": dict.fromkeys(site, page("Back soon")),
        "validators": {at: replace(one, etag=f'"{at}"') for at, one in site.items()},
    }
    run_ = lodehound.crawl(server.url, out=tmp_path / "c", delay=0, backoff=0.01, inspect=False)
    serve(server, site)
    run_.wait()
    files = on_disk(run_.directory)
    serve(server, broken[fault])
    with_fault = run_.update(delay=0)
    if fault == "errors":
        with pytest.raises(lodehound.LodehoundError):
            with_fault.wait()
        for command in (["status"], ["report", "--round", "2"]):
            out = run(command[0], run_.directory, *command[1:]).out
            assert "changes     not known: nothing was reachable\n" in out
            assert not re.search("^(new|gone|unchanged) ", out, re.MULTILINE)
        compared = run("diff", run_.directory, "--rounds", 1, 2)
        assert compared.err.startswith("Round 2 failed: nothing was reachable. ")
    else:
        with_fault.wait()
    serve(server, site)

    back = with_fault.update(delay=0).wait()

    assert (back.round.round, back.round.new, back.round.changed) == (3, [], [])
    assert on_disk(run_.directory) == files


def test_a_budget_is_that_of_a_round(server: SiteServer, tmp_path: Path) -> None:
    """What it left out waits for the next round; resume continues the round."""
    serve(server, before())
    one = lodehound.crawl(server.url, out=tmp_path / "c", delay=0, inspect=False).wait()
    files = serve(server, after())

    one = one.update(requests=3).wait().resume(requests="+3").wait().update(requests=3).wait()

    assert query(one.directory, "SELECT number, first, ended FROM rounds") == [
        (1, 1, "exhausted"),
        (2, 11, "requests"),
        (3, 17, "requests"),
    ]
    assert len(query(one.directory, "SELECT * FROM asks")) == 10 + 3 + 3 + 3
    one.update(requests=100).wait()
    assert on_disk(one.directory).items() >= files.items()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")
def test_killed_five_times_an_update_is_the_same(server: SiteServer, tmp_path: Path) -> None:
    """Nothing is asked for twice but what was in flight, and the files are those of the site."""
    out = first(server, tmp_path / "crawl")
    copy = Path(shutil.copytree(out, tmp_path / "copy"))
    files = serve(server, after())
    begun = len(server.log)
    update(copy)
    undisturbed = asked(server, begun)

    rng = random.Random(3)
    begun = len(server.log)
    words: list[object] = ["update", out, "--quiet"]
    for moment in sorted(rng.sample(range(1, len(undisturbed)), 5)):
        with start(*words) as child:
            wait_for(partial(_has_come_to, server, begun, moment, child.poll))
            time.sleep(rng.uniform(0, 0.02))
            child.kill()
            child.communicate(timeout=ENDLESS)
        words = ["resume", out, "--quiet"]
    done = run(*words, out=out)

    assert (done.code, done.said) == (0, "")
    assert on_disk(out) == on_disk(copy)
    assert on_disk(out).items() >= files.items()
    assert [path for path, _ in groupby(asked(server, begun))] == undisturbed
    assert query(out, "SELECT count(*) FROM rounds") == [(2,)]
    assert not list((out / "versions").rglob("*.csv"))


def _has_come_to(
    server: SiteServer, begun: int, moment: int, poll: Callable[[], int | None]
) -> bool:
    return len(asked(server, begun)) > moment or poll() is not None


def test_a_program_updates_its_crawl(server: SiteServer, tmp_path: Path) -> None:
    site = ChangingSite(host=server.url, months=3, archive=2, tables=1)
    server.serve(site.at(0))
    crawled = lodehound.crawl(server.url, out=tmp_path / "crawl", delay=0, inspect=False).wait()
    found = []
    for month in (1, 2):
        server.serve(site.at(month))
        crawled = crawled.update(delay=0).wait()
        found.append({one.url for one in (*crawled.round.new, *crawled.round.changed)})

    assert found == [set(site.news(1)), set(site.news(2))]
    assert len(list(crawled)) == crawled.summary.finds == 9
    assert crawled.to_pandas()["url"].is_unique


def test_what_cannot_be_run_begins_no_round(server: SiteServer, tmp_path: Path) -> None:
    out = first(server, tmp_path / "crawl")
    refused = {
        "there is no such command": ["--notify", "no-such-command-here"],
        "is not understood: No closing quotation": ["--notify", "'"],
        "give a number above 0": ["--requests", "0"],
    }

    done = run_many([["update", out, *words] for words in refused.values()], tmp_path)

    assert [(one.code, one.err.count("\n")) for one in done] == [(2, 1)] * 3
    assert [said in one.err for said, one in zip(refused, done, strict=True)] == [True] * 3
    assert query(out, "SELECT count(*) FROM rounds") == [(1,)]


def test_a_sitemap_says_what_has_changed(server: SiteServer, tmp_path: Path) -> None:
    """The update asks first for the one file that changed, and then for nothing but its budget."""
    site = before()
    serve(server, site)
    crawled = lodehound.crawl(server.url, out=tmp_path / "c", delay=0, inspect=False).wait()
    dates = dict.fromkeys(site, "2020-01-01") | {"table3.csv": "2999-01-01"}
    entries = "".join(
        f"<url><loc>{server.url}{at}</loc><lastmod>{date}</lastmod></url>"
        for at, date in dates.items()
    )
    ns = "http://www.sitemaps.org/schemas/sitemap/0.9"
    body = f'<urlset xmlns="{ns}">{entries}</urlset>'.encode()
    sitemap = Record("", 200, "application/xml", body)
    serve(server, site | {"sitemap.xml": sitemap, "table3.csv": file("a,b\nnew,2\n")})

    later = crawled.update(delay=0, concurrency=1, requests=3, sitemaps=True).wait()

    assert [one.url for one in later.round.changed] == [f"{server.url}table3.csv"]


def test_a_clock_that_runs_backwards_is_not_followed(server: SiteServer, tmp_path: Path) -> None:
    """The round comes after those before it, whatever its date says."""
    serve(server, before())
    crawled = lodehound.crawl(server.url, out=tmp_path / "c", delay=0, inspect=False).wait()
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.sqlite")) as db, db:
        db.execute("UPDATE rounds SET began_at = '2999-01-01T00:00:00+00:00'")
    serve(server, after())

    later = crawled.update(delay=0).wait()

    assert [one.url for one in later.round.changed] == [f"{server.url}table0.csv"]


def test_a_budget_goes_on_with_a_word(server: SiteServer, tmp_path: Path) -> None:
    """Also that of a round that failed."""
    out = first(server, tmp_path / "out")
    serve(server, {})
    failed = run("update", out, "--requests", 7, "--delay", 0)
    serve(server, before())
    again = run("update", out, "--delay", 0)
    without = run("update", out, "--requests", "none", "--delay", 0)
    said = "note: as in the round before, --requests 7; 'none' is no limit\n"
    assert [one.err for one in (failed, again, without)] == ["", said, ""]


def test_after_an_update_that_reached_nothing_another_one_is_advised(
    server: SiteServer, tmp_path: Path
) -> None:
    """A crawl cannot begin again in a directory that has finds."""
    out = first(server, tmp_path / "out")
    finds = len(listed(out))
    serve(server, {})
    vain = update(out)
    serve(server, before())
    advised = f"lodehound update {out}"
    [standing] = [line for line in run("status", out).out.splitlines() if line[:4] == "next"]
    assert (vain.code, standing.split(maxsplit=1)[1]) == (3, advised)
    for command in (["list"], ["export", "--to", "jsonl", "--output", "-"]):
        said = run(command[0], out, *command[1:], "--new")
        assert (said.code, said.out) == (0, "")
        assert said.err.startswith("Round 2, begun ")
        assert "failed: nothing was reachable" in said.err
        assert "--round 1" in said.err
    again = run("list", out, "--new", "--round", 1)
    assert (len(again.out.splitlines()), again.err) == (finds, "")
    assert "failed: nothing was reachable" in run("report", out, "--round", 2).out.splitlines()[0]
    assert (update(out).code, len(listed(out)), listed(out, "--gone")) == (0, finds, [])


def test_a_file_that_gave_way_to_a_page_is_gone_until_it_is_back(
    server: SiteServer, tmp_path: Path
) -> None:
    """A page with status 200 is no file, nor is an answer without content; both lists agree."""
    out = first(server, tmp_path / "out")
    found: list[tuple[list[str], bool, list[str]]] = []
    for answer in (page("No longer here"), Record("", 404), Record("", 204), file("a,b\nlost,2\n")):
        serve(server, before() | {"lost.csv": answer})
        update(out)
        [row] = [one for one in entries(out) if one["url"].endswith("lost.csv")]
        changes = json.loads(run("diff", out, "--rounds", 1, len(found) + 2, "--json").out)
        what = [change["what"] for change in changes["changes"]]
        found.append((listed(out, "--gone"), bool(row["gone_at"]), what))

    assert [state[0] for state in found] == [["lost.csv"], [], [], []]
    assert [state[1:] for state in found] == [(True, ["gone"])] * 3 + [(False, ["changed"])]
