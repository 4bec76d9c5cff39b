"""What is read of a response, and which link of a page a request follows."""

from __future__ import annotations

import pytest
from scrapy.http import Response

from lodehound.core.messages import Method
from lodehound.scrapy.response_reader import Seen, read_response
from lodehound.targets.files import Files
from tests.helpers import url

PAGE = b"""<ul><li><a href="/a?b=2&a=1">first</a></ul><p><a href="/a?b=2&a=1">second</a>
<a href="/c#top">c</a>"""


def seen(
    body: bytes = PAGE, *, mime: str = "text/html", status: int = 200, method: Method = "GET"
) -> Seen:
    response = Response(url("x/../#frag"), status, {"Content-Type": mime}, body)
    return read_response(response, method=method, depth=2, target=Files())


@pytest.mark.parametrize(
    ("asked", "anchor"),
    [
        ("a?b=2&a=1", "first"),  # as it stands there; the first sighting counts
        ("a?a=1&b=2", "first"),  # as a link extractor may write it
        ("c", "c"),
        ("d", None),
    ],
)
def test_links_are_found_by_their_url(asked: str, anchor: str | None) -> None:
    link = seen().link_to(url(asked))

    assert (link and link.anchor) == anchor
    assert link is None or (link.url, link.source, link.depth) == (url(asked), url(""), 3)


def test_pages_are_read_and_judged() -> None:
    """By header and content: a page that says it is a file is a page."""
    page = seen(b"<!DOCTYPE html><a href=/x>x</a>", mime="text/csv; charset=utf-8")

    assert (page.mime, page.verdict.found, len(page.links)) == ("text/html", False, 1)
    assert (page.url, page.size) == (url(""), 31)


def test_files_are_finds() -> None:
    file = seen(b"a,b", mime="text/csv")

    assert (file.mime, file.verdict.found, file.links) == ("text/csv", True, ())
    assert file.link_to(url("a")) is None


def test_links_of_headers_and_of_json() -> None:
    """A spider that follows them gets their kinds, for the policy to learn from."""
    headers = {"Content-Type": "application/json", "Link": ["</a>; rel=item", "</b>; rel=item"]}
    response = Response(url(""), 200, headers, b'["/c.csv"]')
    read = read_response(response, method="GET", depth=0, target=Files())

    assert [(link.url, link.kind) for link in read.links] == [
        (url("c.csv"), "json"),
        (url("a"), "header"),
        (url("b"), "header"),
    ]


def test_error_pages_have_no_links() -> None:
    assert seen(status=404).links == ()


def test_a_head_says_what_a_get_would_bring() -> None:
    head = seen(b"", mime="text/csv", method="HEAD")

    assert (head.verdict.found, head.status, head.links) == (True, 200, ())
