"""The report in a real browser. One browser serves all: it is heavy."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from lodehound.reports.page import write_report
from tests.reports.browser import Tab, browser_path, tab
from tests.reports.crawls import SCRIPT, opened

pytestmark = [
    pytest.mark.serial,
    pytest.mark.skipif(
        browser_path() is None,
        reason="there is no Chromium: the report is not tried in a browser (apt install chromium)",
    ),
]

ROWS = "document.querySelectorAll('#finds tbody tr').length"
TEXT = "document.querySelector('#finds').innerText"
COUNT = "document.querySelector('#count').textContent"
HIDDEN = "[...document.querySelectorAll('[data-script]')].every((one) => one.hidden)"


def typed(words: str) -> str:
    """Return what puts words into the search field as a user does."""
    return f"""(() => {{ const field = document.querySelector('#search');
        field.value = {words!r}; field.dispatchEvent(new Event('input')); }})()"""


async def looked_at(page: Path) -> dict[str, Any]:
    async with tab() as browser:
        await browser.visit(page)
        seen = {"rows": await browser.ask(ROWS), "text": await browser.ask(TEXT)}
        for words in ("b.csv", "B.CSV text", "nowhere to be found"):
            await browser.ask(typed(words))
            seen[words] = (await browser.ask(ROWS), await browser.ask(COUNT))
        await browser.ask(typed(""))
        await browser.ask("document.querySelector('th[data-column=url] button').click()")
        seen["sorted"] = await browser.ask(
            "document.querySelector('th[data-column=url]').getAttribute('aria-sort')"
        )
        seen["widths"] = await _widths(browser)
        await browser.scripts(allowed=False)
        await browser.visit(page)
        seen["without scripts"] = (await browser.ask(ROWS), await browser.ask(HIDDEN))
        seen |= {"requests": browser.requests, "said": browser.complaints + browser.dialogs}
        return seen


async def _widths(browser: Tab) -> list[int]:
    widths = []
    for width in (1280, 390):
        await browser.look(width=width)
        widths.append(await browser.ask("document.documentElement.scrollWidth"))
    return widths


def test_search_works_and_nothing_else_happens(nasty_crawl: Path, tmp_path: Path) -> None:
    with opened(nasty_crawl) as (directory, look):
        page = write_report(directory, look, tmp_path / "report.html")
    seen = asyncio.run(asyncio.wait_for(looked_at(page), 180))

    assert seen["rows"] == 2
    assert SCRIPT in seen["text"]  # as text: nothing was run, see below
    assert seen["b.csv"] == (1, "1 to 1 of 1")
    assert seen["B.CSV text"] == (0, "Nothing fits.")
    assert seen["nowhere to be found"] == (0, "Nothing fits.")
    assert seen["sorted"] == "ascending"
    assert seen["widths"] == [1280, 390]
    assert seen["without scripts"] == (2, True)
    assert seen["said"] == []
    assert set(seen["requests"]) == {page.resolve().as_uri()}
