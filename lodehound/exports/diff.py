"""Two crawls compared: finds that are new, gone, or not what they were."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lodehound.stores.crawl_dir.catalogue import Catalogue
from lodehound.stores.crawl_dir.events import FindRow

What = Literal["added", "gone", "changed"]


@dataclass(frozen=True, slots=True)
class State:
    """What there was at an address in one of the crawls."""

    file: str
    bytes: int
    size: int
    truncated: bool
    sha256: str
    etag: str
    last_modified: str
    fetched_at: str

    @classmethod
    def of(cls, find: FindRow) -> State:
        return cls(
            find.file, find.bytes, find.size, find.truncated, find.sha256, find.etag,
            find.last_modified, find.fetched_at,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """One address at which the two crawls differ.

    Attributes:
        what: The kind of the change.
        url: Where the find is, its redirects followed.
        note: By what it is seen that a find changed; what the second crawl knows of one that
            is gone.
        before: In the first crawl.
        after: In the second.
    """

    what: What
    url: str
    note: str = ""
    before: State | None = None
    after: State | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes, those of one kind together and by address, and how many finds are the same."""

    changes: tuple[Change, ...]
    same: int

    @property
    def counts(self) -> dict[str, int]:
        found = {"added": 0, "gone": 0, "changed": 0}
        for change in self.changes:
            found[change.what] += 1
        return found | {"same": self.same}


def compare(first: Catalogue, second: Catalogue) -> Difference:
    """Compare the finds of two crawls by their final addresses."""
    before = {entry.find.final_url: State.of(entry.find) for entry in first.entries()}
    after = {entry.find.final_url: State.of(entry.find) for entry in second.entries()}
    both = before.keys() & after.keys()
    changed = list(_changed(before, after, sorted(both)))
    added = [Change("added", url, after=after[url]) for url in sorted(after.keys() - both)]
    gone = [
        Change("gone", url, _whereabouts(second, url), before=before[url])
        for url in sorted(before.keys() - both)
    ]
    return Difference((*added, *gone, *changed), len(both) - len(changed))


def _changed(
    before: dict[str, State], after: dict[str, State], urls: list[str]
) -> Iterator[Change]:
    for url in urls:
        if note := _how(before[url], after[url]):
            yield Change("changed", url, note, before[url], after[url])


def _how(old: State, new: State) -> str:
    """Say by what a find is seen to have changed; "" when nothing speaks for it.

    Of a truncated file the content is not known: then its mark and its whole length decide.
    """
    if old.sha256 and new.sha256:
        return "content" if old.sha256 != new.sha256 else ""
    if old.etag and new.etag:
        return "etag" if _strong(old.etag) != _strong(new.etag) else ""
    return "size" if old.size != new.size else ""


def _strong(etag: str) -> str:
    """Return a mark without its W/: the same file may get one or the other (RFC 9110, 8.8.3)."""
    return etag.strip().removeprefix("W/")


def _whereabouts(second: Catalogue, url: str) -> str:
    """Say what the second crawl knows of a find that it has not."""
    status = second.status_of(url)
    if status is None:
        return "not asked for"
    return f"status {status}" if status else "no answer"
