"""Lines of a page: of a list item, of the cell of a table, or the one that a link stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

from lodehound.read.element_text import ElementTexts
from lodehound.read.link_words import has_words, is_generic

MOST_NAME = 200  # characters
MOST_ABOUT = 500
MOST_LABEL = 150  # characters before a link; more are a sentence
MOST_LINES = 6
MOST_NODES = 60  # of the lines of an element
MOST_BESIDE = 8  # nodes before or after a link in its line
MOST_CLIMB = 12  # elements from a link to what it stands in

INLINE = frozenset(
    "a abbr b big bdi bdo cite code em font i img kbd label mark nobr q s samp small span strike "
    "strong sub sup time tt u -text".split()
)
UNSEEN = frozenset(["script", "style", "template", "-comment"])
EDGES = " |·•:;,-\u2013—»«<>/\\*"
# What is left of brackets when the links in them are left out; and half brackets at the ends.
EMPTY = re.compile(r"[(\[][\s,;|/·•:\u2013—-]*[)\]]|^[)\]]+|[(\[]+$")
BRACKETS = frozenset("()[]")
WORTH = re.compile(r"[^\W_]")


class TextLines:
    """Reads lines of one page.

    Args:
        texts: Reads its texts.
    """

    def __init__(self, texts: ElementTexts) -> None:
        self.texts = texts

    def text(self, node: LexborNode, most: int = MOST_NAME) -> str:
        """Return the text of an element as one line."""
        return clean(self.texts.beginning(node, 2 * most), most)

    def of(self, item: LexborNode) -> list[str]:
        """Return the lines of an element, without the texts of links that say nothing."""
        return list(islice(self._lines(item), MOST_LINES))

    def _lines(self, item: LexborNode) -> Iterator[str]:
        parts: list[str] = []
        for node in islice(inside(item), MOST_NODES):
            tag = node.tag or ""
            if tag == "-text":
                parts.append(node.text_content or "")
            elif tag == "a":
                text = self.text(node)
                parts.append("" if is_generic(text) else text)
            elif tag not in INLINE:
                if line := clean("".join(parts)):
                    yield line
                parts = []
        if line := clean("".join(parts)):
            yield line

    def around(self, node: LexborNode) -> tuple[str, bool]:
        """Return the line that a link stands in, or the label before it; and whether it is one.

        A label ends before its link, as in "Births in 2024 (PDF)"; a sentence goes on.
        """
        for _ in range(MOST_CLIMB):
            parent = node.parent
            if parent is None or parent.tag not in INLINE:
                break
            node = parent
        before = self._beside(node, back=True)
        after = self._beside(node, back=False)
        whole = clean(f"{before}{self.texts.beginning(node, MOST_NAME)}{after}", MOST_ABOUT)
        bare = before.rstrip()
        is_label = (
            bool(bare)
            and len(bare) <= MOST_LABEL
            and bare[-1] in ":([-\u2013—|"
            and not WORTH.search(after)
        )
        return (clean(bare), True) if is_label and has_words(bare) else (whole, False)

    def _beside(self, node: LexborNode, *, back: bool) -> str:
        """Return the text of a line before or after an element."""
        parts: list[str] = []
        place = node.prev if back else node.next
        for _ in range(MOST_BESIDE):
            if place is None or (place.tag or "") not in INLINE:
                break
            text = self.texts.beginning(place, MOST_ABOUT)
            parts.append("" if place.tag == "a" and is_generic(text) else text)
            place = place.prev if back else place.next
        return "".join(reversed(parts) if back else parts)


def element_after(node: LexborNode) -> LexborNode | None:
    """Return what stands after an element, white space left out."""
    after = node.next
    while after is not None and after.tag == "-text" and not (after.text_content or "").strip():
        after = after.next
    return after


def inside(item: LexborNode) -> Iterator[LexborNode]:
    """Yield the nodes in an element in order; links as wholes, lists in it not at all."""
    stack = [iter(item.iter(include_text=True))]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
        elif node.tag in {"ul", "ol", "table"}:
            yield node
        elif node.tag not in UNSEEN:
            yield node
            if node.tag not in {"a", "-text"}:
                stack.append(iter(node.iter(include_text=True)))


def clean(text: str, most: int = MOST_NAME) -> str:
    """Return a text on one line, without what separated it from others; "" if it says nothing."""
    if not WORTH.search(text):
        return ""
    line = " ".join(text.split()).strip(EDGES)
    if not BRACKETS.isdisjoint(line):
        line = " ".join(EMPTY.sub("", line).split()).strip(EDGES)
    return line[:most]
