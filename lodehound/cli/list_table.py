"""The output of lodehound list: a table, lines for a pipe, or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lodehound.core.errors import UnknownNameError

if TYPE_CHECKING:
    from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
    from lodehound.stores.catalogue.totals import Summary

LEFT = 33  # width of the columns before the title
WIDE = (60, 50)  # column widths of title and path that fit most finds
CLASSES = ("no-rows", "no-tables", "empty", "unreadable", "truncated")
WORDS = {name: name.replace("-", " ") for name in CLASSES}
HEADING = ("type", "size", "rows", "title", "file", "address")


def ordered(
    catalogue: Catalogue, by: str, *, reverse: bool, limit: int | None
) -> Iterator[CatalogueEntry]:
    """Yield at most ``limit`` finds in an order."""
    from lodehound.stores.catalogue.wanted import ORDERS

    names = sorted(set(ORDERS) - {"", "new", "path"})
    if by and by not in names:
        raise UnknownNameError("order", by, names)
    return catalogue.entries(by, reverse=reverse, most=limit)


def json_lines(entries: Iterable[CatalogueEntry]) -> Iterator[str]:
    from lodehound.exports.columns import row_of
    from lodehound.exports.jsonl import line_of

    return (line_of(row_of(entry)) for entry in entries)


def tabbed(entry: CatalogueEntry, unit: str = "") -> str:
    """Return a find as a line of cells separated by tabs."""
    from lodehound.stores.texts import one_line

    find, read = entry.find, entry.read
    rows, columns = (str(read.rows), str(read.columns)) if read else ("", "")
    texts = (find.final_url, find.file, find.mime, entry.type)
    ends = (find.anchor, find.page_title, find.found_on)
    more = (find.label, f"{find.value:.12g}") if unit else ()
    size = find.bytes if find.file else find.size  # what an API says of files that were not fetched
    cells = [*map(one_line, texts), str(size), rows, columns, *map(one_line, (*ends, *more))]
    return "\t".join([*cells, entry.title])


def show(
    entries: Iterable[CatalogueEntry], unit: str, summary: Summary, *, wide: bool = False
) -> None:
    """Print a table line by line: a catalogue may be large.

    Args:
        entries: The finds.
        unit: The unit of their values, or "" for files.
        summary: The figures of the whole crawl.
        wide: Print complete texts; otherwise the table fits the terminal.
    """
    from rich.text import Text

    from lodehound.cli.console import Console

    console = Console(highlight=False)
    room = max(console.width - LEFT, 30)
    widths = WIDE if wide else (room * 3 // 5, room - room * 3 // 5)
    heading = tuple(unit if name == "rows" and unit else name for name in HEADING)

    def put(cells: tuple[str, ...], style: str = "") -> None:
        line = Text(_line(cells, widths, wide=wide), style=style)
        console.print(line, no_wrap=True, crop=not wide, soft_wrap=wide)

    put(heading, "bold")
    count = 0
    for entry in entries:
        put(_cells(entry, unit, wide=wide))
        count += 1
    console.print(Text(_total(count, summary), style="dim"))


def _total(count: int, summary: Summary) -> str:
    from lodehound.text.counts import counted

    if count != summary.finds:
        return f"{count:,} of {counted(summary.finds, 'find')}"
    return f"{counted(summary.finds, 'find')}, {counted(summary.files, 'file')}"


def _cells(entry: CatalogueEntry, unit: str, *, wide: bool) -> tuple[str, ...]:
    from lodehound.reports.screen_text import in_bytes
    from lodehound.reports.verdict_words import number_of

    find, title = entry.find, entry.title
    rows = f"{entry.rows:,}" if entry.content == "tables" else WORDS.get(entry.content, "")
    size = ("≥" if find.truncated else "") + in_bytes(find.size)
    if unit:
        rows, title = number_of(find.value), ": ".join(filter(None, (find.label, title)))
    return entry.type, size, rows, title, find.file if wide else entry.name, find.final_url


def _line(cells: tuple[str, ...], widths: tuple[int, int], *, wide: bool) -> str:
    from rich.cells import cell_len, set_cell_size

    from lodehound.stores.texts import one_line

    kind, size, rows, title, file, address = (one_line(cell, 5000) for cell in cells)
    begin = f"{kind[:8]:8} {size:>9} {rows:>11}  "
    if wide:
        pad = [text + " " * (width - cell_len(text))
               for text, width in zip((title, file), widths, strict=True)]  # fmt: skip
        return f"{begin}{'  '.join([*pad, address])}"
    first, second = widths
    title = title if cell_len(title) < first else set_cell_size(title, first - 2) + "…"
    file = file if cell_len(file) <= second else set_cell_size(file, second - 1) + "…"
    return begin + set_cell_size(title, first) + file
