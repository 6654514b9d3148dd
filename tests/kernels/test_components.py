"""What the wrappers of `pagekin.index.similarity.candidates` do not show; their tests hold the twins."""

import numpy as np
import pytest

from pagekin.kernels import frozen
from pagekin.kernels.components import reached


@pytest.mark.parametrize(("limit", "found"), [(1, 1), (2, 4), (3, 4), (4, 4), (5, 7), (7, 7), (9, 7)])
def test_reached_stops_at_the_limit_but_not_within_a_tie(limit, found):
    """Page 0 with three pages at 0.5, each with another at 0.25."""
    start = np.array([0, 3, 5, 7, 9, 10, 11, 12])
    neighbour = np.array([1, 2, 3, 0, 4, 0, 5, 0, 6, 1, 2, 3], np.int32)
    bits, size = np.full(12, 2 << 4, np.int32), np.full(7, 3, np.int32)  # two members of three are shared: 2/4
    pages, keys = reached(*map(frozen, (start, neighbour, bits, size)), 0, limit, np.zeros(7))
    assert pages.size == found
    assert keys.tolist() == [1.0, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25][:found]
