"""No page takes more time or memory than its length explains."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from lodehound.read.html_tree import (
    FEW,
    FEW_WORDS,
    MOST_ATTRIBUTES,
    MOST_COPIES,
    MOST_DEPTH,
    MOST_NAMES,
    MOST_ROOTS,
    SHORT,
    parse_beginning,
    parse_html,
)
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


def attributes(first: int, last: int) -> str:
    return " ".join(f"a{number}='>'" for number in range(first, last))


@pytest.mark.parametrize(
    "page",
    [
        f"<i {attributes(0, MANY)}>",
        f"<svg><foreignObject><p></svg></p></foreignObject><style><g {attributes(0, MANY)}>",
        "".join(f"<body {attributes(at, at + 400)}>" for at in range(0, MANY, 400)),
        "".join(f"<i {attributes(at, at + 10)}></i>" for at in range(0, MANY, 10)),
        "".join(f"<i></i {attributes(at, at + 10)}>" for at in range(0, MANY, 10)),
        "".join(f"<b{number} /></b{number} />" for number in range(MANY)),
        "".join(f"</b{number}>" for number in range(MANY)),
    ],
    ids=["one tag", "in svg", "body", "many tags", "end tags", "names", "names of end tags"],
)
def test_few_attributes_and_names_are_kept(page: str) -> None:
    """The parser takes quadratic time for them."""
    tree = parse_html(page + "<a href=/data.csv>")
    nodes = tree.css("*")
    assert max(len(node.attributes) for node in nodes) <= MOST_ROOTS * MOST_ATTRIBUTES
    names = {node.tag for node in nodes} | {name for node in nodes for name in node.attributes}
    assert len(names) <= MOST_NAMES + 4  # html, head, body and so on, of which no tag stands there
    assert [node.attributes["href"] for node in tree.css("a")] == ["/data.csv"]


@pytest.mark.parametrize(
    "page",
    [
        "<ul>" + "<li>a<p>b<br>" * 3 * FEW + "</ul>",
        "<table>" + "<tr><td>1<td>2<th>3" * FEW + "</table>",
        "<dl>" + "<dt>a<dd>b" * FEW + "</dl><select>" + "<option>c" * FEW + "</select>",
        "<p>a<div>b</div>" * FEW,
        "<script>" + "'<div>' +" * 2 * FEW + "</script><div><!--" + "<b>" * 2 * FEW + "--></div>",
        "<script>for (i = 0; i<n; i++) {" + " x" * SHORT + "}</script><br>",
        " ".join(f"word{number}" for number in range(2 * FEW_WORDS)) + "<p id=a class='b c'/>",
    ],
    ids=["items", "cells", "lists", "paragraphs", "script", "code", "words"],
)
def test_ordinary_pages_stay_as_they_are(page: str) -> None:
    assert parse_html(page).html == LexborHTMLParser(page).html


def test_the_end_of_an_endless_page_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tree would take fifty times as much memory."""
    tree, is_whole = parse_beginning("<p>1</p>" * 5, 3)
    assert (len(tree.css("p")), is_whole) == (3, False)
    monkeypatch.setattr("lodehound.read.html_tree.MOST_CHARACTERS", 10)
    assert parse_beginning("<p>" + "1" * 20, 3)[0].text() == "1" * 7


def test_the_parser_selects_no_option() -> None:
    """It would look through all options for each; and a copy of the selected one is no content."""
    page = "<select><button><selectedcontent></selectedcontent></button><option>a</select>"
    assert [node.text() for node in parse_html(page).css("body")] == ["a"]


@pytest.mark.parametrize(
    "piece",
    ['<div title="></div>">', "<div a=='b c='></div>'>", "<div><title></div></title>",
     "<a><noscript>x</a>", "<a><svg><foreignObject>x</a>", "<b><math><mi>x</b>"],
)  # fmt: skip
def test_what_only_looks_closed_is_flattened(piece: str) -> None:
    assert depth_of(parse_html(piece * MANY)) <= 2 * MOST_DEPTH


def test_formatting_is_not_repeated_without_end() -> None:
    """The standard repeats 60 open elements for each text in a table: that made twelve million."""
    formats = "".join(f"<b id=f{number}>" for number in range(60))
    tree = parse_html(f"<table>{formats}" + "<tr>x" * 100_000)
    assert len(tree.css("b")) <= 2 * MOST_COPIES


def test_end_tags_count() -> None:
    assert parse_beginning("</x>" * 6 + "<p>1", 3)[0].css("p") == []
