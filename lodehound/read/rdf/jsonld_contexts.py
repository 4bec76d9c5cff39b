"""Inserts external JSON-LD contexts into a document before it is parsed.

A document that refers to an external context has no meaning without it. Small versions
of the common ones are built in: each maps terms to a vocabulary, without the types and
lists of the complete context. A context that is neither built in nor given by the caller
is replaced by well-known prefixes and reported as missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from lodehound.read.markup.vocabularies import PREFIXES

Context = dict[str, Any] | list[Any] | str | None
Loader = Callable[[str], Context]

MAX_SIZE = 32_000_000  # bytes of a document that is rewritten
MAX_CONTEXT = 2_000_000  # bytes of a context, as JSON
MAX_NAMED = 50  # URLs in one document
MAX_GROWTH = 64_000_000  # bytes inserted in total

REMOTE = re.compile(rb'"@(?:context|import)"\s*:\s*(?:"|\[)')
ALIASES = {"id": "@id", "type": "@type"}


def _words(vocabulary: str, **more: Any) -> dict[str, Any]:
    return {"@vocab": vocabulary, **more}


# By URL without scheme, www and trailing slash.
KNOWN: dict[str, dict[str, Any]] = {
    "schema.org": _words("http://schema.org/", **ALIASES, schema="http://schema.org/"),
    "w3.org/ns/activitystreams": _words("https://www.w3.org/ns/activitystreams#", **ALIASES),
    "w3.org/2018/credentials/v1": _words("https://www.w3.org/2018/credentials#", **ALIASES),
    "w3.org/ns/credentials/v2": _words("https://www.w3.org/2018/credentials#", **ALIASES),
    "w3.org/ns/did/v1": _words("https://www.w3.org/ns/did#", **ALIASES),
    "w3id.org/security/v1": _words("https://w3id.org/security#", **ALIASES),
    "w3id.org/security/v2": _words("https://w3id.org/security#", **ALIASES),
    "w3.org/ns/anno.jsonld": _words("http://www.w3.org/ns/oa#", **ALIASES),
    "w3.org/ns/hydra/core": _words("http://www.w3.org/ns/hydra/core#"),
    "w3.org/ns/csvw": _words("http://www.w3.org/ns/csvw#"),
    "w3.org/ns/odrl.jsonld": _words("http://www.w3.org/ns/odrl/2/"),
    "w3.org/ns/dcat.jsonld": _words("http://www.w3.org/ns/dcat#"),
    "w3.org/ns/prov.jsonld": _words("http://www.w3.org/ns/prov#"),
    "w3id.org/ro/crate/1.1/context": _words("http://schema.org/"),
    "w3id.org/ro/crate/1.2/context": _words("http://schema.org/"),
    "iiif.io/api/presentation/2/context.json": _words("http://iiif.io/api/presentation/2#"),
    "iiif.io/api/presentation/3/context.json": _words(
        "http://iiif.io/api/presentation/3#", **ALIASES
    ),
}
EVERYBODYS: dict[str, Any] = {
    name: iri for name, iri in PREFIXES.items() if iri.endswith(("/", "#")) and name != "xml"
}


def needs_contexts(body: bytes) -> bool:
    """Return whether a document may refer to an external context."""
    return REMOTE.search(body) is not None


def known_context(address: str) -> Context:
    """Return a built-in context, or None."""
    bare = re.sub(r"^https?://(?:www\.)?", "", address.strip()).rstrip("/")
    bare = bare.removesuffix("/docs/jsonldcontext.jsonld").removesuffix("/docs/jsonldcontext.json")
    return KNOWN.get(bare.rstrip("/"))


def with_contexts(body: bytes, load: Loader = known_context) -> tuple[bytes, tuple[str, ...]]:
    """Return the document with its contexts inserted, and the URLs of unknown contexts.

    Raises:
        ValueError: It is not JSON, or too large, or nested too deeply.
    """
    if len(body) > MAX_SIZE:
        raise ValueError("too large to insert its contexts")
    try:
        data = json.loads(body)
        filling = _Filling(load)
        filling.go_through(data)
        return json.dumps(data).encode(), tuple(filling.missing)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


class _Filling:
    def __init__(self, load: Loader) -> None:
        self.load = load
        self.missing: dict[str, None] = {}
        self._known: dict[str, Context] = {}
        self._sizes: dict[str, int] = {}
        self._grown = 0

    def go_through(self, data: Any) -> None:
        waiting = [data]
        while waiting:
            one = waiting.pop()
            if isinstance(one, list):
                waiting.extend(one)
            elif isinstance(one, dict):
                if "@context" in one:
                    one["@context"] = self._filled(one["@context"])
                waiting.extend(one.values())

    def _filled(self, context: Any) -> Any:
        if isinstance(context, str):
            return self._get(context)
        if isinstance(context, list):
            filled: list[Any] = []
            for one in context:
                got = self._get(one) if isinstance(one, str) else self._filled(one)
                filled.extend(got if isinstance(got, list) else [got])
            return filled
        if isinstance(context, dict) and isinstance(context.get("@import"), str):
            imported = self._get(context["@import"])
            rest = {word: meaning for word, meaning in context.items() if word != "@import"}
            return {**imported, **rest} if isinstance(imported, dict) else rest
        return context

    def _get(self, address: str) -> Any:
        if address not in self._known:
            if len(self._known) >= MAX_NAMED:
                raise ValueError("refers to too many contexts")
            got = self.load(address)
            if got is None:
                self.missing[address] = None
                got = EVERYBODYS
            self._known[address] = got
            self._sizes[address] = len(json.dumps(got))
        self._grown += self._sizes[address]
        if self._grown > MAX_GROWTH:
            raise ValueError("refers to its contexts too often")
        return self._known[address]
