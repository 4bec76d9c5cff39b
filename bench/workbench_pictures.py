"""Takes the pictures of docs/workbench.md: a crawl of a generated office, while it runs.

    python -m bench.workbench_pictures

It needs Chromium, and the extras live and ui.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from lodehound.sites import StatsOffice
from lodehound.sites.server import SiteServer
from tests.reports.browser import browser_path

IMAGES = Path(__file__).parents[1] / "docs" / "images"
WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 780}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, SiteServer() as server:
        server.serve(StatsOffice(pages=600, files=160, host=server.url).records())
        out = Path(folder, "statistics-office")
        command = [sys.executable, "-m", "lodehound"]
        told = ["crawl", server.url, "--out", str(out), "--delay", "0.05", "--quiet"]
        with (
            subprocess.Popen([*command, *told]) as crawl,
            subprocess.Popen([*command, "ui", folder], stdout=subprocess.PIPE, text=True) as ui,
        ):
            assert ui.stdout is not None  # noqa: S101 - for the type checker
            try:
                take(ui.stdout.readline().split()[-1])
            finally:
                ui.terminate()
                crawl.terminate()


def take(url: str) -> None:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]
        page.goto(url)
        page.get_by_role("link", name="statistics-office").click()
        page.get_by_text("Still to find").first.wait_for()
        page.wait_for_timeout(20_000)  # until there is something to see
        picture(page, "workbench-live")
        page.get_by_role("link", name="Finds", exact=True).click()
        page.locator("table.finds").wait_for()
        picture(page, "workbench-finds")
        page.get_by_label("Search in titles").fill("csv")
        page.get_by_label("Order").select_option("rows")
        page.wait_for_url("**order=rows*")
        page.locator("table.finds").get_by_role("link").first.click()
        page.locator("#preview").locator("table, pre, .note").first.wait_for()
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        page.emulate_media(color_scheme="dark")
        picture(page, "workbench-phone")
        page.set_viewport_size(WIDE)  # type: ignore[arg-type]
        page.emulate_media(color_scheme="light")
        page.get_by_role("link", name="Site map").click()
        page.locator(".treemap").wait_for()
        picture(page, "workbench-map")
        browser.close()


def picture(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
