"""What came back for a request: its links, for the requests that follow; its worth, to learn."""

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
    status: int = 0  # 0: none came
    mime: str = ""
    verdict: Verdict = NOT_FOUND
    size: int = 0
    links: tuple[Link, ...] = ()
    _by_url: dict[str, Link] = field(default_factory=dict, repr=False)
    _by_form: dict[str, Link] = field(default_factory=dict, repr=False)

    def link_to(self, url: str) -> Link | None:
        """Return the first sighting of a URL on this page, if the page shows it."""
        if not self._by_url:
            self._by_url = {link.url: link for link in reversed(self.links)}
        link = self._by_url.get(url)
        if link is not None or not self.links:
            return link
        # Scrapy's link extractors may put queries in order: compare what they would write.
        if not self._by_form:
            self._by_form = {canonicalize_url(link.url): link for link in reversed(self.links)}
        link = self._by_form.get(canonicalize_url(url))
        return None if link is None else link._replace(url=url)


def read_response(response: Response, *, method: Method, depth: int, target: Target) -> Seen:
    """Read what the spider is about to get.

    Args:
        response: As it comes from the downloader middlewares.
        method: How it was asked for.
        depth: Links followed from a start to get there.
        target: Says whether it is a find.
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
