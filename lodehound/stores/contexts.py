"""JSON-LD contexts from the web: bounded, fetched once, kept in a folder.

Nobody fetches one unless the user says so: a crawl reads documents with the
contexts that come with us (lodehound.read.rdf.jsonld_contexts).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from lodehound.core.urls import canonical
from lodehound.read.rdf.jsonld_contexts import MAX_CONTEXT, Context, known_context
from lodehound.stores.files.replacing import replaced

MOST = 100  # contexts fetched by one loader

Fetch = Callable[[str], bytes]


class Contexts:
    """Gives contexts by their address: ours, then those kept, then those of the web.

    Args:
        folder: Where fetched contexts are kept.
        fetch: Brings a document; b"" when it cannot. Without it nothing is fetched.
        most: Contexts fetched at most.
    """

    def __init__(self, folder: Path, *, fetch: Fetch | None = None, most: int = MOST) -> None:
        self.folder = folder
        self.fetch = fetch
        self.left = most
        self._known: dict[str, Context] = {}

    def __call__(self, address: str) -> Context:
        if address not in self._known:
            self._known[address] = known_context(address) or self._look_up(address)
        return self._known[address]

    def _look_up(self, address: str) -> Context:
        name = hashlib.blake2b(address.encode("utf-8", "replace"), digest_size=16).hexdigest()
        kept = self.folder / f"{name}.json"
        if kept.is_file():
            return _context_in(kept.read_bytes())
        if self.fetch is None or not self.left or not canonical(address):
            return None
        self.left -= 1
        body = self.fetch(address)[: MAX_CONTEXT + 1]
        context = _context_in(body)
        if context is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            with replaced(kept) as new:
                new.write_bytes(body)
        return context


def _context_in(body: bytes) -> Context:
    """Return the context that a document holds (JSON-LD 1.1 API, 5.1.2), if it holds one."""
    if not body or len(body) > MAX_CONTEXT:
        return None
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    context = data.get("@context") if isinstance(data, dict) else None
    return context if isinstance(context, dict | list) else None
