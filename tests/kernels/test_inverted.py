"""Runs of numbers that are merged, against Python's sort."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.kernels.inverted import merged

RUN = st.lists(st.integers(-(2**62), 2**62), max_size=30).map(sorted)


@settings(deadline=None)  # the first call compiles
@given(st.lists(RUN, max_size=9), st.integers(0, 5))
def test_runs_are_merged_in_order(runs, more):
    numbers = [number for run in runs for number in run]
    spare, ends = np.empty((2, len(numbers) + more), np.int64)
    assert merged(np.array(numbers, np.int64), spare, ends).tolist() == sorted(numbers)
