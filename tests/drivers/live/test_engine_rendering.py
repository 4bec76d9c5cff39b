"""The event loop with a browser: what a page loads goes the way of all requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from lodehound.drivers.live.engine import Live
from lodehound.drivers.live.rendered import Rendered, RenderJob
from lodehound.drivers.live.replies import Reply
from tests.drivers.live.test_engine import Hand
from tests.drivers.live.test_rendering import JSON, SHELL, SHOWN
from tests.drivers.live.test_session import CSV, ROOT, World

Load = Callable[[str, str], Awaitable[Reply]]


class OnePage:
    """A browser that shows one page, which loads something first."""

    def __init__(self, *, fails: bool = False) -> None:
        self.loaded: list[int] = []
        self.fails = fails

    async def render(self, job: RenderJob, load: Load) -> Rendered:
        if self.fails:
            raise ZeroDivisionError
        self.loaded.append((await load(ROOT + "api", "fetch")).status)
        return Rendered((SHOWN,))

    async def close(self) -> None:
        pass


def crawl(browser: OnePage) -> tuple[Live, World]:
    """Crawl a page that shows nothing without its script."""
    world = World({ROOT: SHELL, ROOT + "api": JSON, ROOT + "shown.csv": CSV})
    world.session.rendering.obstacle = None
    world.session.politeness.delay = 0.0
    world.notes.inspector = None  # type: ignore[attr-defined]

    async def run() -> Live:
        live = Live(
            world.session,
            fetcher=Hand(world.web, before=lambda _: None),  # type: ignore[arg-type]
            headers={},
            secrets={},
            secret_origins=(),
            blocks=lambda _: False,
            browser=browser,  # type: ignore[arg-type]
        )
        await live.run()
        return live

    return asyncio.run(asyncio.wait_for(run(), 60)), world


def test_a_page_gets_what_it_loads_and_its_links_are_followed() -> None:
    browser = OnePage()
    live, world = crawl(browser)
    assert browser.loaded == [200]
    assert (live.failure, world.session.stop and world.session.stop.reason) == (None, "exhausted")
    noted = [name for name, _ in world.notes.events]
    assert noted.count("loaded") == noted.count("rendered") == 1


def test_a_browser_that_fails_ends_the_crawl() -> None:
    with pytest.raises(ZeroDivisionError):
        crawl(OnePage(fails=True))
