"""What a drawing shows: every page once, the joins of the hierarchy, and no more rows than asked for."""

import numpy as np
import pytest

from pagekin.cluster.dendrogram import Scale, around, ticks
from pagekin.cluster.flexible import Hierarchy, flexible


def made(n, alpha, seed=0):
    """A sparse graph with one similarity for many edges, so that heights tie."""
    rng = np.random.default_rng(seed)
    pairs = {tuple(sorted(pair)) for pair in rng.integers(0, n, (3 * n, 2)).tolist() if pair[0] != pair[1]}
    a, b = np.array(sorted(pairs)).reshape(-1, 2).T
    return flexible(n, a, b, rng.choice([0.1, 0.2, 0.5, 0.9, 1.0], a.size), alpha)


def chain(n):
    """Page after page joins the first, at rising heights."""
    rows = [[0, 1, 0.1, 2]] + [[k, n + k - 2, 0.1 * k, k + 1] for k in range(2, n)]
    return Hierarchy(np.array(rows, float))


@pytest.mark.parametrize("alpha", [0.06, 0.5, 0.8])
@pytest.mark.parametrize("n", [2, 3, 17, 60])
def test_the_whole_drawing_is_the_hierarchy(n, alpha):
    hierarchy = made(n, alpha)
    drawing = around(hierarchy, n // 2, n)
    assert [row.page for row in drawing.rows] == hierarchy.order().tolist()
    assert not drawing.outside and drawing.rows[drawing.page].page == n // 2
    together = hierarchy.heights_with(n // 2)
    assert all(row.joins == together[row.page] for row in drawing.rows)
    members = [{row.page} for row in drawing.rows]
    for join in drawing.joins:
        assert max(drawing.y[join.upper], drawing.y[join.lower]) == drawing.y[join.lower]
        members.append(members[join.upper] | members[join.lower])
    clusters = [{page} for page in range(n)]
    for i, j, *_ in hierarchy.merges.astype(int).tolist():
        clusters.append(clusters[i] | clusters[j])
    assert members[n:] == clusters[n:]
    assert [join.height for join in drawing.joins] == hierarchy.merges[:, 2].tolist()


@pytest.mark.parametrize("alpha", [0.06, 0.5, 0.8])
@pytest.mark.parametrize("most", [1, 2, 3, 10, 40])
def test_a_part_stands_for_every_page_in_few_rows(most, alpha):
    hierarchy = made(300, alpha)
    drawing = around(hierarchy, 123, most)
    assert sum(row.pages for row in drawing.rows) == 300 == drawing.joins[-1].pages
    assert max(most, 2) <= len(drawing.rows) <= max(most, 2) + 1
    assert len(drawing.joins) == len(drawing.rows) - 1
    assert drawing.rows[drawing.page].page == 123
    assert all(row.inside <= row.joins + 1e-9 for row in drawing.rows[:-1] if row.page is None)


def test_the_nearest_are_shown_and_the_rest_is_one_row_though_the_tree_is_a_chain():
    drawing = around(chain(100), 0, 10)
    assert [row.page for row in drawing.rows[:-1]] == [9, 8, 7, 6, 5, 4, 3, 2, 0, 1]
    last = drawing.rows[-1]
    assert drawing.outside and (last.pages, last.joins, last.inside) == (90, pytest.approx(1.0), pytest.approx(9.9))


def test_the_query_s_own_neighbours_are_opened_before_clusters_further_away():
    hierarchy = made(300, 0.5)
    drawing = around(hierarchy, 123, 40)
    shut = min(row.joins for row in drawing.rows if row.page is None)
    nearest = np.flatnonzero(hierarchy.heights_with(123) < shut)
    assert set(nearest.tolist()) <= {row.page for row in drawing.rows}


def test_one_page_is_a_row_without_a_join():
    drawing = around(flexible(1, [], [], []), 0, 40)
    assert [row.page for row in drawing.rows] == [0] and drawing.joins == ()
    assert drawing.scale == Scale(0.92, 1.0) or drawing.scale.high == 1.0


@pytest.mark.parametrize("alpha", [0.06, 0.5, 0.8, 1.0])
def test_a_scale_keeps_the_order_of_heights_and_puts_them_between_the_ends(alpha):
    drawing = around(made(200, alpha), 0, 200)
    scale = drawing.scale
    heights = sorted(join.height for join in drawing.joins)
    places = [scale.at(height) for height in heights]
    assert places == sorted(places) and places[0] >= 0 and places[-1] == pytest.approx(1)
    assert all(0 <= scale.at(tick) <= 1 + 1e-12 for tick in scale.ticks(8)) and len(scale.ticks(8)) <= 8


def test_heights_that_grow_tenfold_are_on_a_logarithmic_scale():
    rows = [[0, 1, 0.1, 2], [2, 5, 0.11, 3], [3, 6, 0.12, 4], [4, 7, 120.0, 5]]
    scale = around(Hierarchy(np.array(rows)), 0, 5).scale
    assert scale.logarithmic and scale.ticks(8) == [0.1, 1, 10, 100]
    assert scale.at(1.2) - scale.at(0.12) == pytest.approx(scale.at(120) - scale.at(12))


def test_all_heights_equal_and_all_zero():
    for height in (0.0, 0.7):
        scale = around(Hierarchy(np.array([[0, 1, height, 2], [2, 3, height, 3]])), 0, 3).scale
        assert 0 <= scale.at(height) <= 1


def test_ticks_are_round_and_few():
    assert ticks(0.5, 0.5, 5) == [0.5]
    assert ticks(0, 137, 5) == [0, 50, 100]
    for low, high in np.random.default_rng(1).random((200, 2)).tolist():
        found = ticks(low, low + high, 6)
        assert len(found) <= 6 and all(low - 1e-9 <= tick <= low + high + 1e-9 for tick in found)
