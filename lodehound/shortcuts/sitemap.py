"""Sitemaps: pages and files that a site wants to be found, and further sitemaps."""

from __future__ import annotations

from typing import Literal

from lodehound.core.link import Link
from lodehound.core.listing import probe_link
from lodehound.core.urls import canonical, extension_of, origin_of
from lodehound.read.sitemaps import read_sitemap
from lodehound.shortcuts.contract import ApiPage, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.datasets import PAGE_ENDINGS
from lodehound.shortcuts.documents import Fetched

NAME = "sitemap"
Sitemaps = Literal["none", "named", "usual"]  # by robots.txt; also at the usual place
ROOTS = ("<urlset", "<sitemapindex")


def sitemap_links(origin: str, named: tuple[str, ...], wanted: Sitemaps) -> tuple[Link, ...]:
    """Return requests for the sitemaps of an origin.

    Args:
        origin: Scheme, host and port.
        named: The sitemaps that its robots.txt names.
        wanted: Which are read.
    """
    usual = (f"{origin}/sitemap.xml",) if wanted == "usual" else ()
    known = (*named, *usual) if wanted != "none" else ()
    urls = dict.fromkeys(filter(None, map(canonical, known)))
    source = f"{origin}/robots.txt"
    return tuple(probe_link(NAME, url, root=url, source=source, depth=0) for url in urls)


class SitemapFiles(Shortcut):
    """Sitemaps: XML, lists of URLs, and indexes of sitemaps. robots.txt names them."""

    title = "sitemap"
    patient = True

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See that it is a sitemap. The crawl itself looks for their names in robots.txt."""
        is_sitemap = page.head.startswith("<") and any(root in page.head for root in ROOTS)
        return (page.url,) if is_sitemap and not page.is_html else ()

    def probes(self, root: str) -> tuple[str, ...]:
        usual = origin_of(root) + "/sitemap.xml"
        return (root if root.endswith((".xml", ".xml.gz", ".txt")) else usual,)

    def expand(self, answer: Fetched) -> Expansion | None:
        if answer.is_html:
            return None
        found = read_sitemap(answer.body, url=answer.url)
        if not (found.pages or found.nested):
            return None
        pages = [page for page in found.pages if not _is_file(page.url)]
        return Expansion(
            files=tuple(
                ListedFile(page.url, format=extension_of(page.url)[1:], modified=page.lastmod)
                for page in found.pages
                if _is_file(page.url)
            ),
            spare=tuple(page.url for page in pages),
            modified={page.url: page.lastmod for page in pages if page.lastmod},
            more=tuple(ApiPage(url) for url in found.nested),
            cut=bool(found.note),
        )


def _is_file(url: str) -> bool:
    """Return whether a URL looks like that of a file.

    >>> [_is_file(f"https://e.org/{name}") for name in ("a.csv", "a.html", "a", "v1.2", "v1.2-end")]
    [True, False, False, False, False]
    """
    ending = extension_of(url)
    form = ending[1:]
    return form.isalnum() and not form.isdecimal() and ending not in PAGE_ENDINGS
