"""What the row of a table says about a link in one of its cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from lodehound.read.link_words import has_words, is_generic
from lodehound.read.text_lines import MOST_ABOUT, WORTH, TextLines

MOST_CELL = 600  # characters: a cell with more is part of the layout
MOST_CELLS = 40  # of a row
MOST_HEADER = 60  # characters
MOST_NAMES = 4

# Names of columns, and words before a colon, that say "title".
TITLES = frozenset(
    "title titles name names subject description document documents publication report paper "
    "dataset indicator topic titel bezeichnung beschreibung thema betreff título titulo nombre "
    "descripción descripcion asunto tema titre intitulé nom libellé objet sujet titolo nome "
    "descrizione oggetto tytuł nazwa název názov cím otsikko tittel naam onderwerp titlu denumire"
    " название заголовок наименование "
    "назва ba\u015fl\u0131k عنوان العنوان כותרת 标题 標題 名称 名稱 "
    "タイトル 제목".split()
)
PEOPLE = re.compile(r"(?:^|[\s,])\w\.(?:\s|,|$|-?\w\.)")  # initials
KEY = re.compile(r"^\s*([^\W\d_][^:\n]{0,25}?)\s*:\s+")


class Cell(NamedTuple):
    """A cell that says something."""

    id: int
    header: str  # the name of its column
    text: str  # its lines, with semicolons between them


class TableRows:
    """Reads the rows of one page's tables, each of them once.

    Args:
        lines: Reads its lines.
    """

    def __init__(self, lines: TextLines) -> None:
        self._lines = lines
        self._rows: dict[int, _Row] = {}
        self._headers: dict[int, list[str]] = {}

    def around(self, cell: LexborNode) -> tuple[list[str], str]:
        """Return what a row calls what a cell links to, the best name first, and all it says."""
        line = cell.parent
        if line is None or line.tag != "tr":
            return [], ""
        row = self._rows.get(line.mem_id)
        if row is None:
            row = self._rows[line.mem_id] = self._read_row(line)
        return row.names_for(cell.mem_id), row.about

    def _read_row(self, line: LexborNode) -> _Row:
        headers = self._headers_of(line)
        cells: list[Cell] = []
        for at, cell in enumerate(islice(_cells(line), MOST_CELLS)):
            whole = self._lines.texts.beginning(cell, MOST_CELL + 1)
            if len(whole) > MOST_CELL:
                continue
            text = " ".join(whole.split())
            header = headers[at] if at < len(headers) else ""
            if text and text != header:
                if not has_words(header) and cell.css_first("br, p, div, li") is not None:
                    text = "; ".join(self._lines.of(cell)) or text
                cells.append(Cell(cell.mem_id, header, text))
        return _Row(cells)

    def _headers_of(self, line: LexborNode) -> list[str]:
        """Return the names of the columns of a row's table; [] if it has none."""
        table = line.parent
        while table is not None and table.tag in {"tbody", "thead", "tfoot"}:
            table = table.parent
        if table is None or table.tag != "table":
            return []
        known = self._headers.get(table.mem_id)
        if known is None:
            first = table.css_first("tr")
            known = self._read_headers(first) if first is not None else []
            self._headers[table.mem_id] = known
        return known

    def _read_headers(self, first: LexborNode) -> list[str]:
        names: list[str] = []
        for cell in islice(_cells(first), MOST_CELLS):
            text = self._lines.text(cell, MOST_HEADER)
            if cell.tag == "td" and (
                len(text) > MOST_HEADER - 10 or cell.css_first("a[href]") is not None
            ):
                return []
            span = cell.attributes.get("colspan") or "1"
            wide = int(span) if span.isascii() and span.isdigit() and len(span) < 3 else 1
            names += [text] * max(1, min(wide, MOST_CELLS - len(names)))
        return names if len(names) > 1 and sum(map(bool, names)) * 2 > len(names) else []


class _Row:
    """A row of a table: what its cells say."""

    def __init__(self, cells: list[Cell]) -> None:
        self._cells = cells
        parts = [f"{header}: {text}" if header else text for _, header, text in cells]
        self.about = "; ".join(parts)[:MOST_ABOUT]

    def names_for(self, own: int) -> list[str]:
        """Return what the other cells call the row, the best name first, then the own column."""
        named = [
            (text, cell.header)
            for cell in self._cells
            if cell.id != own and WORTH.search(text := _title_in(cell.text))
            if not (is_generic(text) and has_words(text))
        ]
        if not named:
            return []
        texts = [text for text, _ in named]
        titles = [text for text, header in named if _says_title(header) and has_words(text)]
        wordy = [text for text in texts if has_words(text, 2)]
        plain = [text for text in wordy if not PEOPLE.search(text)]
        best = (titles or plain or wordy or [max(texts, key=len)])[0]
        column = [cell.header for cell in self._cells if cell.id == own and cell.header]
        return [best, *column, *(text for text in texts if text != best)][:MOST_NAMES]


def _title_in(text: str) -> str:
    """Return the first line of a cell, without the word that says that it is the title.

    >>> _title_in("Title: On Bees; Authors: A. Beecher")
    'On Bees'
    """
    first = text.partition("; ")[0]
    key = KEY.match(first)
    return first[key.end() :] if key and _says_title(key[1]) else first


def _says_title(header: str) -> bool:
    words = header.casefold().replace("/", " ").split()
    return 0 < len(words) <= 4 and not TITLES.isdisjoint(words)


def _cells(row: LexborNode) -> Iterator[LexborNode]:
    return (cell for cell in row.iter() if cell.tag in {"td", "th"})
