"""Which finds of a catalogue a reader wants, and in which order: one query for all readers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lodehound.stores.catalogue.crawl_rounds import GONE, CrawlRound

if TYPE_CHECKING:
    from lodehound.stores.catalogue.entry import CatalogueEntry

LAST = 1 << 62  # after the last request
# Finds that were new or changed in the requests from one number up to another.
NEWS = """
    SELECT answers.url FROM answers JOIN contents USING (number)
    WHERE change = ? AND found AND answers.number >= ? AND answers.number < ?"""
LOST = f"SELECT url FROM ({GONE})"  # noqa: S608 - our own names
NUMBERS = "SELECT value FROM json_each(?)"
CHANGES = ("new", "changed", "gone")
# Numbers in descending order, texts in ascending order. "new" is the order of the workbench.
ORDERS = {
    "": "entries.number",
    "number": "entries.number",
    "new": "entries.number DESC",
    "title": "entries.title COLLATE NOCASE, entries.number",
    "type": "entries.type, entries.number",
    "size": "entries.size DESC, entries.number",
    "rows": "coalesce(entries.rows, 0) DESC, entries.number",
    "tables": "coalesce(entries.tables, 0) DESC, entries.number",
    "statistics": "coalesce(entries.statistics, 0) DESC, entries.number",
    "value": "finds.value DESC, entries.number",
    "file": "entries.name COLLATE NOCASE, finds.file, entries.number",
    "url": "finds.final_url, entries.number",
    "path": "finds.file, entries.number",
}


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
        numbers: Those with these numbers, in this order unless another is asked for.
        host: A host.
        section: A section of the site: host and first folders.
        statistics: "yes" or "no": whether a table looks like statistics.
        shown_type: What the file is, exactly as lists show it.
    """

    like: str = ""
    type: str = ""
    min_rows: int = 0
    content: str = ""
    new: bool = False
    changed: bool = False
    gone: bool = False
    round: int | None = None
    numbers: tuple[int, ...] | None = None
    host: str = ""
    section: str = ""
    statistics: str = ""
    shown_type: str = ""

    @property
    def changes(self) -> list[str]:
        """The kinds of changes in a round that are wanted; [] for all finds."""
        return [name for name in CHANGES if getattr(self, name)]

    def conditions(
        self, mine: CrawlRound | None, datasets: Sequence[int] = ()
    ) -> tuple[str, list[object]]:
        """Return what the entries must fulfil, as SQL and its values; `like` is another matter.

        Args:
            mine: The round; None if no changes are asked for.
            datasets: The numbers of the datasets that changed in it as wanted.
        """
        pairs = list(self._pairs(mine, datasets))
        where = " AND ".join(condition for condition, _ in pairs)
        return (f"WHERE {where}" if where else ""), [value for _, some in pairs for value in some]

    def _pairs(
        self, mine: CrawlRound | None, datasets: Sequence[int]
    ) -> Iterator[tuple[str, tuple[object, ...]]]:
        for column, value in (
            ("content", self.content), ("host", self.host), ("section", self.section),
            ("type", self.shown_type),
        ):  # fmt: skip
            if value:
                yield f"entries.{column} = ?", (value,)
        if self.type:
            kind = self.type.strip().lower().removeprefix(".")
            yield "instr(entries.formats, ?)", (f"\n{kind}\n",)
        if self.min_rows > 0:
            yield "entries.rows >= ?", (self.min_rows,)
        if self.statistics:
            some = "> 0" if self.statistics == "yes" else "= 0"
            yield f"coalesce(entries.statistics, 0) {some}", ()
        if self.numbers is not None:
            yield f"entries.number IN ({NUMBERS})", (json.dumps(self.numbers),)
        if self.changes and mine is not None:
            within = (mine.first, mine.next_first or LAST)
            urls = " UNION ALL ".join(LOST if name == "gone" else NEWS for name in self.changes)
            values = [(() if name == "gone" else (name,)) + within for name in self.changes]
            listed = json.dumps(list(datasets))
            yield (
                f"(finds.final_url IN ({urls}) OR entries.number IN ({NUMBERS}))",
                (*(one for some in values for one in some), listed),
            )

    def is_like(self, entry: CatalogueEntry) -> bool:
        """Return whether an entry has the text that is wanted."""
        find, text = entry.find, self.like.casefold()
        places = [entry.title, find.url, find.final_url, find.anchor, find.page_title]
        places += [entry.name, entry.about, *entry.header]
        if entry.listed is not None:
            dataset = entry.listed.dataset
            places += [dataset.description, dataset.publisher, *dataset.keywords]
        return any(text in place.casefold() for place in places)


ALL = Wanted()


def order_of(name: str, *, reverse: bool) -> str:
    """Return an order as SQL.

    >>> order_of("size", reverse=True)
    'entries.size ASC, entries.number DESC'
    """
    terms = ORDERS[name].split(", ")
    if reverse:
        terms = [
            f"{term.removesuffix(' DESC')} ASC" if term.endswith(" DESC") else f"{term} DESC"
            for term in terms
        ]
    return ", ".join(terms)
