"""A link as seen on a page, before it is requested."""

from __future__ import annotations

from typing import NamedTuple

from lodehound.core.urls import host_of


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
    tag_path: str = ""  # "html/body/div.main/ul#files/li/a"; in data, "rdf/o/" and the property
    anchor: str = ""  # the text of the link
    around: str = ""  # the text around it
    kind: str = "a"  # a, area, iframe, frame; link, rdfa, rdf in data; "" for a start URL
    depth: int = 0  # number of links from the start
    context: Context | None = None  # in data only

    @property
    def host(self) -> str:
        """Host and port, the unit of politeness."""
        return host_of(self.url)
