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
        found = method(f"walk(restart={restart}, damping=0, precision={precision})").related(store, page, store.size)
        scores = np.zeros(store.size)
        scores[found.pages] = found.scores
        scores[page] = true[page]
        assert (true - scores > -1e-12).all()
        assert (true - scores <= precision * degree + 1e-12).all()


def test_it_is_networkx_s_personalised_pagerank(store):
    web = nx.Graph([(p, int(q)) for p in range(store.size) for q in store.arrays.linked(p)])
    page = int(store.arrays.either[0])
    theirs = nx.pagerank(web, alpha=0.85, personalization={page: 1}, tol=1e-12, max_iter=1_000)
    found = method("walk(damping=0, precision=1e-9)").related(store, page, 20)
    assert found.scores.tolist() == pytest.approx([theirs[p] for p in found.pages.tolist()], abs=1e-6)


def iterated(store, page, restart):
    """π by steps of the whole walk, until what is still on its way is less than 1e-14."""
    start, linked = store.arrays.rows("either")
    degree = np.diff(start)
    ends = np.repeat(np.arange(store.size), degree)
    now, total = np.eye(store.size)[page], np.zeros(store.size)
    while now.sum() > 1e-14:
        total += restart * now
        now = (1 - restart) * np.bincount(linked, (now / np.maximum(degree, 1))[ends], store.size)
    return total


@pytest.fixture(scope="module")
def larger(tmp_path_factory):
    """3,000 pages, a few of which are hubs."""
    rng = np.random.default_rng(8)
    pairs = {(f"p{s}", f"p{int(3000 * rng.random() ** 3)}") for s in range(3_000) for _ in range(rng.integers(1, 12))}
    return from_edges(tmp_path_factory.mktemp("walk") / "l.kin", sorted(pairs))


@pytest.mark.parametrize("damping", [0, 1, 2.5])
@pytest.mark.parametrize("web", ["store", "larger"])
def test_damping_subtracts_what_a_walk_from_anywhere_has(request, web, damping):
    web = request.getfixturevalue(web)
    degree = np.diff(web.arrays.either_start)
    asked, exactly = method(f"walk(damping={damping})"), method(f"walk(damping={damping}, precision=1e-9)")
    error = asked.precise(web.arrays) * degree
    assert (error <= 0.1 * (damping or 1) * degree / degree.sum() + 1e-7 * degree).all()
    for page in range(0, web.size, web.size // 9):
        true = iterated(web, page, 0.15)
        want = np.maximum(true - damping * degree / degree.sum(), true / 1000)
        found, fine = (each.related(web, page, web.size) for each in (asked, exactly))
        assert (np.abs(want[found.pages] - found.scores) <= error[found.pages] + 1e-12).all()
        assert (np.abs(want[fine.pages] - fine.scores) <= 1e-9 * degree[fine.pages] + 1e-12).all()
        order = [p for p in np.lexsort((np.arange(web.size), -want)).tolist() if p != page and true[p] > 1e-6]
        first = order[:10]
        assert want[fine.pages[: len(first)]] == pytest.approx(want[first], abs=1e-6)
        assert found.scores.min() > 0


def test_a_hub_that_every_walk_meets_is_not_first(tmp_path):
    pairs = [(f"p{i}", "hub") for i in range(200)] + [(f"p{i}", f"p{i ^ 1}") for i in range(200)]
    store = from_edges(tmp_path / "s.kin", pairs)
    number = {store.url(p): p for p in range(store.size)}
    first = {damping: method(f"walk(damping={damping})").related(store, number["p0"], 1).pages[0] for damping in (0, 1)}
    assert [store.url(first[0]), store.url(first[1])] == ["hub", "p1"]


def test_in_a_small_web_there_are_answers_too(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("a", "x"), ("b", "x"), ("c", "x")])
    number = {store.url(p): p for p in range(store.size)}
    assert sorted(store.url(p) for p in method("walk").related(store, number["x"], 5).pages) == ["a", "b", "c"]


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
                links = store.arrays.linked(other).size
                assert reason["error"] == asked.precise(store.arrays) * links
                assert reason["damped"] == links / store.arrays.either.size


@pytest.mark.parametrize(
    "setting", ["restart=0", "restart=1", "restart=nan", "precision=0", "precision=2", "damping=-1", "damping=nan"]
)
def test_settings_out_of_range_are_refused(setting):
    with pytest.raises(UsageError, match="must be between"):
        method(f"walk({setting})")
