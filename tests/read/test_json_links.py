"""Links in JSON answers."""

from __future__ import annotations

import json

import pytest

from lodehound.read import json_links, mentions
from lodehound.read.links import read_links

PAGE = "https://e.org/api/list?q=x"


def told(data: object, *, mime: str = "application/json") -> list[tuple[str, ...]]:
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    return [
        (link.url.removeprefix("https://e.org/"), link.tag_path, link.anchor)
        for link in read_links(body, url=PAGE, mime=mime).links
    ]


def test_a_list_of_resources() -> None:
    """In the order of the document, each with the name of what it belongs to."""
    resources = [
        {"name": "As CSV", "url": "https://e.org/get/1", "format": "CSV"},
        {"title": "As a workbook", "download_url": "/2.xlsx"},
        {"downloadUrl": "/3", "hash": "/etc/3"},
    ]

    assert told({"result": {"title": "Prices", "resources": resources}}) == [
        ("get/1", "json/resources/url", "As CSV"),
        ("2.xlsx", "json/resources/download_url", "As a workbook"),
        ("3", "json/resources/downloadUrl", "Prices"),
    ]


def test_kind_depth_and_source() -> None:
    link = read_links(b'["/x.csv"]', url=PAGE, mime="application/json", depth=4).links[0]

    assert (link.kind, link.depth, link.source, link.tag_path) == ("json", 5, PAGE, "json")


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"anything": "https://e.org/a.csv"}, ["a.csv"]),
        ({"anything": "/a.csv"}, ["a.csv"]),
        ({"anything": "a.csv"}, []),
        ({"anything": "https://e.org/a"}, []),
        ({"resources": [{"path": "data/a.csv"}]}, ["api/data/a.csv"]),
        ({"path": "/usr/lib"}, []),
        ({"url": "a.csv"}, ["api/a.csv"]),
        ({"url": "a"}, []),
        ({"url": "see https://e.org/a.csv"}, []),
        ({"url": "https://e.org/{id}"}, []),
        ({"url": "/style.css"}, []),
        ({"url": PAGE}, []),
        ({"url": ["/a", "/b", "/a"]}, ["a", "b"]),
        ({"_links": {"next": {"href": "/api/list?page=2"}}}, ["api/list?page=2"]),
        ({"url": None, "href": 7, "link": ""}, []),
        ("https://e.org/a.csv", ["a.csv"]),
    ],
)
def test_which_strings_are_addresses(data: object, found: list[str]) -> None:
    """Under a telling key any absolute one; else only what ends like a file."""
    assert [url for url, *_ in told(data)] == found


@pytest.mark.parametrize(
    ("mime", "count"),
    [
        ("application/json", 1),
        ("application/vnd.api+json", 1),
        ("text/json", 1),
        ("text/plain", 0),
        ("application/jsonp", 0),
    ],
)
def test_which_answers_are_json(mime: str, count: int) -> None:
    assert len(told(["/x.csv"], mime=mime)) == count


def test_json_is_not_read_without_guesses() -> None:
    mime, body = "application/json", b'["/x.csv"]'

    assert read_links(body, url=PAGE, mime=mime, speculative=False).links == ()


@pytest.mark.parametrize(
    "body", [b"", b"[", b"nonsense", b"\xff\xfe", b"[" * 1_000_000, b'{"url":' * 100_000, b"1e9"]
)
def test_what_is_no_json_has_no_links(body: bytes) -> None:
    assert told(body) == []


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long document the beginning counts, of a deep one the outside, of a huge one nothing."""
    many = {"url": [f"/{i}.csv" for i in range(100)]}
    deep: object = {"url": "/deep.csv"}
    for _ in range(json_links.MAX_DEPTH):
        deep = {"in": deep}

    assert told({"in": deep, "url": "/x.csv"}) == [("x.csv", "json/url", "")]
    monkeypatch.setattr(mentions, "MAX_MENTIONS", 10)
    assert len(told(many)) == 10
    monkeypatch.setattr(json_links, "MAX_VALUES", 5)
    assert len(told(many)) == 3  # the object, the list, and three of its strings
    monkeypatch.setattr(json_links, "MAX_BODY", 100)
    assert told(many) == []


def test_keys_of_any_length_and_kind() -> None:
    """A slash parts the elements of a path, so none stands inside one."""
    found = told({"a/b c" * 100: {"URL": "/x"}})

    assert found == [("x", f"json/{'_'.join(('a|b c' * 100)[:40].split())}/URL", "")]
