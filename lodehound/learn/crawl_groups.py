"""Kinds of pages as people know them: a name each, and what their visits brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lodehound.core.endings import names_file
from lodehound.core.link import Link
from lodehound.core.messages import Group
from lodehound.learn.link_features import DIGITS, GROUP, Rows, ending_of, split_url
from lodehound.learn.link_value import GroupMeans

NAMED = 5000  # groups that are told apart by name; a site seldom has as many
EXPECTED = "expected files"


class CrawlGroups:
    """Every group has one name, that of its first link, and none has another's.

    Expected files are one more group, whatever pages they stand on.
    """

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._used: Counter[str] = Counter()
        self._files = GroupMeans(first=0.0)
        self._asked = 0  # expected files
        self._found = 0

    def meet(self, rows: Rows, links: Sequence[Link]) -> None:
        """Name the groups that are new."""
        for group, link in zip(rows[:, GROUP].tolist(), links, strict=True):
            if group not in self._names and len(self._names) < NAMED:
                name = called(link)
                self._used[name] += 1
                again = self._used[name]
                self._names[group] = name if again == 1 else f"{name} ({again})"

    def name(self, row: Rows, link: Link) -> str:
        """Return the name of a link's group; beyond the most that are named, of its like."""
        return self._names.get(int(row[GROUP])) or called(link)

    def visit(self, row: Rows, times: int = 1) -> None:
        self._files.visit(row, times)

    def learn(self, row: Rows, files: float) -> None:
        self._files.learn(row, files)

    def learn_file(self, *, found: bool) -> None:
        """Take in what a expected file was."""
        self._asked += 1
        self._found += found

    def of(self, row: Rows) -> tuple[int, float]:
        """Return the visits of a group, and the files each brought."""
        return self._files.of(int(row[GROUP]))

    def record(self, row: Rows) -> str:
        """Return in words what the visits of a group brought."""
        visits, mean = self.of(row)
        if not visits:
            return "none visited yet"
        return f"{mean * visits:,.0f} files in {visits:,} visit{'s' * (visits > 1)}"

    def group(self, row: Rows, link: Link, score: float, waiting: int) -> Group:
        """Tell of a group of waiting pages, the best of them a link."""
        visits, mean = self.of(row)
        return Group(self.name(row, link), score, visits, mean * visits, waiting, link.url)

    def files(self, link: Link, sure: float, waiting: int) -> Group:
        """Tell of the expected files."""
        return Group(EXPECTED, sure, self._asked, float(self._found), waiting, link.url)

    def best(self, most: int) -> list[str]:
        """Tell of the groups that brought most files a visit."""
        groups = [(*self._files.of(group), name) for group, name in self._names.items()]
        visited = [group for group in groups if group[0] and group[1] > 0]
        best = sorted(visited, key=lambda group: (-group[1], -group[0], group[2]))[:most]
        return [f"{mean:.2f} files a page over {visits} visits: {n}" for visits, mean, n in best]


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
