"""Crawl groups as users see them: a name each, and what their visits brought."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lodehound.core.file_endings import names_file
from lodehound.core.link import Link
from lodehound.core.messages import Group
from lodehound.learn.hashing import DIGITS
from lodehound.learn.url_parts import ending_of, split_url
from lodehound.text.counts import counted

EXPECTED = "expected files"
NAMED = 5000  # groups with a name of their own; a site seldom has as many
EXPECTED_FILES = -1  # in place of a group


class CrawlGroups:
    """Expected files are one of the groups, whatever pages link to them.

    The first groups are named after their first links, each differently; later ones after links
    like theirs, and these names may be the same.
    """

    def __init__(self) -> None:
        self._names = {EXPECTED_FILES: EXPECTED}
        self._unnamed: dict[int, Link] = {}
        self._used: Counter[str] = Counter()
        self._visits: Counter[int] = Counter()
        self._files: defaultdict[int, float] = defaultdict(float)

    def add(self, groups: Iterable[int], links: Sequence[Link]) -> None:
        """Name new groups after their links, one for each of the groups."""
        for group, link in zip(groups, links, strict=True):
            if group not in self._names and len(self._names) + len(self._unnamed) < NAMED:
                self._unnamed.setdefault(group, link)

    def name(self, group: int, link: Link) -> str:
        """Return the name of a link's group; if it has none, that of links like it."""
        self._name_all()
        return self._names.get(group) or described(link)

    def _name_all(self) -> None:
        """Name the new groups; only when a name is needed, as a page may show many."""
        for group, link in self._unnamed.items():
            name = described(link)
            self._used[name] += 1
            again = self._used[name]
            self._names[group] = name if again == 1 else f"{name} ({again})"
        self._unnamed.clear()

    def count(self, groups: Iterable[int], files: float) -> None:
        """Count a visit of some groups, and the files that it brought."""
        for group in groups:
            self._visits[group] += 1
            self._files[group] += files

    def record(self, group: int) -> str:
        """Describe what the visits of a group brought."""
        visits = self._visits[group]
        if not visits:
            return "none visited yet"
        return f"{self._files[group]:,.0f} files in {counted(visits, 'visit')}"

    def best(self, most: int) -> list[str]:
        """Describe the groups of pages that brought most files per visit."""
        self._name_all()
        ranked = sorted(
            (-files / self._visits[group], -self._visits[group], self._names[group])
            for group, files in self._files.items()
            if files and group in self._names and group != EXPECTED_FILES
        )
        return [
            f"{-mean:.2f} files a page over {counted(-n, 'visit')}: {name}"
            for mean, n, name in ranked[:most]
        ]

    def waiting(
        self,
        groups: NDArray[np.integer],
        scores: NDArray[np.floating],
        link_at: Callable[[int], Link],
    ) -> list[Group]:
        """Return the groups of waiting links, the best first, expected files before all.

        Args:
            groups: Of all waiting links.
            scores: Of each.
            link_at: Returns the link with a number.
        """
        order = np.argsort(-(scores + (groups == EXPECTED_FILES)), kind="stable")
        named, first, counts = np.unique(groups[order], return_index=True, return_counts=True)
        listed = []
        for at in np.argsort(first, kind="stable"):
            group, number = int(named[at]), int(order[first[at]])
            link, score = link_at(number), float(scores[number])
            done, waiting = (self._visits[group], self._files[group]), int(counts[at])
            listed.append(Group(self.name(group, link), score, *done, waiting, link.url))
        return listed


def described(link: Link) -> str:
    """Name the links like this one, and where they are: pages, unless they end like files.

    >>> described(Link("https://e.org/a/12/x.html", "https://e.org/", "html/body/ul/li/a"))
    'pages like /a/*/*.html linked at ul/li/a'
    >>> described(Link("https://e.org/a/b.csv", "https://e.org/", "html/body/ul/li/a"))
    'files like /a/*.csv linked at ul/li/a'
    >>> described(Link("https://e.org/", kind=""))
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
