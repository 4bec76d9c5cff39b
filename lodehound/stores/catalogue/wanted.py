"""Which finds of a catalogue a reader wants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lodehound.stores.catalogue.entries import CatalogueEntry


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which finds a reader wants; all of them unless told.

    Attributes:
        like: A text in the title, the address, the link's text, the page's title, the file's name
            or the name of a column; upper and lower case are the same.
        type: What the file is (csv, xlsx), or a MIME type.
        min_rows: Rows that its largest table has at least.
        content: What the file contains: one of `schema.CONTENTS`.
        new: It was new in the round.
        changed: It had changed in the round. With several of these three, one must be true.
        gone: It was gone in the round.
        round: Which round; the last one for None.
    """

    like: str = ""
    type: str = ""
    min_rows: int = 0
    content: str = ""
    new: bool = False
    changed: bool = False
    gone: bool = False
    round: int | None = None

    @property
    def changes(self) -> list[str]:
        """The kinds of changes in a round that are wanted; [] for all finds."""
        return [name for name in ("new", "changed", "gone") if getattr(self, name)]

    def takes(self, entry: CatalogueEntry) -> bool:
        if self.min_rows and entry.rows < self.min_rows:
            return False
        if self.content and entry.content != self.content:
            return False
        if self.type and not self._is_type(entry):
            return False
        return not self.like or self._is_like(entry)

    def _is_type(self, entry: CatalogueEntry) -> bool:
        wanted = self.type.strip().lower().removeprefix(".")
        return wanted in {entry.kind, entry.ending, entry.find.mime.lower(), *entry.formats}

    def _is_like(self, entry: CatalogueEntry) -> bool:
        find, text = entry.find, self.like.casefold()
        places = [entry.title, find.url, find.final_url, find.anchor, find.page_title]
        places += [entry.name, entry.about, *entry.header]
        if entry.listed is not None:
            dataset = entry.listed.dataset
            places += [dataset.description, dataset.publisher, *dataset.keywords]
        return any(text in place.casefold() for place in places)


ALL = Wanted()
