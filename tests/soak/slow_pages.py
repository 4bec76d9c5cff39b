"""Pages that are quick to write and slow to read: ``python -m tests.soak.slow_pages [READER...]``.

Prints the seconds of processor time for each reader and construct at one, two and four times a
length: what grows by more than four from the first to the last is not linear. ``pages`` also makes
random ones: pieces of markup, repeated.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Page
from lodehound.read.html_tree import parse_html
from lodehound.read.json_links import MAX_BODY
from lodehound.read.links import read_links
from lodehound.read.markup import read_markup
from lodehound.read.page import read_page
from lodehound.read.robots import MAX_BYTES as MOST_ROBOTS
from lodehound.read.robots import parse_robots
from lodehound.read.scripts import MAX_BODY as MOST_LOOKED_AT
from lodehound.read.scripts import script_redirect, script_signs
from lodehound.read.sitemaps import read_sitemap
from lodehound.read.text import page_text
from lodehound.registry import make_shortcuts
from lodehound.shortcuts.reading import ShortcutReader

URL = "https://s.example/dir/page"
READERS: dict[str, Callable[[str], object]] = {
    "tree": parse_html,
    "links": lambda text: read_links(text.encode(), url=URL, digest=True),
    "data": lambda text: read_links(text.encode(), url=URL, data=True, nofollow=True),
    "text": lambda text: page_text(text.encode()),
    "markup": lambda text: read_markup(text.encode(), url=URL),
    "json": lambda text: read_links(text[:MAX_BODY].encode(), url=URL, mime="application/json"),
    "robots": lambda text: parse_robots(text[:MOST_ROBOTS].encode()),
    "sitemap": lambda text: read_sitemap(text.encode(), url=URL),
    "api": lambda text: answer_of_api(text.encode()),
    "signs": lambda text: signs(text[:MOST_LOOKED_AT].encode()),
}
SHORTCUTS = make_shortcuts("auto")
TAGS = re.compile(rb"<(/?)(\w[\w-]*)[^<>]*?(/?)>")
LETTERS = [one + two for one in "abcdefghijklmnopqrst" for two in "abcdefghijklmnopqrstuvwx"]
FORMATS = "".join(f"<b id=f{number}>" for number in range(60))
# What is repeated, and what stands before it; "%d" counts.
SHAPES = [
    *[("", f"<{name}>") for name in "a b p div ul li td select svg template ruby form".split()],
    ("<select>", "<option value=/%d.csv>%d"),
    ("<select multiple>", "<optgroup><option selected>x</optgroup>"),
    ("<select><button><selectedcontent></selectedcontent></button>", "<option selected><i>x</i>"),
    ("<datalist>", "<option value=/%d.csv>"),
    ("", "<a href=/%d.csv>x</a>"),
    ("", "<a href=/%d><noscript>x</a>"),
    ("", "<a href=/%d>x</a><div>"),
    ("<div><a href=/>x</a>" * 500, "<br>"),
    ("", '<div title="></div>">'),
    ("", "<div a=='b c='></div>'>"),
    ("", "<div><title></div></title>"),
    ("", "<a><svg><foreignObject>x</a>"),
    ("", "<div><table><td></div></table>"),
    (f"<table>{FORMATS}", "<tr>x"),
    (FORMATS, "<p>x"),
    (FORMATS, "<div></p>"),
    ("", "<b id=%d><p></b>"),
    ("<table>", "x<a href=/%d>y</a>"),
    ("<i ", "a%d=1 "),
    ("", f"<i {' '.join(LETTERS)}>"),
    ("", f"<i {' '.join(LETTERS[:24])}></i>"),
    ("", "<i a%d=1>"),
    ("", "<body a%d=1>"),
    ("", "<x%d>"),
    ("", "</x%d>"),
    ("<a href='", "&amp;"),
    ("<p class='", "c%d "),
    ("<!--", "--!"),
    ("", "<!-- -->"),
    ("", "\0&#0;&x"),
    ("<script>", "'/%d.csv' '/"),
    ("<script><!--", "<script>"),
    ("<script type=application/ld+json>", '{"a":['),
    ("<script type=application/ld+json>[", '{"@type":"Dataset","url":"/%d.csv"},'),
    ("<p id=a1>", "<div itemscope itemprop=url itemref='a1 a2 a%d' id=a%d>"),
    ("<div vocab=http://schema.org/ typeof=Dataset>", "<p prefix='p%d: http://p/' property=p1:x>"),
    ("", "<p about=#%d rel=dc:x><b resource=#a></b>"),
    ("<div class=h-feed>", "<p class='h-entry p-name'><a class=u-url href=/%d>x</a>"),
    ('<p onclick="', "open('/%d.csv')"),
]
DCAT_US = '{"conformsTo":"https://project-open-data.cio.gov/v1.1/schema","dataset":['
OAI = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>'
TURTLE = """@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dc: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
"""
OTHERS = {
    "json": [("", "["), ("", '{"a":'), ("[", '"/%d.csv",'), ('"', "\\")],
    "robots": [("User-agent: *\n", "Disallow: /*a*%d$\n"), ("", "User-agent: a%d\nAllow: /\n")],
    "sitemap": [
        ("<urlset>", "<url><loc>/</loc><lastmod>2020</lastmod></url>"),
        ("<urlset>", "<a b='c'/>"),
        ("<urlset>", "<a>"),
        ("<rss><channel>", "<item><link>/%d</link></item>"),
        ("", "x%d\n"),
    ],
    "api": [
        ('{"version":"https://jsonfeed.org/version/1","items":[', "[],"),
        ('{"version":"https://jsonfeed.org/version/1","items":[', '{"url":"/%d"},'),
        (DCAT_US, '{"title":"%d","distribution":[{"downloadURL":"/%d.csv"}]},'),
        ("<rss><channel>", "<item><link>/%d</link><enclosure url='/%d.csv'/></item>"),
        ("<rss><channel>", "<item>"),
        ("<rss><channel>", "<a/>"),
        (
            OAI,
            "<record><metadata><dc><source>http://e/%d.csv</source></dc></metadata></record>",
        ),
        (f"{OAI}<record><metadata><dc>", "<identifier>http://e.org/%d.csv</identifier>"),
        ('<feed xmlns="opds-catalog http://opds-spec.org/">', "<entry/>"),
        (
            '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
            "<Contents><Key>%d.csv</Key></Contents>",
        ),
        (TURTLE, "<a%d> a dcat:Dataset; dcat:distribution <d>. <d> dc:title 'a%d'.\n"),
        (TURTLE, "<a%d> a dcat:Dataset; dc:publisher <d>. <d> foaf:name _:a%d.\n"),
    ],
    "signs": [
        ("<body><script></script><div id=root>", "<!---->"),
        ("<body><script></script><div id=root ", "id=root "),
        ("<script>", "</thead><tfoot"),
        ("<script>", "</thead><tfoot>"),
        ("<script></thead><tbody>", " "),
        ("<script>", "<button"),
        ("<script>", "<button "),
        ("<script><noscript>", "enable"),
        ("<script><noscript>", "javascript"),
        ("<script>", "location='"),
    ],
}
# A tilde is a space.
PIECES = """<a> </a> <b> </b> <p> </p> <div> </div> <span> </span> <ul> <li> <table> </table> <tr>
<td> </td> <select> </select> <option> <svg> </svg> <math> </math> <mi> <foreignObject> <desc>
<template> </template> <object> <button> <form> <noscript> <title> </title> <style> </style>
<script> </script> <!-- --> <!--> x & ~ " ' = > < <h1> <ruby> <rt> <nobr> <textarea> <caption>
<a~href=/%d> <i~a%d=1> <x%d> </x%d> <p~id=%d> <b~id=%d> <p~a="> <p~a=='> <plaintext>""".split()


def answer_of_api(text: bytes) -> object:
    """Read an answer as a crawl does, with all shortcuts."""
    begin = text[:1]
    mime = {b"{": "application/json", b"@": "text/turtle"}.get(begin, "application/xml")
    end = _end_tags(text) if begin == b"<" else b"1]}" * (begin == b"{")
    answer = Answer(Ask(1, URL), 200, mime, text + end)
    return ShortcutReader(read_page, SHORTCUTS)(answer, Link(URL))


def _end_tags(text: bytes) -> bytes:
    """Return the end tags of what is open."""
    names: list[bytes] = []
    for is_end, name, is_empty in TAGS.findall(text):
        if is_end:
            names.pop()
        elif not is_empty:
            names.append(name)
    return b"".join(b"</%b>" % name for name in reversed(names))


def signs(body: bytes) -> object:
    """Look for the signs that a browser would show more."""
    page = Page(URL, "GET", 200, "text/html", body, needs_script=True)
    return script_signs(page), script_redirect(page)


def shapes_of(reader: str) -> list[tuple[str, str]]:
    """Return what stands before, and what is repeated, for a reader."""
    return OTHERS.get(reader, SHAPES)


def page_of(before: str, repeated: str, length: int) -> str:
    """Return a page of about this many characters."""
    times = max(1, (length - len(before)) // len(repeated))
    if "%d" not in repeated:
        return before + repeated * times
    return before + "".join(repeated.replace("%d", str(number)) for number in range(times))


def random_shapes(seed: int) -> Iterator[tuple[str, str]]:
    """Yield shapes without end."""
    chance = random.Random(seed)
    while True:
        before, repeated = (
            "".join(chance.choices(PIECES, k=chance.randint(low, 6))).replace("~", " ")
            for low in (0, 1)
        )
        yield before.replace("%d", "7"), repeated


def seconds_of(reader: str, page: str, limit: float) -> float:
    """Return the processor time that a reader takes for a page; infinity beyond the limit."""
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    child = context.Process(target=_read, args=(reader, page, limit, sending))
    child.start()
    sending.close()
    try:
        return float(receiving.recv())
    except EOFError:
        return float("inf")
    finally:
        child.join()


def _read(reader: str, page: str, limit: float, result: Connection) -> None:
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)  # its signal ends the process, also in C
    begun = time.process_time()
    READERS[reader](page)
    result.send(time.process_time() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.slow_pages")
    parser.add_argument("readers", nargs="*", metavar="READER", default=list(READERS))
    parser.add_argument("--length", type=int, default=500_000, help="of the first of three pages")
    wanted = parser.parse_args()
    for reader in wanted.readers:
        for before, repeated in shapes_of(reader):
            lengths = [wanted.length * many for many in (1, 2, 4)]
            taken = [seconds_of(reader, page_of(before, repeated, n), 20) for n in lengths]
            times = " ".join(f"{one:6.2f}" for one in taken)
            sys.stdout.write(f"{reader:8} {times}  {before[:30]} {repeated}\n")


if __name__ == "__main__":
    main()
