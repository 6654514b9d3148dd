"""Which parts are rewritten together: few parts at the end, and no row rewritten often."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pagekin.collection.compact import grouped


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 100), st.integers(0, 20))
def test_groups_are_neighbours_within_the_bound(sizes, most, small):
    groups = grouped(np.array(sizes, np.int64), most, small)
    assert [part for first, last in groups for part in range(first, last)] == list(range(len(sizes)))
    for first, last in groups:
        assert last - first == 1 or sum(sizes[first:last]) <= most


def test_small_parts_are_always_united():
    assert grouped(np.array([90, 1, 1]), most=1000, small=100) == [(0, 3)]


def test_a_large_part_waits_until_the_others_have_a_quarter_of_it():
    assert grouped(np.array([400, 60, 39]), most=1000, small=10) == [(0, 1), (1, 3)]
    assert grouped(np.array([400, 60, 40]), most=1000, small=10) == [(0, 3)]


def test_a_part_that_cannot_be_joined_does_not_keep_the_next_ones_apart():
    assert grouped(np.array([390, 10, 20, 30]), most=400, small=10) == [(0, 1), (1, 4)]


def test_a_collection_that_grows_daily_has_few_parts_and_rewrites_little():
    parts, rewritten, most_parts = [10_000], 0, 0
    for _ in range(1_000):
        parts.append(100)
        groups = grouped(np.array(parts), most=1_000_000, small=500)
        rewritten += sum(sum(parts[first:last]) for first, last in groups if last - first > 1)
        parts = [sum(parts[first:last]) for first, last in groups]
        most_parts = max(most_parts, len(parts))
    assert sum(parts) == 110_000
    assert most_parts <= 6
    # To unite all of them each day would be some 60 million rows.
    assert rewritten < 20 * 110_000
