"""Reads what the network brought."""

from __future__ import annotations

from collections.abc import Mapping
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

    def __call__(self, answer: Answer, link: Link) -> Page:
        ask = answer.ask
        mime = judge_mime(answer.mime, answer.body)
        page = Page(ask.url, ask.method, answer.status, mime, answer.body, charset=answer.charset)
        if ask.method == "HEAD" or not page.ok:
            return page
        may_follow = not (self.nofollow and forbids_following(answer.headers))
        data = self._data_links(page, link) if may_follow else ()
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
        return replace(
            page,
            links=html.links if may_follow else (),
            moved=html.moved,
            title=html.title,
            needs_script=html.needs_script,
        )

    def _data_links(self, page: Page, link: Link) -> tuple[Link, ...]:
        """Return the URIs in an RDF document, whatever type it is declared as."""
        if self.reads == "html":
            return ()
        return read_rdf_links(
            page.body, url=page.url, mime=page.mime, charset=page.charset, depth=link.depth
        )


def forbids_following(headers: Mapping[str, str]) -> bool:
    """Say whether an X-Robots-Tag asks everybody not to follow the links of a page.

    >>> forbids_following({"x-robots-tag": "noindex, nofollow"})
    True
    >>> forbids_following({"x-robots-tag": "otherbot: nofollow"})
    False
    """
    words = headers.get("x-robots-tag", "").lower().replace(",", " ").split()
    return ("nofollow" in words or "none" in words) and not words[0].endswith(":")
