"""The map: places do not depend on the method, distances are near to 1 − s, edges name what two pages share."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from pagekin.answers.map import draw_map, edges, layout, majorized
from pagekin.methods import method
from tests.small_webs import from_edges, random_pairs


@pytest.fixture
def store(tmp_path):
    pairs = [(f"http://h{a % 7}.example/{a}", f"http://h{b % 7}.example/{b}") for a, b in random_pairs(3, 60, 400)]
    return from_edges(tmp_path / "s.kin", pairs)


def test_distances_in_the_plane_are_kept():
    points = np.random.default_rng(1).normal(size=(30, 2))
    distance = squareform(pdist(points))
    found = squareform(pdist(majorized(distance.copy())))
    away = ~np.eye(30, dtype=bool)
    scale = (found[away] / distance[away]).mean()  # the picture is scaled so that all are within 1 of the first
    assert np.allclose(found, scale * distance, atol=1e-6)


def test_majorization_lowers_the_stress():
    rng = np.random.default_rng(2)
    distance = squareform(rng.uniform(0.2, 1, 40 * 39 // 2))

    def stress(places):
        found = pdist(places)
        wanted = squareform(distance)
        scale = (found * wanted).sum() / (found**2).sum()
        return ((scale * found - wanted) ** 2).sum()

    places = majorized(distance.copy())
    assert np.allclose(places[0], 0)
    assert np.linalg.norm(places, axis=1).max() <= 1 + 1e-9
    assert stress(places) < min(stress(rng.normal(size=(40, 2))) for _ in range(20))


def test_a_page_stands_at_the_same_place_whichever_method_finds_it(store):
    url = store.url(0)
    maps = [draw_map(store, url, method(name), 20) for name in ("amsler", "walk", "co-citation")]
    places = {}
    for drawn in maps:
        for row in drawn:
            assert places.setdefault(row.url, (row.x, row.y)) == (row.x, row.y)
            assert -1 <= row.x <= 1
            assert -1 <= row.y <= 1
        assert (drawn[0].url, drawn[0].x, drawn[0].y, drawn[0].score) == (url, 0, 0, None)
    assert len({row.url for row in maps[0]} ^ {row.url for row in maps[1]}) > 0


def test_edges_are_the_strongest_of_each_page_and_name_what_is_common(store):
    pages = list(range(0, 40, 2))
    near = {page: {*store.arrays.linked(page).tolist(), page} for page in pages}

    def alike(a, b):
        return len(near[a] & near[b]) / len(near[a] | near[b])

    found = {(edge.source, edge.target): edge for edge in edges(store, pages)}
    wanted = set()
    for at, one in enumerate(pages):
        others = sorted((other for other in range(len(pages)) if other != at), key=lambda o: (-alike(one, pages[o]), o))
        wanted |= {(min(at, o), max(at, o)) for o in others[:3] if alike(one, pages[o])}
    assert found.keys() == wanted
    for (a, b), edge in found.items():
        one, other = (set(store.arrays.linked(pages[at]).tolist()) for at in (a, b))
        assert edge.weight == pytest.approx(alike(pages[a], pages[b]))
        assert edge.common == len(one & other)
        assert set(edge.pages) <= {store.url(page) for page in one & other}


def test_a_page_like_none_of_the_base_stands_at_the_edge(tmp_path):
    store = from_edges(
        tmp_path / "t.kin", [("http://a.example/", "http://b.example/"), ("http://c.example/", "http://d.example/")]
    )
    numbers = [store.graph.pages["url"].to_pylist().index(f"http://{name}.example/") for name in "abc"]
    places = layout(store, numbers[0], numbers)
    assert np.allclose(places[0], 0)
    assert np.linalg.norm(places[2]) == pytest.approx(1)
