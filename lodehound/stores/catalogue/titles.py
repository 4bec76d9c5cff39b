"""The title of a find: one rule for list, the report and every export."""

from __future__ import annotations

import json
from collections import Counter

from lodehound.stores.catalogue.totals import Rows
from lodehound.stores.files.file_names import name_of
from lodehound.stores.texts import one_line

MOST_TITLE = 200  # characters

# The JSON of an inspection has this key once. Text cannot contain it, because quotes are escaped.
OWN = """
    SELECT file, inspection FROM inspections
    WHERE instr(inspection, '"title":"') AND NOT instr(inspection, '"title":""')"""
# Repeated for different files: several URLs of one file may share a title.
REPEATED_ANCHORS = """
    SELECT anchor FROM finds WHERE anchor <> '' GROUP BY anchor HAVING min(file) <> max(file)"""
REPEATED_LINKS = f"""
    SELECT page_title, anchor FROM finds WHERE anchor IN ({REPEATED_ANCHORS})
    GROUP BY page_title, anchor HAVING min(file) <> max(file)"""  # noqa: S608 - our own names
REPEATED_PAGES = """
    SELECT title FROM finds JOIN answers USING (number) WHERE title <> ''
    GROUP BY title HAVING min(file) <> max(file)"""


class Titles:
    """The titles of the finds of one crawl.

    The title comes from the file's own metadata; otherwise it is the link text, with the page
    title in front if the text repeats; otherwise the file name. If several files still share a
    title, the file name is added.

    Args:
        rows: Runs a statement in the database of the crawl.
    """

    def __init__(self, rows: Rows) -> None:
        self._own = dict(_own_titles(rows))
        counted = Counter(self._own.values())
        self._shared = {title for title, count in counted.items() if count > 1}
        self._shared |= {one_line(row[0], MOST_TITLE) for row in rows(REPEATED_PAGES)}
        self._anchors = {row[0] for row in rows(REPEATED_ANCHORS)}
        links = rows(REPEATED_LINKS) if self._anchors else ()
        self._links = {(row[0], row[1]) for row in links}

    def title(
        self, file: str, url: str, *, mime: str, anchor: str, page_title: str, own: str = ""
    ) -> str:
        """Return the title of a find as one line.

        Args:
            file: Its file.
            url: Its final address.
            mime: Its detected type.
            anchor: The text of its link.
            page_title: The title of the page that showed the link.
            own: The title of the find itself, if it is a page.
        """
        known = self._own.get(file) or (one_line(own, MOST_TITLE) if own else "")
        if known:
            title, shared = known, known in self._shared
        else:
            repeats = anchor in self._anchors
            text = f"{page_title}: {anchor}" if repeats and page_title else anchor
            title, shared = one_line(text, MOST_TITLE), (page_title, anchor) in self._links
        if title and not shared:
            return title
        name = one_line(name_of(file, url, mime), MOST_TITLE) or "file"
        if not title:
            return name
        return title if name in title else f"{title} ({name})"


def _own_titles(rows: Rows) -> list[tuple[str, str]]:
    found = []
    for file, inspection in rows(OWN):
        try:
            title = one_line(str(json.loads(inspection)["title"]), MOST_TITLE)
        except (ValueError, KeyError, TypeError):
            continue  # damaged
        found.append((file, title))
    return found
