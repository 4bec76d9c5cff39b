"""The hosts that must not be requested now, with a log of recent changes.

A crawl of half a million hosts has thousands asleep at any time, and every choice and
every row of the journal depends on them. Looking at all of them each time would be too
slow, so readers ask what has changed since they last looked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set

KEPT = 8192  # minimum number of changes remembered; after more changes, a reader looks at all hosts


class Asleep(Set[str]):
    """A set of hosts that knows which of them changed recently.

    >>> asleep = Asleep(["a.example"])
    >>> mark = asleep.mark
    >>> asleep.add("b.example")
    >>> sorted(asleep), asleep.since(mark)
    (['a.example', 'b.example'], {'b.example'})
    """

    def __init__(self, hosts: Iterable[str] = ()) -> None:
        self._hosts = set(hosts)
        self._log: list[str] = []  # hosts that fell asleep or woke, in order
        self._forgotten = 0  # changes before the log
        self.mark = 0  # the number of changes so far, to be passed to ``since``

    def __contains__(self, host: object) -> bool:
        return host in self._hosts

    def __iter__(self) -> Iterator[str]:
        return iter(self._hosts)

    def __len__(self) -> int:
        return len(self._hosts)

    def add(self, host: str) -> None:
        if host not in self._hosts:
            self._hosts.add(host)
            self._note(host)

    def discard(self, host: str) -> None:
        if host in self._hosts:
            self._hosts.discard(host)
            self._note(host)

    def become(self, hosts: Collection[str]) -> None:
        """Replace the set of hosts that are asleep."""
        for host in self._hosts.difference(hosts):
            self.discard(host)
        for host in hosts:
            self.add(host)

    def since(self, mark: int) -> set[str] | None:
        """Return the hosts that changed since a mark, maybe back, or None if it is too long ago."""
        if mark < self._forgotten:
            return None
        return set(self._log[mark - self._forgotten :])

    def _note(self, host: str) -> None:
        self.mark += 1
        self._log.append(host)
        if len(self._log) > 2 * KEPT:
            del self._log[:KEPT]
            self._forgotten += KEPT


class Changes:
    """The position of one reader in the changes of the sleeping hosts."""

    def __init__(self) -> None:
        self._of: Asleep | None = None
        self._mark = 0

    def seen(self, asleep: Collection[str]) -> set[str] | None:
        """Return the hosts that may have changed since the last call; None if any may have."""
        if not isinstance(asleep, Asleep):
            self._of = None
            return None
        changed = asleep.since(self._mark) if asleep is self._of else None
        self._of, self._mark = asleep, asleep.mark
        return changed


class Sleepers:
    """Tracks which of some hosts sleep, at the cost of the changes only.

    Attributes:
        asleep: The hosts that slept at the last call of ``update``.
    """

    def __init__(self) -> None:
        self.asleep: set[str] = set()
        self._changes = Changes()
        self._added: list[str] = []

    def added(self, host: str) -> None:
        """Start tracking a host."""
        self._added.append(host)

    def removed(self, host: str) -> None:
        """Stop tracking a host."""
        self.asleep.discard(host)

    def update(self, asleep: Collection[str], ours: Collection[str]) -> list[str]:
        """Return the tracked hosts that fell asleep or woke, in alphabetical order.

        The order is part of the contract: a restored crawl gets the same changes in another
        way, and must make the same choices.
        """
        added, self._added = self._added, []
        changed = self._changes.seen(asleep)
        if changed is None:
            if not asleep and not self.asleep:
                return []
            fewer = asleep if len(asleep) < len(ours) else ours
            changed = self.asleep.union(fewer)
        else:
            changed.update(added)
        before = self.asleep
        turned = [host for host in changed if host in ours and (host in asleep) != (host in before)]
        self.asleep.symmetric_difference_update(turned)
        return sorted(turned)
