"""RDFa 1.1 in HTML (W3C, RDFa Core 1.1, section 7.5; HTML+RDFa 1.1).

Two kinds of statements are left out, because nearly every page makes them
unintentionally: those of the XHTML vocabulary (``role``, ``rel=next``) and of
``link`` elements, and the cards of social networks, which are OpenGraph.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lodehound.read.markup.page_statements import Kind, Statements, resolve_iri
from lodehound.read.markup.vocabularies import PREFIXES, SOCIAL

# Plain words in rel belong to HTML; html and body may declare prefixes, but nothing else. What
# stands inside a rel or rev may be its object.
ELEMENTS = (
    "html, body, [property], [typeof], [about], [resource], [vocab], [prefix], "
    "[rel*=':'], [rev*=':'], [rel*=':'] [href], [rel*=':'] [src], [rev*=':'] [href], "
    "[rev*=':'] [src]"
)
MAX_ELEMENTS = 20_000
MAX_NAMES = 20  # in one attribute
MAX_PREFIXES = 200
XHTML = "http://www.w3.org/1999/xhtml/vocab#"


@dataclass(frozen=True, slots=True)
class _Context:
    """What an element passes to those inside it."""

    subject: str
    vocabulary: str = ""
    prefixes: dict[str, str] = field(default_factory=dict)
    hanging: tuple[tuple[str, str, bool], ...] = ()  # subject, predicate, forward: no object yet


def read_rdfa(tree: LexborHTMLParser, base: str, found: Statements) -> None:
    known: dict[int, _Context] = {}  # the context inside an element
    start = _Context(base, prefixes=PREFIXES)
    made: set[tuple[str, str, str]] = set()
    for element in tree.css(ELEMENTS)[:MAX_ELEMENTS]:
        if found.full("rdfa"):
            return
        if element.mem_id in known:
            continue  # it matches several parts of the selector
        climbed: list[LexborNode] = []
        inside: LexborNode | None = element
        while inside is not None and inside.mem_id not in known:
            climbed.append(inside)
            inside = inside.parent
        context = start if inside is None else known[inside.mem_id]
        for node in reversed(climbed):
            context = _Element(node, context, base, found, made).read()
            known[node.mem_id] = context


class _Element:
    """One element with RDFa attributes: sequence 7.5 of RDFa Core."""

    def __init__(
        self,
        element: LexborNode,
        around: _Context,
        base: str,
        found: Statements,
        made: set[tuple[str, str, str]],
    ) -> None:
        self.element = element
        self.attributes = element.attributes
        self.base = base
        self.found = found
        self.made = made  # lists, and statements of rel and rev that are made once
        self.context = self._declared(around)

    def read(self) -> _Context:
        attributes, around = self.attributes, self.context
        names = self._names("property")
        names = [name for name in names if name.partition(":")[0].lower() not in SOCIAL]
        forward, backward = self._links("rel"), self._links("rev")
        types = self._iris("typeof")
        about = self._place("about")
        there = self._place("resource") or self._address()
        # A rel of plain words says nothing, but what stands inside is about its address.
        plain = not names and ("rel" in attributes or "rev" in attributes)
        chains = bool(forward or backward) or plain
        value_is_text = "content" in attributes or "datatype" in attributes
        target = ""  # the object of rel and rev, and the subject of the elements inside
        if chains:
            subject = about or around.subject
            target = there or (self.found.blank() if types and not about else "")
            typed = subject if about else target
        elif names and not value_is_text:
            subject = about or around.subject
            typed = about or there or (self.found.blank() if types else "")
            target = typed if types else ""
        else:
            subject = about or there or self._fresh(types, around)
            typed = subject
        for iri in types:
            self.found.add_type("rdfa", typed, iri)
        hanging = self._link(subject, target, forward, backward) if chains else ()
        self._properties(subject, names, there, typed if types and not about else "", chains)
        passed = subject == around.subject and not (about or chains or types or names)
        if not passed:
            self._complete(around, subject)
        inner = target or (subject if not hanging else self.found.blank())
        if passed and inner == around.subject:
            return around
        return replace(around, subject=inner, hanging=hanging)

    def _declared(self, around: _Context) -> _Context:
        """Apply ``vocab``, ``prefix`` and ``xmlns:``."""
        vocabulary = self.attributes.get("vocab")
        if vocabulary is not None:
            around = replace(around, vocabulary=vocabulary.strip())
        words = (self.attributes.get("prefix") or "").split()
        new = {
            name[:-1].lower(): iri
            for name, iri in zip(words[::2], words[1::2], strict=False)
            if name.endswith(":")
        }
        new |= {
            name[6:].lower(): iri
            for name, iri in self.attributes.items()
            if name.startswith("xmlns:") and iri
        }
        if new and len(around.prefixes) < len(PREFIXES) + MAX_PREFIXES:
            around = replace(around, prefixes={**around.prefixes, **new})
        return around

    def _fresh(self, types: list[str], around: _Context) -> str:
        """Return the subject of an element that does not name one."""
        if types and self.element.tag not in {"html", "head", "body"}:
            return self.found.blank()
        return around.subject

    def _names(self, attribute: str) -> list[str]:
        return (self.attributes.get(attribute) or "").split()[:MAX_NAMES]

    def _iris(self, attribute: str) -> list[str]:
        return [iri for name in self._names(attribute) if (iri := self._iri(name))]

    def _links(self, attribute: str) -> list[str]:
        """Return the predicates of rel or rev; plain words belong to HTML, not to RDFa."""
        if self.element.tag == "link" and "property" not in self.attributes:
            return []
        names = [name for name in self._names(attribute) if ":" in name]
        return [iri for name in names if not (iri := self._iri(name)).startswith(XHTML) and iri]

    def _iri(self, name: str) -> str:
        """Return the IRI of a term, a compact IRI or an IRI; "" if it has none."""
        name = name.removeprefix("[").removesuffix("]")
        prefix, colon, rest = name.partition(":")
        if not colon:
            return self.context.vocabulary + name if self.context.vocabulary else ""
        if prefix == "_":
            return f"_:x{rest}"
        known = self.context.prefixes.get(prefix.lower())
        return known + rest if known is not None and not rest.startswith("//") else name

    def _place(self, attribute: str) -> str:
        written = self.attributes.get(attribute)
        if written is None:
            return ""
        written = written.strip()
        if written == "[]":
            return ""  # a compact IRI without a prefix names nothing
        prefix, colon, _ = written.removeprefix("[").partition(":")
        if colon and (prefix == "_" or prefix.lower() in self.context.prefixes):
            return self._iri(written)
        return resolve_iri(self.base, written) or written

    def _address(self) -> str:
        written = self.attributes.get("href") or self.attributes.get("src")
        if not written:
            return ""
        return resolve_iri(self.base, written) or (written.strip() if ":" in written else "")

    def _state(self, subject: str, predicate: str, value: str, kind: Kind) -> None:
        """Add a statement; a list (``inlist``) is one statement, however many members it has."""
        if "inlist" in self.attributes:
            if (subject, predicate, "") in self.made:
                return
            self.made.add((subject, predicate, ""))
        self.found.add("rdfa", subject, predicate, value, kind)

    def _link(
        self, subject: str, target: str, forward: list[str], backward: list[str]
    ) -> tuple[tuple[str, str, bool], ...]:
        """Add the statements of rel and rev, or pass them down until the other end is known."""
        if not target:
            return tuple(
                [(subject, iri, True) for iri in forward]
                + [(subject, iri, False) for iri in backward]
            )
        for iri in forward:
            self._state(subject, iri, target, "iri")
        for iri in backward:
            self.found.add("rdfa", target, iri, subject, "iri")
        return ()

    def _complete(self, around: _Context, subject: str) -> None:
        for start, iri, forward in around.hanging:
            one, other = (start, subject) if forward else (subject, start)
            if (one, iri, other) not in self.made:
                self.made.add((one, iri, other))
                self.found.add("rdfa", one, iri, other, "iri")

    def _properties(
        self, subject: str, names: list[str], there: str, typed: str, chains: bool
    ) -> None:
        iris = [iri for name in names if (iri := self._iri(name)) and not iri.startswith(XHTML)]
        if not iris:
            return
        attributes, place = self.attributes, ""
        written = attributes.get("content")
        if written is None and self.element.tag == "time":
            written = attributes.get("datetime")
        if written is None and "datatype" not in attributes:
            place = typed or (there if not chains else "")
        if written is None and not place:
            written = self.found.text_of(self.element)
        for iri in iris:
            if place:
                self._state(subject, iri, place, "iri")
            else:
                self._state(subject, iri, self.found.text(written or ""), "literal")
