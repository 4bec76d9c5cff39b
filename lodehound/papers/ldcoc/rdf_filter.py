"""The heuristic filter of LDSpider and SWSE: extension and content type say what is RDF."""

from __future__ import annotations

from lodehound.core.link import Link
from lodehound.core.urls import extension_of
from lodehound.papers.ldcoc.rdf_crawl import Decision, HeadMode, RdfCrawl, Skip
from lodehound.papers.ldcoc.uri_features import Head
from lodehound.papers.ldcoc.uri_rules import PAGES


class RdfFilter(RdfCrawl):
    """Breadth first, fetching what extension and content type call RDF (LDCOC paper, Sec. 2).

    Pages and other common files are skipped by their extension; of the rest a HEAD
    must name a type of RDF, or redirect. Without HEADs the rest is fetched.

    Args:
        head: Ask a HEAD for every URI whose extension says nothing; or fetch it.
        skip: Skipped URIs wait until nothing better is left, or are dropped.
    """

    def __init__(self, *, head: HeadMode = "off", skip: Skip = "queue") -> None:
        super().__init__(head=head, skip=skip)

    def odds(self, link: Link) -> float:
        return 0.0 if extension_of(link.url) in PAGES else 0.5

    def decide(self, link: Link, head: Head) -> Decision:
        if extension_of(link.url) in PAGES:
            return Decision(False, 0.0, "")
        if head.mime and head.status < 300:
            return Decision(False, 0.1, "")  # a type that is none of RDF's
        return Decision(True, 0.5, f"may be RDF, status {head.status}" if head.status else "may be")
