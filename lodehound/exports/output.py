"""Where an export goes: whole under its name or not at all, and never over anything else."""

from __future__ import annotations

import shutil
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lodehound.core.errors import ConfigError, SiteError
from lodehound.exports.formats import Format
from lodehound.exports.notes import Notes
from lodehound.stores.crawl_dir import DATABASE, FILES, OURS
from lodehound.stores.crawl_dir.catalogue import Catalogue

STDOUT = "-"
# What belongs to the crawl in its own folder, and is never written over.
CRAWL = {name.casefold() for name in OURS} | {"crawl.warc.gz", "metadata.json", "report.html"}


def export(
    source: Catalogue, form: Format, output: str, *, notes: Notes, force: bool = False
) -> None:
    """Write the catalogue in a format.

    A file that is there is replaced when it is an export of the same format, or when `force`
    says so; a folder when nothing but an export of the same format is in it.

    Args:
        source: The catalogue.
        form: The format.
        output: A file or a folder; "-" for the standard output; the crawl directory itself for
            a description of the files where they are.
        notes: What the export is told; how many finds were written is noted there.
        force: Replace a file whatever it is.
    """
    write = form.load()
    if output == STDOUT:
        if form.shape != "stream":
            raise ConfigError(
                f"--to {form.name} cannot go to the standard output: name a {_place(form)}."
            )
        write(source, sys.stdout.buffer, notes)
        sys.stdout.buffer.flush()
        return
    path = Path(output)
    _refuse_crawl(source, path)
    try:
        if form.shape == "folder":
            _to_folder(source, form, path, notes)
        else:
            _to_file(source, form, path, notes, force=force)
    except OSError as error:
        raise SiteError(f"{output!r} cannot be written ({error}): choose another place.") from error


def _place(form: Format) -> str:
    return "folder" if form.shape == "folder" else "file"


def _refuse_crawl(source: Catalogue, path: Path) -> None:
    """Keep off what belongs to a crawl, this one or another."""
    real = path.resolve()
    for folder in (source.folder.resolve(), *real.parents):
        if not real.is_relative_to(folder) or real == folder:
            continue
        first = real.relative_to(folder).parts[0].casefold()
        if first in CRAWL and (folder / DATABASE).exists():
            raise ConfigError(f"{str(path)!r} belongs to the crawl itself: choose another name.")


# --- one file ----------------------------------------------------------------------------------


def _to_file(source: Catalogue, form: Format, path: Path, notes: Notes, *, force: bool) -> None:
    if path.is_dir():
        raise ConfigError(f"{str(path)!r} is a folder: name a file for --to {form.name}.")
    write = form.load()
    if path.exists() and not path.is_file():  # a pipe, a device
        if form.shape != "stream":
            raise ConfigError(f"--to {form.name} needs a file: {str(path)!r} is none.")
        with path.open("wb") as out:
            write(source, out, notes)
        return
    if path.exists() and not force and not _is_ours(path, form):
        raise ConfigError(
            f"{str(path)!r} is there and no earlier export to {form.name}: "
            f"choose another name, or replace it with --force."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with replaced(path) as temporary:
        if form.shape == "stream":
            with temporary.open("wb") as out:
                write(source, out, notes)
        else:
            write(source, temporary, notes)


def _is_ours(path: Path, form: Format) -> bool:
    with path.open("rb") as file:
        begin = file.read(len(form.begins))
    return begin in {b"", form.begins}


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Give a name beside a path; what is there in the end gets the path's name."""
    temporary = path.with_name(f".{path.name[:100]}.{uuid.uuid4().hex[:8]}")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


# --- a folder ----------------------------------------------------------------------------------


def _to_folder(source: Catalogue, form: Format, path: Path, notes: Notes) -> None:
    if path.name == form.document:
        path = path.parent
        if path.resolve() != source.folder.resolve():
            raise ConfigError(
                f"{form.document} describes files beside it: name {str(source.folder)!r}, "
                f"or a new folder that they are copied to."
            )
    write = form.load()
    if path.resolve() == source.folder.resolve():
        with replaced(path / form.document) as temporary, temporary.open("wb") as out:
            write(source, out, notes)
        return
    _refuse_folder(path, form)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name[:100]}.{uuid.uuid4().hex[:8]}")
    try:
        temporary.mkdir()
        with (temporary / form.document).open("wb") as out:
            write(source, out, notes)
        _copy_files(source, temporary)
        _put(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _refuse_folder(path: Path, form: Format) -> None:
    if not path.exists():
        return
    if not path.is_dir():
        raise ConfigError(f"{str(path)!r} is a file: --to {form.name} makes a folder.")
    names = {entry.name for entry in path.iterdir()}
    if names and (form.document not in names or names - {form.document, FILES}):
        raise ConfigError(
            f"{str(path)!r} is not empty, and holds more than an earlier export to {form.name}: "
            f"choose a new folder."
        )


def _copy_files(source: Catalogue, folder: Path) -> None:
    """Copy the files. No links: who mends a table in the copy would change the crawl."""
    for group in source.by_file():
        find = group[0].find
        path = source.path_of(find)
        if path is not None:
            target = folder / find.file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def _put(made: Path, path: Path) -> None:
    """Give a folder its name; what had it is removed once it is free."""
    old = made.with_name(made.name + ".old")
    if path.exists():
        path.replace(old)
    made.replace(path)
    shutil.rmtree(old, ignore_errors=True)
