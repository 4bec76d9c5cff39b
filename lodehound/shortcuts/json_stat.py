"""JSON-stat: collections lead to tables and to further collections."""

from __future__ import annotations

import re

from lodehound.shortcuts.contract import ApiPage, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, pick, records, text

COLLECTION = re.compile(rb'"class"\s*:\s*"collection"')


class JsonStat(Shortcut):
    """Collections in JSON-stat 2.0, such as those of statistical offices."""

    title = "JSON-stat"

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See a collection."""
        is_json = page.head.startswith("{")
        return (page.url,) if is_json and COLLECTION.search(page.body[:20_000]) else ()

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        items = pick(data, "link", "item")
        if text(data, "class") != "collection" or not isinstance(items, list):
            return None
        links = [(answer.resolve(one.get("href")), one) for one in records(items)]
        return Expansion(
            files=tuple(
                ListedFile(
                    url,
                    title=text(one, "label"),
                    format="application/json",
                    modified=text(one, "updated"),
                )
                for url, one in links
                if url and text(one, "class") == "dataset"
            ),
            more=tuple(
                ApiPage(url, deeper=True)
                for url, one in links
                if url not in {"", answer.url} and text(one, "class") == "collection"
            ),
        )
