"""XML: elements that repeat with the same fields are a table; SDMX has its own namespace.

Entities are refused, so nothing is fetched and nothing expands (billion laughs, XXE).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO
from xml.parsers.expat import ExpatError, ParserCreate

from lodehound.inspect.grid import table_from
from lodehound.inspect.limits import Options
from lodehound.inspect.records import Inspection, Table, clean, notes
from lodehound.inspect.source import Source
from lodehound.inspect.titles import document_title
from lodehound.read.charsets import declared_charset

CHUNK = 1 << 16
MAX_DEPTH = 200
MAX_PATHS = 2000  # number of distinct element paths
MAX_FIELDS = 2000  # fields per element
MAX_TEXT = 1000  # characters per field
LEAST_ROWS = 2
LEAST_COLUMNS = 2
SDMX = re.compile(r"https?://www\.sdmx\.org/resources/sdmxml/schemas/", re.IGNORECASE)
SEPARATOR = "\x1f"  # between namespace and name: not allowed in URLs or names


class RefusedError(Exception):
    """The file uses a feature that is not supported."""


def inspect_xml(source: Source, options: Options) -> Inspection:
    """Read an XML file in one pass."""
    reader = _Reader(options)
    note = error = ""
    try:
        with source.open() as file:
            note = reader.read(file)
    except RefusedError as refusal:
        error = str(refusal)
    except (ExpatError, ValueError, LookupError) as problem:
        # Report what came before the error.
        error = clean(f"not readable: {problem}")
    if reader.sdmx:
        note = notes(note, "" if reader.data_sets else "structure without data")
    found = Inspection(
        "sdmx" if reader.sdmx else "xml",
        charset=reader.charset,
        note=note,
        error=error,
        title=document_title(reader.title),
    )
    tables = reader.cubes() if reader.sdmx else reader.tables()
    return found.with_tables(tables, kept=options.limits.tables)


@dataclass(slots=True)
class _Element:
    """An open element."""

    name: str
    path: str
    fields: dict[str, str]
    attributes: int
    children: int = 0
    text: list[str] = field(default_factory=list)
    length: int = 0
    label: str = ""


@dataclass(slots=True)
class _Place:
    """All elements with the same path: a table, if there are several and they have fields."""

    rows: int = 0
    header: dict[str, None] = field(default_factory=dict)
    sample: list[dict[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _DataSet:
    rows: int = 0
    header: dict[str, None] = field(default_factory=dict)


class _Reader:
    """The handlers of expat and their state."""

    def __init__(self, options: Options) -> None:
        self.sdmx = False
        self.charset = "utf-8"
        self.title = ""
        self.data_sets: list[_DataSet] = []
        self._options = options
        self._open: list[_Element] = []
        self._places: dict[str, _Place] = {}

    def read(self, file: BinaryIO) -> str:
        """Read a file; return a note."""
        head = file.read(CHUNK)
        file.seek(0)
        charset = declared_charset(head)
        # Expat does not support East Asian character sets: decode what it may not know.
        decoded = bool(charset) and not charset.startswith(("utf-8", "utf-16"))
        chunks = _chunks(file)
        if decoded:
            chunks = (part.encode() for part in codecs.iterdecode(chunks, charset, "replace"))
        parser = ParserCreate("utf-8" if decoded else None, SEPARATOR)
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.XmlDeclHandler = self._declaration
        parser.EntityDeclHandler = _refuse
        parser.ExternalEntityRefHandler = _refuse
        left = self._options.limits.read_bytes
        for chunk in chunks:
            left -= len(chunk)
            if left < 0:
                return f"counted in the first {self._options.limits.read_bytes:,} bytes"
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
        return ""

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        self.charset = clean(encoding or "utf-8").lower()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition(SEPARATOR)
        if not self._open:
            self.sdmx = SDMX.match(space) is not None
        if len(self._open) >= MAX_DEPTH:
            raise RefusedError(f"elements are nested more than {MAX_DEPTH} deep")
        above = self._open[-1] if self._open else None
        path = f"{above.path}/{local}" if above else local
        fields = {
            key.rpartition(SEPARATOR)[2]: value[:MAX_TEXT]
            for key, value in list(attributes.items())[:MAX_FIELDS]
        }
        element = _Element(local, path, fields, len(fields))
        element.label = fields.get("name", fields.get("id", fields.get("concept", "")))[:100]
        if above is not None:
            above.children += 1
        self._open.append(element)
        if self.sdmx:
            self._start_sdmx(element)

    def _characters(self, text: str) -> None:
        if self._open and self._open[-1].length < MAX_TEXT:
            element = self._open[-1]
            element.text.append(text[:MAX_TEXT])
            element.length += len(text)

    def _end(self, _name: str) -> None:
        element = self._open.pop()
        above = self._open[-1] if self._open else None
        text = "".join(element.text)[:MAX_TEXT].strip()
        if not self.title and self._is_title(element):
            self.title = text
        if self.sdmx:
            return
        if above is not None and self._is_field(element):
            _add_field(above, element, text)
        else:
            self._add_row(element)

    def _is_title(self, element: _Element) -> bool:
        """Whether it is the title of the document; in SDMX, the name in the header."""
        if self.sdmx:
            above = self._open[-1].name if self._open else ""
            return (above, element.name) == ("Header", "Name")
        return element.name.lower() == "title" and len(self._open) == 1

    def _is_field(self, element: _Element) -> bool:
        """Return whether it is one value: a text, one attribute, or one such child."""
        inner = len(element.fields) - element.attributes
        if element.children:
            return element.children == 1 and inner == 1
        return element.attributes <= 1 or bool(element.text)

    def _add_row(self, element: _Element) -> None:
        if len(element.fields) < LEAST_COLUMNS:
            return
        place = self._places.get(element.path)
        if place is None:
            if len(self._places) >= MAX_PATHS:
                return
            place = self._places[element.path] = _Place()
        place.rows += 1
        if len(place.sample) < self._options.limits.sample_rows:
            place.sample.append(element.fields)
            if len(place.header) < MAX_FIELDS:
                place.header.update(dict.fromkeys(element.fields))

    def _start_sdmx(self, element: _Element) -> None:
        """Count observations, generic or structure-specific (SDMX 2.1, section 3A)."""
        if element.name == "DataSet":
            self.data_sets.append(_DataSet())
        if not self.data_sets:
            return
        data = self.data_sets[-1]
        if element.name == "Obs":
            data.rows += 1
        if element.name in {"Obs", "Series"} and len(data.header) < MAX_FIELDS:
            data.header.update(dict.fromkeys(element.fields))
        elif element.name == "Value" and element.label and len(data.header) < MAX_FIELDS:
            data.header[element.label] = None
        elif element.name in {"ObsDimension", "ObsValue", "Time"}:
            data.header[element.label or element.name] = None

    def cubes(self) -> list[Table]:
        """Return the data sets of an SDMX file. They are statistics by definition."""
        least, names = self._options.rule.rows, self._options.limits.names
        return [
            Table(
                f"data set {number}",
                data.rows,
                len(data.header),
                tuple(map(clean, list(data.header)[:names])),
                data.rows >= least,
            )
            for number, data in enumerate(self.data_sets)
            if data.rows
        ]

    def tables(self) -> list[Table]:
        """Return the elements that repeat, except those inside other repeating elements."""
        repeated = {path for path, place in self._places.items() if place.rows >= LEAST_ROWS}
        return [
            self._table(path, place)
            for path, place in self._places.items()
            if path in repeated
            and not any(path[:at] in repeated for at in range(len(path)) if path[at] == "/")
        ]

    def _table(self, path: str, place: _Place) -> Table:
        header = list(place.header)
        judged = header[: self._options.limits.sample_columns]
        rows = [[fields.get(name) for name in judged] for fields in place.sample]
        return table_from(path, header, rows, self._options, rows=place.rows, columns=len(header))


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


def _add_field(above: _Element, element: _Element, text: str) -> None:
    """Add the value of a child element as a field; repeated names get a number."""
    if len(above.fields) >= MAX_FIELDS:
        return
    values = list(element.fields.values())
    name = element.label if text and element.label else element.name
    value = text or (values[-1] if values else "")
    if name in above.fields:
        name = f"{name} {above.children}"
    above.fields[name] = value


def _refuse(*_: object) -> int:
    raise RefusedError("defines entities, not read")
