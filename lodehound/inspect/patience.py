"""Learns which files are not worth a look: those of a kind that took too long again and again."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

TRIES = 3  # costly files in a row before any is skipped
FIRST_SKIPS = 8  # files skipped before the next try; twice as many each time
MOST_SKIPS = 1024


@dataclass
class _Record:
    costly: int = 0  # files in a row
    to_skip: int = 0
    skips: int = FIRST_SKIPS


class Patience:
    """Decides group by group whether the next file is inspected.

    After ``TRIES`` files in a row that cost their whole limit, files of the group are skipped. Now
    and then one is tried: if it can be read, all are inspected again. A group of n such files
    costs about log n limits instead of n.

    >>> patience = Patience()
    >>> for _ in range(3):
    ...     patience.learn("xlsx of s.example", costly=True)
    >>> [patience.allows("xlsx of s.example") for _ in range(9)].count(True)
    1
    """

    def __init__(self) -> None:
        self._records: dict[Hashable, _Record] = {}

    def allows(self, group: Hashable) -> bool:
        """Return whether the next file of a group is inspected."""
        record = self._records.get(group)
        if record is None or not record.to_skip:
            return True
        record.to_skip -= 1
        return False

    def learn(self, group: Hashable, *, costly: bool) -> None:
        """Take in what the inspection of a file cost."""
        if not costly:
            self._records.pop(group, None)
            return
        record = self._records.setdefault(group, _Record())
        record.costly += 1
        if record.costly >= TRIES:
            record.to_skip = record.skips
            record.skips = min(2 * record.skips, MOST_SKIPS)
