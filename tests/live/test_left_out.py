"""What the scope left out is said, and the printed command fetches it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.core.left_out import LeftOut
from lodehound.core.link import Link
from lodehound.sites.server import SiteServer
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.records import Record
from tests.live import Crawled, crawl, resume, run

CSV = b"a,b\n1,2\n"


@pytest.fixture
def url() -> Iterator[str]:
    with SiteServer() as server:
        places = ("data/a.csv", "data/b.html", "other/c.csv")
        links = "".join(f'<a href="{server.url}{place}">x</a>' for place in places)
        links += '<a href="http://elsewhere.example/d.csv">x</a>'
        page = f"<title>Home</title>{links}".encode()
        server.serve(
            [
                Record(server.url, 200, "text/html", page),
                Record(server.url + "data/b.html", 200, "text/html", b"<p>nothing"),
                *(
                    Record(server.url + at, 200, "text/csv", CSV + at.encode())
                    for at in places[::2]
                ),
            ]
        )
        yield server.url


def command(done: Crawled, name: str) -> list[str]:
    """The words of a printed command."""
    found = re.search(rf"^ *{name} +lodehound (.*)$", done.out, re.MULTILINE)
    assert found is not None, done.out
    return shlex.split(found[1])


@pytest.mark.parametrize(
    ("options", "why", "finds"),
    [
        (["--include", "data"], "--include data left out 3 links; a pattern must match", 1),
        (["--include", "nowhere"], "--include nowhere left out 3 links\n", 2),
        (["--under", "/nowhere/"], "--under /nowhere/ left out 3 links\n", 2),
        (["--exclude", "*/*"], "--exclude '*/*' left out 3 links\n", 2),
        (["--include", ""], "--include '' left out 3 links\n", 2),
        (["--max-depth", "0"], "--max-depth 0 left out 3 links\n", 2),
    ],
)
def test_options_that_exclude_everything_are_bad_input(
    url: str, tmp_path: Path, options: list[str], why: str, finds: int
) -> None:
    done = crawl(url, *options, out=tmp_path / "crawl")

    assert (done.code, f"no link was followed: {why}" in done.out) == (2, True)
    assert "no link was followed" in run("status", done.path).out
    assert "Nothing to do: no link was followed." in resume(done.path).out
    words = command(done, "go on with")
    again = run(*words, out=done.path)  # in the same folder
    assert (again.code, len(again.finds)) == (0, finds)


def test_a_site_without_links_has_followed_them_all(url: str, tmp_path: Path) -> None:
    for at, place in enumerate(("data/b.html", "data/a.csv")):
        done = crawl(url + place, "--include", "data", out=tmp_path / f"{at}")
        assert (done.code, "every link was followed" in done.out) == (0, True)


def test_links_to_files_out_of_scope_are_counted(url: str, tmp_path: Path) -> None:
    done = crawl(url, "--under", "/data/", out=tmp_path / "crawl")

    assert (done.code, len(done.finds)) == (0, 1)
    assert "left out    1 link to a file not under /data/ (--under)" in done.out
    assert "left out    1 link to a file on other hosts: elsewhere.example" in done.out
    words = command(done, "fetched by")
    assert "http://elsewhere.example/d.csv" in words
    assert words[words.index("--out") + 1] == str(done.path) + "-2"
    words.remove("http://elsewhere.example/d.csv")  # there is no such host
    assert len(run(*words, out=tmp_path / "crawl-2").finds) == 2


def test_links_to_files_that_are_too_deep_are_counted(url: str, tmp_path: Path) -> None:
    with SiteServer() as server:
        home = '<a href="/near.csv">n</a><a href="/sub/">s</a>'
        below = '<a href="/near.csv">n</a><a href="/far.csv">f</a><a href="/far/">f</a>'
        pages = {"": home, "sub/": below}
        server.serve(
            [
                *(
                    Record(server.url + at, 200, "text/html", text.encode())
                    for at, text in pages.items()
                ),
                *(
                    Record(f"{server.url}{at}.csv", 200, "text/csv", CSV + at.encode())
                    for at in ("near", "far")
                ),
            ]
        )
        done = crawl(server.url, "--max-depth", "1", out=tmp_path / "crawl")

        assert (done.code, len(done.finds)) == (0, 1)
        assert "left out    1 link to a file more than 1 link from the start" in done.out
        words = command(done, "fetched by")
        assert "--max-depth" not in words
        assert len(run(*words, out=tmp_path / "crawl-2").finds) == 2


def test_a_crawl_whose_options_are_damaged_still_has_a_command(url: str, tmp_path: Path) -> None:
    done = crawl(url, "--include", "data", out=tmp_path / "crawl")
    for kept in ("[", "[]", '{"include": 5}', '{"under": "no path"}', json.dumps({"urls": []})):
        with CrawlDir.open(done.path) as directory:
            directory.facts.change_meta("follow", kept)
        out = json.loads(run("status", done.path, "--json").out)["next"]
        assert out.startswith(f"lodehound crawl {url} --out {done.path} ")
        assert "--include data" in out


def test_links_are_counted_by_host() -> None:
    left = LeftOut(("data", "x*y"))
    for place in ("a.e/data/1.csv", "a.e/xzzy.pdf", "b.e/page"):
        left.note(Link(f"https://{place}"), "not included")
    left.note(Link("https://b.e/photo.csv"), "blocked extension")

    assert left.files == {"not included": {"a.e": 2}}
    assert left.examples == {"a.e": "https://a.e/data/1.csv"}
    assert left.near == {"data": 1, "x*y": 1}
