"""Microdata (HTML standard, 5), as RDF."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lodehound.read.markup.page_statements import Kind, Statements, resolve_iri

MAX_ELEMENTS = 20_000  # items, and as many properties
MAX_NAMES = 20  # of one property, and types of one item
# The attribute that contains the value of a property (HTML standard, 5.2.4).
ADDRESS = {
    "a": "href", "area": "href", "link": "href", "audio": "src", "embed": "src", "iframe": "src",
    "img": "src", "source": "src", "track": "src", "video": "src", "object": "data",
}  # fmt: skip
WRITTEN = {"meta": "content", "data": "value", "meter": "value", "time": "datetime"}


class _Item:
    """An item.

    Args:
        subject: Its name.
        types: Their IRIs.
        vocabulary: Of plain words in its properties; an item without a type has that of the item
            around it.
    """

    def __init__(self, subject: str, types: list[str], vocabulary: str) -> None:
        self.subject = subject
        self.vocabulary = vocabulary
        if types:
            self.vocabulary = types[0][: max(types[0].rfind("/"), types[0].rfind("#")) + 1]

    def predicate(self, name: str) -> str:
        """Return the IRI of a property."""
        return name if ":" in name else self.vocabulary + name


def read_microdata(tree: LexborHTMLParser, base: str, found: Statements) -> None:
    items, referred = _items(tree, base, found)
    if not items:
        return
    owners = _Owners(items, referred)
    for element in tree.css("[itemprop]")[:MAX_ELEMENTS]:
        names = (element.attributes.get("itemprop") or "").split()[:MAX_NAMES]
        holders = owners.of(element) if names else ()
        if not holders:
            continue
        value, kind = _value(element, base, items, found)
        for item in holders:
            for name in names:
                predicate = item.predicate(name)
                found.add("microdata", item.subject, predicate, value, kind)


def _items(
    tree: LexborHTMLParser, base: str, found: Statements
) -> tuple[dict[int, _Item], dict[str, list[_Item]]]:
    """Return the items by their elements, and by the ids in their itemref attributes."""
    items: dict[int, _Item] = {}
    referred: dict[str, list[_Item]] = {}
    known: dict[int, str] = {}  # the vocabulary inside an element
    for element in tree.css("[itemscope]")[:MAX_ELEMENTS]:
        attributes = element.attributes
        types = (attributes.get("itemtype") or "").split()[:MAX_NAMES]
        types = [kind for kind in types if ":" in kind]
        name = attributes.get("itemid")
        subject = (resolve_iri(base, name) or name.strip()) if name else ""
        around = _vocabulary(element, known) if "itemprop" in attributes else ""
        item = _Item(subject or found.blank(), types, around or f"{found.url}#")
        items[element.mem_id] = item
        known[element.mem_id] = item.vocabulary
        for kind in types:
            found.add_type("microdata", item.subject, kind)
        for name in (attributes.get("itemref") or "").split()[:MAX_NAMES]:
            if len(sharing := referred.setdefault(name, [])) < MAX_NAMES:
                sharing.append(item)
    return items, referred


def _vocabulary(element: LexborNode, known: dict[int, str]) -> str:
    """Return the vocabulary around an element; remember it for all that were climbed."""
    climbed, inside = list[int](), element.parent
    while inside is not None and inside.mem_id not in known:
        climbed.append(inside.mem_id)
        inside = inside.parent
    found = "" if inside is None else known[inside.mem_id]
    known.update(dict.fromkeys(climbed, found))
    return found


class _Owners:
    """Finds the items of a property: the one around it, and those that refer to it."""

    def __init__(self, items: dict[int, _Item], referred: dict[str, list[_Item]]) -> None:
        self.items = items
        self.referred = referred
        self._known: dict[int, tuple[_Item, ...]] = {}  # owners inside an element

    def of(self, element: LexborNode) -> tuple[_Item, ...]:
        own = self._named(element)
        inside = element.parent
        climbed = []
        owners: tuple[_Item, ...] | None = ()
        while inside is not None and (owners := self._known.get(inside.mem_id)) is None:
            climbed.append(inside)
            inside = inside.parent
        owners = owners or ()
        for node in reversed(climbed):
            item = self.items.get(node.mem_id)
            owners = (item,) if item is not None else _join(owners, self._named(node))
            self._known[node.mem_id] = owners
        return _join(owners, own)

    def _named(self, node: LexborNode) -> tuple[_Item, ...]:
        if not self.referred:
            return ()
        return tuple(self.referred.get(node.attributes.get("id") or "", ()))


def _join(some: tuple[_Item, ...], more: tuple[_Item, ...]) -> tuple[_Item, ...]:
    return (*some, *(item for item in more if item not in some)) if more else some


def _value(
    element: LexborNode, base: str, items: dict[int, _Item], found: Statements
) -> tuple[str, Kind]:
    item = items.get(element.mem_id)
    if item is not None:
        return item.subject, "iri"
    tag, attributes = element.tag or "", element.attributes
    if tag in ADDRESS:
        return resolve_iri(base, attributes.get(ADDRESS[tag]) or ""), "iri"
    if tag in WRITTEN and attributes.get(WRITTEN[tag]) is not None:
        return found.text(attributes[WRITTEN[tag]] or ""), "literal"
    return found.text(found.text_of(element)), "literal"
