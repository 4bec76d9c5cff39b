"""The formats by name. Their modules are imported when they are used: some need an extra."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

from lodehound.core.errors import UnknownNameError
from lodehound.exports.notes import Notes
from lodehound.stores.crawl_dir.catalogue import Catalogue

Shape = Literal["stream", "file", "folder"]
ToStream = Callable[[Catalogue, BinaryIO, Notes], None]
ToPath = Callable[[Catalogue, Path, Notes], None]


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Attributes:
        name: On the command line.
        about: What it is for, in a few words.
        function: "module:function" in this package. It takes a Catalogue, where to write, and
            Notes.
        shape: What it writes to: a stream (which may be the standard output), one file by its
            path, or a folder that holds the files as well.
        begins: How a file of this format begins; what does not was not written by us.
        document: Of a folder: the file that describes the others.
    """

    name: str
    about: str
    function: str
    shape: Shape
    begins: bytes = b""
    document: str = ""

    def load(self) -> Callable[[Catalogue, Any, Notes], None]:
        module, _, name = self.function.partition(":")
        loaded = getattr(importlib.import_module(f"lodehound.exports.{module}"), name)
        return cast("Callable[[Catalogue, Any, Notes], None]", loaded)


_ALL = (
    Format("csv", "a table for spreadsheets", "csv_file:write", "stream", b'"url","file"'),
    Format("jsonl", "one JSON object to a line", "jsonl:write", "stream", b'{"url":'),
    Format("parquet", "a typed table for analysis", "parquet:write", "file", b"PAR1"),
    Format("datapackage", "a Data Package: the files, described", "datapackage:write", "folder",
           document="datapackage.json"),
    Format("dcat", "DCAT in JSON-LD for data portals", "dcat:write", "stream", b'{"@context":'),
    Format("ro-crate", "an RO-Crate: the files, described", "ro_crate:write", "folder",
           document="ro-crate-metadata.json"),
    Format("nquads", "RDF: statements of pages, triples of documents", "nquads:write", "stream",
           b"# Statements"),
    Format("void", "VoID in Turtle: what a harvest of RDF is made of", "void:write", "stream",
           b"@prefix dcterms:"),
    Format("warc", "WARC records for web archives", "warc_file:write", "file", b"\x1f\x8b"),
)  # fmt: skip
FORMATS = {form.name: form for form in _ALL}


def format_named(name: str) -> Format:
    if name not in FORMATS:
        raise UnknownNameError("format", name, FORMATS)
    return FORMATS[name]
