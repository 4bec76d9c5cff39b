"""How to cite a find: who publishes it, what it is called, where and when it was fetched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lodehound.core.urls import host_of
from lodehound.reports.screen_text import clean
from lodehound.stores.catalogue.entries import CatalogueEntry

NOT_IN_KEY = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation in three forms.

    Attributes:
        text: One line.
        bibtex: For LaTeX.
        csl: CSL-JSON, for Zotero, Pandoc and the like.
    """

    text: str
    bibtex: str
    csl: dict[str, Any]


def citation_of(entry: CatalogueEntry) -> Citation:
    """Return how to cite a find."""
    find = entry.find
    title, day = clean(entry.title, 200), find.fetched_at[:10]
    publisher = (entry.listed.dataset.publisher if entry.listed else "") or host_of(find.final_url)
    publisher, url = clean(publisher, 200), clean(find.final_url, 1000)
    key = NOT_IN_KEY.sub("-", f"{host_of(find.final_url)}-{find.number}").strip("-").lower()
    digest = f" SHA-256: {find.sha256}." if find.sha256 else ""
    braced = [text.translate(str.maketrans("", "", "{}\\")) for text in (title, publisher)]
    lines = [
        f"@misc{{{key},", f"  title = {{{braced[0]}}},", f"  howpublished = {{\\url{{{url}}}}},",
        f"  organization = {{{braced[1]}}},", f"  urldate = {{{day}}}", "}",
    ]  # fmt: skip
    accessed = [int(part) for part in day.split("-") if part.isdecimal()]
    csl = {
        "id": key, "type": "dataset", "title": title, "publisher": publisher, "URL": url,
        "accessed": {"date-parts": [accessed]},
    }  # fmt: skip
    return Citation(f"{publisher}: {title}. {url}, retrieved {day}.{digest}", "\n".join(lines), csl)
