"""schema.org/Dataset: pages describe datasets and their files in JSON-LD, for search engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lodehound.read.markup.jsonld import load_jsonld
from lodehound.shortcuts.contract import Expansion, Shortcut
from lodehound.shortcuts.datasets import catalogue_of, objects
from lodehound.shortcuts.documents import MAX_BODY, Fetched, records

SCRIPTS = 'script[type*="ld+json"]'
MAX_SCRIPTS = 50
MAX_NODES = 10_000
INSIDE = ("@graph", "dataset", "mainEntity", "hasPart", "itemListElement", "item")
KINDS = frozenset({"Dataset", "sc:Dataset", "schema:Dataset", "http://schema.org/Dataset",
                   "https://schema.org/Dataset"})  # fmt: skip


class SchemaOrg(Shortcut):
    """Pages with schema.org/Dataset in JSON-LD: the files of each dataset."""

    title = "schema.org/Dataset"
    marks = (b"ld+json",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See such a description in the page itself."""
        found = page.names(b"ld+json") and page.names(b"Dataset")
        return (page.url,) if found else ()

    def expand(self, answer: Fetched) -> Expansion | None:
        if answer.cut or len(answer.body) > MAX_BODY or answer.html is None:
            return None
        scripts = answer.html.css(SCRIPTS)[:MAX_SCRIPTS]
        found = [one for script in scripts for one in _datasets(load_jsonld(script.text()))]
        return catalogue_of(found, answer) if found else None


def _datasets(data: Any) -> Iterator[dict[str, Any]]:
    """Yield the datasets in JSON-LD, also those inside of other things."""
    waiting = [data] if isinstance(data, dict) else records(data)
    for _ in range(MAX_NODES):
        if not waiting:
            return
        node = waiting.pop(0)
        kinds = node.get("@type")
        names = kinds if isinstance(kinds, list) else [kinds]
        if KINDS & {name for name in names if isinstance(name, str)}:
            yield node
        waiting += [one for name in INSIDE for one in objects(node, name)]
