"""Typed links to data, from link elements and Link headers (RFC 8288)."""

from __future__ import annotations

from lodehound.core.urls import path_of
from lodehound.read.mentions import Mentions
from lodehound.read.mime import FEEDS, is_html, split_content_type

RELATIONS = ("alternate", "item", "enclosure", "describedby")
MAX_TYPE = 200  # characters


def add_related(
    mentions: Mentions,
    reference: str,
    relations: str,
    *,
    kind: str,
    where: str,
    declared: str = "",
    title: str = "",
    wanted: tuple[str, ...] = RELATIONS,
) -> None:
    """Add a typed link if its relation leads to data.

    Args:
        mentions: The collection to add it to.
        reference: The target of the link.
        relations: Its relations, separated by white space.
        kind: The kind of link.
        where: Start of its tag path; the relation follows.
        declared: The declared type of the target.
        title: The title of the link.
        wanted: The relations to accept.
    """
    given = relations.lower().split()
    relation = next((name for name in wanted if name in given), "")
    if not relation:
        return
    mime, _ = split_content_type(declared[:MAX_TYPE])
    if relation == "alternate" and ("stylesheet" in given or not mime or is_html(mime)):
        return  # a style sheet, a translation, or a version for another screen
    place = mentions.place(reference)
    if place and not (relation == "alternate" and _repeats(mentions.url, place, mime)):
        mentions.add(place, kind, f"{where}/link[{relation}]", title or mime)


def _repeats(page: str, place: str, mime: str) -> bool:
    """Return whether an alternate only repeats the page, or is a feed of comments on it.

    WordPress adds three of them to every page: JSON, oEmbed, and a comments feed in a folder
    ``feed`` below the page.
    """
    if "oembed" in mime or "/wp-json/" in place or "rest_route=" in place:
        return True
    folder = page.partition("?")[0].rpartition("/")[0] + "/"
    below_page = path_of(folder) != "/" and place.startswith(folder + "feed/")
    return mime in FEEDS and (below_page or "/comments/feed" in place)
