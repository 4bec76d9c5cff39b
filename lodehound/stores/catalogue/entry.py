"""One entry of the catalogue: a find with everything that is known of it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property
from typing import Any

from lodehound.core.urls import host_of
from lodehound.stores.catalogue.datasets import formats_of
from lodehound.stores.catalogue.find_rows import FindRow, Inspected
from lodehound.stores.catalogue.listings import FileDescription
from lodehound.stores.catalogue.titles import WITH_CAPTIONS
from lodehound.stores.database.schema import CONTENT
from lodehound.stores.files.file_names import name_of
from lodehound.stores.texts import json_of, json_texts

FIND = tuple(field.name for field in fields(FindRow))
SEEN = tuple(field.name for field in fields(Inspected))
ABOUT = "coalesce(captions.about, '')"
# What a target says of a find beyond its label stands with the answer that brought it.
PLACES = [f"answers.{name}" if name == "details" else f"finds.{name}" for name in FIND]
COLUMNS = ", ".join([*PLACES, *(f"seen.{name}" for name in SEEN), ABOUT, CONTENT])
JOINS = f"""
    LEFT JOIN inspections AS seen ON seen.file = finds.file
    LEFT JOIN answers ON answers.number = finds.number {WITH_CAPTIONS}"""
TRUNCATED, DETAILS = FIND.index("truncated"), FIND.index("details")
FOLDERS = 2  # of a path, in the name of a section


@dataclass(frozen=True)
class CatalogueEntry:
    """A find, and what is in its file.

    Attributes:
        find: Its line in the catalogue.
        seen: What is in the file; None of a file that nobody has looked into, or that is cut.
        title: The title of the find.
        content: What the file contains: one of `schema.CONTENTS`.
        listed: What an API says about the file, if one lists it.
        first_seen: When it was first found.
        last_seen: When it was last there.
        gone_at: When it was last seen to be gone; "" if it is there.
        about: What a page says about the file; "" if nothing is stored.
    """

    find: FindRow
    seen: Inspected | None
    title: str
    content: str
    listed: FileDescription | None = None
    first_seen: str = ""
    last_seen: str = ""
    gone_at: str = ""
    about: str = ""

    @property
    def kind(self) -> str:
        """What the file is by its content: csv, xlsx, pdf...; "" when that is not known."""
        return self.seen.kind if self.seen else ""

    @property
    def type(self) -> str:
        """What the file is; if it could not be read, what its name says."""
        known = (self.read.kind if self.read else "") or self.ending or self.kind
        return known or next(iter(self.formats), "")

    @property
    def formats(self) -> list[str]:
        """The formats of the files of a dataset; [] of a find that was fetched."""
        return formats_of(self.listed.dataset) if self.listed and not self.find.file else []

    @property
    def rows(self) -> int:
        return self.seen.rows if self.seen else 0

    @property
    def read(self) -> Inspected | None:
        """The contents of the file, or None if it was not inspected or could not be read."""
        return None if self.content == "unreadable" else self.seen

    @property
    def ending(self) -> str:
        """The ending of its name, without the point and in lower case."""
        stem, _, ending = self.name.rpartition(".")
        return ending.lower() if stem else ""

    @cached_property
    def name(self) -> str:
        """The name of the file, or the end of its address when there is no file.

        A file that is stored for another URL, with the same content, does not give its name.
        """
        return name_of(self.find.file, self.find.final_url, self.find.mime)

    @property
    def host(self) -> str:
        return host_of(self.find.final_url)

    @property
    def section(self) -> str:
        """The section of the site."""
        return section_of(self.find.final_url)

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The names of the columns of the largest table."""
        return json_texts(self.seen.header) if self.seen else ()

    @cached_property
    def inspection(self) -> dict[str, Any]:
        """Everything that is known of the file's content, as `lodehound.inspect` wrote it."""
        known = json_of(self.seen.inspection) if self.seen else None
        return known if isinstance(known, dict) else {}


def entry_of(
    row: list[Any], title: str, listed: FileDescription | None, times: tuple[str, ...] = ()
) -> CatalogueEntry:
    """Return an entry from the values of COLUMNS.

    Args:
        row: The values.
        title: The title of the find.
        listed: What an API says about the file.
        times: When it was first there, last there, and seen to be gone.
    """
    *values, about, content = row
    values[TRUNCATED] = bool(values[TRUNCATED])
    values[DETAILS] = values[DETAILS] or ""
    find = FindRow(*values[: len(FIND)])
    seen = Inspected(*values[len(FIND) :]) if values[len(FIND)] is not None else None
    first, last, gone = map(_to_seconds, times or ("", "", ""))
    return CatalogueEntry(find, seen, title, content, listed, first, last, gone, about)


def dataset_entry(
    find: FindRow, listed: FileDescription, title: str, *, is_gone: bool = False
) -> CatalogueEntry:
    """Return the entry of a dataset that an API lists, or does not list any more."""
    at = _to_seconds(find.fetched_at)
    first, gone = ("", at) if is_gone else (at, "")
    return CatalogueEntry(find, None, title, "not-inspected", listed, first, first, gone)


def section_of(url: str) -> str:
    """Return the section of a URL: its host and the first folders.

    >>> section_of("https://e.org/stats/2024/q1/a.csv"), section_of("https://e.org/a?b=/c/")
    ('e.org/stats/2024/', 'e.org/')
    """
    path = url.partition("://")[2].partition("?")[0].partition("#")[0]
    folders = path.split("/")[1:-1][:FOLDERS]
    return "/".join([host_of(url), *folders, ""])


def _to_seconds(moment: str) -> str:
    """Return a time as the catalogue has it, without fractions of a second."""
    if "." not in moment:
        return moment
    try:
        return datetime.fromisoformat(moment).isoformat(timespec="seconds")
    except ValueError:
        return moment
