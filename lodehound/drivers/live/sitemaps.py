"""Sitemaps and feeds as further sightings: which to read, and how many."""

from __future__ import annotations

from lodehound.core.link import Link
from lodehound.core.urls import canonical, host_of
from lodehound.read.sitemaps import alternate_feeds, read_sitemap

MAX_FILES = 100  # sitemaps and feeds read in one crawl: nesting has no other end
MAX_LINKS = 200_000  # taken from them all


class Sitemaps:
    """Finds sitemaps of the start hosts, and reads them within bounds.

    Args:
        hosts: The start hosts; sitemaps elsewhere are left alone.
    """

    def __init__(self, hosts: set[str]) -> None:
        self.hosts = hosts
        self._seen: set[str] = set()
        self._links = 0

    def of(self, origin: str, named: tuple[str, ...]) -> list[str]:
        """Return the sitemaps of an origin: those robots.txt names, and the usual place."""
        return self._new([*named, f"{origin}/sitemap.xml"])

    def feeds(self, url: str, body: bytes, charset: str) -> list[str]:
        """Return the feeds a page names."""
        if len(self._seen) >= MAX_FILES:
            return []
        return self._new(alternate_feeds(body, url=url, charset=charset))

    def read(self, url: str, body: bytes) -> tuple[list[Link], list[str]]:
        """Return the links of a sitemap or feed, and the sitemaps it names."""
        sitemap = read_sitemap(body, url=url, limit=max(MAX_LINKS - self._links, 0))
        links = [Link(page.url, url, "sitemap", kind="sitemap", depth=1) for page in sitemap.pages]
        self._links += len(links)
        return links, self._new(sitemap.nested)

    def _new(self, urls: list[str] | tuple[str, ...]) -> list[str]:
        fresh = []
        for text in urls:
            url = canonical(text)
            known = url in self._seen or len(self._seen) >= MAX_FILES
            if url and not known and host_of(url) in self.hosts:
                self._seen.add(url)
                fresh.append(url)
        return fresh
