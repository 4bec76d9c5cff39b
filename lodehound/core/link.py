"""A link as it was seen on a page, before anyone asked for it."""

from __future__ import annotations

from typing import NamedTuple

from lodehound.core.urls import host_of


class Context(NamedTuple):
    """How a URI stands in the data of its document (LDCOC paper, Sec. 3.1)."""

    position: str = ""  # of letters: s subject, o object, # named with a fragment
    properties: tuple[str, ...] = ()  # that connect it with others, first seen first
    siblings: tuple[
        str, ...
    ] = ()  # URIs with the same subject and property, or property and object
    declared: str = ""  # the type its page says it has


class Link(NamedTuple):
    """One sighting of a URL: where on which page, and with what words.

    A named tuple and not a dataclass, because a crawl makes one for every
    sighting (20 million on a site of a million pages) and a tuple is made four
    times faster.
    """

    url: str  # canonical: lodehound.core.urls
    source: str = ""  # URL of the page that showed it; "" for a start URL
    tag_path: str = ""  # "html/body/div.main/ul#files/li/a"; of data, "rdf/o/" and the property
    anchor: str = ""  # the link's own text
    around: str = ""  # the text beside it
    kind: str = "a"  # a, area, iframe, frame; link, rdfa, rdf in data; "" for a start URL
    depth: int = 0  # links followed from the start to get here
    context: Context | None = None  # in data only

    @property
    def host(self) -> str:
        """Host and port, the unit of politeness."""
        return host_of(self.url)
