"""PDF: number of pages, text or scanned, and statistics tables in the lines of the text.

Proper table recognition costs about a second per page (SB paper, Section 4.8), so this uses a
cheap rule: consecutive lines with several numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from lodehound.inspect.cells import EMPTY, NUMBER, YEAR, classify
from lodehound.inspect.limits import Options
from lodehound.inspect.records import ENCRYPTED, NEEDS, Inspection, Table, clean, too_large
from lodehound.inspect.source import Source
from lodehound.inspect.titles import document_title

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MAX_CHARS = 50_000  # of one page; a full page of a newspaper has 20,000
TEXT_CHARS = 25  # a page with fewer has only a stamp or a page number
FIGURES = 2  # numbers at the end of a table row; a line of a table of contents ends in one
FIGURE_SHARE = 0.4  # share of numbers among the words of a table row: prose has years and footnotes
GAP = 1  # other lines between two rows of a table: for a label that takes two lines


def inspect_pdf(source: Source, options: Options) -> Inspection:
    """Count the pages and read the first of them."""
    try:
        import pypdfium2  # noqa: PLC0415 - an extra
    except ImportError:
        return Inspection("pdf", error=NEEDS)
    if source.size > options.limits.read_bytes:
        return Inspection("pdf", error=too_large(options.limits.read_bytes))
    try:
        with closing(pypdfium2.PdfDocument(source.place)) as document:
            return _read(document, options)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        return Inspection("pdf", error=ENCRYPTED if locked else clean(f"not readable: {error}"))


def _read(document: PdfDocument, options: Options) -> Inspection:
    pages = len(document)
    looked_at = min(pages, options.limits.pages)
    texts = [_text_of(document, number) for number in range(looked_at)]
    readable = [text for text in texts if text is not None]
    with_text = sum(len(text.strip()) >= TEXT_CHARS for text in readable)
    tables = [
        table
        for number, text in enumerate(texts)
        if text
        for table in tables_of(f"page {number + 1}", text.splitlines(), options.rule.rows)
    ]
    note = f"tables counted on the first {looked_at} pages" if pages > looked_at else ""
    return Inspection(
        "pdf",
        pages=pages,
        text=with_text * 2 >= len(readable) if readable else None,
        note=note,
        error=_error(readable, with_text),
        title=document_title(document.get_metadata_value("Title")),
        opening="\n\n".join(readable)[: options.limits.preview_chars],
    ).with_tables(tables, kept=options.limits.tables)


def _error(pages: Sequence[str], with_text: int) -> str:
    if not pages:
        return "no page can be read"
    return "" if with_text else "scanned: the pages have no text"


def _text_of(document: PdfDocument, number: int) -> str | None:
    """Return the text of a page, or None if it cannot be read."""
    import pypdfium2  # noqa: PLC0415

    try:
        with closing(document[number]) as page, closing(page.get_textpage()) as text:
            return str(text.get_text_range(0, min(text.count_chars(), MAX_CHARS)))
    except pypdfium2.PdfiumError:
        return None


def tables_of(name: str, lines: Sequence[str], least: int) -> Iterator[Table]:
    """Yield the runs of lines that look like rows of a statistics table.

    >>> lines = ["In 2019 there were 3 of them.", "North 1.5 2.5", "South 3.5 4.5", "East 5 6"]
    >>> list(tables_of("page 1", lines, least=3))
    [Table(name='page 1', rows=3, columns=3, header=(), statistics=True)]
    """
    rows = width = gap = 0
    for line in (*lines, *[""] * (GAP + 1)):
        figures = _figures(line)
        if figures:
            rows, width, gap = rows + 1, max(width, figures), 0
            continue
        gap += 1
        if gap > GAP:
            if rows >= least:
                yield Table(name, rows, width + 1, (), statistics=True)
            rows = width = 0


def _figures(line: str) -> int:
    """Return the number of numbers in a line that looks like a table row, or 0."""
    words = line[:2000].split()
    figures = numbers = 0
    for kind in map(classify, reversed(words)):
        if kind not in {NUMBER, YEAR, EMPTY}:
            break
        numbers += kind == NUMBER
        figures += kind != EMPTY
    if numbers < FIGURES or figures < FIGURE_SHARE * len(words):
        return 0
    return figures
