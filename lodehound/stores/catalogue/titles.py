"""The title of a find: one rule for list, the report and every export."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import unquote

from lodehound.core.urls import host_of, path_of
from lodehound.read.link_words import essence
from lodehound.stores.catalogue.site_names import SiteNames
from lodehound.stores.catalogue.stored_captions import names_of
from lodehound.stores.catalogue.totals import Rows
from lodehound.stores.files.file_names import name_of
from lodehound.stores.texts import json_of, one_line

MOST_TITLE = 200  # characters
MOST_QUALIFIER = 80
SAMPLE = 2000  # titles of pages that show the name of the site, beside those that link to finds
MOST_FOLDERS = 3  # of a path that tells two files of the same name apart

# What titles are made of, for every statement that reads finds.
FACTS = """
    finds.file, finds.final_url, finds.mime, coalesce(captions.anchor, finds.anchor),
    coalesce(captions.names, ''), finds.page_title, finds.found_on, coalesce(answers.title, '')"""
WITH_CAPTIONS = "LEFT JOIN captions ON captions.url = finds.url"
FINDS = f"SELECT {FACTS} FROM finds {WITH_CAPTIONS} LEFT JOIN answers USING (number)"  # noqa: S608 - our own names
PAGES = f"SELECT url, title FROM answers WHERE title <> '' ORDER BY seq LIMIT {SAMPLE}"  # noqa: S608 - as above
SOURCES = "SELECT DISTINCT found_on, page_title FROM finds WHERE page_title <> ''"
# The JSON of an inspection has this key once. Text cannot contain it, because quotes are escaped.
OWN = """
    SELECT file, inspection FROM inspections
    WHERE instr(inspection, '"title":"') AND NOT instr(inspection, '"title":""')"""


SAYS = re.compile(r"[^\W\d_]|\b(?:19|20)\d\d\b")  # a number of rows tells readers nothing


class FindFacts(NamedTuple):
    """What a title is made of, in the order of FACTS."""

    file: str
    url: str  # final
    mime: str
    anchor: str  # of the link on the page that says most about the find
    names: str  # JSON: what that page calls it, the most specific name first
    page_title: str
    page: str  # that has this title
    own: str  # title of the find itself, if it is a page


class Titles:
    """The titles of the finds of one crawl.

    A page has its own title. The title of a file is the text of its link. If that says nothing
    ("PDF"), it is what the page calls the file: in the row of its table, its list item, figure or
    section. If links to other files have the same text, this name comes first. Without one, the
    title comes from the file's own metadata, the title of the page or the name of the file. If
    several files still share a title, what tells them apart is added.

    Args:
        rows: Runs a statement in the database of the crawl.
    """

    def __init__(self, rows: Rows) -> None:
        def facts() -> Iterator[FindFacts]:  # several passes: the facts of all finds are too many
            return (FindFacts(*row) for row in rows(FINDS))

        self._own = dict(_own_titles(rows))
        self._own_shared = {t for t, count in Counter(self._own.values()).items() if count > 1}
        self._sites = SiteNames(_page_titles(rows))
        self._repeated = _repeated((essence(one.anchor)[0], one.file) for one in facts())
        self._shared = _repeated((self._draft(one)[0], one.file) for one in facts())
        self._owners: dict[tuple[str, str], str] = {}  # the only file with a title and a qualifier
        for one in facts() if self._shared else ():
            title, qualifiers = self._draft(one)
            if title in self._shared:
                for key in ((title, qualifier) for qualifier in [*qualifiers, *_tails(one)]):
                    self._owners[key] = (
                        one.file if self._owners.get(key, one.file) == one.file else ""
                    )

    def title(self, facts: FindFacts) -> str:
        """Return the title of a find as one line."""
        title, qualifiers = self._draft(facts)
        if title and title not in self._shared:
            return title
        if not title:
            return _tails(facts)[0]

        def is_own(text: str) -> bool:
            return self._owners.get((title, text), facts.file) == facts.file

        one = (
            next(filter(is_own, qualifiers), "")
            or next(filter(is_own, _tails(facts)), "")
            or one_line(facts.url.partition("://")[2], MOST_QUALIFIER)
        )
        return title if one in title else f"{title[: MOST_TITLE - len(one) - 3]} ({one})"

    def _draft(self, facts: FindFacts) -> tuple[str, list[str]]:
        """Return the title of a find for itself, and what may tell it from others, in order."""
        names = list(names_of(facts.names))
        page = self._sites.cut(host_of(facts.page), facts.page_title) if facts.page_title else ""
        if facts.own:
            own = self._sites.cut(host_of(facts.url), facts.own) or facts.own
            return one_line(own, MOST_TITLE), _qualifiers([*names, page], own)
        text, left = essence(facts.anchor)
        own = self._own.get(facts.file, "")
        candidates = [*names[:1], "" if own in self._own_shared else own, page, own]
        head = next(filter(None, candidates), "")
        if text and text not in self._repeated:
            title = text
        elif text and text.casefold() not in head.casefold():
            title = f"{head}: {text}" if head else text
        else:
            title = head
        return one_line(title, MOST_TITLE), _qualifiers([left, *names, page, own], title)


def _qualifiers(texts: list[str], title: str) -> list[str]:
    """Return what the title does not say yet."""
    return [
        one_line(text, MOST_QUALIFIER) for text in texts if SAYS.search(text) and text not in title
    ]


def _tails(facts: FindFacts) -> list[str]:
    """Return the name of a file, and its name with more and more of its folders."""
    name = one_line(name_of(facts.file, facts.url, facts.mime), MOST_TITLE) or "file"
    folders = unquote(path_of(facts.url)).split("/")[1:-1]
    paths = ["/".join([*folders[-count:], name]) for count in range(1, MOST_FOLDERS + 1)]
    return [name, *(one_line(path, MOST_QUALIFIER) for path in paths)]


def _repeated(pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Return the texts that different files have. Several URLs of one file may share a text."""
    files: dict[int, int] = {}  # hashes: there may be very many
    repeated = set()
    for text, file in pairs:
        if text and files.setdefault(hash(text), hash(file)) != hash(file):
            repeated.add(text)
    return repeated


def _page_titles(rows: Rows) -> Iterator[tuple[str, str]]:
    for statement in (PAGES, SOURCES):
        yield from ((host_of(url), title) for url, title in rows(statement))


def _own_titles(rows: Rows) -> Iterator[tuple[str, str]]:
    for file, inspection in rows(OWN):
        known = json_of(inspection)
        if isinstance(known, dict) and (title := known.get("title")):
            yield file, one_line(str(title), MOST_TITLE)
