"""The path from a start URL to another: the pages, their titles, and the link texts."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from lodehound.core.link import Link
from lodehound.core.urls import resolve
from lodehound.stores.database.packed import unpack_links
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.log.request_reads import first_request, offered_on, page_at, redirects_before
from lodehound.stores.zipped import unzipped

MOST = 100  # steps; a longer path is a trap or a damaged journal


@dataclass(frozen=True, slots=True)
class PathStep:
    """One URL on the path."""

    url: str
    by: str  # start, link, redirect, sitemap
    title: str = ""  # title of the page, if it is one and was read
    anchor: str = ""  # text of the link
    tag_path: str = ""
    kind: str = ""  # kind of the link (lodehound.core.link.ORIGINS)
    number: int = 0  # number of the request; 0: not requested


def way_to(look: CrawlReader, url: str, link: Link | None = None) -> list[PathStep]:
    """Return the steps from a start URL to this one, which may be a link that was not followed.

    Args:
        look: The journal of the crawl.
        url: The end of the path.
        link: A sighting, for a URL that was never requested.
    """
    steps: list[PathStep] = []
    seen: set[str] = set()
    if link is not None:
        steps.append(_with_link(PathStep(url, "link"), link))
        url = link.source
    while url and url not in seen and len(steps) < MOST:
        seen.add(url)
        step, url = _step(look, url)
        steps.append(step)
    return steps[::-1]


def _step(look: CrawlReader, url: str) -> tuple[PathStep, str]:
    """Return the step to a URL, and the page it comes from."""
    ask = first_request(look, url)
    if ask is None:
        return PathStep(url, "sitemap"), ""
    step = PathStep(url, "start", title=title_of(look, url), number=ask["number"])
    source = ask["source"]
    if not source:
        before = _redirecting(look, url, source, ask["number"])
        return (replace(step, by="redirect"), before) if before else (step, "")
    link = link_on(look, source, url)
    if link is None:
        before = _redirecting(look, url, source, ask["number"])
        if before:
            return replace(step, by="redirect"), before
        return replace(step, by="link"), source
    return _with_link(step, link), source


def _with_link(step: PathStep, link: Link) -> PathStep:
    return replace(step, by="link", anchor=link.anchor, tag_path=link.tag_path, kind=link.kind)


def title_of(look: CrawlReader, url: str) -> str:
    row = page_at(look, url)
    return row["title"] if row is not None else ""


def link_on(look: CrawlReader, page: str, url: str) -> Link | None:
    """Return the first link to a URL on a page."""
    named = json.dumps(url).encode()
    for row in (page_at(look, page), *offered_on(look, page)):
        if row is not None and row["links"] and named in unzipped(row["links"]):
            return next((o for o in unpack_links(row["links"], page, 0) if o.url == url), None)
    return None


def _redirecting(look: CrawlReader, url: str, source: str, number: int) -> str:
    """Return the URL that redirected to this one, or ""."""
    for row in redirects_before(look, source, number):
        sender = row["url"]
        if url in {resolve(sender, row[name]) for name in ("location", "moved")}:
            return str(sender)
    return ""


def first_of(steps: list[PathStep]) -> int:
    """Return the number of the request that was chosen: later redirects were not."""
    at = len(steps) - 1
    while at > 0 and steps[at].by == "redirect":
        at -= 1
    return steps[at].number
