"""What rendering pages cost and brought, in words: for status, the last screen and the report."""

from __future__ import annotations

from lodehound.stores.crawl_dir.rendering import RenderTotals

INSTALL = "pip install 'lodehound[browser]' and Chromium (docs/javascript.md)"


def render_rows(totals: RenderTotals) -> list[tuple[str, str]]:
    """Return what rendering did, and which pages still seem to need it; [] if there is nothing.

    >>> render_rows(RenderTotals(pages=3, seconds=4.5, requests=9, links=40, finds=12, missing=1))
    ... # doctest: +NORMALIZE_WHITESPACE
    [('rendered', '3 pages in 4.5 s and 9 requests: 40 new links, 12 finds'),
     ('scripts', "1 page seems to need JavaScript, and there is no browser:
     pip install 'lodehound[browser]' and Chromium (docs/javascript.md)")]
    """
    rows = []
    if totals.pages:
        cost = f"{_pages(totals.pages)} in {totals.seconds:,.1f} s and {totals.requests:,} requests"
        text = f"{cost}: {totals.links:,} new links, {totals.finds:,} finds"
        rows.append(("rendered", text))
    if totals.by_api:
        rows.append(("not rendered", f"{_pages(totals.by_api)}: their API was asked instead"))
    if totals.fruitless:
        text = f"{_pages(totals.fruitless)}: rendering pages like these brought too little"
        rows.append(("not rendered", text))
    if totals.missing:
        text = f"{_need(totals.missing)}, and there is no browser: {INSTALL}"
        rows.append(("scripts", text))
    if totals.off:
        them = "it" if totals.off == 1 else "them"
        rows.append(("scripts", f"{_need(totals.off)}; --render auto renders {them}"))
    if totals.failed:
        rows.append(("scripts", f"{_pages(totals.failed)} could not be rendered"))
    return rows


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count:,} pages"


def _need(count: int) -> str:
    return f"{_pages(count)} {'seems' if count == 1 else 'seem'} to need JavaScript"
