"""Pages of a generated site as HTML. Every text and URL is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple


class Anchor(NamedTuple):
    """A link."""

    place: str  # path from the root of the site, or a complete URL
    text: str


class Block(NamedTuple):
    """A list of links in the main part of a page; `style` is the prefix of its class names."""

    style: str
    heading: str
    anchors: Sequence[Anchor]


@dataclass(slots=True)
class PlannedPage:
    """The contents of one page."""

    path: str  # from the root of the site
    title: str
    language: str
    kind: str  # the template: the class of the main part
    trail: tuple[Anchor, ...] = ()  # from the home page to the parent
    text: str = ""
    blocks: list[Block] = field(default_factory=list)

    @property
    def anchor(self) -> Anchor:
        return Anchor(self.path, self.title)


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts around the main part that every page of a language has."""

    office: str
    menu: Sequence[Anchor]
    languages: Sequence[Anchor]
    sidebar: Block
    outside: Anchor  # another site


def page_html(page: PlannedPage, frame: Frame) -> bytes:
    """Return a page as HTML."""
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(page.language)}">\n<head><meta charset="utf-8">'
        f"<title>{escape(page.title)} - {escape(frame.office)}</title></head>\n<body>\n"
        f'<header class="top"><p class="office">{escape(frame.office)}</p>\n'
        f'<nav class="languages">{_links(frame.languages)}</nav></header>\n'
        f'<nav class="menu"><ul>{_items(frame.menu, "menu")}</ul></nav>\n'
        f'<div class="page"><main class="{escape(page.kind)}">\n'
        f'<nav class="trail"><ol>{_items(page.trail, "trail")}</ol></nav>\n'
        f"<h1>{escape(page.title)}</h1>\n<p>{escape(page.text)}</p>\n"
        f"{''.join(map(_block, page.blocks))}</main>\n"
        f'<aside class="sidebar">{_block(frame.sidebar)}</aside></div>\n'
        f"<footer><p>{_links([frame.outside])}</p></footer>\n</body>\n</html>\n"
    ).encode()


def _block(block: Block) -> str:
    if not block.anchors:
        return ""
    style = escape(block.style)
    if style == "pages":
        return f'<nav class="pages">{_links(block.anchors)}</nav>\n'
    return (
        f'<section class="{style}"><h2>{escape(block.heading)}</h2>\n'
        f'<ul class="{style}-list">{_items(block.anchors, style)}</ul></section>\n'
    )


def _items(anchors: Iterable[Anchor], style: str) -> str:
    return "".join(f'<li class="{style}-item">{_link(anchor)}</li>\n' for anchor in anchors)


def _links(anchors: Iterable[Anchor]) -> str:
    return " ".join(map(_link, anchors))


def _link(anchor: Anchor) -> str:
    return f'<a href="{escape(anchor.place)}">{escape(anchor.text)}</a>'
