"""What rendering pages cost and brought, in words: for status, the last screen and the report."""

from __future__ import annotations

from lodehound.reports.screen_text import clean
from lodehound.stores.catalogue.renders import LoadedBy, RenderRow, RenderTotals
from lodehound.text.counts import counted

LONG = 500  # characters of a URL
WHY_NOT = {
    "api": "not rendered: the API of pages like it was asked instead",
    "fruitless": "not rendered: pages like it had brought too little",
    "missing": "not rendered: there is no browser",
    "off": "not rendered: --render never",
    "left": "not rendered: the budget was spent",
}
INSTALL = (
    "pip install 'lodehound[browser]' and Chromium, then 'lodehound resume' (docs/javascript.md)"
)


def render_rows(totals: RenderTotals) -> list[tuple[str, str]]:
    """Return what rendering did, and which pages still seem to need it; [] if there is nothing.

    >>> render_rows(RenderTotals(pages=3, seconds=4.5, requests=9, links=40, finds=12, missing=1))
    ... # doctest: +NORMALIZE_WHITESPACE
    [('rendered', '3 pages in 4.5 s and 9 requests: 40 new links, 12 finds'),
     ('scripts', "1 page seems to need JavaScript, and there is no browser:
     pip install 'lodehound[browser]' and Chromium, then 'lodehound resume'
     (docs/javascript.md)")]
    """
    rows = []
    if totals.pages:
        cost = f"{totals.seconds:,.1f} s and {counted(totals.requests, 'request')}"
        gain = f"{counted(totals.links, 'new link')}, {counted(totals.finds, 'find')}"
        rows.append(("rendered", f"{_pages(totals.pages)} in {cost}: {gain}"))
    if totals.by_api:
        rows.append(
            ("by API", f"{_pages(totals.by_api)} not rendered: their API was asked instead")
        )
    if totals.fruitless:
        text = f"{_pages(totals.fruitless)} not rendered: pages like these had brought too little"
        rows.append(("left alone", text))
    if totals.missing:
        text = f"{_need(totals.missing)}, and there is no browser: {INSTALL}"
        rows.append(("scripts", text))
    if totals.off:
        them = "it" if totals.off == 1 else "them"
        text = f"{_need(totals.off)}; 'lodehound resume' with --render auto renders {them}"
        rows.append(("scripts", text))
    if totals.left:
        them = "it" if totals.left == 1 else "them"
        text = f"{_pages(totals.left)} not rendered: the budget was spent; "
        rows.append(("left", f"{text}'lodehound resume' with a larger one renders {them}"))
    if totals.failed:
        why = f": {clean(totals.failure)}" if totals.failure else ""
        text = f"{_pages(totals.failed)} could not be rendered{why}"
        if totals.lost:
            text += f"; 'lodehound resume' renders {_pages(totals.lost)} again"
        rows.append(("scripts", text))
    return rows


def _pages(count: int) -> str:
    return counted(count, "page")


def _need(count: int) -> str:
    return f"{_pages(count)} {'seems' if count == 1 else 'seem'} to need JavaScript"


def browser_lines(renders: tuple[RenderRow, ...], loaders: tuple[LoadedBy, ...]) -> list[str]:
    """Return lines on how a browser was used for a URL."""
    lines = []
    for row in renders:
        if row.signs:
            lines.append(f"signs: {row.signs}")
        lines.append(_told(row))
        lines.append(f"it counts as {clean(row.pattern, LONG)}")
    for one in loaders:
        said = one.error or f"status {one.status}"
        asked = "loaded" if one.sent else "not loaded"
        lines.append(f"{asked} ({one.type}; {clean(said)}) by {clean(one.page, LONG)}")
    return lines


def _told(row: RenderRow) -> str:
    if row.outcome in WHY_NOT:
        return WHY_NOT[row.outcome]
    made = f"{counted(row.requests, 'request')}, {counted(row.clicks, 'click')}"
    cost, links = f"{row.seconds:,.1f} s, {made}", counted(row.links, "new link")
    error = f"; {clean(row.error)}" if row.error else ""
    if row.outcome == "failed":
        return f"it could not be rendered: {clean(row.error)}"
    return f"rendered: {cost}; {links} that the plain page does not show{error}"
