"""Compares two rounds of one crawl: the files that were there at the end of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lodehound.reports.diff import (
    KINDS,
    Change,
    Difference,
    FileVersion,
    FindKey,
    What,
    how_changed,
    moved_pairs,
)
from lodehound.reports.round_report import UNREACHABLE
from lodehound.stores.catalogue.crawl_rounds import round_named, rounds_of
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.find_reads import numbers_of_finds, there_before, versions_before


def compare_rounds(catalogue: Catalogue, first: int, second: int) -> Difference:
    """Compare what was there at the end of two rounds.

    Raises:
        ConfigError: There is no such round.
    """
    return _Rounds(catalogue, first, second).difference()


def failed_rounds(catalogue: Catalogue, numbers: Iterable[int]) -> list[int]:
    """Return those of some rounds in which nothing was reachable."""
    rounds = rounds_of(catalogue.rows)
    return [n for n in numbers if round_named(rounds, n).ended == UNREACHABLE]


class _Rounds:
    def __init__(self, catalogue: Catalogue, first: int, second: int) -> None:
        self.catalogue = catalogue
        rounds = rounds_of(catalogue.rows)
        ends = [round_named(rounds, number).next_first or 1 << 62 for number in (first, second)]
        self.before, self.after = (self._there(end) for end in ends)
        self.numbers = numbers_of_finds(catalogue)

    def _there(self, end: int) -> dict[str, tuple[FindKey, FileVersion]]:
        """Return the versions that were there before a request."""
        versions = dict(map(_version, versions_before(self.catalogue, end)))
        there = there_before(self.catalogue, end)
        return {url: version for url, version in versions.items() if there.get(url, True)}

    def difference(self) -> Difference:
        before, after = self.before, self.after
        left = [before[url][0] for url in sorted(before.keys() - after.keys())]
        come = [after[url][0] for url in sorted(after.keys() - before.keys())]
        pairs = moved_pairs(left, come)
        there, new = {old.number for old, _ in pairs}, {one.number for _, one in pairs}
        both = sorted(before.keys() & after.keys())
        changed = [url for url in both if how_changed(before[url][0], after[url][0])]
        changes = [
            *(self._made("added", one.final_url) for one in come if one.number not in new),
            *(self._made("gone", old.final_url) for old in left if old.number not in there),
            *(self._made("moved", old.final_url, one.final_url) for old, one in pairs),
            *(self._made("changed", url) for url in changed),
        ]
        changes.sort(key=lambda change: list(KINDS).index(change.what))
        return Difference(tuple(changes), len(both) - len(changed))

    def _made(self, what: What, url: str, to: str = "") -> Change:
        old, new = self.before.get(url), self.after.get(to or url)
        note = how_changed(old[0], new[0]) if old and new else ""
        return Change(
            what,
            url,
            note,
            old[1] if old else None,
            new[1] if new else None,
            title=self.catalogue.entry(self.numbers[url]).title,
            to=to,
        )


def _version(row: Any) -> tuple[str, tuple[FindKey, FileVersion]]:
    number, url, final_url, sha256, etag, size, length, file, cut, modified, at = row
    key = FindKey(number, url, final_url, sha256, etag, size, length)
    return final_url, (key, FileVersion(file, length, size, bool(cut), sha256, etag, modified, at))
