"""HTML: many files sent as .xls are pages with tables."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from lodehound.inspect.grid import table_of
from lodehound.inspect.limits import Options
from lodehound.inspect.records import Inspection, Table, too_large
from lodehound.inspect.source import Source
from lodehound.read.charsets import decode
from lodehound.read.html_tree import parse_beginning
from lodehound.text.counts import counted

MAX_BYTES = 16 << 20  # of a page; in memory it takes about ten times its size
MAX_ELEMENTS = 1_000_000  # of a page: its process has a limit of time
MAX_CELL = 200  # characters
MAX_CLIMB = 50  # elements from a table up to the cell that contains it
LEAST_ROWS = 2
LEAST_COLUMNS = 2


def inspect_html(source: Source, options: Options) -> Inspection:
    """Read the tables of a page that contain no other table."""
    body = source.head(MAX_BYTES + 1)
    if len(body) > MAX_BYTES:
        return Inspection("html", error=too_large(MAX_BYTES))
    page, is_whole = parse_beginning(decode(body), MAX_ELEMENTS)
    nodes = _innermost(page.css("table"))
    tables = [_table(node, options) for node in nodes[: options.limits.sheets]]
    unread = len(nodes) - options.limits.sheets
    left = counted(unread, "more table was", "more tables were")
    notes = [f"{left} not read"] if unread > 0 else []
    notes += [] if is_whole else [f"only the first {MAX_ELEMENTS:,} elements were read"]
    return Inspection("html", note="; ".join(notes)).with_tables(
        [table for table in tables if table is not None], kept=options.limits.tables
    )


def _innermost(nodes: list[LexborNode]) -> list[LexborNode]:
    """Return the tables that contain no other table, in linear time even if they are nested."""
    outer = set()
    for node in nodes:
        above = node.parent
        for _ in range(MAX_CLIMB):
            if above is None or above.tag == "table":
                break
            above = above.parent
        if above is not None:
            outer.add(above.mem_id)
    return [node for node in nodes if node.mem_id not in outer]


def _table(node: LexborNode, options: Options) -> Table | None:
    table = table_of("", _rows(node), options)
    if table is None or table.rows < LEAST_ROWS or table.columns < LEAST_COLUMNS:
        return None  # used for layout
    return table


def _rows(node: LexborNode) -> Iterator[list[str]]:
    for row in node.css("tr"):
        yield [(cell.text(deep=True) or "")[:MAX_CELL].strip() for cell in row.css("td, th")]
