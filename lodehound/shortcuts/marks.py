"""Says in one pass over a page which shortcuts may see signs on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ahocorasick_rs import BytesAhoCorasick, MatchKind

from lodehound.shortcuts.contract import Shortcut
from lodehound.shortcuts.documents import LOOKED_AT, Fetched


class Marks:
    """Looks for the marks of all shortcuts at once, which is faster than one after another.

    Args:
        shortcuts: By their names.
    """

    def __init__(self, shortcuts: Mapping[str, Shortcut]) -> None:
        self._all = frozenset(shortcuts)
        self._unmarked = frozenset(name for name, one in shortcuts.items() if not one.marks)
        self._texts = sorted({mark for one in shortcuts.values() for mark in one.marks})
        self._shortcuts = [
            frozenset(name for name, one in shortcuts.items() if text in one.marks)
            for text in self._texts
        ]
        self._search = BytesAhoCorasick(self._texts, matchkind=MatchKind.LeftmostLongest)
        self._within = [list(_within(text, self._texts)) for text in self._texts]

    def shortcuts_for(self, page: Fetched) -> frozenset[str]:
        """Return the names of the shortcuts whose ``signs`` must be asked."""
        if not page.is_html:
            return self._all
        found = {*self._found(page.body[:LOOKED_AT]), *self._found(_about(page))}
        return self._unmarked.union(*(self._shortcuts[index] for index in found))

    def _found(self, place: bytes) -> Iterator[int]:
        """Yield the marks in a place; the search passes over those that begin within another."""
        for index, start, _ in self._search.find_matches_as_indexes(place):
            yield index
            for at, other in self._within[index]:
                if place.startswith(self._texts[other], start + at):
                    yield other


def _about(page: Fetched) -> bytes:
    """Return what a page says about itself besides its content."""
    headers = (f"{name}: {value}" for name, value in page.headers.items())
    about = "\n".join((page.url, f"generator: {page.generator}", *headers))
    return about.lower().encode("utf-8", "replace")


def _within(first: bytes, texts: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Yield each place in the first text at which another one may begin, and which one.

    >>> list(_within(b"opds-catalog", [b"catalog", b"glob", b"opds-catalog", b"opds"]))
    [(0, 3), (5, 0), (11, 1)]
    """
    for at in range(len(first)):
        rest = first[at:]
        for index, text in enumerate(texts):
            if text != first and (text.startswith(rest) or rest.startswith(text)):
                yield at, index
