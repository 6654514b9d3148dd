"""The walk against the solution of its equation, within the error that is stated."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from pagekin.errors import UsageError
from pagekin.methods import method
from tests.small_webs import from_edges, random_pairs


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    pairs = [(f"p{s}", f"p{t}") for s, t in random_pairs(5, 70, 200)]
    return from_edges(tmp_path_factory.mktemp("walk") / "s.kin", [*pairs, ("x", "y")])


def exact(store, page, restart):
    """π = restart · e (I − (1 − restart) P)⁻¹, with whole matrices."""
    n = store.size
    adjacent = np.zeros((n, n))
    for p in range(n):
        adjacent[p, store.arrays.linked(p)] = 1
    step = adjacent / np.maximum(adjacent.sum(axis=1, keepdims=True), 1)
    return restart * np.linalg.solve((np.eye(n) - (1 - restart) * step).T, np.eye(n)[page])


@pytest.mark.parametrize("restart", [0.15, 0.5])
@pytest.mark.parametrize("precision", [1e-3, 1e-5, 1e-8])
def test_scores_are_too_low_by_at_most_the_stated_error(store, restart, precision):
    degree = np.diff(store.arrays.either_start)
    for page in range(0, store.size, 7):
        true = exact(store, page, restart)
        found = method(f"walk(restart={restart}, precision={precision})").related(store, page, store.size)
        scores = np.zeros(store.size)
        scores[found.pages] = found.scores
        scores[page] = true[page]
        assert (true - scores > -1e-12).all()
        assert (true - scores <= precision * degree + 1e-12).all()


def test_it_is_networkx_s_personalised_pagerank(store):
    web = nx.Graph([(p, int(q)) for p in range(store.size) for q in store.arrays.linked(p)])
    page = int(store.arrays.either[0])
    theirs = nx.pagerank(web, alpha=0.85, personalization={page: 1}, tol=1e-12, max_iter=1_000)
    found = method("walk(precision=1e-9)").related(store, page, 20)
    assert found.scores.tolist() == pytest.approx([theirs[p] for p in found.pages.tolist()], abs=1e-6)


def test_damp_hubs_divides_by_the_root_of_the_degree(store):
    page = int(store.arrays.either[0])
    plain, damped = (method(f"walk(damp_hubs={on})").related(store, page, store.size) for on in ("false", "true"))
    score = dict(zip(plain.pages.tolist(), plain.scores.tolist(), strict=True))
    expected = [score[p] / np.sqrt(store.arrays.linked(p).size) for p in damped.pages.tolist()]
    assert damped.scores.tolist() == pytest.approx(expected, rel=1e-12)


def test_why_is_ways_from_the_page_along_links(store):
    asked = method("walk")
    number = {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}
    for page in range(0, store.size, 9):
        for other in asked.related(store, page, 8).pages.tolist():
            reasons = [reason.as_dict() for reason in asked.why(store, page, other)]
            assert reasons
            assert 0 < sum(reason["share"] for reason in reasons) <= 1 + 1e-12
            for reason in reasons:
                way = [number[url] for url in reason["path"]]
                assert way[0] == page
                assert way[-1] == other
                assert len(set(way)) == len(way)
                assert all(b in store.arrays.linked(a) for a, b in pairwise(way))
                assert reason["error"] == 2e-6 * store.arrays.linked(other).size


@pytest.mark.parametrize("setting", ["restart=0", "restart=1", "restart=nan", "precision=0", "precision=2"])
def test_settings_out_of_range_are_refused(setting):
    with pytest.raises(UsageError, match="must be between"):
        method(f"walk({setting})")
