"""Groups as users see them: a name each, and what their visits brought."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

Example = TypeVar("Example")


class GroupRecords(Generic[Example]):
    """Each group is named after its first example; no two have the same name.

    Args:
        names: Of groups that have one already.
        unnamed: New groups, and the first example of each. They are named when a name is needed.
        called: Returns what things like an example are called.

    >>> records = GroupRecords({-1: "files"}, [(7, "a"), (8, "A")], str.lower)
    >>> records.name(7, "a"), records.name(8, "A"), records.name(9, "B")
    ('a', 'a (2)', 'b')
    """

    def __init__(
        self,
        names: dict[int, str],
        unnamed: list[tuple[int, Example]],
        called: Callable[[Example], str],
    ) -> None:
        self._fixed = frozenset(names)
        self._names = dict(names)
        self._unnamed = unnamed
        self._called = called
        self._used: Counter[str] = Counter()
        self.visits: defaultdict[int, int] = defaultdict(int)
        self.files: defaultdict[int, float] = defaultdict(float)

    def name(self, group: int, example: Example) -> str:
        """Return the name of a group; if it has none, what its examples are called."""
        self._name_all()
        return self._names.get(group) or self._called(example)

    def _name_all(self) -> None:
        for group, example in self._unnamed:
            name = self._called(example)
            self._used[name] += 1
            again = self._used[name]
            self._names[group] = name if again == 1 else f"{name} ({again})"
        self._unnamed.clear()

    def count(self, groups: Iterable[int], *, visits: int = 0, files: float = 0.0) -> None:
        """Count visits of groups, and the files that they brought."""
        for group in groups:
            self.visits[group] += visits
            self.files[group] += files

    def record(self, group: int) -> str:
        """Describe what the visits of a group brought."""
        visits = self.visits[group]
        if not visits:
            return "none visited yet"
        return f"{self.files[group]:,.0f} files in {visits:,} visit{'s' * (visits > 1)}"

    def best(self, most: int) -> list[str]:
        """Describe the named groups that brought most files per visit."""
        self._name_all()
        ranked = sorted(
            (-files / self.visits[group], -self.visits[group], self._names[group])
            for group, files in self.files.items()
            if files and group in self._names and group not in self._fixed
        )
        return [
            f"{-mean:.2f} files a page over {-n} visits: {name}" for mean, n, name in ranked[:most]
        ]
