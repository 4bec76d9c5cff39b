"""Crawls of applications that show nothing without JavaScript, by a real browser."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from lodehound.drivers.live.browser import find_browser
from tests.live import crawl, crawl_words, query, resume, run, run_many, start
from tests.live.applications import NEEDS_BROWSER, SETS, SHELL, Said, catalogue, served

pytestmark = NEEDS_BROWSER
WANT = ("--want", "files:csv")


def outcomes(path: Path) -> Counter[str]:
    return Counter(dict(query(path, "SELECT outcome, count(*) FROM renders GROUP BY outcome")))


def journalled(path: Path) -> list[str]:
    """Every URL that the journal says was asked for."""
    return [
        url
        for (url,) in query(
            path,
            """SELECT url FROM answers WHERE sent
            UNION ALL SELECT url FROM page_requests WHERE sent""",
        )
    ]


def test_rendering_once_per_pattern_finds_the_api_which_is_asked_for_the_rest(
    tmp_path: Path,
) -> None:
    """And the journal names every request that the server saw; status says what it cost."""
    with served(catalogue) as application:
        done = crawl(application.url, *WANT, render="auto", out=tmp_path / "crawl")
    seen = [application.url[:-1] + path for path in application.asked]
    assert (done.code, len(done.finds)) == (0, 2 * SETS)
    assert outcomes(done.path) == {"rendered": 3, "api": SETS - 2}
    assert sorted(journalled(done.path)) == sorted(seen)
    assert f"{SETS - 2} pages not rendered: their API was asked instead" in done.out
    assert "3 pages in" in done.out


def test_what_a_page_asks_for_obeys_robots_txt_scope_and_budget(tmp_path: Path) -> None:
    script = b"""<div id=app></div><script>
    for (const url of ["/closed/1", "http://10.0.0.1/", "http://other.example/x", "/api/1",
      "/logout", "/api/2", "/api/3", "/api/4"]) fetch(url).catch(() => 0);
    fetch("/api/post", { method: "POST", body: "x" }).catch(() => 0);
    new Image().src = "/image.png";
    new WebSocket(location.href.replace("http", "ws") + "socket");
    </script>"""

    def answer(path: str) -> tuple[str, bytes]:
        return ("text/html", script) if path == "/" else ("application/json", b"{}")

    with served(answer, "User-agent: *\nDisallow: /closed/") as application:
        options = ("--requests", 4)
        done = crawl(application.url, *options, render="auto", out=tmp_path / "crawl")
    refused = dict(query(done.path, "SELECT url, error FROM page_requests WHERE NOT sent"))
    first, *others = application.asked
    [last] = {f"/api/{number}" for number in (1, 2, 3, 4)} - set(others)  # in any order
    assert (first, len(others)) == ("/", 3)
    assert {url.removeprefix(application.url): error for url, error in refused.items()} == {
        "closed/1": "robots.txt disallows",
        "http://10.0.0.1/": "out of scope: other site",
        "http://other.example/x": "out of scope: other site",
        "logout": "it may change something",
        last[1:]: "the budget of requests is spent",
    }
    assert query(done.path, "SELECT count(*) FROM answers")[0] == (1,)


WAYS = b"""<div id=app></div>
<button onclick="more()">Load more</button>
<a role=tab onclick="add('tab')">Tables</a>
<nav class=pagination><a onclick="add('two')">2</a></nav>
<button onclick="location='/files/download.csv'">Download CSV</button>
<button onclick="window.open('/files/window.csv')">Export</button>
<button onclick="save()">Download as file</button>
<button onclick="add('deleted')">Delete all</button>
<button onclick="add('bought')">Download now: buy</button>
<form method=post action=/post><button>Show more</button></form>
<div style="height: 5000px"></div><div id=window-end></div>
<div id=box style="height: 100px; overflow: auto"><div style="height: 500px"></div></div>
<script>
let count = 0;
function add(name) {
  document.getElementById("app").innerHTML += `<a href="/files/${name}.csv">${name}</a>`;
}
function more() { if (count++ < 3) add("more" + count); }
async function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await (await fetch("/files/blob.csv")).blob());
  link.download = "blob.csv";
  link.click();
}
new IntersectionObserver((seen) => { if (seen[0].isIntersecting) add("scrolled"); })
  .observe(document.getElementById("window-end"));
document.getElementById("box").addEventListener("scroll", () => add("boxed"), { once: true });
</script>"""


def test_more_is_shown_by_clicks_and_scrolling_but_nothing_is_sent(tmp_path: Path) -> None:
    """Load more, tabs, pages and downloads; no form, and nothing that looks like an order."""

    def answer(path: str) -> tuple[str, bytes]:
        return ("text/html", WAYS) if path == "/" else ("text/csv", b"a,b\n1,2\n")

    with served(answer) as application:
        done = crawl(application.url, *WANT, render="always", out=tmp_path / "crawl")
    names = {url.removeprefix(application.url + "files/") for url in done.finds}
    assert names == {
        "more1.csv", "more2.csv", "more3.csv", "tab.csv", "two.csv", "download.csv", "window.csv",
        "blob.csv", "scrolled.csv", "boxed.csv",
    }  # fmt: skip
    assert {line.partition(" ")[0] for line in application.log} == {"GET"}


def test_a_page_that_the_budget_left_unrendered_is_rendered_later(tmp_path: Path) -> None:
    """It is answered as it came: what the server saw counts, and nothing is lost."""
    with served(catalogue) as application:
        first = crawl(
            application.url, *WANT, "--requests", 5, render="always", out=tmp_path / "crawl"
        )
        left = query(first.path, "SELECT url FROM renders WHERE outcome = 'left'")
        answered, asked = query(first.path, "SELECT url FROM answers"), len(application.asked)
        again = resume(first.path, "--requests", "+500", "--finds", 4)
    assert (first.code, asked) == (0, 5)
    assert sorted(answered) == sorted([(application.url,), *left])
    assert (again.code, len(again.finds)) == (0, 4)
    assert query(again.path, "SELECT count(*) FROM renders WHERE links = 0") == [(0,)]


def test_pages_left_plain_are_rendered_when_the_crawl_is_resumed_with_a_browser(
    tmp_path: Path,
) -> None:
    """Also if every link was followed; the budget holds for them, and the journal names all."""
    with served(catalogue) as application:
        plain = crawl(application.url, *WANT, render="never", out=tmp_path / "crawl")
        begun = resume(plain.path, "--render", "auto", "--requests", 3)
        asked = len(application.asked)
        done = resume(plain.path, "--requests", "none")
    assert (begun.code, asked) == (0, 3)
    assert (done.code, len(done.finds)) == (0, 2 * SETS)
    assert outcomes(plain.path) == {"rendered": 3, "api": SETS - 2}
    seen = [application.url[:-1] + path for path in application.asked]
    assert sorted(journalled(done.path)) == sorted(seen)


def test_a_browser_that_is_none_is_refused_by_resume_and_update_and_not_stored(
    tmp_path: Path,
) -> None:
    with served(catalogue) as application:
        crawl(application.url, *WANT, out=tmp_path / "crawl")
    words = [[name, "crawl", "--browser", "netscape"] for name in ("resume", "update")]
    *refused, without = run_many([*words, ["resume", "crawl"]], tmp_path)
    for done in refused:
        assert (done.code, done.out) == (2, "")
        assert "--browser 'netscape' is no program: install" in done.err
    assert without.out == (
        "Nothing to do: every link was followed. "
        "1 page seems to need JavaScript, and no browser is used: see docs/javascript.md.\n"
    )


@pytest.mark.soak
def test_an_update_renders_again_and_finds_what_is_new(tmp_path: Path) -> None:
    """The HTML of an application never changes; what its API says does."""
    sets = 2

    def answer(path: str) -> Said:
        if path == "/api/sets":
            return "application/json", json.dumps({"sets": list(range(sets))}).encode()
        return catalogue(path)

    with served(answer) as application:
        done = crawl(application.url, *WANT, render="auto", out=tmp_path / "crawl")
        before, sets = len(done.finds), 4
        again = run("update", done.path, "--delay", 0, out=done.path)
    assert (before, again.code, len(again.finds)) == (4, 0, 8)


@pytest.mark.soak
def test_the_sites_of_a_worker_share_one_browser(tmp_path: Path) -> None:
    noted, program = tmp_path / "noted", tmp_path / "chromium"
    program.write_text(f'#!/bin/sh\necho started >> {noted}\nexec {find_browser()} "$@"\n')
    program.chmod(0o755)
    with served(catalogue) as one, served(catalogue) as two, served(catalogue) as three:
        (tmp_path / "sites.txt").write_text("\n".join(site.url for site in (one, two, three)))
        words = ("--out", "fleet", "--delay", 0, *WANT, "--jobs", 1, "--browser", program)
        done = run("fleet", "sites.txt", *words, cwd=tmp_path)
    assert done.code == 0
    assert f"{3 * 2 * SETS} finds" in done.out
    assert noted.read_text().split() == ["started"]


def chromiums(parent: int) -> list[int]:
    """Return the browser processes that a crawl has started."""
    said = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 2) for line in said.stdout.splitlines()]
    family, grown = {parent}, True
    while grown:
        more = {int(pid) for pid, above, _ in rows if int(above) in family} - family
        family, grown = family | more, bool(more)
    return [int(pid) for pid, _, args in rows if int(pid) in family and "--headless" in args]


@pytest.mark.soak
def test_a_killed_browser_costs_one_page(tmp_path: Path) -> None:
    """Its page is one that could not be rendered; the next page gets a new browser."""
    hang = SHELL.replace(b"show();", b"setTimeout(show, 1e9);")

    def answer(path: str) -> tuple[str, bytes] | None:
        return ("text/html", hang) if path == "/sets/0" else catalogue(path)

    with served(answer) as application:
        words = crawl_words(application.url, *WANT, render="always", out=tmp_path / "crawl")
        with start(*words) as child:
            until = time.monotonic() + 60
            while not (found := chromiums(child.pid)) and time.monotonic() < until:
                time.sleep(0.1)
            time.sleep(2)
            os.kill(min(found), signal.SIGKILL)
            child.communicate(timeout=120)
    assert child.returncode == 0
    assert outcomes(tmp_path / "crawl")["rendered"] >= SETS - 1


@pytest.mark.soak
def test_a_killed_crawl_leaves_no_browser_and_is_resumed(tmp_path: Path) -> None:
    """The page that was in the browser is rendered again, and nothing is lost."""
    with served(catalogue) as application:
        words = crawl_words(application.url, *WANT, render="always", out=tmp_path / "crawl")
        with start(*words) as child:
            until = time.monotonic() + 60
            while "/api/sets/3" not in application.asked and time.monotonic() < until:
                time.sleep(0.05)
            family = chromiums(child.pid)
            child.kill()
        again = resume(tmp_path / "crawl")
    finds = query(tmp_path / "crawl", "SELECT count(*) FROM finds")[0][0]
    assert (again.code, finds, bool(family)) == (0, 2 * SETS, True)
    left = {pid for pid in family if Path(f"/proc/{pid}").exists()}
    assert left == set()


GREEDY = b"""<div id=app></div><script>
for (let number = 0; number < 10; number++) fetch("/api/" + number).catch(() => 0);
</script>"""


def greedy(path: str) -> tuple[str, bytes]:
    return ("text/html", GREEDY) if path == "/" else ("application/json", b"{}")


def test_the_budget_holds_for_requests_that_wait_for_the_delay(tmp_path: Path) -> None:
    with served(greedy) as application:
        words = (*WANT, "--requests", 3)
        done = crawl(application.url, *words, render="auto", delay=0.5, out=tmp_path / "crawl")
    assert (done.code, len(application.asked)) == (0, 3)


@pytest.mark.soak
def test_the_budget_of_a_fleet_holds_for_requests_of_rendered_pages(tmp_path: Path) -> None:
    """A page that waits for its grant leaves the browser to the other site."""
    with served(greedy) as one, served(greedy) as two:
        (tmp_path / "sites.txt").write_text(f"{one.url}\n{two.url}\n")
        words = ("--out", "fleet", "--delay", 0.5, "--requests", 6, "--jobs", 1)
        done = run("fleet", "sites.txt", *words, cwd=tmp_path)
    assert (done.code, len(one.asked) + len(two.asked)) == (0, 6)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_one_signal_ends_a_crawl_whose_first_page_is_on_its_way(tmp_path: Path, name: str) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def answer(path: str) -> tuple[str, bytes]:
        asked.set()
        go_on.wait(60)
        return greedy(path)

    with served(answer) as application:
        words = crawl_words(application.url, *WANT, render="auto", out=tmp_path / "crawl")
        with start(*words) as child:
            assert asked.wait(60)
            child.send_signal(signal.Signals[name])
            time.sleep(0.5)  # the signal is seen before the page comes
            go_on.set()
            child.communicate(timeout=60)
        again = resume(tmp_path / "crawl", "--requests", 2)
    assert (child.returncode, again.code) == (4, 0)
    assert application.asked == ["/", "/"]


def test_a_page_whose_browser_failed_is_rendered_by_resume(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    with served(catalogue) as application:
        words = (*WANT, "--browser", broken)
        first = crawl(application.url, *words, render="auto", out=tmp_path / "crawl")
        before = (first.code, first.finds, outcomes(first.path))
        again = resume(first.path, "--browser", find_browser())
    assert before == (0, {}, {"failed": 1})
    assert "; 'lodehound resume' renders 1 page again" in first.out
    assert (again.code, len(again.finds)) == (0, 2 * SETS)
