"""A server of linked data: negotiation, 303s, wrong types, cycles, a huge dump, a bomb."""

from __future__ import annotations

from functools import partial

from tests.read.test_rdf import bomb
from tests.servers import Case, Exchange, Knobs, RawServer, page
from tests.servers.hostile import Play, fixed, stream

GIGABYTE = 1 << 30
ROW = b'<http://dump.example/x> <http://dump.example/p> "some words, again and again" .\n'
PEOPLE = 12


def turtle(number: int, size: int = PEOPLE) -> bytes:
    """Somebody knows the next one, who in the end knows the first."""
    following = (number + 1) % size
    return (
        "@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n"
        f'</id/{number}> a foaf:Person ; foaf:name "P {number}" ; foaf:knows </id/{following}> ;\n'
        f"  foaf:page </doc/{number}.html> , [ foaf:name 'nobody' ] .\n"
    ).encode()


async def person(x: Exchange) -> None:
    """A thing is no document: see other (W3C, Cool URIs for the Semantic Web)."""
    await x.answer(b"", status=303, headers=[f"Location: /about/{x.step(0, 0)}"])


async def about(x: Exchange) -> None:
    """One address for people and for programs, by what they accept."""
    first = x.entry.headers.get("accept", "").partition(",")[0]
    if first == "text/turtle":
        await x.answer(turtle(x.step(0, 0)), "text/turtle", headers=["Vary: Accept"])
    else:
        await x.page(f"person {x.step(0, 0)}")


async def there(x: Exchange) -> None:
    await x.answer(b"", status=302, headers=["Location: /back"])


async def back(x: Exchange) -> None:
    await x.answer(b"", status=302, headers=["Location: /there"])


DATA = b"<http://e.org/%b> <http://e.org/p> <http://e.org/o> , <http://e.org/%b> .\n"
PLAYS: dict[str, Play] = {
    "/": fixed(
        page("index", "/id/0", "/plain", "/octets", "/there", "/bomb", "/broken", "/dump.nt")
    ),
    "/id": person,
    "/about": about,
    "/doc": fixed(page("a document for people")),
    "/there": there,
    "/back": back,
    "/plain": fixed(DATA % (b"plain", b"a"), "text/plain"),
    "/octets": fixed(DATA % (b"octets", b"b"), "application/octet-stream"),
    "/broken": fixed(DATA % (b"broken", b"c") + b"<and then", "text/turtle"),
    "/bomb": fixed(bomb(10, 10), "application/rdf+xml"),
    "/dump": partial(stream, size=GIGABYTE, block=ROW * 800, kind="application/n-triples"),
}


class LinkedDataServer(RawServer):
    """Serves all of this."""

    def __init__(self) -> None:
        cases = {path: Case("", play) for path, play in PLAYS.items()}
        super().__init__(cases, knobs=Knobs(), host="127.0.0.1", port=0)
