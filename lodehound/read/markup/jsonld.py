"""JSON-LD in script elements, without remote contexts.

A crawl requests pages, not contexts: the vocabulary of terms comes from the page
itself, and schema.org is known by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from lodehound.read.markup.page_statements import Statements

MAX_SCRIPT = 2_000_000  # characters of one script
MAX_DEPTH = 60
JSON_LD = "application/ld+json"
SCHEMA = "http://schema.org/"
# Invalid additions to JSON that are common: comments, CDATA marks, trailing commas.
WRAPPING = re.compile(r"\A\s*(?:<!--|<!\[CDATA\[|//\s*<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>|;)\s*\Z")
# A string or comment without an end goes to the end of the script: otherwise the rest of it would
# be searched again from each quote.
STRING = r'("(?:[^"\\]++|\\.)*+(?:"|\\?\Z))'
COMMENTS = re.compile(rf"{STRING}|/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
COMMAS = re.compile(rf"{STRING}|,(?=\s*[\]}}])", re.DOTALL)


def read_jsonld(tree: LexborHTMLParser, found: Statements) -> None:
    """Read every script of JSON-LD; skip those that are not JSON."""
    for script in tree.css("script[type]"):
        if script_type(script.attributes) == JSON_LD:
            _Reader(found).read(load_jsonld(script.text(deep=True)))


def script_type(attributes: dict[str, str | None]) -> str:
    """Return the bare type of a script element."""
    return (attributes.get("type") or "").partition(";")[0].strip().lower()


def load_jsonld(text: str) -> Any:
    """Return the data in a script of JSON-LD, common mistakes repaired; None if it is not JSON."""
    if len(text) > MAX_SCRIPT:
        return None
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        pass
    text = WRAPPING.sub("", WRAPPING.sub("", text))
    text = COMMAS.sub(lambda m: m[1] or "", COMMENTS.sub(lambda m: m[1] or "", text))
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


class _Reader:
    def __init__(self, found: Statements) -> None:
        self.found = found

    def read(self, data: Any) -> None:
        for node in _nodes(data):
            self.node(node, _Terms(), 0)

    def node(self, node: dict[str, Any], terms: _Terms, depth: int) -> str:
        """Read a node and its contents; return its name."""
        terms = terms.with_context(node.get("@context"))
        name = node.get("@id")
        subject = terms.iri(name) if isinstance(name, str) and name else self.found.blank()
        if depth > MAX_DEPTH or self.found.full("jsonld"):
            return subject
        for written in _strings(node.get("@type")):
            self.found.add_type("jsonld", subject, terms.term(written))
        for key, value in node.items():
            if key == "@graph":
                for inner in _nodes(value):
                    self.node(inner, terms, depth + 1)
            elif not key.startswith("@"):
                self._values(subject, terms.term(key), value, terms, depth)
        return subject

    def _values(self, subject: str, predicate: str, value: Any, terms: _Terms, depth: int) -> None:
        for one in _flat(value):
            if isinstance(one, dict) and "@value" not in one:
                name = self.node(one, terms, depth + 1)
                self.found.add("jsonld", subject, predicate, name, "iri")
                continue
            language = ""
            if isinstance(one, dict):
                language = str(one.get("@language") or "")
                one = one["@value"]  # noqa: PLW2901 - the value itself
            text = one if isinstance(one, str) else json.dumps(one)
            self.found.add("jsonld", subject, predicate, self.found.text(text), language=language)


class _Terms:
    """The meaning of terms, as far as the contexts on the page define it."""

    def __init__(self, vocabulary: str = "", known: dict[str, str] | None = None) -> None:
        self.vocabulary = vocabulary
        self.known = known or {}

    def with_context(self, context: Any) -> _Terms:
        if context is None:
            return self
        vocabulary, known = self.vocabulary, dict(self.known)
        for one in context if isinstance(context, list) else [context]:
            if isinstance(one, str) and "schema.org" in one[:40]:
                vocabulary = SCHEMA
            elif isinstance(one, dict):
                known.update(_defined(one))
                named = one.get("@vocab")
                vocabulary = named if isinstance(named, str) else vocabulary
        return _Terms(vocabulary, known)

    def term(self, word: str) -> str:
        """Return the IRI of a key or type, or the word itself if it is not defined."""
        if word in self.known:
            return self.iri(self.known[word])
        return self.iri(word) if ":" in word else self.vocabulary + word

    def iri(self, name: str) -> str:
        prefix, colon, rest = name.partition(":")
        if colon and prefix in self.known and not rest.startswith("//"):
            return self.known[prefix] + rest
        return name


def _defined(context: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for word, meaning in list(context.items())[:1000]:
        iri = meaning.get("@id") if isinstance(meaning, dict) else meaning
        if isinstance(iri, str) and not word.startswith("@"):
            yield word, iri


def _nodes(data: Any) -> Iterator[dict[str, Any]]:
    for one in data if isinstance(data, list) else [data]:
        if isinstance(one, dict):
            yield one


def _strings(value: Any) -> Iterator[str]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str) and one:
            yield one


def _flat(value: Any) -> Iterator[Any]:
    """Yield the values of a property one by one: of lists, sets and nested lists."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict) and ("@list" in one or "@set" in one):
            waiting.append(one.get("@list", one.get("@set")))
        elif one is not None:
            yield one
