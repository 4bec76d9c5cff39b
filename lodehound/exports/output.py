"""Writes an export under its name when it is complete, and never over other files."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lodehound.core.errors import ConfigError
from lodehound.exports.copying import background_copy
from lodehound.exports.formats import Format
from lodehound.exports.notes import Notes
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.errors import DiskFullError, WriteError, output_error
from lodehound.stores.files.layout import FILES
from lodehound.stores.files.replacing import (
    OLD,
    beside,
    is_special,
    refuse_crawl,
    refuse_strange,
    remove_dead,
    replaced,
)

STDOUT = "-"
WITH_FILES = {"datapackage", "ro-crate", "warc"}  # formats that consist of files
SLACK = 2.0  # seconds that the clocks of file systems may differ


def export(
    source: Catalogue, form: Format, output: str, *, notes: Notes, force: bool = False
) -> None:
    """Write the catalogue in a format.

    An existing file is replaced if it is an export in the same format, or if `force` is set; a
    folder if it contains nothing but an export in the same format.

    Args:
        source: The catalogue.
        form: The format.
        output: A file or a folder; "-" for the standard output; the crawl directory itself for
            a description of the files where they are.
        notes: Options of the export; how many finds were written is noted there.
        force: Replace a file whatever it is.
    """
    if source.only_catalogues and form.name in WITH_FILES:
        raise ConfigError(
            f"This crawl catalogued datasets and fetched no files (--metadata-only): "
            f"--to {form.name} needs files. "
            f"csv, jsonl, parquet, dcat and croissant describe the datasets."
        )
    write = form.load()
    if output == STDOUT:
        if form.shape != "stream":
            raise ConfigError(
                f"--to {form.name} cannot write to standard output: name a {_place(form)}."
            )
        write(source, sys.stdout.buffer, notes)
        sys.stdout.buffer.flush()
        return
    if not output:
        raise ConfigError("--output is empty: name a file or a folder.")
    path = Path(output)
    refuse_crawl(path, also="report.html")
    try:
        if form.shape == "folder":
            _to_folder(source, form, path, notes)
        else:
            _to_file(source, form, path, notes, force=force)
    except (OSError, WriteError, DiskFullError) as error:
        raise output_error(output, error) from error


def _place(form: Format) -> str:
    return "folder" if form.shape == "folder" else "file"


# --- one file ----------------------------------------------------------------------------------


def _to_file(source: Catalogue, form: Format, path: Path, notes: Notes, *, force: bool) -> None:
    if path.is_dir():
        raise ConfigError(f"{str(path)!r} is a folder: name a file for --to {form.name}.")
    write = form.load()
    if is_special(path):
        if form.shape != "stream":
            raise ConfigError(f"--to {form.name} needs a file, and {str(path)!r} is not one.")
        with path.open("wb") as out:
            write(source, out, notes)
        return
    if not force:
        what = f"export to {form.name}"
        refuse_strange(path, form.begins, what, at=form.begins_at, is_ours=form.is_ours)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replaced(path) as temporary:
        if form.shape == "stream":
            with temporary.open("wb") as out:
                out.write(form.mark)
                write(source, out, notes)
        else:
            write(source, temporary, notes)


# --- a folder ----------------------------------------------------------------------------------


def _to_folder(source: Catalogue, form: Format, path: Path, notes: Notes) -> None:
    if path.name == form.document:
        path = path.parent
        if path.resolve() != source.folder.resolve():
            raise ConfigError(
                f"{form.document} describes files next to it: name {str(source.folder)!r}, "
                f"or a new folder to copy them to."
            )
    write = form.load()
    if path.resolve() == source.folder.resolve():
        with replaced(path / form.document) as temporary, temporary.open("wb") as out:
            write(source, out, notes)
        return
    path = path.resolve()  # keep a symbolic link: write to its target
    _refuse_folder(path, form)
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_dead(path)
    temporary = beside(path)
    try:
        temporary.mkdir()
        document = temporary / form.document
        with background_copy(_files(source, temporary)) as tally:
            _describe(source, form, document, notes)
        if tally.lost:  # already described: describe again without the missing files
            _describe(source, form, document, notes)
        # Last, so that any file newer than the description was changed by someone else.
        os.utime(document)
        _put(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _describe(source: Catalogue, form: Format, document: Path, notes: Notes) -> None:
    notes.written = notes.missing = 0
    with document.open("wb") as out:
        form.load()(source, out, notes)


def _refuse_folder(path: Path, form: Format) -> None:
    if not path.exists():
        return
    if not path.is_dir():
        raise ConfigError(f"{str(path)!r} is a file: --to {form.name} writes a folder.")
    names = {entry.name for entry in path.iterdir()}
    strange = form.document not in names or names - {form.document, FILES}
    if names and (strange or _was_worked_on(path, form)):
        raise ConfigError(
            f"{str(path)!r} is not empty and contains more than an earlier export to {form.name}: "
            f"choose a new folder."
        )


def _was_worked_on(path: Path, form: Format) -> bool:
    """Return whether an earlier export was extended or changed."""
    document = path / form.document
    written = document.stat().st_mtime
    try:
        described = set(_texts(json.loads(document.read_text(encoding="utf-8"))))
    except (ValueError, RecursionError):
        return True  # not written by us: we write JSON in UTF-8
    for file in (path / FILES).rglob("*"):
        name = file.relative_to(path).as_posix()
        if not file.is_dir() and (
            not {name, quote(name)} & described or file.stat().st_mtime > written + SLACK
        ):
            return True
    return False


def _texts(value: Any) -> Iterator[str]:
    """Yield all strings of a JSON document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _files(source: Catalogue, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the path of each file that still exists, and the path to copy it to."""
    for file in source.files():
        place = source.place_of(file)
        if place is not None:
            yield place, f"{folder}/{file}"


def _put(made: Path, path: Path) -> None:
    """Rename a folder to its final name, and remove the folder that had the name before."""
    old = made.with_name(made.name + OLD)
    if path.exists():
        path.replace(old)
    made.replace(path)
    shutil.rmtree(old, ignore_errors=True)
    remove_dead(path, OLD)
