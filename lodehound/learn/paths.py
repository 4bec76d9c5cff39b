"""Tag paths as vectors, and their clustering into groups (SB paper, Sec. 3.2, Algorithm 1)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class PathVectors:
    """Projects tag paths, whose vocabulary keeps growing, to 2**m dimensions.

    A path is the bag of its n-grams. N-gram number x is mapped to dimension
    h(x) = floor((pi * x mod 2**w) / 2**(w - m)), and the value of a dimension is the mean
    over all known n-grams mapped to it, including those absent from the path. Only
    the n-grams of the path are non-zero, so a vector is stored as its non-zero
    dimensions and their values.

    Args:
        n: Length of the n-grams.
        m: The vectors have 2**m dimensions.
        w: Bits of the hash.
        pi: A large odd prime.
        tf: Divide counts by the number of n-grams, as in the released code.
        empty: Insert an empty symbol after the beginning, as in the released code.

    >>> paths = PathVectors(n=1, m=2, w=11)
    >>> dims, values = paths.vector("html/body/a")
    >>> dims.tolist(), values.tolist()
    ([0, 1, 2, 3], [1.0, 1.0, 1.0, 1.0])
    """

    def __init__(
        self,
        *,
        n: int = 2,
        m: int = 12,
        w: int = 15,
        pi: int = 766_245_317,
        tf: bool = False,
        empty: bool = False,
    ) -> None:
        self.n = n
        self.m = m
        self.w = w
        self.pi = pi
        self.tf = tf
        self.empty = empty
        self._dims: dict[str, int] = {}  # of the known n-grams
        self._in_bucket: Floats = np.zeros(1 << m)  # known n-grams per dimension
        self._parts: dict[str, tuple[Ints, Floats]] = {}

    def hash(self, x: int) -> int:
        """Return the dimension of n-gram number x."""
        return (self.pi * x % (1 << self.w)) >> (self.w - self.m)

    def vector(self, path: str) -> tuple[Ints, Floats]:
        """Return the non-zero dimensions of a path, in ascending order, and their values."""
        parts = self._parts.get(path)
        if parts is None:
            parts = self._parts[path] = self._count(path)
        dims, sums = parts
        return dims, sums / self._in_bucket[dims]

    def _count(self, path: str) -> tuple[Ints, Floats]:
        grams = self._grams(path)
        for gram in grams:
            if gram not in self._dims:
                dim = self._dims[gram] = self.hash(len(self._dims))
                self._in_bucket[dim] += 1
        dims = sorted([self._dims[gram] for gram in grams])
        counts = dict.fromkeys(dims, 0.0)
        for dim in dims:
            counts[dim] += 1
        values = np.array([*counts.values()])
        return np.array([*counts]), values / len(grams) if self.tf else values

    def _grams(self, path: str) -> list[str]:
        # No element of a path can be named BOS or EOS: tags are lower case.
        symbols = ["BOS", *([""] if self.empty else []), *path.split("/"), "EOS"]
        grams = symbols
        for at in range(1, min(self.n, len(symbols))):
            grams = [f"{gram}/{symbol}" for gram, symbol in zip(grams, symbols[at:], strict=False)]
        return grams


class Groups:
    """Clusters sparse vectors: join the nearest centroid by cosine, or start a new group.

    The nearest group is exact. Sums of the members replace the centroids (the cosine is
    the same), with one row per dimension in use and one column per group, so that the
    products of a vector with all groups read only the rows of its dimensions.

    Args:
        theta: Minimum cosine to join a group.
    """

    def __init__(self, *, theta: float = 0.75) -> None:
        self.theta = theta
        self._row: dict[int, int] = {}  # of each dimension in use
        self._ready: dict[int, tuple[Ints, Ints]] = {}  # arrays seen before, and their rows
        self._sums: Floats = np.zeros((64, 64))
        self._squares: Floats = np.zeros(64)  # squared length of each group's sum
        self._lengths: Floats = np.ones(64)
        self._groups = 0

    def __len__(self) -> int:
        return self._groups

    def join(self, dims: Ints, values: Floats) -> int:
        """Add a vector to its group and return the group's number (in order of creation).

        ``dims`` is kept: pass the same array for the same dimensions, and do not change it.
        """
        rows = self._rows_of(dims)
        square = float(values.dot(values))
        if self._groups:
            # With the columns of groups to come, which are 0: whole rows are faster to take.
            sums = self._sums.take(rows, axis=0)
            products = values.dot(sums)
            # The length of the vector is the same for all groups: apply it to the threshold.
            nearness = products / self._lengths
            group = int(nearness.argmax())
            if nearness[group] >= self.theta * math.sqrt(square):
                self._sums[rows, group] = sums[:, group] + values
                self._measure(group, self._squares[group] + 2 * products[group] + square)
                return group
        return self._found(rows, values, square)

    def _measure(self, group: int, square: float) -> None:
        self._squares[group] = square
        self._lengths[group] = math.sqrt(square)

    def _found(self, rows: Ints, values: Floats, square: float) -> int:
        group = self._groups
        if group == self._squares.size:
            self._squares = np.concatenate((self._squares, np.zeros(group)))
            self._lengths = np.concatenate((self._lengths, np.ones(group)))
            self._sums = np.hstack((self._sums, np.zeros_like(self._sums)))
        self._sums[rows, group] = values
        self._measure(group, square)
        self._groups += 1
        return group

    def _rows_of(self, dims: Ints) -> Ints:
        """Return the row of every dimension, a new one for those that have none."""
        ready = self._ready.get(id(dims))
        if ready is None:
            rows = [self._row.setdefault(dim, len(self._row)) for dim in dims.tolist()]
            while len(self._row) > len(self._sums):
                self._sums = np.vstack((self._sums, np.zeros_like(self._sums)))
            # Keep a reference to the array, so that its id is not reused.
            ready = self._ready[id(dims)] = dims, np.array(rows)
        return ready[1]
