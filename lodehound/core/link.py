"""A link as seen on a page, before it is requested."""

from __future__ import annotations

from typing import NamedTuple

from lodehound.core.urls import host_of

# How a page or document names a URL, by Link.kind, in words for explanations. The last six are
# guesses about text that may be a URL: ``--no-speculative-links`` leaves them out.
ORIGINS = {
    "a": "link",
    "area": "link of an image map",
    "iframe": "shown in a frame",
    "frame": "shown in a frame",
    "rdfa": "named in RDFa of the page",
    "rdf": "named in an RDF document",
    "sitemap": "listed in a sitemap",
    "api": "request to an API",
    "listed": "listed by an API or a feed",
    "link": "named in the head of the page",
    "header": "named in the Link header",
    "jsonld": "named in JSON-LD of the page",
    "microdata": "named in microdata of the page",
    "embed": "embedded in the page",
    "object": "embedded in the page",
    "refresh": "the page reloads as this",
    "rendered": "shown by a script of the page",
    "loaded": "loaded by a script of the page",
    "form": "action of a form",
    "option": "option of a list",
    "data": "named in a data attribute",
    "onclick": "opened by a click",
    "script": "named in a script of the page",
    "json": "listed in a JSON document",
}


class Context(NamedTuple):
    """The role of a URI in the data of its document (LDCOC paper, Sec. 3.1)."""

    position: str = ""  # letters: s subject, o object, # with a fragment
    properties: tuple[str, ...] = ()  # that connect it with others, in order of appearance
    siblings: tuple[
        str, ...
    ] = ()  # URIs with the same subject and property, or property and object
    declared: str = ""  # the type declared on its page


class Link(NamedTuple):
    """One sighting of a URL: the page, the position on it, and the texts.

    A named tuple and not a dataclass, because a crawl creates one for every sighting (20
    million on a site of a million pages), and creating a tuple is four times faster.
    """

    url: str  # canonical: lodehound.core.urls
    source: str = ""  # URL of the page that contains it; "" for a start URL
    # "html/body/div.main/ul#files/li/a". Links that are not shown begin with their kind:
    # "onclick/div.files/button", "json/resources/url", "rdf/o/" and the property
    tag_path: str = ""
    anchor: str = ""  # the text of the link
    around: str = ""  # the text around it; of what a sitemap or feed lists, when it changed
    kind: str = "a"  # one of ORIGINS; "" for a start URL
    depth: int = 0  # number of links from the start
    context: Context | None = None  # in data only

    @property
    def host(self) -> str:
        """Host and port, the unit of politeness."""
        return host_of(self.url)
