"""Files of statistics programs: SPSS, Stata and SAS. Columns and values have labels in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO

from lodehound.inspect.cells import Cell, cell_of
from lodehound.inspect.grid import table_from
from lodehound.inspect.libraries import library
from lodehound.inspect.limits import Options
from lodehound.inspect.records import NEEDS, Inspection, clean, too_large
from lodehound.inspect.sampling import places
from lodehound.inspect.source import Source
from lodehound.inspect.titles import document_title

READERS = {
    "sav": "read_sav",
    "por": "read_por",
    "dta": "read_dta",
    "sas7bdat": "read_sas7bdat",
    "xpt": "read_xport",
}


def inspect_microdata(source: Source, kind: str, options: Options) -> Inspection:
    """Read the table of a file of SPSS, Stata or SAS."""
    try:
        pyreadstat = library("pyreadstat")
    except ImportError:
        return Inspection(kind, error=NEEDS)
    if source.size > options.limits.read_bytes:
        return Inspection(kind, error=too_large(options.limits.read_bytes))
    read = getattr(pyreadstat, READERS[kind])
    try:
        with source.open() as file:
            about, rows, data = _read(read, file, options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        return Inspection(kind, error=clean(f"not readable: {error}"))
    names = list(about.column_names)
    labels = [label or "" for label in about.column_labels]
    table = table_from(
        about.table_name or "", names, data, options, rows=rows, columns=len(names), labels=labels
    )
    title = document_title(about.file_label)
    found = Inspection(kind, charset=clean(about.file_encoding or "").lower(), title=title)
    return found.with_tables([table], kept=1)


def _read(
    read: Callable[..., tuple[Any, Any]], file: BinaryIO, options: Options
) -> tuple[Any, int, list[list[Cell]]]:
    """Return the names and labels of a file, the number of its rows, and some of them."""

    def part(**chosen: Any) -> tuple[Any, Any]:
        file.seek(0)
        try:
            return read(file, output_format="dict", **chosen)
        except OverflowError:  # a date that Python lacks: all stay numbers
            file.seek(0)
            return read(file, output_format="dict", disable_datetime_conversion=True, **chosen)

    _, about = part(metadataonly=True)
    names = list(about.column_names)
    used = names[: options.limits.sample_columns]
    rows = about.number_rows
    if rows is None:  # not said in the file: count
        rows = max(map(len, part(usecols=names[:1])[0].values()), default=0)
    data: list[list[Cell]] = []
    limits = options.limits
    wanted = places(rows, limits.sample_rows, limits.sample_places) if rows and used else ()
    for first, most in wanted:
        columns, _ = part(usecols=used, row_offset=first, row_limit=most)
        labels = [about.variable_value_labels.get(name) or {} for name in used]
        data += (
            [_cell(value, known) for value, known in zip(row, labels, strict=True)]
            for row in zip(*(columns[name] for name in used), strict=True)
        )
    return about, rows, data


def _cell(value: object, labels: dict[Any, str]) -> Cell:
    """Return a value, or the text that the file gives for its code."""
    return cell_of(labels.get(value, value) if isinstance(value, int | float | str) else value)
