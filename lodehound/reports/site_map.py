"""The sections of a site: what was seen there, fetched and found.

A section is a host with the first folders of a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lodehound.core.urls import host_of
from lodehound.reports.skipped import Skips
from lodehound.stores.catalogue.entry import section_of
from lodehound.stores.catalogue.find_reads import sizes_of_finds
from lodehound.stores.log.crawl_reader import CrawlReader

MOST = 20_000  # sections; further ones belong to their host
WAITING = {"budget", "unanswered"}  # reasons why a URL may still be fetched
OTHER = "other sections"
LETTER, LINE = 9.2, 34.0  # size of a letter and of a line in a treemap


@dataclass(slots=True)
class SiteSection:
    """One section, without those below it."""

    name: str
    finds: int = 0
    fetched: int = 0
    waiting: int = 0  # known, and not fetched yet
    left_out: int = 0  # refused, failed or truncated

    @property
    def urls(self) -> int:
        return self.fetched + self.waiting + self.left_out

    @property
    def rate(self) -> float:
        """Finds per URL that was fetched."""
        return self.finds / self.fetched if self.fetched else 0.0


@dataclass(slots=True)
class SiteMap:
    """All sections by name."""

    sections: dict[str, SiteSection] = field(default_factory=dict)

    def of(self, url: str) -> SiteSection:
        name = section_of(url)
        if name not in self.sections and len(self.sections) >= MOST:
            name = f"{host_of(url)}/"
        return self.sections.setdefault(name, SiteSection(name))

    def largest(self, by: str = "urls", most: int = 60) -> list[SiteSection]:
        """Return the largest sections, and the others as one.

        Args:
            by: "urls" or "finds".
            most: Sections.
        """
        ranked = sorted(self.sections.values(), key=lambda one: (-getattr(one, by), one.name))
        shown, rest = ranked[:most], ranked[most:]
        if rest:
            shown.append(_joined(OTHER, rest))
        return [one for one in shown if getattr(one, by)]


def site_map_of(look: CrawlReader, skips: Skips) -> SiteMap:
    """Count the URLs and the finds of every section.

    Args:
        look: The journal.
        skips: The URLs that were seen, with their list.
    """
    made = SiteMap()
    for url, reason in skips.urls():
        section = made.of(url)
        if not reason:
            section.fetched += 1
        elif reason in WAITING:
            section.waiting += 1
        else:
            section.left_out += 1
    for row in sizes_of_finds(look):
        made.of(row["final_url"]).finds += 1
    return made


def _joined(name: str, sections: Iterable[SiteSection]) -> SiteSection:
    made = SiteSection(name)
    for one in sections:
        made.finds += one.finds
        made.fetched += one.fetched
        made.waiting += one.waiting
        made.left_out += one.left_out
    return made


# --- a treemap -------------------------------------------------------------------------------


Box = tuple[float, float, float, float]  # x, y, width, height


@dataclass(frozen=True, slots=True)
class Tile:
    """A rectangle of a treemap."""

    section: SiteSection
    label: str  # the name, as much of it as fits; "" if nothing does
    x: float
    y: float
    width: float
    height: float
    heat: int  # 0 to 4: from no finds to the most per URL fetched


@dataclass(frozen=True, slots=True)
class Treemap:
    """Sections as rectangles whose areas are proportional to their size."""

    tiles: tuple[Tile, ...]
    by: str
    width: int = 1000
    height: int = 420


def treemap_of(made: SiteMap, by: str = "urls", most: int = 60) -> Treemap:
    """Draw the largest sections.

    Args:
        made: The sections.
        by: What decides the size: "urls" or "finds".
        most: Sections.
    """
    shown = made.largest(by, most)
    highest = max((one.rate for one in shown), default=0.0)
    empty = Treemap((), by)
    boxes = squarified([getattr(one, by) for one in shown], empty.width, empty.height)
    hosts = {one.name.partition("/")[0] for one in shown}
    tiles = (
        Tile(one, _label(one.name, box, short=len(hosts) == 1), *box, _heat(one, highest))
        for one, box in zip(shown, boxes, strict=True)
    )
    return Treemap(tuple(tiles), by)


def _label(name: str, box: Box, *, short: bool) -> str:
    """Return as much of a name as fits: all of it, without its host, or its last folder."""
    _, slash, path = name.partition("/")
    names = [
        f"/{path}" if short and slash else name,
        f"/{path}",
        f"{path.rstrip('/').rpartition('/')[2]}/",
    ]
    *_, width, height = box
    if height < LINE or not width:
        return ""
    return next((one for one in names if len(one) > 1 and len(one) * LETTER < width - 12), "")


def _heat(section: SiteSection, highest: float) -> int:
    return 0 if not section.finds else 1 + min(3, int(4 * section.rate / (highest or 1.0)))


def squarified(sizes: list[float], width: float, height: float) -> Iterator[Box]:
    """Yield rectangles of these sizes, largest first, as square as possible.

    The algorithm of Bruls, Huizing and van Wijk, "Squarified Treemaps" (2000).

    >>> list(squarified([2, 1, 1], 4, 2))
    [(0.0, 0.0, 2.0, 2.0), (2.0, 0.0, 2.0, 1.0), (2.0, 1.0, 2.0, 1.0)]
    """
    scale = width * height / (sum(sizes) or 1.0)
    areas = [size * scale for size in sizes]
    x = y = 0.0
    while areas:
        side = min(width, height)
        row = _row(areas, side)
        thick = sum(row) / side if side else 0.0
        along = 0.0
        for area in row:
            length = area / thick if thick else 0.0
            yield (
                (x, y + along, thick, length) if width >= height else (x + along, y, length, thick)
            )
            along += length
        if width >= height:
            x, width = x + thick, width - thick
        else:
            y, height = y + thick, height - thick
        areas = areas[len(row) :]


def _row(areas: list[float], side: float) -> list[float]:
    """Return as many areas as make the row with the least stretched rectangles."""
    row = areas[:1]
    for area in areas[1:]:
        if _stretch([*row, area], side) > _stretch(row, side):
            break
        row.append(area)
    return row


def _stretch(row: list[float], side: float) -> float:
    total = sum(row)
    if not side or not min(row):
        return float("inf")
    return max(side**2 * max(row) / total**2, total**2 / (side**2 * min(row)))
