"""A site whose titles, link texts, file names, column names and URLs are meant to do harm."""

from __future__ import annotations

import html
from collections.abc import Iterator
from urllib.parse import quote

from lodehound.stores.records import Record

NAUGHTY = (
    "<script>document.title='run'</script>",
    '"><img src=x onerror="document.title=\'run\'">',
    "</title></pre></textarea><svg onload=\"document.title='run'\">",
    "javascript:document.title='run'",
    "{{ 7 * 7 }}{% for x in y %}${7*7}<%= 7 %>",
    '=HYPERLINK("http://evil.example/","x")',
    "'; DROP TABLE finds; --",
    "../../../../etc/passwd",
    "نسبة البطالة حسب المنطقة ٢٠٢٤",
    "שיעור האבטלה לפי אזור",
    "invoice\u202efdp.exe",
    "\u202a\u2066nothing ends\u2067",
    "Z̸̡̛̞a̷͎̕l̵͓͝g̶̱̈́o̷̜͐ " + "o̷̜͐" * 40,
    "👩‍👩‍👧‍👦🏳️‍🌈" * 10,
    "a" * 400,
    "\u2028\u2029\ufeff\u200b\x07\x1b[31mred",
    "0",
    "null",
)


def naughty_site(root: str) -> Iterator[Record]:
    """Yield a page for every naughty text, each with a table; the first page links to all."""
    links = "".join(
        f'<p><a href="{quote(f"page {at} {text[:12]}")}/">{html.escape(text)}</a></p>'
        for at, text in enumerate(NAUGHTY)
    )
    yield _page(root, "Naughty", links)
    for at, text in enumerate(NAUGHTY):
        place = f"{root}{quote(f'page {at} {text[:12]}')}/"
        name = quote(f"{at} {text[:16]}") + ".csv"
        yield _page(place, text, f'<p><a href="{name}">{html.escape(text)}</a></p>')
        column = text.replace('"', '""')
        rows = "".join(f'{year},{year * at},"{column}"\n' for year in range(1990, 2010))
        body = f'year,"{column}",text\n{rows}'.encode()
        yield Record(place + name, 200, "text/csv; charset=utf-8", body)
    yield Record(f"{root}gone", 404, "text/html", b"")


def _page(url: str, title: str, body: str) -> Record:
    text = f"<!doctype html><title>{html.escape(title)}</title><a href=/gone>gone</a>{body}"
    return Record(url, 200, "text/html; charset=utf-8", text.encode())
