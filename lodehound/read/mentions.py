"""Collects the URLs that a response contains but does not show as links."""

from __future__ import annotations

from collections.abc import Iterable

from lodehound.core.file_endings import names_file
from lodehound.core.link import Link
from lodehound.core.urls import extension_of, resolve
from lodehound.read.element_text import ElementTexts
from lodehound.read.extensions import ASSETS
from lodehound.read.html import MAX_WORDS, Element, label_of, path_token, words

MAX_MENTIONS = 5_000  # per response


class Mentions:
    """The hidden links of one response, each URL once, within limits.

    Args:
        base: References are relative to this URL.
        url: The URL of the response.
        depth: Depth of its links.
        shown: Links that the page shows; their URLs are not added again.
    """

    def __init__(self, base: str, url: str, depth: int, shown: Iterable[Link] = ()) -> None:
        self.base = base
        self.url = url
        self.depth = depth
        self.links: list[Link] = []
        self._shown = shown
        self._known: set[str] = set()  # filled when the first URL is looked up
        self.texts = ElementTexts()

    def place(self, reference: str, *, file_only: bool = False) -> str:
        """Return the URL of a reference, or "" if it should not be added.

        Args:
            reference: As written in the response.
            file_only: Accept only URLs that end like a data file.
        """
        reference = reference.strip()
        if not reference or len(self.links) >= MAX_MENTIONS:
            return ""
        if not self._known:
            self._known = {self.url, *(link.url for link in self._shown)}
        place = resolve(self.base, reference)
        if not place or place in self._known:
            return ""
        wanted = names_file(place) if file_only else extension_of(place) not in ASSETS
        return place if wanted else ""

    def add(self, place: str, kind: str, tag_path: str, anchor: str = "") -> None:
        """Add a URL that ``place`` returned."""
        self._known.add(place)
        link = Link(place, self.url, tag_path, words(anchor), "", kind, self.depth)
        self.links.append(link)

    def add_element(self, reference: str, element: Element, kind: str, label: str = "") -> None:
        """Add a reference from an attribute, with the text of the element as anchor.

        The tag path is the label, the parent and the element. It is short, so that it is not
        grouped with the paths of ordinary links, which share long beginnings.
        """
        place = self.place(reference, file_only=kind not in {"embed", "object"})
        if not place:
            return
        node, tag, attributes = element
        parent = node.parent
        around = path_token(parent.tag or "", parent.attributes) if parent is not None else ""
        path = f"{label or kind}/{around}/{path_token(tag, attributes)}"
        text = words(self.texts.beginning(node, 4 * MAX_WORDS))
        self.add(place, kind, path, text or label_of(attributes))
