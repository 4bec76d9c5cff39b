"""An answer becomes a page: what it really is, its links, where it sends its readers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Page
from lodehound.read.links import no_link, read_links
from lodehound.read.mime import is_html, judge_mime, proposed_name
from lodehound.read.rdf.uri_links import read_rdf_links


def read_page(
    answer: Answer,
    link: Link,
    *,
    nofollow: bool = False,
    reads: Literal["html", "html+rdf"] = "html",
    speculative: bool = True,
    digest: bool = False,
    captioned: Callable[[Link], bool] = no_link,
) -> Page:
    """Read what came back for a link.

    Args:
        answer: With its body.
        link: The one that was followed; links found on the page are one deeper.
        nofollow: Leave out links that the page asks robots not to follow.
        reads: Whose links are read: those of HTML pages, or also the URIs in RDF documents.
        speculative: Include text that may be a URL (lodehound.read.links).
        digest: Identify the version of the content, so that a later one can be compared.
        captioned: Says of a link whether what the page says about it is read, too.
    """
    ask = answer.ask
    mime = judge_mime(answer.mime, answer.body)
    name = proposed_name(answer.headers)
    page = Page(
        ask.url, ask.method, answer.status, mime, answer.body, charset=answer.charset, filename=name
    )
    if ask.method == "HEAD" or not page.ok:
        return page
    may_follow = not (nofollow and forbids_following(answer.headers))
    data = reads == "html+rdf"
    links: tuple[Link, ...] = ()
    if data and may_follow:  # whatever type an RDF document is declared as
        links = read_rdf_links(
            page.body, url=page.url, mime=mime, charset=page.charset, depth=link.depth
        )
    identity = _identity(answer, mime) if digest else ""
    if links:
        return replace(page, links=links, digest=identity)
    found = read_links(
        page.body,
        url=page.url,
        mime=mime,
        charset=page.charset,
        depth=link.depth,
        headers=answer.headers,
        nofollow=nofollow,
        data=data,
        speculative=speculative,
        digest=digest,
        captioned=captioned,
    )
    return replace(
        page,
        links=found.links if may_follow else (),
        moved=found.moved,
        title=found.title,
        needs_script=found.needs_script,
        digest=found.digest or identity,
        cut=found.cut,
        captions=found.captions,
    )


def _identity(answer: Answer, mime: str) -> str:
    """Return what tells two versions of a file apart; of a page, its links and text do that.

    Validators do not count: some servers send others each time.
    """
    if is_html(mime):
        return ""
    if answer.cut:  # the length is all that is known of the rest
        length = answer.headers.get("content-length", "")
        return hashlib.sha256(f"{mime} {length} ".encode() + answer.body).hexdigest()
    return hashlib.sha256(answer.body).hexdigest()


def forbids_following(headers: Mapping[str, str]) -> bool:
    """Return whether an X-Robots-Tag asks everybody not to follow the links of a page.

    >>> forbids_following({"x-robots-tag": "noindex, nofollow"})
    True
    >>> forbids_following({"x-robots-tag": "otherbot: nofollow"})
    False
    """
    words = headers.get("x-robots-tag", "").lower().replace(",", " ").split()
    return ("nofollow" in words or "none" in words) and not words[0].endswith(":")
