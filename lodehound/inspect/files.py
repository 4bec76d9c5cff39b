"""Turns a file into an Inspection. Runs in a separate process: see worker.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lodehound.inspect.archives import inspect_gzip, inspect_zip
from lodehound.inspect.html_tables import inspect_html
from lodehound.inspect.json_tables import inspect_json
from lodehound.inspect.kinds import kind_of
from lodehound.inspect.limits import Options
from lodehound.inspect.pdf import inspect_pdf
from lodehound.inspect.previews import with_opening
from lodehound.inspect.records import NOT_READ, OUT_OF_MEMORY, Inspection, clean
from lodehound.inspect.source import Source
from lodehound.inspect.spreadsheets import inspect_workbook
from lodehound.inspect.tables_csv import inspect_csv
from lodehound.inspect.xml_tables import inspect_xml

READERS: dict[str, Callable[[Source, Options], Inspection]] = {
    "csv": inspect_csv,
    "json": inspect_json,
    "xml": inspect_xml,
    "html": inspect_html,
    "pdf": inspect_pdf,
}
WORKBOOKS = frozenset({"xlsx", "xlsb", "xls", "ods"})
ARCHIVES = {"zip": inspect_zip, "gz": inspect_gzip}


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
        return with_opening(_inspect(source, kind, options), source, options)
    except MemoryError:
        return Inspection(kind, error=OUT_OF_MEMORY)
    except RecursionError:
        return Inspection(kind, error="nested too deeply")
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return Inspection(kind, error=clean(f"not readable: {type(error).__name__}: {error}"))


def _inspect(source: Source, kind: str, options: Options) -> Inspection:
    if kind == "empty":
        return Inspection(kind, note="the file is empty")
    if kind in WORKBOOKS:
        return inspect_workbook(source, kind, options)
    if kind in ARCHIVES:
        if source.depth > options.limits.depth:
            return Inspection(kind, error="archives nested this deep are not opened")
        return ARCHIVES[kind](source, options, inspect_source)
    if kind in READERS:
        return READERS[kind](source, options)
    return Inspection(kind, error=NOT_READ)
