"""Reads a crawl directory without changing it: rows for reports, a few at a time."""

from __future__ import annotations

import heapq
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from lodehound.core.link import Link
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.repair.damage import blame_damage
from lodehound.stores.zipped import unzipped

SHOWN = """
    SELECT answers.seq, answers.url, asks.depth + 1 AS depth, links
    FROM answers JOIN asks USING (number) WHERE links IS NOT NULL AND links <> x''
    ORDER BY answers.seq"""
OFFERED = "SELECT seq, source AS url, 0 AS depth, links FROM offers ORDER BY seq"


@dataclass(frozen=True, slots=True)
class Shown:
    """The links of one page or sitemap as stored; a Link is created only when needed.

    Most links of a site are on many pages (its menu), and parsing all of them as JSON would
    be most of the work. The stored text is ``[["http...",...],["http...",...]]`` without
    spaces. A quote before a letter opens a string, because inside a string it has a backslash
    before it, and at its end a comma or bracket after it: so ``],["http`` only occurs between
    links. A canonical URL contains no quote.
    """

    source: str
    depth: int
    parts: list[str]  # each starts after the "http" of its URL, without the bracket at its end

    @classmethod
    def of(cls, source: str, depth: int, text: str) -> Self:
        if text.count(',["') != text.count('],["http'):  # links of RDF documents contain lists
            rows = [json.dumps(row[:7], ensure_ascii=False) for row in json.loads(text)]
            return cls(source, depth, [row[6:-1] for row in rows])
        return cls(source, depth, text[7:-2].split('],["http') if len(text) > 2 else [])

    def link(self, part: str) -> Link:
        """Return the link of a part."""
        url, tag_path, anchor, around, kind, *place = json.loads(f'["http{part}]')
        source, depth = place or (self.source, self.depth)
        return Link(url, source, tag_path, anchor, around, kind, depth)


def url_of(part: str) -> str:
    """Return the URL of a part."""
    return "http" + part[: part.index('"')]


class CrawlReader(CrawlDatabase):
    """Reads a crawl directory without changing it.

    Args:
        folder: The crawl directory.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, write=False)

    def shown(self, holding: str = "") -> Iterator[Shown]:
        """Yield the links of every page and sitemap, in order.

        Args:
            holding: Only pages that contain this canonical URL.
        """
        mark = json.dumps(holding).encode() if holding else b""
        for _, url, depth, packed in heapq.merge(self._links(SHOWN), self._links(OFFERED)):
            text = self._unpacked(packed)
            if mark in text:
                yield self._shown(url, depth, text)

    def links_of(self, source: str, depth: int, packed: bytes) -> Shown:
        """Return stored links.

        Args:
            source: The page or sitemap that contains them.
            depth: Of the links.
            packed: As stored.
        """
        return self._shown(source, depth, self._unpacked(packed) if packed else b"")

    def _unpacked(self, packed: bytes) -> bytes:
        try:
            return unzipped(packed)
        except zlib.error as error:
            blame_damage(self.folder, error)
            raise

    def _shown(self, source: str, depth: int, text: bytes) -> Shown:
        try:
            return Shown.of(source, depth, text.decode("utf-8", "surrogatepass"))
        except ValueError as error:
            blame_damage(self.folder, error)
            raise

    def _links(self, statement: str) -> Iterator[tuple[int, str, int, bytes]]:
        for row in self.rows(statement):
            yield row["seq"], row["url"], row["depth"], row["links"]

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.close()
        blame_damage(self.folder, error)
