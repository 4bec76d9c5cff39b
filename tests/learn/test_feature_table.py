"""The table of features: it holds what was written, and the prior for all else."""

from __future__ import annotations

import numpy as np

from lodehound.learn.feature_table import FIRST, FeatureTable

SIZE = 5000


def test_a_table_is_as_a_dense_array() -> None:
    """Random writes, also to a feature twice in one row, leave the same numbers as in an array."""
    draws = np.random.default_rng(1)
    table, dense = FeatureTable(SIZE, [0.0, 0.5]), np.full((SIZE, 2), (0.0, 0.5), dtype=np.float32)
    for _ in range(200):
        features = draws.integers(0, SIZE, 12)
        values = draws.normal(size=(12, 2)).astype(np.float32)
        at = table.add(features)
        table.parts[0][at] += values
        dense[features] += values
    every = np.arange(SIZE)
    assert np.array_equal(table.take(every), dense[every])


def test_a_table_grows_with_what_was_written() -> None:
    table = FeatureTable(SIZE, [0.0])
    table.take(np.arange(SIZE))
    assert len(table.parts[0]) == FIRST
    table.add(range(10 * FIRST))
    assert 10 * FIRST < len(table.parts[0]) <= 20 * FIRST
