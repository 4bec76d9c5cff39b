"""The pages of a generated statistics office in one language, before files are added."""

from __future__ import annotations

import math
import random
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from lodehound.sites.html_pages import Anchor, Block, Frame, PlannedPage
from lodehound.sites.vocabulary import WORDS

T = TypeVar("T")

SECTIONS = ("topics", "publications", "news", "datasets", "archive", "glossary", "about", "contact")
FIXED = 1 + len(SECTIONS)  # the home page and its sections

# The share of each list among the other pages; news gets the rest.
SHARES = {"topics": 0.04, "glossary": 0.05, "datasets": 0.06, "publications": 0.15, "archive": 0.4}

LISTED = 20  # entries per list page


class Level(NamedTuple):
    """One level of the archive: the names of its pages, and how many there can be."""

    name: str
    most: int

    def slug(self, index: int, above: str) -> str:
        if self.name == "decade":
            return f"{2020 - 10 * index}s"
        if self.name == "year":
            decade = int(above[:4]) if above.endswith("s") else 0
            return str(decade + 9 - index if decade else 2024 - index)
        return f"{self.name[0]}{index + 1}"


DECADE, YEAR, QUARTER = Level("decade", 40), Level("year", 60), Level("quarter", 4)
MONTH, WEEK, DAY = Level("month", 12), Level("week", 4), Level("day", 7)
SHORT_YEAR, SHORT_MONTH = Level("year", 10), Level("month", 3)

# The levels between the archive page and its releases, by the clicks from home to a release.
LEVELS: dict[int, tuple[Level, ...]] = {
    2: (),
    3: (YEAR,),
    4: (YEAR, MONTH),
    5: (YEAR, QUARTER, SHORT_MONTH),
    6: (DECADE, SHORT_YEAR, QUARTER, SHORT_MONTH),
    7: (DECADE, SHORT_YEAR, QUARTER, SHORT_MONTH, WEEK),
    8: (DECADE, SHORT_YEAR, QUARTER, SHORT_MONTH, WEEK, DAY),
}


def least_pages(depth: int) -> int:
    """Return the number of pages that a language needs for an archive of this depth."""
    return FIXED + math.ceil((len(LEVELS[depth]) + 2) / SHARES["archive"])


class Branch:
    """The pages of one language.

    Args:
        base: Its root: "/" or "/fr/".
        language: A key of WORDS.
        pages: Total number of pages.
        depth: Clicks from its home page to a release in the archive.
        data: Number of releases with files; the others are notices.
        rng: The random generator.
    """

    def __init__(
        self, base: str, language: str, *, pages: int, depth: int, data: int, rng: random.Random
    ) -> None:
        self.language = language
        self.pages: list[PlannedPage] = []
        self.articles: list[PlannedPage] = []  # text without data
        self.datasets: list[PlannedPage] = []
        self.indexes: list[PlannedPage] = []  # indexes: years, months and so on
        self.releases: list[PlannedPage] = []  # releases with data
        self.related: list[list[Anchor]] = []  # links from articles to other articles
        self._words = WORDS[language]
        self._rng = rng
        self.home = self._add(base, self.word("home"), "home")
        self._sections = {name: self._section(name) for name in SECTIONS}
        sizes = {name: int(share * (pages - FIXED)) for name, share in SHARES.items()}
        sizes["news"] = pages - FIXED - sum(sizes.values())
        self._grow_archive(sizes.pop("archive"), LEVELS[depth], data)
        for name, size in sizes.items():
            self._grow_list(name, size)
        self._relate()

    def frame(self, languages: Sequence[Anchor]) -> Frame:
        """Return the parts that every page has."""
        news = [page.anchor for page in self.articles if page.kind == "news"]
        return Frame(
            office=self._words.office,
            menu=[self.home.anchor, *(page.anchor for page in self._sections.values())],
            languages=languages,
            sidebar=Block("latest", self.word("latest"), news[:5]),
            outside=Anchor("https://partners.example/", self.word("partners")),
        )

    def word(self, key: str) -> str:
        """Return the name of something in this language."""
        return self._words.names[key]

    def _add(
        self, path: str, title: str, kind: str, parent: PlannedPage | None = None
    ) -> PlannedPage:
        trail = (*parent.trail, parent.anchor) if parent else ()
        page = PlannedPage(path, title, self.language, kind, trail, self._prose())
        self.pages.append(page)
        return page

    def _prose(self) -> str:
        sentences = self._rng.choices(self._words.sentences, k=3)
        return " ".join(text.format(self._rng.randrange(2, 100)) for text in sentences)

    def _section(self, name: str) -> PlannedPage:
        return self._add(f"{self.home.path}{name}/", self.word(name), "section", self.home)

    def _title(self, number: int) -> str:
        return f"{self._rng.choice(self._words.topics)} {number}"

    # --- lists --------------------------------------------------------------------------------

    def _grow_list(self, name: str, count: int) -> None:
        """Add exactly this many pages below a section: entries and further list pages."""
        first = self._sections[name]
        lists = [first]
        for number in range(2, math.ceil((count + 1) / (LISTED + 1)) + 1):
            title = f"{first.title}, {self.word('page').lower()} {number}"
            lists.append(self._add(f"{first.path}?page={number}", title, "section", self.home))
        entries = [self._entry(name, number, first) for number in range(count + 1 - len(lists))]
        for at, (page, shown) in enumerate(zip(lists, parts(entries, len(lists)), strict=True)):
            page.blocks.append(Block(name, first.title, [entry.anchor for entry in shown]))
            page.blocks.append(Block("pages", "", list(_turns(lists, at))))
        (self.datasets if name == "datasets" else self.articles).extend(entries)

    def _entry(self, name: str, number: int, section: PlannedPage) -> PlannedPage:
        title = self._title(number + 1)
        return self._add(f"{section.path}{number + 1}-{slug(title)}", title, name, section)

    def _relate(self) -> None:
        """Add links from every article to a few others."""
        heading = self.word("related")
        for page in self.articles:
            others = [other.anchor for other in self._rng.choices(self.articles, k=3)]
            self.related.append(others)
            page.blocks.append(Block("related", heading, others))

    # --- the archive --------------------------------------------------------------------------

    def _grow_archive(self, count: int, levels: tuple[Level, ...], data: int) -> None:
        archive = self._sections["archive"]
        shelves = list(self._shelves(archive, count, levels))
        places = [(shelf, number) for shelf, size in shelves for number in range(size)]
        chosen = set(self._rng.sample(range(len(places)), min(data, len(places))))
        shown: dict[str, tuple[list[Anchor], list[Anchor]]] = {}
        for at, (shelf, number) in enumerate(places):
            release = self._release(shelf, number, at in chosen)
            shown.setdefault(shelf.path, ([], []))[at not in chosen].append(release.anchor)
        for shelf, _ in shelves:
            releases, notices = shown.get(shelf.path, ([], []))
            shelf.blocks.append(Block("releases", self.word("releases"), releases))
            shelf.blocks.append(Block("notices", self.word("notices"), notices))

    def _release(self, shelf: PlannedPage, number: int, data: bool) -> PlannedPage:
        title = self._title(number + 1)
        kind = "release" if data else "notice"
        page = self._add(f"{shelf.path}{slug(title)}", title, kind, shelf)
        if data:
            self.releases.append(page)
        return page

    def _shelves(
        self, page: PlannedPage, count: int, levels: tuple[Level, ...]
    ) -> Iterator[tuple[PlannedPage, int]]:
        """Add a tree of exactly this many pages; yield its lowest indexes and their releases."""
        if not levels or not count:
            yield page, count
            return
        level, *rest = levels
        # Every level is as wide as the next, if it has enough names. The width is rounded down, so
        # that the pages suffice for at least one release.
        even = int(count ** (1 / (len(levels) + 1)) + 1e-9)
        width = max(1, min(level.most, even))
        children = []
        for index, part in enumerate(parts(range(count), width)):
            name = level.slug(index, page.path.rstrip("/").rpartition("/")[2])
            child = self._add(f"{page.path}{name}/", f"{page.title} {name}", "index", page)
            children.append(child)
            yield from self._shelves(child, len(part) - 1, tuple(rest))
        self.indexes.extend(children)
        heading = self.word("archive")
        page.blocks.append(Block("archive", heading, [child.anchor for child in children]))


def _turns(lists: Sequence[PlannedPage], at: int) -> Iterator[Anchor]:
    """Yield the links to other pages of a list: ends, neighbours, and longer jumps."""
    steps = {0, len(lists) - 1, *(at + sign * jump for jump in (1, 10, 100) for sign in (-1, 1))}
    for number in sorted(steps):
        if number != at and 0 <= number < len(lists):
            yield Anchor(lists[number].path, str(number + 1))


def slug(text: str) -> str:
    """Return a text in a form that is valid in a path.

    >>> slug("Marché du travail 3")
    'marche-du-travail-3'
    """
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return "-".join("".join(sign if sign.isalnum() else " " for sign in plain).split())


def parts(things: Sequence[T], count: int) -> list[Sequence[T]]:
    """Split a sequence into this many runs whose lengths differ by at most one.

    >>> parts("abcde", 2)
    ['abc', 'de']
    """
    size, more = divmod(len(things), count)
    ends = [number * size + min(number, more) for number in range(count + 1)]
    return [things[a:b] for a, b in pairwise(ends)]
