"""A page that floods the event loop or the memory ends all the same, and leaves no files."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.drivers.live.browser import Browser, find_browser
from lodehound.drivers.live.browser_folder import BROWSER, PREFIX, BrowserFolder
from lodehound.drivers.live.browser_guard import SPARE, family, memory_of, words_of
from lodehound.drivers.live.rendered import Rendered
from tests.drivers.live.test_browser import PAGES, rendered
from tests.live.applications import NEEDS_BROWSER

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc")
FLOODS = {
    "history": "for (let i = 0; i < 100000; i++) history.pushState({}, '', '/p' + i)",
    "hash": "for (let i = 0; i < 100000; i++) location.hash = 'p' + i",
    "another window's history": """const f = document.createElement('iframe');
        document.body.append(f); const push = f.contentWindow.History.prototype.pushState;
        for (let i = 0; i < 100000; i++) push.call(history, {}, '', '/p' + i)""",
    "console": "for (let i = 0; i < 300000; i++) console.log('x'.repeat(1000))",
}
MEMORY = 300 * 1024 * 1024


async def flooded(script: str, seconds: float) -> tuple[Rendered, float, bool]:
    """Render a flood, then a good page; return what came of both, and how long the flood took."""
    browser = Browser(find_browser(), user_agent="lodehound/test", seconds=seconds)
    try:
        await rendered(browser, PAGES["well-behaved"])
        begun = time.monotonic()
        flood = (await rendered(browser, f"<div id=app></div><script>{script}</script>")).rendered
        took = time.monotonic() - begun
        return flood, took, (await rendered(browser, PAGES["well-behaved"])).found
    finally:
        await browser.close()


@LINUX
@NEEDS_BROWSER
@pytest.mark.serial
@pytest.mark.parametrize(
    "name",
    ["history", *(pytest.param(name, marks=pytest.mark.soak) for name in list(FLOODS)[1:])],
)
def test_a_flood_of_events_takes_the_time_of_a_page(name: str) -> None:
    """It held the whole crawl for minutes."""
    flood, took, after = asyncio.run(flooded(FLOODS[name], 4.0))
    assert flood.error in {"stopped after 4 s", "stopped at 512 MiB of memory"}
    assert took < 4 + 1 + 5  # for the event loop, and for the end of the browser
    assert after


@LINUX
@NEEDS_BROWSER
@pytest.mark.parametrize(
    "script",
    [
        "const k = []; for (let i = 0; i < 400; i++) k.push(new Uint8Array(16 << 20).fill(1))",
        "const k = []; setInterval(() => k.push(new Uint8Array(64 << 20).fill(7)), 20)",
    ],
)
def test_a_page_gets_little_more_memory_than_it_may_use(script: str) -> None:
    browser = Browser(find_browser(), user_agent="lodehound/test", seconds=4, memory=MEMORY)
    peak, ended = 0, threading.Event()

    def look() -> None:
        nonlocal peak
        while not ended.wait(0.01):
            pids = family(browser.process.pid) if browser.process.pid else []
            pages = [pid for pid in pids if "--type=renderer" in words_of(pid)]
            peak = max(peak, sum(map(memory_of, pages)))

    async def greedy() -> None:
        try:
            await rendered(browser, f"<div id=app></div><script>{script}</script>")
        finally:
            await browser.close()

    thread = threading.Thread(target=look)
    thread.start()
    try:
        asyncio.run(greedy())
    finally:
        ended.set()
        thread.join()
    assert 0 < peak < MEMORY + SPARE


@LINUX
def test_files_of_a_killed_process_are_removed_when_the_next_browser_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not those of one that runs, nor what is only called so."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "lock").touch()
    (tmp_path / f"{PREFIX}link").symlink_to(elsewhere)
    used = BrowserFolder()
    code = """import os, signal
from lodehound.drivers.live.browser_folder import BrowserFolder
folder = BrowserFolder()
(folder.path / "profile").mkdir()
os.kill(os.getpid(), signal.SIGKILL)"""
    subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"TMPDIR": str(tmp_path)}, check=False
    )
    left = {path.name for path in tmp_path.glob(f"{PREFIX}*")}
    BrowserFolder().close()
    kept = {path.name for path in tmp_path.glob(f"{PREFIX}*")}
    used.close()

    assert (len(left), kept) == (3, {used.path.name, f"{PREFIX}link"})
    assert (elsewhere / "lock").exists()
    assert not used.path.exists()


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A temporary folder whose path leaves room for the name of a socket."""
    with tempfile.TemporaryDirectory(prefix="t") as folder:
        yield Path(folder)


@NEEDS_BROWSER
@pytest.mark.parametrize("is_killed", [False, True])
def test_a_browser_leaves_no_files(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch, is_killed: bool
) -> None:
    """One that is killed does not remove the folder of its sockets."""
    monkeypatch.setattr(tempfile, "tempdir", str(short_folder))
    monkeypatch.setenv("TMPDIR", str(short_folder))

    async def page() -> list[str]:
        browser = Browser(find_browser(), user_agent="lodehound/test")
        try:
            await rendered(browser, PAGES["well-behaved"])
            names = [path.name for path in short_folder.iterdir()]
            if is_killed:
                assert browser.process.pid > 1  # 0 would be all processes of this test run
                os.kill(browser.process.pid, signal.SIGKILL)
            return names
        finally:
            await browser.close()

    folder, sockets = sorted(asyncio.run(page()))
    assert folder.startswith(PREFIX)
    assert BROWSER in sockets
    assert list(short_folder.iterdir()) == []
