"""Reads what the network brought; hands back what was stored while a crawl is restored."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Page
from lodehound.read.html import read_html
from lodehound.read.mime import is_html, judge_mime
from lodehound.read.rdf.links import read_rdf_links


class LiveReader:
    """Turns answers into pages.

    Args:
        nofollow: Leave out links that pages ask robots not to follow.
        reads: Whose links are read: those of pages, or also the URIs in RDF documents.
    """

    def __init__(
        self, *, nofollow: bool = False, reads: Literal["html", "html+rdf"] = "html"
    ) -> None:
        self.nofollow = nofollow
        self.reads = reads
        self.needing_script = 0  # pages without a link that a browser might fill
        self.tag = ""  # the X-Robots-Tag that came with the answer at hand
        self.last: Page | None = None
        self.title = ""  # of the last page
        self._given: Page | None = None

    def give(self, page: Page) -> None:
        """Hand in the page that the next answer was read as, when it first came."""
        self._given = page

    def __call__(self, answer: Answer, link: Link) -> Page:
        if self._given is not None:
            page, self._given = self._given, None
        else:
            self.title = ""
            page = self._read(answer, link)
        self.last = page
        return page

    def _read(self, answer: Answer, link: Link) -> Page:
        ask = answer.ask
        mime = judge_mime(answer.mime, answer.body)
        page = Page(ask.url, ask.method, answer.status, mime, answer.body, charset=answer.charset)
        if ask.method == "HEAD" or not page.ok:
            return page
        data = self._data_links(page, link)
        if data or not is_html(mime):
            return replace(page, links=data)
        html = read_html(
            answer.body,
            url=ask.url,
            charset=answer.charset,
            depth=link.depth,
            nofollow=self.nofollow,
            data=self.reads == "html+rdf",
        )
        self.needing_script += html.needs_script
        self.title = html.title
        links = () if self.nofollow and forbids_following(self.tag) else html.links
        return replace(page, links=links, moved=html.moved)

    def _data_links(self, page: Page, link: Link) -> tuple[Link, ...]:
        """Return the URIs in an RDF document, whatever type it is declared as."""
        if self.reads == "html" or (self.nofollow and forbids_following(self.tag)):
            return ()
        return read_rdf_links(
            page.body, url=page.url, mime=page.mime, charset=page.charset, depth=link.depth
        )


def forbids_following(tag: str) -> bool:
    """Say whether an X-Robots-Tag asks everybody not to follow the links of a page.

    >>> forbids_following("noindex, nofollow"), forbids_following("otherbot: nofollow")
    (True, False)
    """
    words = tag.lower().replace(",", " ").split()
    return ("nofollow" in words or "none" in words) and not words[0].endswith(":")
