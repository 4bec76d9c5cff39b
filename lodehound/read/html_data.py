"""Where an HTML page points to data: alternate representations, declared types, RDFa."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from lodehound.core.link import Context, Link
from lodehound.core.urls import resolve
from lodehound.read.mime import split_content_type

MAX_FOUND = 20_000  # elements of a page
MAX_TYPE = 200  # characters
RELATIONS = {"alternate", "meta", "describedby", "describes", "seealso"}
ELEMENTS = "link[rel][href], a[type][href]"
NODES = "[resource], [about]"


def data_links(tree: LexborHTMLParser, base: str, url: str, depth: int) -> Iterator[Link]:
    """Give what a page says of data elsewhere, before the links for readers.

    Args:
        tree: The page.
        base: What references are relative to.
        url: The page's address.
        depth: Of its links.
    """
    for node in tree.css(ELEMENTS)[:MAX_FOUND]:
        attributes = node.attributes
        words = set((attributes.get("rel") or "").lower().split())
        place = resolve(base, attributes.get("href") or "")
        if place and (node.tag == "a" or words & RELATIONS):
            declared, _ = split_content_type((attributes.get("type") or "")[:MAX_TYPE])
            context = Context(declared=declared)
            yield Link(place, url, f"html/{node.tag}", "", "", node.tag or "", depth, context)
    for node in tree.css(NODES)[:MAX_FOUND]:
        attributes = node.attributes
        for name, position in (("about", "s"), ("resource", "o")):
            reference = (attributes.get(name) or "").strip()
            # Only what is surely an address: prefix:name looks like one and is not.
            if reference.startswith(("http://", "https://", "/", "./", "../")) and (
                place := resolve(base, reference)
            ):
                context = Context(position + "#" * ("#" in reference), _properties(attributes))
                yield Link(place, url, f"rdfa/{position}", "", "", "rdfa", depth, context)


def _properties(attributes: dict[str, str | None]) -> tuple[str, ...]:
    words = f"{attributes.get('property') or ''} {attributes.get('rel') or ''}"
    return tuple(words.split()[:4])
