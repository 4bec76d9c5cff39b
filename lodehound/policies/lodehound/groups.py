"""Crawl groups as users see them: their names, and which of them wait."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lodehound.core.endings import names_file
from lodehound.core.link import Link
from lodehound.core.messages import Group
from lodehound.learn.group_records import GroupRecords
from lodehound.learn.marks import DIGITS
from lodehound.policies.lodehound.features import Floats, Ints, ending_of, split_url
from lodehound.policies.lodehound.model import CERTAIN

EXPECTED = "expected files"
MOST_GROUPS = 200  # that are listed
EXPECTED_FILES = -1  # in place of a group


class CrawlGroups(GroupRecords[Link]):
    """The groups of a crawl. Expected files are one of them, whatever pages link to them.

    Args:
        unnamed: New groups, and the first link of each.
    """

    def __init__(self, unnamed: list[tuple[int, Link]]) -> None:
        super().__init__({EXPECTED_FILES: EXPECTED}, unnamed, called)

    def waiting(
        self, groups: Ints, find: Floats, scores: Floats, link_at: Callable[[int], Link]
    ) -> list[Group]:
        """Return the groups of the best waiting links; expected files are one of them.

        Args:
            groups: Of all waiting links.
            find: The probability of each to be a find.
            scores: Of each, if it is a page.
            link_at: Returns the link with a number.
        """
        groups = np.where(find > CERTAIN, EXPECTED_FILES, groups)
        scores = np.where(find > CERTAIN, 1 + find, scores)
        order = np.argsort(-scores, kind="stable")
        named, first, counts = np.unique(groups[order], return_index=True, return_counts=True)
        listed = []
        for at in np.argsort(first, kind="stable")[:MOST_GROUPS]:
            group, number = int(named[at]), int(order[first[at]])
            link, score = link_at(number), float(scores[number]) - (group == EXPECTED_FILES)
            done, waiting = (self.visits[group], self.files[group]), int(counts[at])
            listed.append(Group(self.name(group, link), score, *done, waiting, link.url))
        return listed


def called(link: Link) -> str:
    """Name the links like this one, and where they are: pages, unless they end like files.

    >>> called(Link("https://e.org/a/12/x.html", "https://e.org/", "html/body/ul/li/a"))
    'pages like /a/*/*.html linked at ul/li/a'
    >>> called(Link("https://e.org/a/b.csv", "https://e.org/", "html/body/ul/li/a"))
    'files like /a/*.csv linked at ul/li/a'
    >>> called(Link("https://e.org/", kind=""))
    'start URLs like /*'
    """
    folder, segment, query = split_url(link.url)
    folder = DIGITS.sub("*", folder.partition("/")[2])
    ending = ending_of(segment)
    shape = (
        f"{folder}{'/' if folder else ''}*{'.' if ending else ''}{ending}{'?*' if query else ''}"
    )
    if not link.kind:
        return f"start URLs like /{shape}"
    place = link.tag_path.rpartition("/body/")[2] or link.tag_path
    short = "/".join(place.split("/")[-3:])[-60:]
    what = "files" if names_file(link.url) else "pages"
    return f"{what} like /{shape} linked at {short}" if short else f"{what} like /{shape}"
