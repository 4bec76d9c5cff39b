"""Reads what the network brought; hands back what was stored while a crawl is restored."""

from __future__ import annotations

from dataclasses import replace

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Page
from lodehound.read.html import read_html
from lodehound.read.mime import is_html, judge_mime


class LiveReader:
    """Turns answers into pages.

    Args:
        nofollow: Leave out links that pages ask robots not to follow.
    """

    def __init__(self, *, nofollow: bool = False) -> None:
        self.nofollow = nofollow
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
        if ask.method == "HEAD" or not page.ok or not is_html(mime):
            return page
        html = read_html(
            answer.body,
            url=ask.url,
            charset=answer.charset,
            depth=link.depth,
            nofollow=self.nofollow,
        )
        self.needing_script += html.needs_script
        self.title = html.title
        links = () if self.nofollow and forbids_following(self.tag) else html.links
        return replace(page, links=links, moved=html.moved)


def forbids_following(tag: str) -> bool:
    """Say whether an X-Robots-Tag asks everybody not to follow the links of a page.

    >>> forbids_following("noindex, nofollow"), forbids_following("otherbot: nofollow")
    (True, False)
    """
    words = tag.lower().replace(",", " ").split()
    return ("nofollow" in words or "none" in words) and not words[0].endswith(":")
