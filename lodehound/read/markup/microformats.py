"""Microformats 2 (h-card ...) and the older ones (vcard ...) by their class names."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lodehound.core.urls import resolve
from lodehound.read.markup.page_statements import Statements

PROFILE = "http://microformats.org/profile/"
MAX_ELEMENTS = 50_000
MAX_CLASSES = 50  # of one element

# The vocabularies of microformats 2 (microformats.org/wiki/microformats2). Style sheets are full
# of other classes with the same prefix: h-full, h-title.
MODERN = frozenset(
    "h-" + name
    for name in """
    adr app breadcrumb card cite entry event feed geo item listing measure news organization product
    recipe resume review review-aggregate
    """.split()
)
PROPERTY = re.compile(r"(?:p|u|dt|e)-((?:[a-z0-9]+-)?[a-z]+(?:-[a-z]+)*)\Z")

# The older formats and their properties (microformats.org/wiki/microformats2, "backcompat").
CLASSIC = {
    "adr": "post-office-box extended-address street-address locality region postal-code "
    "country-name",
    "geo": "latitude longitude",
    "hentry": "entry-title entry-summary entry-content published updated author category",
    "hfeed": "author url photo category",
    "hproduct": "price description fn review brand url photo category identifier",
    "hrecipe": "fn ingredient yield instructions duration photo summary author nutrition category",
    "hresume": "contact education experience skill affiliation summary publications",
    "hreview": "summary item reviewer dtreviewed rating best worst description",
    "hreview-aggregate": "summary item rating best worst average count votes",
    "vcard": "fn url honorific-prefix given-name additional-name family-name honorific-suffix "
    "nickname email logo photo uid category tel note bday key org organization-name "
    "organization-unit title role rev label adr geo",
    "vevent": "summary dtstart dtend duration description url category location geo attendee "
    "contact organizer",
}
CLASSIC_NAMES = {root: frozenset(names.split()) for root, names in CLASSIC.items()}
ANY_NAME = frozenset().union(*CLASSIC_NAMES.values())


def read_microformats(tree: LexborHTMLParser, base: str, found: Statements) -> None:
    """Read the items, and the properties that belong directly to each."""
    reader = _Reader(base, found)
    for element in tree.css("[class]")[:MAX_ELEMENTS]:
        classes = (element.attributes.get("class") or "").split()[:MAX_CLASSES]
        roots, names = _split_classes(classes)
        if roots or (names and reader.items):
            reader.read(element, roots, names)


def _split_classes(classes: list[str]) -> tuple[list[str], list[str]]:
    """Return the class names that are roots, and those that may be properties."""
    roots, names = [], []
    for name in classes:
        if name in CLASSIC_NAMES or name in MODERN:
            roots.append(name)
        if name in ANY_NAME or PROPERTY.match(name):
            names.append(name)
    return roots, names


class _Reader:
    def __init__(self, base: str, found: Statements) -> None:
        self.base = base
        self.found = found
        self.items: dict[int, tuple[str, list[str]]] = {}  # subject and roots, by element
        self._known: dict[int, tuple[str, list[str]] | None] = {}

    def read(self, element: LexborNode, roots: list[str], names: list[str]) -> None:
        around = self._around(element) if self.items else None
        subject = ""
        if roots:
            subject = self.found.blank()
            self.items[element.mem_id] = (subject, roots)
            for root in roots:
                self.found.add_type("microformats", subject, PROFILE + root)
        if around is None:
            return
        for name in names:
            predicate = _predicate(name, around[1])
            if predicate and subject:
                self.found.add("microformats", around[0], predicate, subject, "iri")
            elif predicate:
                self._state(around[0], predicate, name, element)

    def _state(self, subject: str, predicate: str, name: str, element: LexborNode) -> None:
        attributes = element.attributes
        address = attributes.get("href") or attributes.get("src")
        if address and (name.startswith("u-") or name in {"url", "photo", "logo"}):
            place = resolve(self.base, address) or address
            self.found.add("microformats", subject, predicate, place, "iri")
            return
        written = attributes.get("datetime") or attributes.get("title") or attributes.get("value")
        if not written:
            written = self.found.text_of(element)
        self.found.add("microformats", subject, predicate, self.found.text(written))

    def _around(self, element: LexborNode) -> tuple[str, list[str]] | None:
        """Return the item that contains an element."""
        climbed = []
        inside = element.parent
        item: tuple[str, list[str]] | None = None
        while inside is not None:
            if inside.mem_id in self.items:
                item = self.items[inside.mem_id]
                break
            if inside.mem_id in self._known:
                item = self._known[inside.mem_id]
                break
            climbed.append(inside.mem_id)
            inside = inside.parent
        self._known.update(dict.fromkeys(climbed, item))
        return item


def _predicate(name: str, roots: list[str]) -> str:
    """Return the IRI of a property of an item with these roots, or "" if it has no such one."""
    modern = PROPERTY.match(name)
    for root in roots:
        if root.startswith("h-"):
            if modern:
                return f"{PROFILE}{root}#{modern[1]}"
        elif name in CLASSIC_NAMES[root]:
            return f"{PROFILE}{root}#{name}"
    return ""
