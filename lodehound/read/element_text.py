"""The beginnings and ends of the texts of elements.

Elements nest, and so do their texts: of a page of 500 nested lists each text would be nearly the
whole page. So the work for one page is limited, in characters and in elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

MOST_WORK = 1_000_000  # nodes that are visited for the texts of one page
A_NODE = 1000  # characters that take as long to copy as a visit
SMALL = 64  # nodes of an element whose text is read at once


class ElementTexts:
    """Reads texts of elements of one page, until the work for it is used up."""

    def __init__(self) -> None:
        self._left = MOST_WORK

    def beginning(self, node: LexborNode, length: int) -> str:
        """Return the first characters of the text of a node."""
        if self._left <= 0:
            return ""
        if not _is_small(node):
            return self._joined(node.traverse(include_text=True), length)[:length]
        text = node.text(deep=True)
        self._left -= 1 + len(text) // A_NODE
        return text[:length]

    def end(self, node: LexborNode, length: int) -> str:
        """Return the last characters of the text of a node."""
        if self._left <= 0:
            return ""
        return self._joined(_backwards(node), length, reverse=True)[-length:]

    def _joined(self, nodes: Iterator[LexborNode], length: int, *, reverse: bool = False) -> str:
        """Return the texts of nodes together, at least so many characters if there are."""
        parts: list[str] = []
        for node in nodes:
            text = node.text_content or ""
            self._left -= 1 + len(text) // A_NODE
            parts.append(text)
            length -= len(text)
            if length <= 0 or self._left <= 0:
                break
        return "".join(reversed(parts) if reverse else parts)


def _is_small(node: LexborNode) -> bool:
    child = node.child
    if child is None or (child.next is None and child.child is None):
        return True
    return next(islice(node.traverse(include_text=True), SMALL, None), None) is None


def _backwards(root: LexborNode) -> Iterator[LexborNode]:
    """Yield the nodes in an element without children, from the last to the first."""
    node, depth = root, 0
    while True:
        while (child := node.last_child) is not None:
            node, depth = child, depth + 1
        yield node
        while depth and node.prev is None and node.parent is not None:
            node, depth = node.parent, depth - 1
        if not depth or (before := node.prev) is None:
            return
        node = before
