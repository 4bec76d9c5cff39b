"""The formats by name. Modules are imported when they are used, because some need an extra."""

from __future__ import annotations

import importlib
from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from lodehound.core.errors import UnknownNameError
from lodehound.exports.notes import Notes
from lodehound.stores.catalogue.entries import Catalogue

Shape = Literal["stream", "file", "folder"]


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Attributes:
        name: The name on the command line.
        about: A short description.
        function: "module:function" in this package. It takes a Catalogue, the output, and Notes.
        shape: What it writes: a stream (possibly standard output), one file by its path, or a
            folder that contains the files as well.
        begins: Bytes of a file in this format; other files were not written by us.
        mark: Written before it to a file, but not to standard output.
        document: For a folder: the file that describes the others.
        default: The file in the crawl directory that is written unless told; "" for the
            crawl directory itself.
        begins_at: Where `begins` is in a file.
        check: "module:function" that says whether such a file was written by us, if `begins`
            does not tell.
    """

    name: str
    about: str
    function: str
    shape: Shape
    begins: bytes = b""
    mark: bytes = b""
    document: str = ""
    default: str = ""
    begins_at: int = 0
    check: str = ""

    def load(self) -> Callable[[Catalogue, Any, Notes], None]:
        return cast("Callable[[Catalogue, Any, Notes], None]", _loaded(self.function))

    def is_ours(self, path: Path) -> bool:
        """Return whether a file that begins like this format was written by us."""
        return not self.check or bool(_loaded(self.check)(path))


def _loaded(function: str) -> Callable[..., Any]:
    module, _, name = function.partition(":")
    loaded = getattr(importlib.import_module(f"lodehound.exports.{module}"), name)
    return cast("Callable[..., Any]", loaded)


_ALL = (
    Format("csv", "a table for spreadsheets", "csv_file:write", "stream", b'"url","',
           mark=BOM_UTF8, default="finds.csv"),  # Excel takes a CSV without it for another charset
    Format("jsonl", "one JSON object per line", "jsonl:write", "stream", b'{"url":',
           default="finds.jsonl"),
    Format("parquet", "a typed table for analysis", "parquet:write", "file", b"PAR1",
           default="finds.parquet"),
    Format("datapackage", "a Data Package: files and descriptions", "datapackage_json:write",
           "folder", document="datapackage.json"),
    Format("dcat", "DCAT in JSON-LD for data portals", "dcat:write", "stream", b'{"@context":',
           default="dcat.json"),
    Format("croissant", "Croissant: the datasets that APIs list, one per line",
           "listed:write_croissant", "stream", b'{"@context": {"@language"',
           default="croissant.jsonl"),
    Format("ro-crate", "an RO-Crate: files and descriptions", "ro_crate:write", "folder",
           document="ro-crate-metadata.json"),
    Format("nquads", "RDF: statements of pages, triples of documents", "nquads:write", "stream",
           b"# Statements", default="finds.nq"),
    Format("void", "VoID in Turtle: a summary of the RDF found", "void:write", "stream",
           b"@prefix dcterms:", default="void.ttl"),
    Format("sqlite", "SQLite: the tables in the files, typed", "databases:write_sqlite", "file",
           b"Lode", begins_at=68, default="finds.sqlite"),  # application_id
    Format("duckdb", "DuckDB: the tables in the files, typed", "databases:write_duckdb", "file",
           b"DUCK", begins_at=8, check="databases:is_our_duckdb", default="finds.duckdb"),
    Format("warc", "WARC records for web archives", "warc_file:write", "file", b"\x1f\x8b",
           default="finds.warc.gz"),
)  # fmt: skip
FORMATS = {form.name: form for form in _ALL}


def format_named(name: str) -> Format:
    if name not in FORMATS:
        raise UnknownNameError("format", name, FORMATS)
    return FORMATS[name]
