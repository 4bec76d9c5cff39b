"""JSON: lists of objects and lists of lists are tables; recognises JSON-stat and SDMX-JSON."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from typing import Any

from lodehound.inspect.cells import NUMBER, TEXT, cell_of
from lodehound.inspect.grid import table_from
from lodehound.inspect.limits import Options
from lodehound.inspect.profile import MOST_VALUES, years_of
from lodehound.inspect.records import ColumnFacts, Inspection, Table, clean, too_large
from lodehound.inspect.sampling import places
from lodehound.inspect.source import Source
from lodehound.inspect.tables_csv import charset_of
from lodehound.inspect.titles import document_title

MAX_NODES = 1_000_000  # objects and lists that are searched for tables
MAX_PATH = 200  # characters
SHAPES = ("coordinates", "arcs")  # of GeoJSON and TopoJSON: points, not tables
TITLES = ("title", "label", "name")  # keys that hold the title of a data set
LEAST_ROWS = 2
LEAST_COLUMNS = 2


def inspect_json(source: Source, options: Options) -> Inspection:
    """Find the tables of a JSON file, or of a file with one JSON value per line."""
    if source.size > options.limits.parse_bytes:
        return Inspection("json", error=too_large(options.limits.parse_bytes))
    with source.open() as file:
        body = file.read()
    charset, _ = charset_of(body[:65536])
    text = body.decode(charset, errors="replace")
    try:
        value = _parse(text)
    except RecursionError:
        return Inspection("json", charset=charset, error="not readable: nested too deeply")
    except ValueError as error:
        value = _lines(text)
        if value is None:
            return Inspection("json", charset=charset, error=clean(f"not readable: {error}"))
    kind, tables = _known(value, options)
    if not tables:
        tables = list(_tables(value, options))
    found = Inspection(kind, charset=charset, title=_title(value))
    return found.with_tables(tables, kept=options.limits.tables)


def _title(value: Any) -> str:
    """Return the title of a data set: the label in JSON-stat, the name in SDMX."""
    data = value.get("data", value) if isinstance(value, dict) else {}
    structure = data.get("structure") if isinstance(data, dict) else None
    places = [place for place in (value, data, structure) if isinstance(place, dict)]
    titles = (document_title(place.get(key)) for place in places for key in TITLES)
    return next(filter(None, titles), "")


def _parse(text: str) -> Any:
    # Integers as floats: Python parses long integers in quadratic time.
    return json.loads(text, parse_int=float)


def _lines(text: str) -> list[Any] | None:
    """Return the values of JSON lines, or None if the text is not in that format."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < LEAST_ROWS:
        return None
    try:
        return [_parse(line) for line in lines]
    except (ValueError, RecursionError):
        return None


def _known(value: Any, options: Options) -> tuple[str, list[Table]]:
    """Recognise formats for statistics."""
    if not isinstance(value, dict):
        return "json", []
    inner = value.get("data")
    data = inner if isinstance(inner, dict) else value
    if isinstance(data.get("dataSets"), list) and (
        "structure" in data or "structures" in data or "structure" in value
    ):
        return "sdmx", _sdmx({"structure": value.get("structure"), **data}, options)
    if "dimension" in value and isinstance(value.get("value"), (list, dict)):
        return "json-stat", _json_stat(value, options)
    return "json", []


def _json_stat(value: dict[str, Any], options: Options) -> list[Table]:
    """Return the cube of a JSON-stat file (json-stat.org, 2.0): one row per cell."""
    about = value["dimension"]
    names = value.get("id", about)
    header = [str(name) for name in names] if isinstance(names, (list, dict)) else []
    found = [about.get(name) if isinstance(about, dict) else None for name in header]
    facts = [_dimension(name, one) for name, one in zip(header, found, strict=True)]
    return [_cube(clean(value.get("label", "")), len(value["value"]), facts, options)]


def _cube(name: str, rows: int, dimensions: list[ColumnFacts], options: Options) -> Table:
    facts = (*dimensions, ColumnFacts("value", NUMBER, rows)) if dimensions else ()
    kept = facts[: options.limits.names]
    header = tuple(column.name for column in kept)
    texts = [text for column in kept for text in (column.label, *column.values)]
    statistics, years = rows >= options.rule.rows, years_of((), *texts, name)
    return Table(name, rows, len(facts), header, statistics, facts=kept, years=years)


def _dimension(name: str, about: Any) -> ColumnFacts:
    """Return what JSON-stat or SDMX-JSON says of a dimension: its name and those of its values."""
    about = about if isinstance(about, dict) else {}
    category = about.get("category")
    values = category.get("label") if isinstance(category, dict) else about.get("values")
    if isinstance(values, dict):
        values = list(values.values())
    texts = [
        _label(one.get("name", one.get("id", "")) if isinstance(one, dict) else one)
        for one in (values if isinstance(values, list) else [])[:MOST_VALUES]
    ]
    label = _label(about.get("label") or about.get("name"))
    return ColumnFacts(
        clean(name), TEXT, len(texts), label=label, values=tuple(filter(None, texts))
    )


def _label(text: Any) -> str:
    """Return a text; SDMX-JSON may have one for each language."""
    text = next(iter(text.values()), "") if isinstance(text, dict) else text
    return clean(text) if isinstance(text, str) else ""


def _sdmx(data: dict[str, Any], options: Options) -> list[Table]:
    """Count the observations of SDMX-JSON data sets, flat or in series."""
    tables = []
    facts = _sdmx_dimensions(data)
    for number, one in enumerate(data["dataSets"]):
        if not isinstance(one, dict):
            continue
        groups = [one]
        if isinstance(one.get("series"), dict):
            groups += [some for some in one["series"].values() if isinstance(some, dict)]
        rows = sum(
            len(group["observations"])
            for group in groups
            if isinstance(group.get("observations"), dict)
        )
        if rows:
            tables.append(_cube(f"data set {number}", rows, facts, options))
    return tables


def _sdmx_dimensions(data: dict[str, Any]) -> list[ColumnFacts]:
    structures = data.get("structures")
    structure = structures[0] if isinstance(structures, list) and structures else None
    structure = structure or data.get("structure")
    levels = structure.get("dimensions") if isinstance(structure, dict) else None
    lists = levels.values() if isinstance(levels, dict) else ()
    found = [one for level in lists if isinstance(level, list) for one in level]
    return [_dimension(str(one.get("id", "")), one) for one in found if isinstance(one, dict)]


def _tables(value: Any, options: Options) -> Iterator[Table]:
    """Yield the tables of a value, outermost first. Rows are not searched for further tables."""
    waiting = deque([("$", value)] if isinstance(value, (list, dict)) else [])
    for _ in range(MAX_NODES):
        if not waiting:
            return
        path, node = waiting.popleft()
        if isinstance(node, list):
            table = _table(path, node, options)
            if table is not None:
                yield table
                continue
            inner = [(f"{path}[{at}]", item) for at, item in enumerate(node[:MAX_NODES])]
        else:
            inner = [
                (f"{path}.{name}"[:MAX_PATH], item)
                for name, item in node.items()
                if name not in SHAPES
            ]
        waiting.extend((name, item) for name, item in inner if isinstance(item, (list, dict)))


def _table(path: str, items: list[Any], options: Options) -> Table | None:
    if len(items) < LEAST_ROWS:
        return None
    if all(isinstance(item, dict) for item in items):
        return _of_objects(path, items, options)
    if all(isinstance(item, list) for item in items):
        return _of_lists(path, items, options)
    return None


def _of_objects(path: str, items: list[dict[str, Any]], options: Options) -> Table | None:
    sample = _sampled(items, options)
    if all(item.get("type") == "Feature" for item in sample):  # RFC 7946
        sample = [item.get("properties") or {} for item in sample]
        sample = [item for item in sample if isinstance(item, dict)]
    header = list(dict.fromkeys(str(name) for item in sample for name in item))
    judged = header[: options.limits.sample_columns]
    rows = [[cell_of(item.get(name)) for name in judged] for item in sample]
    # Nested documents contain lists of objects too; a table has plain values in its cells.
    filled = sum(len(item) for item in sample)
    plain = sum(not isinstance(cell, (list, dict)) for item in sample for cell in item.values())
    if len(header) < LEAST_COLUMNS or plain * 2 < filled:
        return None
    return table_from(path, header, rows, options, rows=len(items), columns=len(header))


def _of_lists(path: str, items: list[list[Any]], options: Options) -> Table | None:
    sample = _sampled(items, options)
    width = max(len(item) for item in sample)
    if width < LEAST_COLUMNS or any(isinstance(c, (list, dict)) for item in sample for c in item):
        return None
    rows = [[cell_of(cell) for cell in item[: options.limits.sample_columns]] for item in sample]
    named = all(isinstance(cell, str) for cell in sample[0])
    header = [str(cell) for cell in sample[0]] if named else []
    return table_from(path, header, rows[named:], options, rows=len(items) - named, columns=width)


def _sampled(items: list[Any], options: Options) -> list[Any]:
    """Return some items, the first ones and others from all over the list."""
    limits = options.limits
    wanted = places(len(items), limits.sample_rows, limits.sample_places)
    return [item for first, most in wanted for item in items[first : first + most]]
