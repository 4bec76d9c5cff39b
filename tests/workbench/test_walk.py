"""A user walks through all ten screens while a crawl runs, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lodehound.sites.server import SiteServer
from tests.workbench.naughty import NAUGHTY, naughty_site
from tests.workbench.running import browser, needs_browser, workbench

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.serial, needs_browser]
AXE = find_spec("axe_playwright_python")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PATIENCE = 30_000  # milliseconds; the machine may be busy


class Walker:
    """A user with a browser, and what is wrong with the pages that were seen."""

    def __init__(self, page: Page, root: str) -> None:
        self.page = page
        self.root = root
        self.flaws: list[object] = []
        self.requests: set[str] = set()
        assert AXE is not None
        assert AXE.origin is not None
        self._axe = Path(AXE.origin).with_name("axe.min.js").read_text(encoding="utf-8")
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self._heard(message.text))
        page.on("pageerror", lambda error: self.flaws.append(str(error)))
        page.on("dialog", lambda dialog: self.flaws.append(dialog.message))
        page.on("request", lambda request: self.requests.add(request.url))

    def see(self, screen: str) -> None:
        """Look at the screen in both widths and colours: nothing may be wrong."""
        self.page.locator("text=Counting.").wait_for(state="detached")
        self.page.locator("main").wait_for()
        for width, scheme in ((1280, "light"), (390, "dark")):
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            wide = self.page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                self.flaws.append((screen, width, f"is {wide} wide"))
            self.flaws += [(screen, width, *flaw) for flaw in self._found_by_axe()]
        if "run" in self.page.title():
            self.flaws.append((screen, "a script from the web ran"))
        self.page.set_viewport_size({"width": 1280, "height": 900})

    def _heard(self, text: str) -> None:
        if "status of 400" not in text:  # the form that was refused, see below
            self.flaws.append(text)

    def _found_by_axe(self) -> list[tuple[str, str]]:
        self.page.evaluate(self._axe)
        found: dict[str, Any] = self.page.evaluate(
            "rules => axe.run(document, {runOnly: rules})", RULES
        )
        return [(flaw["id"], flaw["nodes"][0]["html"][:200]) for flaw in found["violations"]]

    def tab(self, name: str) -> None:
        """Follow a link of the navigation."""
        self.page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()


@pytest.fixture
def walker(tmp_path: Path) -> Iterator[Walker]:
    with workbench(tmp_path, "--control") as running, browser() as chromium:
        made = Walker(chromium.new_page(), running.root)
        made.page.goto(running.link)
        made.page.wait_for_url(running.root)
        yield made


def test_all_screens_during_a_crawl(walker: Walker, tmp_path: Path) -> None:
    page = walker.page
    with SiteServer() as server:
        server.serve(naughty_site(server.url))
        start(walker, server.url)
        watch(walker)
        pause_and_resume(walker)
        look_at_finds(walker)
        look_back(walker)
    page.goto(walker.root)
    walker.see("crawls")

    assert walker.flaws == []
    assert {url for url in walker.requests if not url.startswith(walker.root)} == set()
    assert [path.name for path in tmp_path.iterdir()] == ["naughty"]


def start(walker: Walker, url: str) -> None:
    page = walker.page
    page.get_by_role("link", name="Start a crawl").click()
    page.get_by_label("Start address").fill(url)
    page.get_by_label("Name of the folder").fill("../outside")
    page.get_by_label("Delay").fill("1")
    page.locator("#command").get_by_text("--delay=1").wait_for()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("alert").get_by_text("The folder needs a name").wait_for()
    walker.see("start")
    page.get_by_label("Name of the folder").fill("naughty")
    page.get_by_role("button", name="Start").click()


def watch(walker: Walker) -> None:
    page = walker.page
    page.get_by_role("status").get_by_text("running", exact=True).wait_for()
    finds = page.locator("section", has=page.get_by_role("heading", name="Last finds"))
    finds.get_by_role("rowheader").first.wait_for()  # without a reload
    page.get_by_text("Look closer").click()
    page.locator(".closer > svg").press("ArrowLeft")
    page.locator(".closer .values").get_by_text(re.compile(r"\d+ requests · finds: \d+")).wait_for()
    walker.see("live")


def pause_and_resume(walker: Walker) -> None:
    page = walker.page
    walker.tab("Control")
    walker.see("control")
    page.get_by_role("button", name="Pause", exact=True).click()
    page.get_by_role("status").get_by_text("not running").wait_for()
    page.get_by_label("Delay").fill("0.01")
    page.get_by_role("button", name="Resume", exact=True).click()
    page.get_by_role("status").get_by_text("every link was followed").wait_for()


def look_at_finds(walker: Walker) -> None:
    page = walker.page
    walker.tab("Finds")
    page.get_by_role("status").get_by_text(f"{len(NAUGHTY)} finds").wait_for()
    walker.see("finds")
    page.get_by_label("Search in titles").fill("البطالة")
    page.get_by_role("status").get_by_text("1 find", exact=True).wait_for()
    page.wait_for_url("**?words=*")
    page.get_by_role("link", name=re.compile("البطالة")).first.click()
    page.locator("#preview").get_by_role("table").wait_for()
    walker.see("find")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the file").click()
    assert download.value.suggested_filename.endswith(".csv")


def look_back(walker: Walker) -> None:
    page = walker.page
    for name in ("Site map", "What was learned", "Skipped and failed", "Exports"):
        walker.tab(name)
        walker.see(name)
    with page.expect_download() as download:
        page.get_by_role("link", name="jsonl", exact=True).click()
    assert len(Path(download.value.path()).read_text("utf-8").splitlines()) == len(NAUGHTY)
    walker.tab("Compare")
    for label in ("The earlier one", "The later one"):
        page.get_by_label(label).select_option(label="naughty")
    page.get_by_role("button", name="Compare").click()
    page.get_by_text("same", exact=True).wait_for()
    walker.see("compare")
