"""Contexts of JSON-LD, fetched once and kept."""

from __future__ import annotations

import json
from pathlib import Path

from lodehound.drivers.live.addresses import AddressGuard
from lodehound.drivers.live.example_pages import context_fetcher
from lodehound.stores.contexts import Contexts, Fetch
from tests.servers import Case, Exchange, Knobs, RawServer
from tests.servers.hostile import fixed

CONTEXT = {"@vocab": "http://e.org/"}
BODY = json.dumps({"@context": CONTEXT}).encode()
ADDRESS = "http://e.org/context"


def bringing(body: bytes) -> Fetch:
    return lambda _: body


def test_nothing_is_fetched_unless_told(tmp_path: Path) -> None:
    load = Contexts(tmp_path)
    assert load(ADDRESS) is None
    assert load("https://schema.org/") is not None


def test_each_is_fetched_once_and_kept(tmp_path: Path) -> None:
    asked: list[str] = []

    def fetch(address: str) -> bytes:
        asked.append(address)
        return BODY

    for _ in range(2):
        load = Contexts(tmp_path, fetch=fetch)
        assert [load(ADDRESS), load(ADDRESS)] == [CONTEXT, CONTEXT]
    assert asked == [ADDRESS]


def test_no_more_than_so_many(tmp_path: Path) -> None:
    load = Contexts(tmp_path, fetch=lambda _: BODY, most=2)
    assert [load(f"http://e.org/{n}") is None for n in range(4)] == [False, False, True, True]


def test_what_holds_no_context(tmp_path: Path) -> None:
    for body in (b"", b"<html>", b"[]", b'{"a": 1}', b'{"@context": "http://x/"}', b"[" * 99999):
        assert Contexts(tmp_path, fetch=bringing(body))(ADDRESS) is None
    assert not list(tmp_path.iterdir())


async def moved(x: Exchange) -> None:
    await x.answer(b"", status=302, headers=["Location: /context"])


def test_from_a_server(tmp_path: Path) -> None:
    """Redirects are followed, but never to addresses of our own network."""
    cases = {"/context": Case("", fixed(BODY, "application/ld+json")), "/moved": Case("", moved)}
    with RawServer(cases, knobs=Knobs(), host="127.0.0.1", port=0) as server:
        address = f"{server.url}moved"
        assert Contexts(tmp_path / "a", fetch=context_fetcher())(address) is None
        assert not server.log
        allowed = context_fetcher(AddressGuard.made_of([server.url]))
        assert Contexts(tmp_path / "b", fetch=allowed)(address) == CONTEXT
        assert Contexts(tmp_path / "c", fetch=allowed)(f"{server.url}gone") is None
