"""Hostile pages in a real browser: each ends within its bounds, and the next one is rendered."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lodehound.core.link import Link
from lodehound.core.lives import Life
from lodehound.core.messages import Answer, Ask, Page
from lodehound.drivers.live.browser import Browser, Browsers, find_browser, is_installed
from lodehound.drivers.live.browser_guard import family, words_of
from lodehound.drivers.live.rendered import Rendered, RenderJob
from lodehound.drivers.live.replies import Reply
from lodehound.drivers.live.resources import MAX_REQUESTS
from lodehound.learn.render_choice import RenderDecision

pytestmark = [
    pytest.mark.serial,
    pytest.mark.skipif(
        not (is_installed() and find_browser()), reason="no Chromium to render pages with"
    ),
]
URL = "http://hostile.example/"
LINK = "<script>document.body.innerHTML = '<a href=/found.csv>found</a>'</script>"
PAGES = {
    "endless loop": f"<body>{LINK}<script>for (;;) ;</script>",
    "alert storm": f"<body>{LINK}<script>for (;;) alert('look!')</script>",
    "memory hog": (
        "<body><script>const hog = []; for (;;) hog.push(new Uint8Array(3e7).fill(1))</script>"
    ),
    "many frames": (
        f"<body>{LINK}<script>for (let i = 0; i < 10000; i++) "
        "document.body.append(document.createElement('iframe'))</script>"
    ),
    "frames of pages": (
        f"<body>{LINK}<script>for (let i = 0; i < 40; i++) {{ const frame = "
        "document.createElement('iframe'); frame.src = '/frame' + i; document.body.append(frame) }"
        "</script>"
    ),
    "restless": (
        f"<body>{LINK}<script>setInterval(() => "
        "document.body.append(document.createElement('p')))</script>"
    ),
    "miner": (
        f"<body>{LINK}<script>const code = new Blob(['for (;;) ;']); for (let i = 0; i < 4; i++) "
        "new Worker(URL.createObjectURL(code))</script>"
    ),
    "private address": f"<body>{LINK}<script>location = 'http://127.0.0.1:1/secret'</script>",
    "local file": f"<body>{LINK}<script>location = 'file:///etc/passwd'</script>",
    "headless": (
        "<body><script>document.body.innerHTML = '<a href=/' + navigator.webdriver + '/' + "
        "encodeURIComponent(navigator.userAgent) + '>who</a>'</script>"
    ),
    "well-behaved": f"<body>{LINK}<script>fetch('/api')</script>",
}


@dataclass
class Outcome:
    """What came of one page."""

    rendered: Rendered
    asked: list[str] = field(default_factory=list)

    @property
    def found(self) -> bool:
        return any("/found.csv" in state.html for state in self.rendered.snapshots)


def job_of(html: str) -> RenderJob:
    answer = Answer(Ask(1, URL), 200, "text/html", html.encode())
    page = Page(URL, "GET", 200, "text/html", answer.body)
    decision = RenderDecision("render", "", "")
    return RenderJob(Life(1, URL), answer, page, Link(URL), decision, (), clicks=False)


async def rendered(browser: Browser, html: str) -> Outcome:
    asked: list[str] = []

    async def load(url: str, kind: str) -> Reply:
        asked.append(url)
        return Reply(200, {"content-type": "application/json"}, b"{}")

    return Outcome(await browser.render(job_of(html), load), asked)


# Several of them go on until they are stopped, which takes a minute in all.
@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    """Render every page once, in one browser."""

    async def all_of_them() -> dict[str, Outcome]:
        browser = Browser(
            find_browser(), user_agent="lodehound/test", seconds=3, memory=400 * 1024 * 1024
        )
        try:
            return {name: await rendered(browser, html) for name, html in PAGES.items()}
        finally:
            await browser.close()

    return asyncio.run(all_of_them())


@pytest.mark.soak
def test_a_page_without_an_end_is_stopped(outcomes: dict[str, Outcome]) -> None:
    said = [outcomes[name].rendered.error for name in ("endless loop", "alert storm")]
    assert said == ["stopped after 3 s"] * 2


@pytest.mark.soak
def test_a_page_that_needs_too_much_memory_is_stopped(outcomes: dict[str, Outcome]) -> None:
    assert outcomes["memory hog"].rendered.error in {
        "stopped at 400 MiB of memory",
        "the page crashed",
    }


@pytest.mark.soak
@pytest.mark.parametrize(
    "name", ["frames of pages", "restless", "miner", "private address", "local file"]
)
def test_a_page_that_does_mischief_is_read_all_the_same(
    outcomes: dict[str, Outcome], name: str
) -> None:
    """And it gets nothing: no frame, no address, no file."""
    assert (outcomes[name].found, outcomes[name].asked) == (True, [])


@pytest.mark.soak
def test_ten_thousand_frames_end_within_the_limits_and_load_nothing(
    outcomes: dict[str, Outcome],
) -> None:
    """Which of the limits comes first depends on the browser."""
    error, asked = outcomes["many frames"].rendered.error, outcomes["many frames"].asked
    assert error in {"", "stopped after 3 s", "stopped at 400 MiB of memory"}
    assert asked == []


@pytest.mark.soak
def test_a_place_that_a_script_goes_to_is_only_named(outcomes: dict[str, Outcome]) -> None:
    places = [outcomes[name].rendered.places for name in ("private address", "local file")]
    assert places == [("http://127.0.0.1:1/secret",), ()]


@pytest.mark.soak
def test_the_browser_says_who_it_is(outcomes: dict[str, Outcome]) -> None:
    assert "/true/lodehound%2Ftest" in outcomes["headless"].rendered.snapshots[0].html


@pytest.mark.soak
def test_after_all_that_a_page_is_rendered_as_before(outcomes: dict[str, Outcome]) -> None:
    last = outcomes["well-behaved"]
    assert (last.rendered.error, last.found, last.asked) == ("", True, [URL + "api"])


@pytest.mark.parametrize(("user", "flags"), [(0, {"--no-sandbox"}), (1000, set())])
def test_only_root_runs_without_a_sandbox(
    user: int, flags: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chromium does not start for root with one."""
    program, noted = tmp_path / "chromium", tmp_path / "noted"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {noted}\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    browser = Browser(str(program), user_agent="lodehound/test")
    failed = asyncio.run(rendered(browser, "")).rendered
    assert failed.error.startswith("browser: it did not start")
    assert {"--no-sandbox"} & set(noted.read_text().split()) == flags


@pytest.mark.parametrize("victim", ["browser", "renderer"])
def test_after_a_browser_or_a_tab_is_killed_the_next_page_is_rendered(victim: str) -> None:
    async def killed() -> tuple[Outcome, Outcome]:
        browser = Browser(find_browser(), user_agent="lodehound/test")
        begun = asyncio.Event()

        async def load(url: str, kind: str) -> Reply:
            begun.set()
            await asyncio.Event().wait()  # it never comes
            return Reply(0)

        try:
            hanging = asyncio.create_task(browser.render(job_of(PAGES["well-behaved"]), load))
            await begun.wait()
            pid = browser.process.pid
            pages = [one for one in family(pid) if "--type=renderer" in words_of(one)]
            for process in [pid] if victim == "browser" else pages:
                os.kill(process, signal.SIGKILL)
            return Outcome(await hanging), await rendered(browser, PAGES["well-behaved"])
        finally:
            await browser.close()

    first, second = asyncio.run(killed())
    assert first.rendered.error.startswith(("browser: ", "the page crashed"))
    assert second.found


def test_crawls_share_a_browser_and_render_one_page_at_a_time() -> None:
    """Who has ended leaves it to the others."""
    at_a_time: list[int] = []

    async def shared() -> list[bool]:
        browsers = Browsers()
        process = browsers.get(find_browser())
        crawls = [Browser(process, user_agent=name) for name in ("one", "two")]

        async def load(url: str, kind: str) -> Reply:
            at_a_time.append(len((await process.start()).contexts))
            return Reply(200, {"content-type": "application/json"}, b"{}")

        async def crawl(browser: Browser) -> bool:
            page = await browser.render(job_of(PAGES["well-behaved"]), load)
            await browser.close()
            return Outcome(page).found

        try:
            return await asyncio.gather(*map(crawl, crawls))
        finally:
            await browsers.close()

    assert (asyncio.run(shared()), at_a_time) == ([True, True], [1, 1])


def test_the_bounds_of_a_page_are_those_of_the_documentation() -> None:
    browser = Browser("chromium", user_agent="")
    said = (
        f"One page may take {browser.seconds:g} seconds (waiting for delays does not count), "
        f"{browser.memory // 2**20} MiB and {MAX_REQUESTS} requests."
    )
    assert (browser.seconds, browser.memory, MAX_REQUESTS) == (20, 512 * 2**20, 100)
    page = Path(__file__).parents[3] / "docs/javascript.md"
    assert said in " ".join(page.read_text(encoding="utf-8").split())
