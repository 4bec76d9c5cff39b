"""Sites with the pages and links of real ones, and made-up words."""

from __future__ import annotations

import html
import json
import lzma
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from lodehound.stores.records import Record

FOLDER = Path(__file__).with_name("lookalikes")


class PlacedLink(NamedTuple):
    """A link of a page."""

    url: str
    tag_path: str
    text: str


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A site of the size and structure of a recorded one.

    Pages, files, redirects, links and their places on the pages are those of the recorded site;
    every word of a URL, a link text, a class or an id is replaced by a made-up one. What a page
    says beside its links is left out. ``python -m bench.lookalikes`` makes the data.

    Args:
        name: agency, conference or proceedings.

    >>> next(Lookalike("agency").records()).status
    200
    """

    name: str

    def records(self) -> Iterator[Record]:
        data = json.loads(lzma.decompress((FOLDER / f"{self.name}.json.xz").read_bytes()))
        urls, paths, texts = data["urls"], data["paths"], data["texts"]
        for url, status, mime, end, *links in data["pages"]:
            target = urls[end] if end >= 0 else ""
            placed = [
                PlacedLink(urls[to], paths[path], texts[text])
                for to, path, text in zip(links[::3], links[1::3], links[2::3], strict=True)
            ]
            moved = target if status >= 300 else ""
            body = page_of(placed, refresh=target) if "html" in mime else b"-"
            yield Record(urls[url], status, mime, body, size=len(body), location=moved)


def page_of(links: Iterable[PlacedLink], *, refresh: str = "") -> bytes:
    """Return a page whose links have the given tag paths.

    >>> page_of([PlacedLink("/a", "html/body/ul.x/li/a", "A")])
    b'<html><body><ul class="x"><li><a href="/a">A</a></li></ul></body></html>'
    """
    parts = [f'<meta http-equiv="refresh" content="0; url={refresh}">'] if refresh else []
    around: list[str] = []  # elements that are open
    for link in links:
        *above, last = link.tag_path.split("/")
        same = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(around, above, strict=False))
        )
        parts += _closed(around[same:])
        parts += [f"<{_element(name)}>" for name in above[same:]]
        around = above
        href = html.escape(link.url)
        parts.append(f'<{_element(last)} href="{href}">{html.escape(link.text)}</a>')
    return "".join([*parts, *_closed(around)]).encode()


def _element(written: str) -> str:
    """Return an element of a tag path as HTML: ``div.a.b#c``."""
    rest, _, identity = written.partition("#")
    name, *classes = rest.split(".")
    joined = f' class="{html.escape(" ".join(classes))}"' if classes else ""
    return f"{name}{joined}{f' id={json.dumps(identity)}' if identity else ''}"


def _closed(elements: list[str]) -> list[str]:
    return [f"</{element.partition('#')[0].partition('.')[0]}>" for element in reversed(elements)]
