"""Turns a file into an Inspection. Runs in a separate process: see worker.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lodehound.inspect.archives import Inspect, inspect_zip
from lodehound.inspect.columnar import inspect_columnar
from lodehound.inspect.databases import inspect_database
from lodehound.inspect.dbf import inspect_dbf
from lodehound.inspect.html_tables import inspect_html
from lodehound.inspect.json_tables import inspect_json
from lodehound.inspect.kinds import kind_of
from lodehound.inspect.limits import Options
from lodehound.inspect.microdata import READERS as MICRODATA
from lodehound.inspect.microdata import inspect_microdata
from lodehound.inspect.packed import OPENED as PACKED
from lodehound.inspect.packed import inspect_packed
from lodehound.inspect.pdf import inspect_pdf
from lodehound.inspect.previews import with_opening
from lodehound.inspect.records import NOT_READ, OUT_OF_MEMORY, Inspection, clean
from lodehound.inspect.series import with_series
from lodehound.inspect.source import Source
from lodehound.inspect.spreadsheets import inspect_workbook
from lodehound.inspect.tables_csv import inspect_csv
from lodehound.inspect.xml_tables import inspect_xml

# Each is told which of several formats it is.
READERS: dict[str, Callable[[Source, str, Options], Inspection]] = {
    **dict.fromkeys(("xlsx", "xlsb", "xls", "ods"), inspect_workbook),
    **dict.fromkeys(("parquet", "arrow"), inspect_columnar),
    **dict.fromkeys(("sqlite", "gpkg"), inspect_database),
    **dict.fromkeys(MICRODATA, inspect_microdata),
    "csv": lambda source, _, options: inspect_csv(source, options),
    "dbf": lambda source, _, options: inspect_dbf(source, options),
    "json": lambda source, _, options: inspect_json(source, options),
    "xml": lambda source, _, options: inspect_xml(source, options),
    "html": lambda source, _, options: inspect_html(source, options),
    "pdf": lambda source, _, options: inspect_pdf(source, options),
}
# Each opens what is in it by `inspect_source`.
CONTAINERS: dict[str, Callable[[Source, str, Options, Inspect], Inspection]] = {
    "zip": lambda source, _, options, inspect: inspect_zip(source, options, inspect),
    **dict.fromkeys(PACKED, inspect_packed),
}
NOT_TABLES = {
    "empty": "the file is empty",
    "shp": "shapes; their table is in the .dbf file beside them",
}


def inspect_file(path: Path, mime: str = "", options: Options | None = None) -> Inspection:
    """Return what is in a file. Whatever the file contains, this does not raise.

    It limits what it reads, but the native code for spreadsheets and PDF can use much time and
    memory, or crash: for files from the web, use a Worker.
    """
    return inspect_source(Source(path, path.name, mime.lower()), options or Options())


def inspect_source(source: Source, options: Options) -> Inspection:
    """Return what is in a file or in a member of an archive."""
    kind = "unknown"
    try:
        kind = kind_of(source)
        found = with_series(_inspect(source, kind, options), source.name)
        return with_opening(found, source, options)
    except MemoryError:
        return Inspection(kind, error=OUT_OF_MEMORY)
    except RecursionError:
        return Inspection(kind, error="nested too deeply")
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return Inspection(kind, error=clean(f"not readable: {type(error).__name__}: {error}"))


def _inspect(source: Source, kind: str, options: Options) -> Inspection:
    if kind in NOT_TABLES:
        return Inspection(kind, note=NOT_TABLES[kind])
    if kind in READERS:
        return READERS[kind](source, kind, options)
    if kind not in CONTAINERS:
        return Inspection(kind, error=NOT_READ)
    if source.depth > options.limits.depth:
        return Inspection(kind, error="archives nested this deep are not opened")
    return CONTAINERS[kind](source, kind, options, inspect_source)
