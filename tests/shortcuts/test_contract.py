"""Every shortcut keeps the contract, whatever a server sends."""

from __future__ import annotations

import pytest

from lodehound.registry import known, make_shortcuts
from lodehound.shortcuts.contract import MAX_PROBES, Shortcut
from lodehound.shortcuts.documents import Fetched
from tests.shortcuts import HTML, JSON, XML

URL = "https://e.org/data/"
BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><x>&b;&b;</x>'
HOSTILE = {
    "nothing": Fetched(URL),
    "a page that says it is JSON": Fetched(URL, JSON, b"<html><title>Sign in</title></html>"),
    "a page": Fetched(URL, HTML, b"<!doctype html><title>Welcome</title><p>Hello"),
    "no JSON": Fetched(URL, JSON, b'{"result": ['),
    "deep JSON": Fetched(URL, JSON, b"[" * 200_000),
    "a number": Fetched(URL, JSON, b"1"),
    "other JSON": Fetched(URL, JSON, b'{"result": 3, "success": "yes", "results": {"a": []}}'),
    "a list of everything": Fetched(URL, JSON, b'[null, 1, "a", [], {}, {"url": 3}]'),
    "an XML bomb": Fetched(URL, XML, BOMB),
    "other XML": Fetched(URL, XML, b"<note><to>you</to></note>"),
    "half of it": Fetched(URL, JSON, b'{"success": true, "result": {"results": []}}', cut=True),
    "octets": Fetched(URL, "", bytes(range(256)) * 4),
}


@pytest.fixture(params=sorted(known("shortcut")))
def shortcut(request: pytest.FixtureRequest) -> Shortcut:
    return make_shortcuts(request.param)[request.param]


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_no_answer_of_the_api_is_said_to_be_none(shortcut: Shortcut, what: str) -> None:
    assert shortcut.expand(HOSTILE[what]) is None


@pytest.mark.parametrize("what", HOSTILE)
def test_documents_without_signs_suggest_no_request(shortcut: Shortcut, what: str) -> None:
    assert shortcut.signs(HOSTILE[what]) == ()


def test_two_requests_at_most_prove_an_api(shortcut: Shortcut) -> None:
    probes = shortcut.probes("https://e.org/portal/")

    assert 1 <= len(probes) <= MAX_PROBES
    assert all(url.startswith("https://e.org/") for url in probes)
