"""Vectors come into groups of those that are near each other, each into one, and always into the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.memory.services.clustering import clustered

numbers = st.integers(-3, 3)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(numbers, numbers, numbers), max_size=60), st.integers(1, 12))
def test_every_row_is_in_one_cluster_and_always_in_the_same(rows: list[tuple[int, int, int]], size: int) -> None:
    vectors = np.array(rows, dtype=np.float32).reshape(len(rows), 3)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    groups = clustered(vectors, size)
    assert sorted(row for group in groups for row in group.tolist()) == list(range(len(rows)))
    assert all(len(group) for group in groups)
    assert all(group.tolist() == sorted(group.tolist()) for group in groups)
    assert [group.tolist() for group in clustered(vectors, size)] == [group.tolist() for group in groups]
    assert max(map(len, groups), default=0) <= 4 * size


def test_what_is_far_apart_comes_apart() -> None:
    count, each = 8, 20
    middles = np.eye(count, dtype=np.float32)
    noise = np.sin(np.arange(count * each * count, dtype=np.float32)).reshape(-1, count) * np.float32(0.05)
    vectors = np.repeat(middles, each, axis=0) + noise
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    groups = clustered(vectors, each)
    assert [group.tolist() for group in groups] == [list(range(at, at + each)) for at in range(0, count * each, each)]


def test_of_the_same_a_thousand_times_no_cell_is_too_large() -> None:
    groups = clustered(np.ones((1_000, 1), dtype=np.float32), 10)
    assert {len(group) for group in groups} == {10}
