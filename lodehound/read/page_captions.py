"""What a page says about a link: the words of its row, list item, definition, figure or section.

Pages are hostile: a caption is made only for links that the crawl may still ask for, and the work
for one page is limited, whatever its size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from selectolax.lexbor import LexborNode

from lodehound.core.caption import Caption
from lodehound.core.link import Link
from lodehound.read.element_text import ElementTexts
from lodehound.read.html import HEADINGS
from lodehound.read.link_words import has_words, is_generic
from lodehound.read.table_rows import MOST_CELL, TableRows
from lodehound.read.text_lines import (
    MOST_ABOUT,
    MOST_CLIMB,
    MOST_NAME,
    TextLines,
    element_after,
)

MOST_TEXT = 2_000_000  # characters of all captions of a page
MOST_HEADING = 120  # a longer one is a paragraph
MOST_HEADINGS = 4
MOST_NAMES = 6
MOST_LINKS = 12  # in one cell, list item or definition: one with more is part of the layout

MARKS = ", ".join(sorted(HEADINGS))
ITEMS = frozenset(["td", "th", "li", "dd", "dt", "figure", *HEADINGS])
BOILERPLATE = frozenset(["nav", "header", "footer", "aside"])

NOTHING = Caption()


class Captions:
    """Makes the captions of one page."""

    def __init__(self) -> None:
        self._texts = ElementTexts()
        self._lines = TextLines(self._texts)
        self._rows = TableRows(self._lines)
        self._items: dict[int, tuple[list[str], str]] = {}
        self._cards: dict[int, str | None] = {}
        self._crowded: dict[int, bool] = {}

    def of(
        self, links: Sequence[Link], elements: Sequence[tuple[int, LexborNode]]
    ) -> dict[str, Caption]:
        """Return the best caption of each URL.

        Args:
            links: All links of the page.
            elements: Headings and the elements of links that need a caption, in the order of the
                document, each with its place among the links.
        """
        found: dict[str, Caption] = {}
        left = MOST_TEXT
        above: list[LexborNode] = []  # headings, of which each is under those before it
        headings: tuple[str, ...] | None = ()
        for at, node in elements:
            tag = node.tag or ""
            if tag in HEADINGS:
                above = [one for one in above if (one.tag or "") < tag]
                above.append(node)
                headings = None
                continue
            if headings is None:
                headings = self._headings(above)
            caption = self._caption(links[at].anchor, node, headings)
            best = found.get(links[at].url, NOTHING)
            if caption.rank > best.rank:
                found[links[at].url] = caption
                left -= caption.length
            if left < 0:
                break
        return found

    def _headings(self, above: Sequence[LexborNode]) -> tuple[str, ...]:
        """Return the texts of headings, the nearest first."""
        last = above[-MOST_HEADINGS:]
        texts = [self._lines.text(one) for one in reversed(last) if not _is_in_link(one)]
        return tuple(filter(None, texts))

    def _caption(self, anchor: str, node: LexborNode, headings: tuple[str, ...]) -> Caption:
        generic = is_generic(anchor)
        item, is_aside = _item_of(node)
        if is_aside:  # a menu says nothing of what it leads to
            return Caption(anchor)
        tag = item.tag if item is not None else ""
        names: list[str] = []
        about = ""
        if item is not None and tag in {"td", "th"}:
            names, about = ([], "") if self._is_crowded(item) else self._rows.around(item)
        elif item is not None and tag in {"li", "dd", "dt", "figure"}:
            if item.mem_id not in self._items:
                self._items[item.mem_id] = self._of_item(item)
            known, about = self._items[item.mem_id]
            names += known
        elif item is not None:  # a heading
            about = self._after(item)
        if not names or not about:
            line, is_label = self._lines.around(node)
            about = about or line
            if not names and is_label:
                names = [line]
        if not names and generic and (card := self._card(node)):
            names = [card]
        has_item = bool(names)
        names += (text for text in headings if len(text) <= MOST_HEADING)
        kept = _distinct(names, anchor)
        about = "" if is_generic(about) else about
        rank = 1 + 4 * (not generic) + 2 * has_item + bool(headings)
        return Caption(anchor, kept, about[:MOST_ABOUT], rank)

    # --- list items, definitions, figures

    def _of_item(self, item: LexborNode) -> tuple[list[str], str]:
        if self._is_crowded(item):
            return [], ""
        names: list[str] = []
        if item.tag == "figure":
            caption = item.css_first("figcaption")
            names += [self._lines.text(caption)] if caption is not None else []
            return names, ""
        lines = self._lines.of(item)
        if item.tag == "dd":
            term = item.prev
            for _ in range(MOST_LINKS):
                if term is None or term.tag == "dt":
                    break
                term = term.prev
            names += [self._lines.text(term)] if term is not None and term.tag == "dt" else []
        if item.tag == "dt" and (detail := element_after(item)) is not None and detail.tag == "dd":
            return names, self._lines.text(detail, MOST_ABOUT)
        names += lines[:1]
        outer = item.parent.parent if item.tag == "li" and item.parent is not None else None
        if outer is not None and outer.tag == "li":
            names += self._lines.of(outer)[:1]
        return names, " ".join(lines)

    def _after(self, heading: LexborNode) -> str:
        """Return the paragraph after a heading."""
        after = element_after(heading)
        return self._lines.text(after, MOST_ABOUT) if after is not None and after.tag == "p" else ""

    def _card(self, node: LexborNode) -> str:
        """Return the only heading of the card that a link stands in."""
        place = node.parent
        for _ in range(5):
            if place is None or place.tag in {"body", "html", "main"}:
                break
            if place.mem_id not in self._cards:
                inside = place.css(MARKS)
                alone = (
                    (self._lines.text(inside[0]) if len(inside) == 1 else "") if inside else None
                )
                self._cards[place.mem_id] = alone
            if (heading := self._cards[place.mem_id]) is not None:
                return heading
            place = place.parent
        return ""

    def _is_crowded(self, item: LexborNode) -> bool:
        """Return whether an element has so much in it that it is part of the layout."""
        known = self._crowded.get(item.mem_id)
        if known is None:
            known = len(self._texts.beginning(item, 2 * MOST_CELL + 1).strip()) > 2 * MOST_CELL
            if not known:
                links = item.css("a[href]")
                known = len({link.attributes.get("href") for link in links}) > MOST_LINKS
            self._crowded[item.mem_id] = known
        return known


def _item_of(node: LexborNode) -> tuple[LexborNode | None, bool]:
    """Return what a link stands in (a cell, list item ...), and whether that is beside the text."""
    item: LexborNode | None = None
    place = node.parent
    for _ in range(MOST_CLIMB):
        if place is None:
            break
        tag = place.tag or ""
        if item is None and tag in ITEMS:
            item = place
        if tag in BOILERPLATE:
            return item, True
        place = place.parent
    return item, False


def _is_in_link(heading: LexborNode) -> bool:
    """Return whether a heading is that of a card which is one link: it is above no other."""
    place = heading.parent
    for _ in range(3):
        if place is None or place.tag == "a":
            break
        place = place.parent
    return place is not None and place.tag == "a"


def _distinct(names: Iterable[str], anchor: str) -> tuple[str, ...]:
    known = {anchor.casefold()}
    kept = []
    for name in names:
        text = name[:MOST_NAME]
        folded = text.casefold()
        if text and folded not in known and not (is_generic(text) and has_words(text)):
            known.add(folded)
            kept.append(text)
    return tuple(kept[:MOST_NAMES])
