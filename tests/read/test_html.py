"""Links of a page: where they lead, where they stand and what they say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.link import Link
from lodehound.read import element_text, html
from lodehound.read.element_text import ElementTexts
from lodehound.read.html_tree import parse_html
from lodehound.read.links import read_links

PAGE = "https://e.org/dir/page"


def read(text: str | bytes, charset: str = "") -> tuple[Link, ...]:
    body = text.encode() if isinstance(text, str) else text
    return read_links(body, url=PAGE, charset=charset).links


def places(text: str | bytes) -> list[str]:
    return [link.url.removeprefix("https://e.org/dir/") for link in read(text)]


def path(text: str) -> str:
    return read(text)[0].tag_path


# --- which links -------------------------------------------------------------------------------


def test_a_link_has_everything() -> None:
    """Address, page, tag path, own words, words beside, kind and depth."""
    body = (
        b'<body><div id=main><ul class="files big"><li>Prices <a href="p.csv#x"> by\n year </a> csv'
    )

    assert read_links(body, url=PAGE, depth=2).links == (
        Link(
            url="https://e.org/dir/p.csv",
            source=PAGE,
            tag_path="html/body/div#main/ul.files.big/li/a",
            anchor="by year",
            around="Prices csv",
            kind="a",
            depth=3,
        ),
    )


def test_four_kinds_of_shown_links_in_document_order() -> None:
    """a, area and iframe by the paper, frame by its code; not a form or a script as such."""
    found = read(
        "<iframe src=1></iframe><a href=2>x</a><map><area href=3></map><link href=no><img src=no>"
        "<form action=no></form><a name=no>x</a><script src=no></script><iframe></iframe><a href=4>"
    )

    kinds = [(link.url[-1], link.kind) for link in found]
    assert {link.depth for link in found} == {1}
    assert kinds == [("1", "iframe"), ("2", "a"), ("3", "area"), ("4", "a")]


def test_frames() -> None:
    """A frameset stands where the body would."""
    assert [
        (link.kind, link.tag_path) for link in read("<frameset><frame src=1><frame src=2>")
    ] == [("frame", "html/frameset/frame")] * 2


def test_duplicates_stay() -> None:
    """Every sighting counts: the crawl tells new from seen."""
    assert places("<a href=x>1</a><a href=x#y>2</a><a href=./x>3</a>") == ["x", "x", "x"]


def test_what_leads_nowhere_is_left_out() -> None:
    """Other schemes and broken addresses are no links; an empty one leads to the page itself."""
    shown = "<a href='mailto:a@b.c'>1<a href='javascript:x()'>2<a href='http://['>3<a href=''>4"

    assert [link.url for link in read(shown)] == [PAGE]


# --- base --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("<base href='https://o.org/x/y'>", "https://o.org/x/l"),
        ("<base href='/root/'>", "https://e.org/root/l"),
        ("<base href='sub/'>", "https://e.org/dir/sub/l"),
        ("<base href='//o.org'>", "https://o.org/l"),
        ("<base target=_top><base href='/first/'><base href='/second/'>", "https://e.org/first/l"),
        ("<base href=''>", "https://e.org/dir/l"),
        ("<base href>", "https://e.org/dir/l"),
        ("<base href='mailto:x'>", "https://e.org/dir/l"),
        ("<base href='http://['>", "https://e.org/dir/l"),
    ],
)
def test_the_base_of_references(base: str, expected: str) -> None:
    """HTML standard 4.2.3: the first base with an address counts, if it is one."""
    assert [link.url for link in read(f"<head>{base}</head><a href=l>x</a>")] == [expected]


# --- tag paths ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a href=x>", "html/body/a"),
        ("<html id=h class=c><body class='d'><a href=x>", "html.c#h/body.d/a"),
        ("<p class=' a  b\nc '><a href=x>", "html/body/p.a.b.c/a"),
        ("<p id=' i  j '><a href=x>", "html/body/p#i_j/a"),
        ("<p class='' id=''><a href=x>", "html/body/p/a"),
        ("<p class id><a href=x>", "html/body/p/a"),
        ("<p class='w-1/2' id='a/b'><a class='m/n' href=x>", "html/body/p.w-1|2#a|b/a.m|n"),
        ("<DIV CLASS='A'><A HREF=x>", "html/body/div.A/a"),
        ("<my-box><a href=x>", "html/body/my-box/a"),
        ("<table><td><a href=x>", "html/body/table/tbody/tr/td/a"),
        ("<svg><a href=x>", "html/body/svg/a"),
    ],
)
def test_tag_paths(text: str, expected: str) -> None:
    """The paper's writing: tag.class.class#id, parted by slashes, which stand nowhere else."""
    assert path(text) == expected


def test_paths_of_one_page_do_not_mix() -> None:
    """Ancestors are read once and shared; every link has its own path all the same."""
    one = "<div class=a><p><a href=1></a></p><a href=2></a></div>"
    other = "<div class=b><p><a href=3></a><b><a href=4>"

    assert [link.tag_path for link in read(one + other)] == [
        "html/body/div.a/p/a",
        "html/body/div.a/a",
        "html/body/div.b/p/a",
        "html/body/div.b/p/b/a",
    ]


def test_paths_of_content_management_systems_are_whole() -> None:
    """Drupal writes hundreds of characters of classes on an element, and a path of thousands."""
    classes = " ".join(f"field--name-field-document-{i}" for i in range(60))
    [link] = read(f"<div class='{classes}'><div class='{classes}'><a href=x>")

    token = "div." + classes.replace(" ", ".")
    assert link.tag_path == f"html/body/{token}/{token}/a"
    assert len(link.tag_path) > 3000


def test_long_paths_are_cut() -> None:
    """Neither a huge class nor deep nesting makes a huge path; the link itself is always there."""
    huge = path(f"<p class='{'c' * 50_000}'><a href=x>")
    deep = path(f"<div class='{'c' * 100}'>" * 500 + "<a href=x>")

    assert huge == f"html/body/p.{'c' * (html.MAX_TOKEN - 2)}/a"
    assert deep.startswith("html/body/div.c")
    assert deep.endswith("c/a")
    assert html.MAX_PATH <= len(deep) <= html.MAX_PATH + 200


def test_all_paths_of_a_page_are_bounded() -> None:
    """Many links with huge paths: the first have them whole, the others as much as is cheap."""
    one = f"<div class='{'c' * 9_000}'><p class='{'d' * 9_000}'><a href=x>y</a></p></div>"
    paths = [link.tag_path for link in read(one * 2_000)]

    assert len(paths) == 2_000
    assert len(paths[0]) > 18_000
    assert paths[-1] == f"html/body/div.{'c' * (html.SHORT_TOKEN - 4)}/p.{'d' * 118}/a"
    assert sum(map(len, paths)) < html.MAX_PATHS + 2_000 * html.SHORT_PATH


def test_links_below_a_huge_element_stay_cheap() -> None:
    """A path that was long before the room was used up is cut for the links that come later."""
    paths = [
        link.tag_path
        for link in read(f"<div class='{'c' * 9_900}'>" + "<a href=x>y</a>" * 15_000 + "</div>")
    ]

    assert len(paths[0]) > 9_900
    assert len(paths[-1]) <= html.SHORT_PATH + 2
    assert sum(map(len, paths)) < html.MAX_PATHS + 15_000 * (html.SHORT_PATH + 2)


# --- words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("<a href=x> a <b>b</b>\n&amp; c </a>", "a b & c"),
        ("<a href=x title=t><img alt=i></a>", "i"),
        ("<a href=x><span> <b></b></span><img alt=' the\nimage '></a>", "the image"),
        ("<a href=x title=t><img alt=''><img></a>", "t"),
        ("<a href=x>w<img alt=no></a>", "w"),
        ("<area href=x alt=i title=t>", "i"),
        ("<a href=x title=t aria-label=l> </a>", "l"),
        ("<a href=x title=t>w</a>", "w"),
        ("<a href=x></a>", ""),
    ],
)
def test_a_links_own_words(text: str, anchor: str) -> None:
    """Its text, white space folded; else the text of its image; else what it is called."""
    assert read(text)[0].anchor == anchor


def test_an_image_beside_a_text_link_is_decoration() -> None:
    """The text link names the place; an image that stands alone is named by its own text."""
    found = read("<a href=x><img alt=Logo></a><a href=x>Prices</a><a href=y><img alt=Map></a>")

    assert [link.anchor for link in found] == ["", "Prices", "Map"]


def test_an_image_deep_in_a_link_is_not_looked_for() -> None:
    """However many elements a link holds, only the first are looked at."""
    found = read(f"<a href=x>{'<b></b>' * html.MAX_INSIDE}<img alt=no></a>")

    assert found[0].anchor == ""


@pytest.mark.parametrize(
    ("text", "around"),
    [
        ("before <a href=x>own</a> after", "before after"),
        ("<p>be<b>fore</b></p><a href=x>own</a><p>after</p>", "before after"),
        ("before <a href=x>own</a>", "before"),
        ("<a href=x>own</a> after", "after"),
        ("<li>up</li><li><a href=x>own</a></li><li>down</li>", "up down"),
        ("<a href=x>own</a>", ""),
    ],
)
def test_the_words_beside(text: str, around: str) -> None:
    """Of the neighbours, else of the neighbours of the element around it."""
    assert read(text)[0].around == around


def test_words_are_bounded() -> None:
    """An anchor of ten thousand words is cut, and so is what stands beside it."""
    link = read(f"{'left ' * 10000}<a href=x>{'own ' * 10000}</a>{'right ' * 10000}")[0]

    assert link.anchor == "own " * (html.MAX_WORDS // 4)
    assert {"left", "right"} <= set(link.around.split())
    assert len(link.around) <= html.MAX_WORDS + 1


# --- hostile pages -----------------------------------------------------------------------------

XHTML = """<?xml version='1.0' encoding='utf-8'?>
<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd'>
<html xmlns='http://www.w3.org/1999/xhtml'><body><a href='1'/><a href='2'/></body></html>"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("no markup", []),
        ("<a href=1>x<a href=2>y<p><a href=3>z", ["1", "2", "2", "3"]),
        ("<p><b><a href=1>x</p></b></i></a></a><a href=2>", ["1", "2"]),
        ("</html><a href=1>x", ["1"]),
        ("<a href=1", []),
        ("<a href='1>x</a><a href=2>y</a>", []),
        ("<a href=1>x</a><!-- <a href=no> --><a href=2>y</a>", ["1", "2"]),
        ("<script>'<a href=no>'</script><style><a href=no></style><a href=1>", ["1"]),
        ("<textarea><a href=no></textarea><title><a href=no></title><a href=1>", ["1"]),
        ("<a href=1 href=no>x", ["1"]),
        ("<a href=&quot;1&quot;>x", ["%221%22"]),
        ("<a href='a&amp;b=1&copy=2'>x", ["a&b=1&copy=2"]),
        ("<object><a href=1><object><a href=2>", ["1", "2"]),
        (XHTML, ["1", "2"]),
    ],
)
def test_broken_pages(text: str, expected: list[str]) -> None:
    """Read as the HTML standard says browsers do."""
    assert places(text) == expected


def test_nul_bytes() -> None:
    """NUL breaks nothing, and no text of a link holds one."""
    links = read(
        b"\0<a hr\0ef=no>x</a><p class='c\0d'>be\0fore<a\0 href=y></a><a href='a\0b'>t\0u</a>"
    )

    assert [link.url for link in links] == ["https://e.org/dir/a%EF%BF%BDb"]
    assert not any("\0" in str(field) for link in links for field in link)


def test_deep_nesting() -> None:
    """10,000 levels with a link on each: all are read, and no path is longer than allowed."""
    links = read("<div class=c><a href=x>y</a>" * 10_000)

    assert len(links) == 10_000
    assert links[0].tag_path == "html/body/div.c/a"
    assert max(len(link.tag_path) for link in links) <= html.MAX_PATH + 2 * html.MAX_TOKEN


def test_a_page_of_fifty_megabytes() -> None:
    """The size of a page is no reason to lose its links."""
    filler = b"<p>" + b"word " * 5_000_000 + b"</p>"

    links = read(b"<a href=1>x</a>" + filler + b"<a href=2>y</a>" + filler + b"<a href=3>z</a>")

    assert [link.url[-1] for link in links] == ["1", "2", "3"]
    assert [link.anchor for link in links] == ["x", "y", "z"]


def test_huge_attributes() -> None:
    """Ten megabytes in a class, an id or an address cost a link little but its address."""
    big = "z" * 10_000_000
    links = read(f"<p class='{big}' id='{big}'><a href=1 title='{big}'></a><a href='{big}'>no</a>")

    assert [link.url for link in links] == ["https://e.org/dir/1"]
    assert links[0].anchor == "z" * html.MAX_WORDS
    assert len(links[0].tag_path) < html.MAX_TOKEN + 20


def test_too_many_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first 20,000 are taken, here the first 1,000 of 2,000."""
    assert html.MAX_LINKS == 20_000
    monkeypatch.setattr("lodehound.read.links.MAX_LINKS", 1000)

    links = read("".join(f"<a href={number}></a>" for number in range(2000)))

    assert len(links) == 1000
    assert (links[0].url[-2:], links[-1].url[-4:]) == ("/0", "/999")


def test_the_text_beside_is_copied_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links inside ever longer neighbours would copy the page again and again: there is a limit."""
    monkeypatch.setattr(element_text, "MOST_WORK", 1000)
    text = "".join(f"<div>{'w<br>' * 50}<p><a href={i}>x</a></p>" for i in range(50))

    arounds = [link.around for link in read(text)]

    assert arounds[0]
    assert arounds[-1] == ""
    assert 1 <= len([around for around in arounds if around]) <= 10


@pytest.mark.parametrize("inside", ["w<br>", "<i>ab <b>c</b></i>", "<p></p>", "<!-- -->x"])
@pytest.mark.parametrize("times", [1, 10, 50, 500])
def test_texts_of_large_elements_are_those_of_the_parser(inside: str, times: int) -> None:
    node = parse_html(f"<p>before<div id=d>{inside * times}</div>after").css_first("#d")
    assert node is not None
    for length in (1, 40, 100_000):
        whole = node.text(deep=True)
        assert ElementTexts().beginning(node, length) == whole[:length]
        assert ElementTexts().end(node, length) == whole[-length:]


def test_the_text_of_nested_links_is_copied_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links can nest inside objects: each copies the rest of the page, up to the limit."""
    monkeypatch.setattr(element_text, "MOST_WORK", 1000)
    links = read("<a href=x><object>" * 50 + "w<br>" * 250)

    anchors = [bool(link.anchor) for link in links]

    assert len(links) == 50
    assert 1 <= sum(anchors) <= 10
    assert anchors == sorted(anchors, reverse=True)


TAGS = """
<a href=x> </a> <p> </p> <table> <tr> <td> </table> <b> </b> text <!-- --> <select> <svg> <math>
<template> </template> <object> <area href=y> < <frameset> <iframe src=z> </iframe> <base href=/b/>
\0 <br> <html class=k> <form> <button> <li> <ul> <title> <script> </script>
""".split("\n")
MARKUP = st.lists(st.sampled_from(" ".join(TAGS).replace(" <", "|<").split("|")), max_size=25)


@settings(max_examples=200)
@given(MARKUP)
def test_any_markup_is_read(tags: list[str]) -> None:
    """Whatever is nested in whatever: links have an address, and a path from root to tag."""
    for link in read("".join(tags)):
        first, *_, last = link.tag_path.split("/")
        assert link.url.startswith("https://e.org/")
        assert (first.partition(".")[0], last) == ("html", link.kind)
