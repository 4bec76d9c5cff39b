"""Croissant: a dataset for machine learning describes its files in JSON-LD."""

from __future__ import annotations

import re

from lodehound.shortcuts.contract import Expansion, Shortcut
from lodehound.shortcuts.datasets import dataset_of, file_of, objects
from lodehound.shortcuts.documents import Fetched, pick, text

VOCABULARY = "mlcommons.org/croissant"
LINK = re.compile(rb"""href\s*=\s*["']?([^"'\s>]{1,300}/croissant(?:\.json)?)["'\s>]""")


class Croissant(Shortcut):
    """Croissant descriptions: the files of a dataset, without those inside of archives."""

    title = "Croissant"
    marks = (b"/croissant",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See a description, or a link to one."""
        if not page.is_html:
            found = page.head.startswith("{") and VOCABULARY.encode() in page.body[:20_000]
            return (page.url,) if found else ()
        url = page.first_url(b"/croissant", LINK)
        return (url,) if url else ()

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        if VOCABULARY not in text(data, "conformsTo") or not text(data, "name"):
            return None
        outside = (one for one in objects(data, "distribution") if not pick(one, "containedIn"))
        return Expansion(
            datasets=(dataset_of(data, answer, [file_of(one, answer) for one in outside]),)
        )
