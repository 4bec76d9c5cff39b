"""Weighted sampling when the weights change often."""

from __future__ import annotations


class FenwickSampler:
    """Items with integer weights (tickets); a tree of partial sums finds the holder of a ticket.

    Changing a weight and finding a holder take O(log n) steps (Fenwick 1994).

    >>> tickets = FenwickSampler()
    >>> [tickets.append(weight) for weight in (2, 0, 3)]
    [0, 1, 2]
    >>> [tickets.holder(number) for number in range(tickets.total)]
    [0, 0, 2, 2, 2]
    """

    def __init__(self) -> None:
        self.total = 0
        self._room = 8
        self._sums = [0] * (self._room + 1)  # the first entry of a Fenwick tree is not used
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def append(self, weight: int) -> int:
        """Add an item with this weight; return its number."""
        if self._used == self._room:
            self._sums.extend([0] * self._room)
            self._room *= 2
            self._sums[self._room] = self.total
        self._used += 1
        self.add(self._used - 1, weight)
        return self._used - 1

    def add(self, number: int, weight: int) -> None:
        """Change the weight of an item by this amount."""
        self.total += weight
        place = number + 1
        while place <= self._room:
            self._sums[place] += weight
            place += place & -place

    def holder(self, ticket: int) -> int:
        """Return the item that holds a ticket; tickets are numbered from 0 in item order."""
        place, step = 0, self._room
        while step:
            after = place + step
            if after <= self._room and self._sums[after] <= ticket:
                place = after
                ticket -= self._sums[after]
            step //= 2
        return place
