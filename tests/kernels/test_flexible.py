"""The clustering kernel against a twin that searches the whole matrix at every merge, and the edges of its window."""

import numpy as np
import pytest

from pagekin.kernels.flexible import WINDOW, levelled, merged


def twin(distance, alpha):
    """The same numbers by plain search; argwhere's order is that of the pairs of names."""
    n = len(distance)
    d = np.where(np.eye(n, dtype=bool), np.inf, distance)
    name, size, merges = np.arange(n), np.ones(n), []
    for step in range(n - 1):
        low = d.min()
        i, j = np.argwhere(d <= low + WINDOW * low)[0]
        height = d[i, j]
        size[i] += size[j]
        merges.append([*sorted((name[i], name[j])), height, size[i]])
        name[i] = n + step
        d[i] = d[:, i] = alpha * d[i] + alpha * d[j] + (1 - 2 * alpha) * height
        d[i, i] = d[j] = d[:, j] = np.inf
    return merges


def sparse(rng, n, values):
    distance = np.ones((n, n))
    a, b = rng.integers(0, n, (2, 5 * n))
    distance[a, b] = rng.choice(values, 5 * n)
    return np.minimum(distance, distance.T)


# The last: values so close that some are within one window and some within the next.
VALUES = [
    [0.5],
    [0.25, 0.5, 0.75],
    np.arange(1, 30) / 30,
    np.random.default_rng(0).random(99),
    0.5 * (1 + 0.3 * WINDOW * np.arange(20)),
]


@pytest.mark.parametrize("alpha", [0.004, 0.02, 0.06, 0.15, 0.25, 0.4, 0.5, 0.6, 0.8, 1.0])
@pytest.mark.parametrize("values", VALUES, ids=["one", "three", "thirtieths", "random", "close"])
def test_merged_equals_its_twin(values, alpha):
    """Larger than the graphs of the other tests: rows get stale, and are looked through again, many times."""
    distance = sparse(np.random.default_rng(3), 150, values)
    assert merged(distance.copy(), alpha).tolist() == twin(distance, alpha)


@pytest.mark.parametrize(("further", "first"), [(0.6, [0, 1]), (1.2, [2, 3])])
def test_the_window_is_that_of_the_least_distance_of_all(further, first):
    """(0,1) has the lesser names, and precedes (2,3), which is least, only where it is within the window of that."""
    distance = np.full((4, 4), 0.9)
    distance[2, 3] = distance[3, 2] = 0.5
    distance[0, 1] = distance[1, 0] = 0.5 * (1 + further * WINDOW)
    assert merged(distance, 0.5)[0, :2].tolist() == first


def test_a_row_s_first_that_is_outside_the_window_of_all_gives_way_to_one_inside():
    """Row 3 has 0 at 1.2 windows and 1 at 0.6, so 0 in its own window, above the least, that of 1 and 2."""
    distance = np.full((4, 4), 0.9)
    for i, j, further in [(3, 0, 1.2), (3, 1, 0.6), (1, 2, 0.0)]:
        distance[i, j] = distance[j, i] = 0.5 * (1 + further * WINDOW)
    assert merged(distance.copy(), 0.5).tolist() == twin(distance, 0.5)
    assert merged(distance, 0.5)[0, :2].tolist() == [1, 2]


def test_levelled_starts_a_new_run_when_the_first_is_too_far():
    values = np.array([0.0, 0.4, 0.8, 1.2, 3.0])
    assert levelled(values, np.full(5, 1.0)).tolist() == [0.0, 0.0, 0.0, 1.2, 3.0]
    assert levelled(values[:0], values[:0]).tolist() == []
