"""Packs what one column holds: links, and changes of the sleeping hosts."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from lodehound.core.asleep import Asleep
from lodehound.core.link import Context, Link
from lodehound.stores.zipped import unzipped

_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Sleep:
    """The sleeping hosts, as changes since the event before."""

    fell: frozenset[str] = frozenset()
    woke: frozenset[str] = frozenset()
    whole: bool = False  # `fell` contains all sleeping hosts

    def apply(self, asleep: Asleep) -> None:
        if self.whole:
            asleep.become(self.fell)
        for host in self.woke:
            asleep.discard(host)
        for host in self.fell:
            asleep.add(host)


def pack_links(links: Sequence[Link], source: str, depth: int) -> bytes:
    """Return links as bytes; their source and depth only if they differ from those of the page.

    A context, if there is one, follows at the end.
    """
    if not links:
        return b""
    rows = []
    for link in links:
        row: list[object] = [link.url, link.tag_path, link.anchor, link.around, link.kind]
        if link.context is not None:
            row += [link.source, link.depth, link.context]
        elif link.source != source or link.depth != depth:
            row += [link.source, link.depth]
        rows.append(row)
    # Broken pages contain lone surrogates. As escapes, two adjacent ones would be read as one
    # character; as bytes they stay separate.
    return zlib.compress(_to_json(rows).encode("utf-8", "surrogatepass"))


def unpack_links(packed: bytes, source: str, depth: int) -> tuple[Link, ...]:
    """Return the links that ``pack_links`` wrote."""
    if not packed:
        return ()
    rows = json.loads(unzipped(packed).decode("utf-8", "surrogatepass"))
    here = (source, depth)
    links = []
    for url, tag_path, anchor, around, kind, *place in rows:
        on, deep, *context = place or here
        link = Link(url, on, tag_path, anchor, around, kind, deep)
        links.append(link._replace(context=_context(*context[0])) if context else link)
    return tuple(links)


def _context(position: str, properties: list[str], siblings: list[str], declared: str) -> Context:
    return Context(position, tuple(properties), tuple(siblings), declared)


def pack_sleep(asleep: Collection[str], changed: Collection[str] | None) -> str | None:
    """Return which of the changed hosts sleep; all that do if any may have changed (None)."""
    if changed is None:
        return _to_json({"all": sorted(asleep)})
    if not changed:
        return None
    fell: list[str] = []
    woke: list[str] = []
    for host in sorted(changed):
        (fell if host in asleep else woke).append(host)
    return _to_json({"fell": fell, "woke": woke})


def unpack_sleep(packed: str | None) -> Sleep:
    """Return the changes that ``pack_sleep`` wrote."""
    if not packed:
        return Sleep()
    said = json.loads(packed)
    if "all" in said:
        return Sleep(frozenset(said["all"]), whole=True)
    return Sleep(frozenset(said["fell"]), frozenset(said["woke"]))
