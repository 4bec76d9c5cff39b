"""Crawl groups as users see them: a name each, and what their visits brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np

from lodehound.core.endings import names_file
from lodehound.core.link import Link
from lodehound.core.messages import Group
from lodehound.learn.hashing import DIGITS
from lodehound.policies.lodehound.features import Floats, Ints, ending_of, split_url
from lodehound.policies.lodehound.model import CERTAIN

EXPECTED = "expected files"
MOST_GROUPS = 200  # that are listed
EXPECTED_FILES = -1  # in place of a group


class CrawlGroups:
    """Each group is named after its first link; no two have the same name.

    Expected files are one of the groups, whatever pages link to them.

    Args:
        new_groups: Returns the groups that are new, with the first link of each; called when a
            name is needed.
    """

    def __init__(self, new_groups: Callable[[], list[tuple[int, Link]]]) -> None:
        self._names = {EXPECTED_FILES: EXPECTED}
        self._new_groups = new_groups
        self._used: Counter[str] = Counter()
        self._visits: Counter[int] = Counter()
        self._files: dict[int, float] = {}

    def name(self, group: int, link: Link) -> str:
        """Return the name of a link's group; if it has none, that of links like it."""
        self._name_all()
        return self._names.get(group) or called(link)

    def _name_all(self) -> None:
        for group, link in self._new_groups():
            name = called(link)
            self._used[name] += 1
            again = self._used[name]
            self._names[group] = name if again == 1 else f"{name} ({again})"

    def count(self, groups: Iterable[int], *, visits: int = 0, files: float = 0.0) -> None:
        """Count visits of groups, and the files that they brought."""
        for group in groups:
            self._visits[group] += visits
            self._files[group] = self._files.get(group, 0.0) + files

    def record(self, group: int) -> str:
        """Describe what the visits of a group brought."""
        visits = self._visits[group]
        if not visits:
            return "none visited yet"
        return f"{self._files[group]:,.0f} files in {visits:,} visit{'s' * (visits > 1)}"

    def best(self, most: int) -> list[str]:
        """Describe the groups of pages that brought most files per visit."""
        self._name_all()
        ranked = sorted(
            (-files / self._visits[group], -self._visits[group], self._names[group])
            for group, files in self._files.items()
            if files and group in self._names and group != EXPECTED_FILES
        )
        return [
            f"{-mean:.2f} files a page over {-n} visits: {name}" for mean, n, name in ranked[:most]
        ]

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
            done, waiting = (self._visits[group], self._files.get(group, 0.0)), int(counts[at])
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
