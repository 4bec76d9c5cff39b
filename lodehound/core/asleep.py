"""Which hosts must not be asked now. It remembers its last changes.

A crawl of half a million hosts has thousands asleep at any time, and every
choice and every line of the journal depends on them. Nobody can look at all of
them each time, so readers ask what has changed since they last looked.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Set

KEPT = 8192  # changes remembered at least; who looks more rarely looks at everything


class Asleep(Set[str]):
    """A set of hosts that can say which of them changed lately.

    >>> asleep = Asleep(["a.example"])
    >>> mark = asleep.mark
    >>> asleep.add("b.example")
    >>> sorted(asleep), asleep.since(mark)
    (['a.example', 'b.example'], {'b.example'})
    """

    def __init__(self, hosts: Iterable[str] = ()) -> None:
        self._hosts = set(hosts)
        self._log: list[str] = []  # hosts that fell asleep or woke, the last one last
        self._forgotten = 0  # changes before the log

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
        """Let exactly these hosts sleep."""
        for host in self._hosts.difference(hosts):
            self.discard(host)
        for host in hosts:
            self.add(host)

    @property
    def mark(self) -> int:
        """How many changes there have been: what ``since`` takes."""
        return self._forgotten + len(self._log)

    def since(self, mark: int) -> set[str] | None:
        """Return the hosts that changed since a mark, maybe back; None: it is too long ago."""
        if mark < self._forgotten:
            return None
        return set(self._log[mark - self._forgotten :])

    def _note(self, host: str) -> None:
        self._log.append(host)
        if len(self._log) > 2 * KEPT:
            del self._log[:KEPT]
            self._forgotten += KEPT


class Changes:
    """One reader's place in the changes of the sleeping hosts it is shown."""

    def __init__(self) -> None:
        self._of: Asleep | None = None
        self._mark = 0

    def seen(self, asleep: Collection[str]) -> set[str] | None:
        """Return the hosts that may have changed since the last call; None: any may have."""
        if not isinstance(asleep, Asleep):
            self._of = None
            return None
        changed = asleep.since(self._mark) if asleep is self._of else None
        self._of, self._mark = asleep, asleep.mark
        return changed


class Sleepers:
    """Which of some hosts sleep, kept up to date at the cost of the changes only.

    Attributes:
        asleep: Those that slept when ``update`` was last called.
    """

    def __init__(self) -> None:
        self.asleep: set[str] = set()
        self._changes = Changes()
        self._added: list[str] = []

    def added(self, host: str) -> None:
        """Take note of a host that is one of ours from now on."""
        self._added.append(host)

    def removed(self, host: str) -> None:
        """Take note of a host that is no longer one of ours."""
        self.asleep.discard(host)

    def update(self, asleep: Collection[str], ours: Collection[str]) -> list[str]:
        """Return those of ours that fell asleep or woke, in alphabetical order.

        The order is part of the promise: a crawl that is restored sees the same
        changes by another way, and must come to the same choices.
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
        return sorted(host for host in changed if self._turned(host, asleep, ours))

    def _turned(self, host: str, asleep: Container[str], ours: Container[str]) -> bool:
        """Look at one host again; say whether it has fallen asleep or woken."""
        if host not in ours:
            return False
        was, sleeps = host in self.asleep, host in asleep
        if sleeps:
            self.asleep.add(host)
        else:
            self.asleep.discard(host)
        return was != sleeps
