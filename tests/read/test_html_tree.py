"""No page takes more time or memory than its length explains."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from lodehound.read.html_tree import FEW, MOST_DEPTH, parse_html
from lodehound.read.links import read_links

MANY = 20_000  # nested like this, any of the pages below took minutes, or all memory


def depth_of(tree: LexborHTMLParser) -> int:
    """Return the depth of a tree, and fail if it is far larger than the page."""
    deepest, nodes = 0, 0
    waiting: list[tuple[LexborNode | None, int]] = [(tree.root, 1)]
    while waiting:
        node, depth = waiting.pop()
        while node is not None:
            nodes, deepest = nodes + 1, max(deepest, depth)
            waiting.append((node.child, depth + 1))
            node = node.next
    assert nodes < 200 * MANY
    return deepest


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * MANY,
        "<div>" * MANY + "</div>" * MANY,
        "<div></span>" * MANY + "<span></div>" * MANY,
        "<ul><li>" * MANY,
        "<span><div></span>" * MANY,
        "<b><div></b>" * MANY,
        "<div><table><tr><td></div>" * MANY,
        "<!--><div>" * MANY,
        "<script></SCRIPT><div>" * MANY,
        "<svg><style>" + "<div>" * MANY,
        "<math><td></style>" * MANY,
        "".join(f"<b id={number}><p>" for number in range(MANY)),
        "".join(f"<div><i id={number}></div>" for number in range(MANY)),
        "".join(f"<p></i><b id={number}>" for number in range(MANY)),
    ],
    ids=lambda page: page[:26],
)
def test_what_nests_too_deeply_is_flattened(page: str) -> None:
    assert depth_of(parse_html(page)) <= 2 * MOST_DEPTH


def test_links_below_the_limit_are_found() -> None:
    """The tags are left out, not what is in them."""
    page = "<div>" * MANY + "<a href=deep>x</a>" + "</div>" * MANY + "<a href=after>y</a>"
    found = read_links(page.encode(), url="https://s.example/")
    assert [link.url for link in found.links] == [
        "https://s.example/deep",
        "https://s.example/after",
    ]


@pytest.mark.parametrize(
    "page",
    [
        "<ul>" + "<li>a<p>b<br>" * 3 * FEW + "</ul>",
        "<table>" + "<tr><td>1<td>2<th>3" * FEW + "</table>",
        "<dl>" + "<dt>a<dd>b" * FEW + "</dl><select>" + "<option>c" * FEW + "</select>",
        "<p>a<div>b</div>" * FEW,
        "<script>" + "'<div>' +" * 2 * FEW + "</script><div><!--" + "<b>" * 2 * FEW + "--></div>",
    ],
    ids=["items", "cells", "lists", "paragraphs", "script"],
)
def test_ordinary_pages_stay_as_they_are(page: str) -> None:
    assert parse_html(page).html == LexborHTMLParser(page).html
