"""Two crawls of a site that has changed in between."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.live import Crawled, crawl, run_many
from tests.live.changing import HERE, HOSTILE, after, before, file, page

LINKED = page("more", "More", ("v1.csv", "Versions"))
COUNTS = ("added", "gone", "no longer linked", "not reached", "unavailable", "moved", "changed")


class Change(NamedTuple):
    """A line of a comparison."""

    what: str
    place: str
    note: str
    file: str
    more: str
    title: str


class Crawls:
    """Crawls of the site as it was, as it is, and with pages missing or a small budget."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        versions = [LINKED, file("v1.csv", "a,b\n1,2\n3,4\n")]
        moved = [LINKED, Record(HERE + "v1.csv", 301, "", location="/v2.csv")]
        now = [*after(), *moved, file("v2.csv", "a,b\n5,6\n7,8\n")]
        broken = [one for one in now if not one.url.endswith(("/deaths", "/births"))]
        broken += [file("deaths", "down", "text/html", 503), file("births", "", "text/html", 410)]
        with SiteServer([*before(), *versions]) as server:
            self.url = server.url
            self._crawl("was")
            self._crawl("small", requests=3, concurrency=1)  # in this order
            server.serve(now)
            self._crawl("is")
            server.serve(broken)
            self._crawl("broken")

    def _crawl(self, name: str, **options: object) -> None:
        starts = (self.url, f"{self.url}more")
        done = crawl(*starts, out=self.folder / name, policy="bfs", inspect=True, **options)
        assert done.code == 0, done.said

    def diff(self, *words: object) -> Crawled:
        [done] = run_many([["diff", *words]], self.folder)
        return done

    def changes(self, *words: object) -> tuple[dict[str, int], list[Change]]:
        lines = self.diff(*words).out.splitlines()
        counts = [line.rsplit(maxsplit=1) for line in lines[:8]]
        parted = [line.replace(self.url, "").split("\t") for line in lines[8:]]
        return {name: int(count) for name, count in counts}, [Change(*p) for p in parted]


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> Crawls:
    return Crawls(tmp_path_factory.mktemp("diff"))


def test_every_find_has_its_fate(crawls: Crawls) -> None:
    counts, changes = crawls.changes("was", "is")

    assert counts == dict(zip(COUNTS, (1, 1, 1, 0, 1, 2, 1), strict=True)) | {"same": 6}
    assert [(c.what, c.place, c.note, c.more, c.title) for c in changes] == [
        ("added", "fresh.csv", "", "", "Fresh"),
        ("gone", "deaths.csv", "status 404", "", "Deaths (deaths.csv)"),
        ("no longer linked", "empty.csv", "the page that linked to it no longer does", "",
         "No births"),
        ("unavailable", "error.csv", "status 503", "", "Error"),
        ("moved", "old/prices.csv", "", "new/prices.csv", HOSTILE),
        ("moved", "v1.csv", "content", "v2.csv", "Versions"),
        ("changed", "births.csv", "content", "2 rows added, 1 row removed, column added: 'Note'",
         "Births"),
    ]  # fmt: skip


def test_what_a_small_crawl_did_not_reach_is_not_gone(crawls: Crawls) -> None:
    """Linked and left by the budget, or on a page that was not read; no change of the site."""
    counts, changes = crawls.changes("was", "small")

    assert (counts["not reached"], counts["gone"], counts["no longer linked"]) == (12, 0, 0)
    assert {change.note for change in changes} == {
        "linked, but not requested before the crawl ended",
        "the page that linked to it was not read",
    }
    assert crawls.diff("was", "small", "--exit-code").code == 0


def test_what_a_small_crawl_did_not_reach_is_not_added_later(crawls: Crawls) -> None:
    counts, changes = crawls.changes("small", "was")

    assert (counts["not reached"], counts["added"]) == (12, 0)
    assert {change.note for change in changes} == {
        "by the first crawl: linked, but not requested before the crawl ended",
        "by the first crawl: the page that linked to it was not read",
    }
    assert crawls.diff("small", "was", "--exit-code").code == 0


def test_what_was_an_error_before_is_added(crawls: Crawls) -> None:
    added = {c.place: c.note for c in crawls.changes("is", "was")[1] if c.what == "added"}
    assert (added["deaths.csv"], added["error.csv"]) == ("status 404 before", "status 503 before")


def test_a_page_that_could_not_be_read_proves_nothing(crawls: Crawls) -> None:
    """Its links may still be there. A page that is gone took its links with it."""
    fates = {
        change.place: (change.what, change.note) for change in crawls.changes("was", "broken")[1]
    }
    failed = "the page that linked to it could not be read (status 503)"
    gone = "the page that linked to it is gone (status 410)"

    assert fates["deaths.csv"] == ("not reached", failed)
    assert fates["births.xlsx"] == ("no longer linked", gone)


def test_the_exit_code_says_whether_the_site_has_changed(crawls: Crawls) -> None:
    assert crawls.diff("was", "is").code == 0
    assert crawls.diff("was", "is", "--exit-code").code == 1
    assert crawls.diff("was", "was", "--exit-code").code == 0


def test_for_programs(crawls: Crawls) -> None:
    read = json.loads(crawls.diff("was", "is", "--json").out)
    moved, _, changed = read["changes"][-3:]

    assert read["counts"]["unavailable"] == 1
    assert (moved["url"], moved["to"]) == (
        crawls.url + "old/prices.csv",
        crawls.url + "new/prices.csv",
    )
    assert changed["before"]["sha256"] != changed["after"]["sha256"]
    assert changed["table"] == {
        "rows_added": 2,
        "rows_removed": 1,
        "columns_added": ["Note"],
        "columns_removed": [],
        "compared": True,
    }


def test_as_a_page(crawls: Crawls) -> None:
    """It has everything, runs nothing, and replaces only its like."""
    place = crawls.folder / "diff.html"
    done = crawls.diff("was", "is", "--html", "diff.html")
    page = place.read_text(encoding="utf-8")

    assert (done.code, done.out) == (0, "diff.html\n")
    assert HOSTILE not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "script-src 'none'" in page.replace("&#39;", "'")
    assert re.findall('<section id="(.*?)"', page) == [
        "told", "added", "gone", "no-longer-linked", "unavailable", "moved", "changed",
    ]  # fmt: skip
    assert "2 rows added, 1 row removed, column added: &#39;Note&#39;" in page
    assert crawls.diff("was", "is", "--html", "diff.html").code == 0
    place.write_text("mine")
    refused = crawls.diff("was", "is", "--html", "diff.html")
    assert (refused.code, refused.err.count("\n"), place.read_text()) == (2, 1, "mine")
    assert crawls.diff("was", "is", "--html", "is/crawl.sqlite").code == 2
