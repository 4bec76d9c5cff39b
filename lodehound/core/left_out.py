"""What the scope of a crawl left out that the user may want: links to files, and near misses."""

from __future__ import annotations

from collections import Counter, defaultdict

from lodehound.core.file_endings import names_file
from lodehound.core.link import Link
from lodehound.core.listing import LISTED
from lodehound.core.scope import TOO_DEEP, matches
from lodehound.core.urls import host_of

MOST_HOSTS = 1000  # that are told apart

# The options that refuse links, by the reason that the scope gives.
OPTION_OF = {
    "not included": "include",
    "not under the path": "under",
    "excluded": "exclude",
    "host not allowed": "allow_hosts",
    "host blocked": "block_hosts",
    TOO_DEEP: "max_depth",
}
WANTED = frozenset(["other site", "not included", "not under the path", "host not allowed"])


class LeftOut:
    """Counts the links that the scope refused, each URL once.

    Args:
        include: The patterns that URLs must match.

    Attributes:
        files: Number of links to files by host, by the reason of the scope that refused them for
            good.
        deep: The URLs that only pages too far from the start link to, so far.
        examples: The first of them on each host.
        near: How many of the URLs that match no pattern contain each of the patterns.
    """

    def __init__(self, include: tuple[str, ...] = ()) -> None:
        self._include = include
        self.files: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.examples: dict[str, str] = {}
        self.near: Counter[str] = Counter()
        self.deep: set[str] = set()

    def note(self, link: Link, reason: str) -> None:
        """Take note of a link that the scope has refused."""
        if reason == "not included":
            self.near.update(
                text for text in self._include if text.strip("*") and matches(f"*{text}*", link.url)
            )
        if reason in WANTED and (link.kind == LISTED or names_file(link.url)):
            known = link.host in self.examples or len(self.examples) < MOST_HOSTS
            self.files[reason][link.host if known else "other hosts"] += 1
            if known:
                self.examples.setdefault(link.host, link.url)

    def all_files(self) -> dict[str, Counter[str]]:
        """Return the number of links to files by host, by the reason, in the end."""
        deep = Counter(host_of(url) for url in self.deep if names_file(url))
        return {**self.files, **({TOO_DEEP: deep} if deep else {})}
