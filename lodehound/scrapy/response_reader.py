"""Reads responses: their links, for the following requests, and whether they are finds."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrapy.http import Response
from w3lib.url import canonicalize_url

from lodehound.core.link import Link
from lodehound.core.messages import NOT_FOUND, Answer, Ask, Method, Verdict
from lodehound.core.target import Target
from lodehound.core.urls import canonical
from lodehound.read.mime import split_content_type
from lodehound.read.page import read_page


@dataclass(slots=True)
class Seen:
    """A response without its body."""

    url: str
    status: int = 0  # 0: no response
    mime: str = ""
    verdict: Verdict = NOT_FOUND
    size: int = 0
    links: tuple[Link, ...] = ()
    _by_url: dict[str, Link] = field(default_factory=dict, repr=False)
    _by_form: dict[str, Link] = field(default_factory=dict, repr=False)

    def link_to(self, url: str) -> Link | None:
        """Return the first sighting of a URL on this page, if there is one."""
        if not self._by_url:
            self._by_url = {link.url: link for link in reversed(self.links)}
        link = self._by_url.get(url)
        if link is not None or not self.links:
            return link
        # Scrapy's link extractors may sort queries: compare in that form.
        if not self._by_form:
            self._by_form = {canonicalize_url(link.url): link for link in reversed(self.links)}
        link = self._by_form.get(canonicalize_url(url))
        return None if link is None else link._replace(url=url)


def read_response(response: Response, *, method: Method, depth: int, target: Target) -> Seen:
    """Read the response that the spider is about to get.

    Args:
        response: The response after the downloader middlewares.
        method: The method of the request.
        depth: Number of links from a start.
        target: Decides whether it is a find.
    """
    header = (response.headers.get("Content-Type") or b"").decode("latin-1")
    mime, charset = split_content_type(header)
    ask = Ask(0, canonical(response.url) or response.url, method)
    named = b", ".join(response.headers.getlist("Link")).decode("latin-1")
    headers = {"link": named} if named else {}
    answer = Answer(ask, response.status, mime, response.body, charset=charset, headers=headers)
    page = read_page(answer, Link(ask.url, depth=depth), reads=target.reads)
    return Seen(
        url=page.url,
        status=page.status,
        mime=page.mime,
        verdict=target.judge(page),
        size=len(response.body),
        links=page.links,
    )
