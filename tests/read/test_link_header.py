"""Links in the Link header of a response."""

from __future__ import annotations

import pytest

from lodehound.read.link_header import MAX_HEADER
from lodehound.read.links import read_links

PAGE = "https://e.org/dir/page"


def told(header: str, body: bytes = b"", mime: str = "application/pdf") -> list[tuple[str, ...]]:
    page = read_links(body, url=PAGE, mime=mime, headers={"link": header}, speculative=False)
    return [
        (link.url.removeprefix("https://e.org/"), link.kind, link.tag_path, link.anchor)
        for link in page.links
    ]


@pytest.mark.parametrize(
    ("header", "links"),
    [
        (
            '</meta.json>; rel="describedby"; type="application/json"',
            [("meta.json", "header", "header/link[describedby]", "application/json")],
        ),
        (
            '<a.csv>; rel=item; title="One, \\"two\\"; three" , <b.csv>;REL="item self"',
            [
                ("dir/a.csv", "header", "header/link[item]", 'One, "two"; three'),
                ("dir/b.csv", "header", "header/link[item]", ""),
            ],
        ),
        ('<?page=2>; rel="next"', [("dir/page?page=2", "header", "header/link[next]", "")]),
        (
            "</app.js>; rel=preload; as=script, </x>; rel=enclosure",
            [("x", "header", "header/link[enclosure]", "")],
        ),
        ('</wp-json/>; rel="https://api.w.org/", </?p=7>; rel=shortlink', []),
        ("</x.csv>", []),
        ("/x.csv; rel=item", []),
        ("</x.csv; rel=item", []),
        ('</x.csv>; rel="item', []),
        ("", []),
    ],
)
def test_links_of_a_header(header: str, links: list[tuple[str, ...]]) -> None:
    """Of any response, whatever its type; relations that lead to no data are left out."""
    assert told(header) == links


def test_a_header_adds_to_what_its_page_shows() -> None:
    """References are relative to the response, not to the base of the page (RFC 8288, 3.1)."""
    body = b"<base href=/b/><a href=x.csv>X</a>"

    assert told("</b/x.csv>; rel=item, <y.csv>; rel=item", body, "text/html") == [
        ("b/x.csv", "a", "html/body/a", "X"),
        ("dir/y.csv", "header", "header/link[item]", ""),
    ]


@pytest.mark.parametrize("part", ["<x>;", "<", '<x>;a="', "<x>" + ";a" * 100 + ",", ";", ", "])
def test_long_headers_take_no_long_time(part: str) -> None:
    """Of a header of a megabyte the beginning is read, once."""
    assert told(part * (1_000_000 // len(part))) == []


def test_a_long_header_is_read_so_far() -> None:
    found = told(", ".join(f"</{i}.csv>; rel=item" for i in range(10_000)))

    assert 1000 < len(found) < MAX_HEADER / 20
