"""Tag paths as vectors and groups: Figure 3 and Algorithm 1 of the SB paper by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lodehound.learn.paths import Floats, Groups, Ints, PathVectors

SQUARE_ROOT_OF_HALF = 0.5**0.5


def dense(vectors: PathVectors, path: str) -> list[float]:
    dims, values = vectors.vector(path)
    whole = np.zeros(2**vectors.m)
    whole[dims] = values
    return [float(value) for value in whole]


# --- Figure 3 ----------------------------------------------------------------------------------


def test_the_hash_of_figure_3() -> None:
    """Sec. 3.2, m = 2, w = 11: h(2) = 1 and h(4) = h(8) = h(9) = 3. Pi mod 2048 is 453."""
    figure = PathVectors(m=2, w=11)

    assert [figure.hash(x) for x in (2, 4, 8, 9)] == [1, 3, 3, 3]
    assert [figure.hash(x) for x in range(11)] == [0, 0, 1, 2, 3, 0, 1, 2, 3, 3, 0]


def test_the_means_of_figure_3() -> None:
    """5 bigrams are known, a path of 10 brings 6 more: dimension 3 holds (0 + 1 + 1) / 3 = 0.67."""
    figure = PathVectors(m=2, w=11)
    figure.vector("html/body/div/a")  # bigrams 0 to 4, of which 4 is a/EOS

    values = dense(figure, "html/body/div/div/div/ul/li/p/area")  # 0, 1, 2, twice 5, 6 to 10

    # Dimension 0 holds 0, 1, 5 and 10; dimension 1 holds 2 and 6; 2 holds 3 and 7; 3 holds 4, 8, 9.
    by_bucket = [(1 + 1 + 2 + 1) / 4, (1 + 1) / 2, (0 + 1) / 2, (0 + 1 + 1) / 3]
    assert values == pytest.approx(by_bucket)
    assert values[3] == pytest.approx(0.67, abs=0.005)


def test_the_standard_hash_spreads() -> None:
    """With the paper's m = 12 and w = 15 no two of the first 2,000 n-grams fall together."""
    vectors = PathVectors()

    assert len({vectors.hash(x) for x in range(2000)}) == 2000
    assert {vectors.hash(x) for x in range(2**15)} == set(range(4096))


# --- n-grams -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "empty", "grams"),
    [
        (1, False, ["BOS", "html", "a", "EOS"]),
        (2, False, ["BOS/html", "html/a", "a/EOS"]),
        (3, False, ["BOS/html/a", "html/a/EOS"]),
        (9, False, ["BOS/html/a/EOS"]),
        (2, True, ["BOS/", "/html", "html/a", "a/EOS"]),
    ],
)
def test_n_grams(n: int, empty: bool, grams: list[str]) -> None:
    """Beginning and end are symbols; the released code has an empty one after the beginning."""
    assert PathVectors(n=n, empty=empty)._grams("html/a") == grams


def test_counts_and_term_frequencies() -> None:
    """div/div stands twice among four bigrams: 2, or 2 / 4 as the released code has it."""
    counts, frequencies = PathVectors(), PathVectors(tf=True)

    assert sorted(counts.vector("div/div/div")[1].tolist()) == [1, 1, 2]
    assert sorted(frequencies.vector("div/div/div")[1].tolist()) == [0.25, 0.25, 0.5]


def test_a_growing_vocabulary_changes_the_divisor() -> None:
    """Monograms 0, 1 and 5 share a dimension, 2 and 6 another: means are over those known."""
    vectors = PathVectors(n=1, m=2, w=11)

    first = dense(vectors, "a")  # BOS 0, a 1, EOS 2
    vectors.vector("b/c/d/e/f")  # 3 to 7
    later = dense(vectors, "a")

    assert first == [1, 1, 0, 0]
    assert later == pytest.approx([2 / 3, 1 / 2, 0, 0])


def test_a_path_is_counted_once() -> None:
    """The same path again brings no new n-gram and the same vector."""
    vectors = PathVectors()
    dims, values = vectors.vector("html/body/a")
    again, same = vectors.vector("html/body/a")

    assert (dims.tolist(), values.tolist()) == (again.tolist(), same.tolist())
    assert sorted(dims.tolist()) == dims.tolist()


# --- groups ------------------------------------------------------------------------------------


def join(groups: Groups, **values: float) -> int:
    """Join a vector written as x0=1, x3=2."""
    dims = np.array([int(name[1:]) for name in values])
    return groups.join(dims, np.array(list(values.values())))


@pytest.mark.parametrize(
    ("theta", "group"), [(SQUARE_ROOT_OF_HALF - 1e-12, 0), (SQUARE_ROOT_OF_HALF + 1e-12, 1)]
)
def test_the_threshold(theta: float, group: int) -> None:
    """(1, 1) has the cosine 0.7071 with (1, 0): it joins at that threshold and not above it."""
    groups = Groups(theta=theta)
    join(groups, x0=1)

    assert join(groups, x0=1, x1=1) == group
    assert len(groups) == group + 1


def test_equal_to_the_threshold_joins() -> None:
    """Algorithm 1 says >=: a cosine of exactly 0.5 and of exactly 1 suffice."""
    half, one = Groups(theta=0.5), Groups(theta=1.0)
    join(half, x0=1)
    join(one, x0=3)

    assert join(half, x0=1, x1=1, x2=1, x3=1) == 0
    assert join(one, x0=5) == 0


def test_the_nearest_group_wins() -> None:
    """(3, 1) is nearer to (1, 0) than to (0, 1), and joins it; length does not count."""
    groups = Groups(theta=0.8)

    assert [join(groups, x0=1), join(groups, x1=1), join(groups, x0=30, x1=10)] == [0, 1, 0]


def test_the_oldest_of_equals_wins() -> None:
    """A vector as near to two groups joins the first."""
    groups = Groups(theta=0.7)

    assert [join(groups, x0=1), join(groups, x1=1), join(groups, x0=1, x1=1)] == [0, 1, 0]


def test_the_centroid_moves() -> None:
    """(0, 1) has the cosine 0 with (1, 0), but 0.7071 with the mean of (1, 0) and (1, 2)."""
    groups = Groups(theta=0.44)
    join(groups, x0=1)
    join(groups, x0=1, x1=2)  # cosine 0.447

    assert join(groups, x1=1) == 0
    assert len(groups) == 1


def test_new_dimensions_and_new_groups() -> None:
    """Far past 64 of either every vector finds its own group again."""
    groups = Groups()
    first = [groups.join(np.array([i * 37]), np.array([1.0])) for i in range(300)]
    again = [groups.join(np.array([i * 37]), np.array([2.0])) for i in range(300)]

    assert first == again == list(range(300))


def test_one_vector_may_be_wide() -> None:
    """A path of 500 elements touches more dimensions at once than there were before."""
    groups = Groups()
    path = PathVectors().vector("/".join(f"b.{i}" for i in range(500)))

    assert [groups.join(*path), join(groups, x1=1.0), groups.join(*path)] == [0, 1, 0]


class Dense:
    """Algorithm 1 as it is written: a list of centroids and of the vectors' numbers."""

    def __init__(self, theta: float) -> None:
        self.theta = theta
        self.centroids: list[Floats] = []
        self.members: list[int] = []
        self.margin = 1.0  # how near a decision came to going the other way

    def join(self, vector: Floats) -> int:
        cosines = [self._cosine(vector, centroid) for centroid in self.centroids]
        ranked = sorted(cosines, reverse=True)
        self.margin = min([self.margin, *(abs(cosine - self.theta) for cosine in ranked)])
        if len(ranked) > 1:
            self.margin = min(self.margin, ranked[0] - ranked[1])
        if ranked and ranked[0] >= self.theta:
            group = cosines.index(ranked[0])
            k = self.members[group]
            self.centroids[group] = (k * self.centroids[group] + vector) / (k + 1)
            self.members[group] += 1
            return group
        self.centroids.append(vector)
        self.members.append(1)
        return len(self.centroids) - 1

    @staticmethod
    def _cosine(one: Floats, other: Floats) -> float:
        return float(one @ other / np.sqrt((one @ one) * (other @ other)))


def project(path: str, n: int, known: dict[str, int], hash_of: PathVectors) -> Floats:
    """Sec. 3.2 as it is written: count all n-grams known, then take means of what collides."""
    symbols = ["BOS", *path.split("/"), "EOS"]
    grams = ["/".join(symbols[i : i + n]) for i in range(max(len(symbols) - n + 1, 1))]
    for gram in grams:
        known.setdefault(gram, len(known))
    counts = [grams.count(gram) for gram in known]
    buckets: list[list[int]] = [[] for _ in range(2**hash_of.m)]
    for number, count in enumerate(counts):
        buckets[hash_of.hash(number)].append(count)
    return np.array([np.mean(bucket) if bucket else 0.0 for bucket in buckets])


PATHS = st.lists(
    st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=7).map("/".join), max_size=30
)


@settings(max_examples=80)
@given(
    PATHS, st.integers(1, 3), st.sampled_from([2, 4, 7]), st.sampled_from([0.3, 0.55, 0.75, 0.95])
)
def test_sparse_is_dense(paths: Sequence[str], n: int, m: int, theta: float) -> None:
    """The sparse form gives the vectors and the groups of the paper's own text."""
    vectors, groups = PathVectors(n=n, m=m, w=11), Groups(theta=theta)
    reference, known = Dense(theta), dict[str, int]()
    expected, got = [], []
    for path in paths:
        vector = project(path, n, known, vectors)
        dims, values = vectors.vector(path)
        assert scattered(dims, values, 2**m) == pytest.approx(vector.tolist())
        expected.append(reference.join(vector))
        got.append(groups.join(dims, values))

    assume(reference.margin > 1e-9)  # rounding may decide what is that close
    assert got == expected


def scattered(dims: Ints, values: Floats, size: int) -> list[float]:
    whole = np.zeros(size)
    whole[dims] = values
    return [float(value) for value in whole]
