"""CSV and similar formats: detects character set, separator and header, and counts rows."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TextIO

from lodehound.inspect.grid import table_of
from lodehound.inspect.headings import HEADER_ROWS, Heading, heading_of
from lodehound.inspect.kinds import looks_like_utf_16
from lodehound.inspect.limits import Options
from lodehound.inspect.records import NEEDS, Inspection, notes
from lodehound.inspect.source import HEAD, Source
from lodehound.read.charsets import is_charset

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
STRONG = (";", "\t", "|")  # rarely part of a cell, unlike a comma
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # starts like that of UTF-16
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SAMPLE_LINES = 200
CHUNK = 1 << 20
FIELD = 1 << 20  # characters of one field
BAD_ROWS = 1000  # after this many rows that the csv module refuses, stop reading
# What a text that was not sent as CSV needs to count as a table.
SURE = 0.8
LEAST_ROWS = 2
# In an archive its name must match too: software archives contain thousands of text files.
PLAIN = frozenset({"", "txt", "dat", "data", "asc", "prn", "out"})


def inspect_csv(source: Source, options: Options) -> Inspection:
    """Read a text file as one table, or report it as text."""
    head = source.head()
    charset, note = charset_of(head)
    with source.open() as file:
        text = io.TextIOWrapper(file, encoding=charset, errors="replace", newline="")
        sample = text.read(HEAD)
    # Use the full name: files like towns.csv.zip contain a CSV file of the same name.
    named = any(end in source.name.lower() for end in (".csv", ".tsv", ".tab")) or any(
        word in source.mime for word in ("csv", "comma-", "tab-")
    )
    separator, share = separator_of(sample, indented=not named)
    is_text = share < SURE or _is_prose(sample) or (source.depth > 0 and source.suffix not in PLAIN)
    if not named and is_text:
        return Inspection("text", charset=charset, note=note)
    csv.field_size_limit(FIELD)
    rows = _Rows(source, charset, separator or ",", options)
    table = table_of("", rows, options)
    if not named and (table is None or table.rows < LEAST_ROWS):
        return Inspection("text", charset=charset, note=note)
    found = Inspection(
        "tsv" if separator == "\t" else "csv",
        charset=charset,
        dialect=SEPARATORS.get(separator, ""),
        note=notes(note, rows.note),
        error=rows.error,
    )
    return found.with_tables([table] if table else [], kept=1)


@dataclass(frozen=True, slots=True)
class CsvTable:
    """An open CSV file: its column names, and an iterator over its rows."""

    header: tuple[str, ...]
    rows: Iterator[Sequence[str]]


def open_csv(source: Source, charset: str, dialect: str, options: Options) -> CsvTable:
    """Open a CSV file that was inspected before.

    Args:
        source: The file.
        charset: Character set, from the inspection.
        dialect: Name of the separator, from the inspection.
        options: Limits on reading.
    """
    csv.field_size_limit(FIELD)
    names = {name: separator for separator, name in SEPARATORS.items()}
    rows = iter(_Rows(source, charset, names.get(dialect, ","), options))
    filled = (row for row in rows if any(row))
    sample = list(islice(filled, options.limits.sample_rows + HEADER_ROWS))
    heading = heading_of(sample) if sample else Heading()
    header = tuple(name.strip() for name in heading.names)
    return CsvTable(header, chain(sample[heading.height :], filled))


def charset_of(head: bytes) -> tuple[str, str]:
    """Return the character set of a text by its first bytes, and a note.

    The byte order mark decides, then valid UTF-8, then a guess.
    """
    for mark, name in MARKS:
        if head.startswith(mark):
            return name, ""
    if wide := looks_like_utf_16(head):
        return wide, ""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=len(head) < HEAD)
    except UnicodeDecodeError:
        return _guess(head)
    return "utf-8", ""


def _guess(head: bytes) -> tuple[str, str]:
    try:
        import chardet  # noqa: PLC0415 - an extra, and slow to start
    except ImportError:
        return "cp1252", f"guessing the character set {NEEDS}"
    name = chardet.detect(head)["encoding"]
    try:
        known = codecs.lookup(name or "cp1252").name
    except LookupError:
        known = ""
    # Windows-1252, a superset of Latin-1, has letters where Latin-1 has control characters.
    known = {"iso8859-1": "cp1252", "ascii": "cp1252"}.get(known, known)
    return known if is_charset(known) else "cp1252", ""


def separator_of(sample: str, *, indented: bool = False) -> tuple[str, float]:
    r"""Return the separator of a text and the share of its lines with the most common width.

    >>> separator_of("town;rate\nOslo;1,5\nRome;2,5\nBonn;3,5\n")
    (';', 1.0)
    >>> separator_of("Dear all,\nno table here.\nGood bye.\n")
    (',', 0.5)

    Args:
        sample: The beginning of the text.
        indented: Whether white space before a line is not a separator.
    """
    lines = sample.splitlines()[: SAMPLE_LINES + 1]
    if indented:
        lines = [line.lstrip() for line in lines]
    if len(lines) > 2:
        lines.pop()  # it may be incomplete
    best, best_score, best_share = "", 0.0, 0.0
    for separator in SEPARATORS:
        widths, strange, cells = _widths(lines, separator)
        counted = {width: count for width, count in widths.items() if width > 1}
        if not counted:
            continue
        usual = max(counted, key=lambda width: counted[width] * width)
        share = counted[usual] / widths.total()
        score = share * (1 - strange / max(cells, 1))
        if score > best_score:
            best, best_score, best_share = separator, score, share
    return best, best_share


def _is_prose(sample: str) -> bool:
    """Return whether most commas are followed by words, as in sentences."""
    return 2 * len(re.findall(r",\s[^\W\d]", sample)) > sample.count(",") > 0


def _widths(lines: list[str], separator: str) -> tuple[Counter[int], int, int]:
    """Count the rows of each width, the cells that contain another separator, and all cells."""
    widths: Counter[int] = Counter()
    strange = cells = 0
    others = [mark for mark in STRONG if mark != separator]
    try:
        for row in csv.reader(lines, delimiter=separator, skipinitialspace=True):
            if not row:
                continue
            widths[len(row)] += 1
            cells += len(row)
            strange += sum(any(mark in cell for mark in others) for cell in row[:SAMPLE_LINES])
    except csv.Error:
        pass  # a huge field: use what was read before it
    return widths, strange, cells


class _Rows:
    """The rows of a CSV file, within the limits. `note` and `error` say what was left out."""

    def __init__(self, source: Source, charset: str, separator: str, options: Options) -> None:
        self.note = ""
        self.error = ""
        self._source = source
        self._charset = charset
        self._separator = separator
        self._limits = options.limits

    def __iter__(self) -> Iterator[list[str]]:
        """Yield the rows, except those that the csv module refuses."""
        with self._source.open() as file:
            text = io.TextIOWrapper(file, self._charset, errors="replace")
            lines = self._lines(text)
            # A quote may come after a space: 1, "two, three".
            reader = csv.reader(lines, delimiter=self._separator, skipinitialspace=True)
            bad = 0
            while bad < BAD_ROWS:
                try:
                    yield from reader
                except csv.Error:
                    bad += 1
                    self.note = "rows with unmatched quotes are left out"
                else:
                    return

    def _lines(self, text: TextIO) -> Iterator[str]:
        left = self._limits.read_bytes
        rest = ""
        while chunk := text.read(CHUNK):
            left -= len(chunk)
            if left < 0:
                self.note = f"counted in the first {self._limits.read_bytes:,} characters"
                chunk = chunk[:left]
            buffer = rest + chunk
            end = buffer.rfind("\n") + 1
            yield from io.StringIO(buffer[:end])
            rest = buffer[end:]
            if len(rest) > self._limits.line_chars:
                self.error = f"a line has more than {self._limits.line_chars:,} characters"
            if self.error or left < 0:
                return
        if rest:
            yield rest
