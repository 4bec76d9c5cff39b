"""The links of an RDF document: the URIs in its triples, each with its context.

The context is what the LDCOC paper (Definitions 4 to 7) learns from: the position of
the URI, the properties that connect it, and its siblings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lodehound.core.link import Context, Link
from lodehound.core.urls import canonical
from lodehound.read.rdf import Document

if TYPE_CHECKING:
    from pyoxigraph import Quad

MAX_TRIPLES = 200_000  # searched for links: about two seconds
MAX_LINKS = 100_000  # per document, as for a page
MAX_PROPERTIES = 8  # per link
MAX_SIBLINGS = 4
MAX_URI = 2000  # characters
WEB = ("http://", "https://")

SUBJECT, OBJECT = 1, 2
POSITIONS = {SUBJECT: "s", OBJECT: "o", SUBJECT | OBJECT: "so"}


def read_rdf_links(
    body: bytes, *, url: str, mime: str = "", charset: str = "", depth: int = 0
) -> tuple[Link, ...]:
    """Return the links of a document in the order of its triples, each URL once.

    Args:
        body: The document as received.
        url: Its URL, after redirects.
        mime: Its declared type.
        charset: Its declared character set.
        depth: Depth of the document; its links are one deeper.
    """
    nodes = _Nodes()
    for number, quad in enumerate(Document(body, url=url, mime=mime, charset=charset)):
        if number >= MAX_TRIPLES or len(nodes.known) >= 2 * MAX_LINKS:
            break
        nodes.add(quad)
    return tuple(nodes.links(url, depth + 1))


class _Node:
    """The data about one URI."""

    __slots__ = ("groups", "position", "properties")

    def __init__(self) -> None:
        self.position = 0
        self.properties: dict[str, None] = {}
        self.groups: list[list[str]] = []  # URIs that share a pair with it, including itself

    def join(self, position: int, name: str, group: list[str]) -> None:
        self.position |= position
        if len(self.properties) < MAX_PROPERTIES:
            self.properties[name] = None
        if len(self.groups) < MAX_SIBLINGS and all(group is not one for one in self.groups):
            self.groups.append(group)


class _Nodes:
    """The URIs of one document."""

    def __init__(self) -> None:
        self.known: dict[str, _Node] = {}
        self._pairs: dict[tuple[str, str, int], list[str]] = {}

    def add(self, quad: Quad) -> None:
        name = quad.predicate.value
        subject, thing = str(quad.subject), str(quad.object)
        if subject.startswith("<http"):
            group = self._group(name, thing, SUBJECT) if thing[0] != '"' else []
            self._join(subject[1:-1], SUBJECT, name, group)
        if thing.startswith("<http"):
            self._join(thing[1:-1], OBJECT, name, self._group(name, subject, OBJECT))

    def _group(self, name: str, other: str, position: int) -> list[str]:
        return self._pairs.setdefault((name, other, position), [])

    def _join(self, uri: str, position: int, name: str, group: list[str]) -> None:
        node = self.known.get(uri)
        if node is None:
            if len(uri) > MAX_URI or not uri.startswith(WEB):
                return
            node = self.known[uri] = _Node()
        if len(group) <= MAX_SIBLINGS and uri not in group:
            group.append(uri)
        node.join(position, name, group)

    def links(self, url: str, depth: int) -> Iterator[Link]:
        """Yield each URL once: URIs that differ only in the fragment are one URL."""
        places: dict[str, tuple[_Node, bool, str]] = {}
        for uri, node in self.known.items():
            stem, hash_mark, _ = uri.partition("#")
            place = canonical(stem)
            if place and place != url:
                places.setdefault(place, (node, bool(hash_mark), uri))
        for place, (node, with_fragment, uri) in list(places.items())[:MAX_LINKS]:
            position = POSITIONS[node.position]
            context = Context(
                position + "#" * with_fragment,
                tuple(node.properties),
                _siblings(node, uri),
            )
            first = context.properties[0].replace("/", "|")[:200]
            yield Link(place, url, f"rdf/{position}/{first}", "", "", "rdf", depth, context)


def _siblings(node: _Node, uri: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for group in node.groups:
        for one in group:
            place = one.partition("#")[0]
            if one != uri and len(found) < MAX_SIBLINGS:
                found[place] = None
    return tuple(found)
