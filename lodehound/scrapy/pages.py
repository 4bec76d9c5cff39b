"""Reads responses: their links, for the following requests, and whether they are finds."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrapy.http import Response
from w3lib.url import canonicalize_url

from lodehound.core.link import Link
from lodehound.core.messages import NOT_FOUND, Method, Page, Verdict
from lodehound.core.target import Target
from lodehound.core.urls import canonical
from lodehound.read.html import read_html
from lodehound.read.mime import is_html, judge_mime, split_content_type
from lodehound.read.rdf.links import read_rdf_links


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
    declared, charset = split_content_type(header)
    mime = judge_mime(declared, response.body)
    url = canonical(response.url) or response.url
    links: tuple[Link, ...] = ()
    data = target.reads == "html+rdf"
    if method == "GET" and 200 <= response.status < 300:
        if data:
            links = read_rdf_links(response.body, url=url, mime=mime, charset=charset, depth=depth)
        if not links and is_html(mime):
            read = read_html(response.body, url=url, charset=charset, depth=depth, data=data)
            links = read.links
    page = Page(url, method, response.status, mime, response.body, links, charset=charset)
    return Seen(
        url=url,
        status=response.status,
        mime=mime,
        verdict=target.judge(page),
        size=len(response.body),
        links=links,
    )
