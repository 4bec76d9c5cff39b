"""Compares the finds of two crawls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from lodehound.reports.missing_finds import Whereabouts
from lodehound.reports.table_diff import TableChange, TableComparer
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.stores.catalogue.find_reads import keys_of_finds
from lodehound.stores.catalogue.find_rows import FindRow

What = Literal[
    "added", "gone", "no longer linked", "not reached", "unavailable", "moved", "changed"
]
KINDS: dict[What, str] = {
    "added": "not among the finds of the first crawl",
    "gone": "requested by the second crawl; the server answered 404 or 410",
    "no longer linked": "no page that the second crawl read links to it",
    "not reached": "one of the crawls did not request it, or the page that links to it",
    "unavailable": "requested by the second crawl; the answer was an error or not a find",
    "moved": "found at a new URL, by its content or by a redirect",
    "changed": "the content differs",
}


class FindKey(NamedTuple):
    """The fields by which finds are compared."""

    number: int
    url: str
    final_url: str
    sha256: str
    etag: str
    size: int
    bytes: int


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A find in one of the crawls."""

    file: str
    bytes: int
    size: int
    truncated: bool
    sha256: str
    etag: str
    last_modified: str
    fetched_at: str

    @classmethod
    def of(cls, find: FindRow) -> FileVersion:
        return cls(
            find.file, find.bytes, find.size, find.truncated, find.sha256, find.etag,
            find.last_modified, find.fetched_at,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """A URL at which the two crawls differ.

    Attributes:
        what: The kind of change.
        url: The final URL; for a moved find, the old one.
        note: The evidence for the change.
        before: The find in the first crawl.
        after: The find in the second crawl.
        title: The title of the find.
        to: For a moved find, the new URL.
        table: For a changed table, the rows and columns added or removed, if known.
    """

    what: What
    url: str
    note: str = ""
    before: FileVersion | None = None
    after: FileVersion | None = None
    title: str = ""
    to: str = ""
    table: TableChange | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes, sorted by kind and URL, and the number of finds that are the same."""

    changes: tuple[Change, ...]
    same: int

    @property
    def counts(self) -> dict[str, int]:
        found: dict[str, int] = dict.fromkeys(KINDS, 0)
        for change in self.changes:
            found[change.what] += 1
        return found | {"same": self.same}

    @property
    def differs(self) -> bool:
        """Whether the site has changed, as far as both crawls reached it."""
        return any(change.what != "not reached" for change in self.changes)


def compare(first: Catalogue, second: Catalogue) -> Difference:
    """Compare the finds of two crawls by their final URLs."""
    return _Comparison(first, second).difference()


class _Comparison:
    def __init__(self, first: Catalogue, second: Catalogue) -> None:
        self.first, self.second = first, second
        self.before, self.after = _finds(first), _finds(second)
        self.both = sorted(self.before.keys() & self.after.keys())

    def difference(self) -> Difference:
        left = [self.before[url] for url in sorted(self.before.keys() - self.after.keys())]
        new = [self.after[url] for url in sorted(self.after.keys() - self.before.keys())]
        pairs = moved_pairs(left, new)
        there, come = {old.number for old, _ in pairs}, {found.number for _, found in pairs}
        changed = list(self._changed())
        changes = [
            *self._added([found for found in new if found.number not in come]),
            *self._missing([old for old in left if old.number not in there]),
            *(
                self._change("moved", old, found, how_changed(old, found) or "")
                for old, found in pairs
            ),
            *changed,
        ]
        order = list(KINDS)
        changes.sort(key=lambda change: order.index(change.what))  # stable: still by address
        return Difference(tuple(changes), len(self.both) - len(changed))

    def _added(self, finds: list[FindKey]) -> Iterator[Change]:
        seen = Whereabouts(self.first, {url for found in finds for url in _urls(found)})
        for found in finds:
            entry = self.second.entry(found.number)
            before, why = seen.of(_urls(found), entry.find.found_on)
            if before == "not reached":
                yield _made("not reached", None, entry, f"by the first crawl: {why}")
            else:
                note = f"{why} before" if before in {"gone", "unavailable"} else ""
                yield _made("added", None, entry, note)

    def _missing(self, finds: list[FindKey]) -> Iterator[Change]:
        seen = Whereabouts(self.second, {url for old in finds for url in _urls(old)})
        for old in finds:
            entry = self.first.entry(old.number)
            what, note = seen.of(_urls(old), entry.find.found_on)
            yield _made(what, entry, None, note)

    def _changed(self) -> Iterator[Change]:
        comparer = TableComparer(self.first, self.second)
        for url in self.both:
            old, new = self.before[url], self.after[url]
            if note := how_changed(old, new):
                pair = self.first.entry(old.number), self.second.entry(new.number)
                yield _made("changed", *pair, note, comparer.compare(*pair))

    def _change(self, what: What, old: FindKey | None, new: FindKey | None, note: str) -> Change:
        before = self.first.entry(old.number) if old else None
        after = self.second.entry(new.number) if new else None
        return _made(what, before, after, note)


def _made(
    what: What,
    before: CatalogueEntry | None,
    after: CatalogueEntry | None,
    note: str,
    table: TableChange | None = None,
) -> Change:
    shown = before if what == "moved" else after or before
    return Change(
        what,
        shown.find.final_url if shown else "",
        note,
        FileVersion.of(before.find) if before else None,
        FileVersion.of(after.find) if after else None,
        title=shown.title if shown else "",
        to=after.find.final_url if what == "moved" and after else "",
        table=table,
    )


def _finds(catalogue: Catalogue) -> dict[str, FindKey]:
    rows = (FindKey(*row) for row in keys_of_finds(catalogue))
    return {found.final_url: found for found in rows}


def _urls(found: FindKey) -> tuple[str, ...]:
    """Return the final URL of a find and, if it differs, the URL of its link."""
    return tuple(dict.fromkeys((found.final_url, found.url)))


def moved_pairs(left: Iterable[FindKey], new: Iterable[FindKey]) -> list[tuple[FindKey, FindKey]]:
    """Pair finds that are missing at their URL with new finds.

    A pair has the same link, now redirected elsewhere, or the same content; files of the same name
    are preferred. Empty files do not match.
    """
    by_link = {found.url: found for found in new if found.url != found.final_url}
    by_content = defaultdict(list)
    for found in new:
        if found.sha256 and found.bytes:
            by_content[found.sha256].append(found)
    pairs, taken = [], set()
    for old in left:
        led = [by_link[url] for url in _urls(old) if url in by_link]
        alike = sorted(by_content.get(old.sha256, ()), key=lambda found: _name(found) != _name(old))
        free = [found for found in (*led, *alike) if found.number not in taken]
        if free:
            taken.add(free[0].number)
            pairs.append((old, free[0]))
    return pairs


def _name(found: FindKey) -> str:
    return found.final_url.rpartition("/")[2]


def how_changed(old: FindKey, new: FindKey) -> str:
    """Return which property shows that a find has changed, or "".

    The content of a truncated file is not known: its ETag or its length is compared.
    """
    if old.sha256 and new.sha256:
        return "content" if old.sha256 != new.sha256 else ""
    if old.etag and new.etag:
        return "etag" if _strong(old.etag) != _strong(new.etag) else ""
    return "size" if old.size != new.size else ""


def _strong(etag: str) -> str:
    """Return an ETag without W/: a server may send either for the same file (RFC 9110, 8.8.3)."""
    return etag.strip().removeprefix("W/")
