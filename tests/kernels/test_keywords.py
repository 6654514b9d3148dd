"""Support, mutual information, confidence and logical relevance against the paper's equations, slowly."""

import numpy as np
import pytest

from pagekin.collection.store import Store
from pagekin.index.keywords import keywords_of
from pagekin.kernels.keywords import relevance_of, relevance_to_all
from pagekin.search.keywords import linked
from tests.keyword_twin import keyword_web


@pytest.fixture(scope="module", params=range(3))
def web(request, tmp_path_factory):
    site, twin = keyword_web(tmp_path_factory.mktemp("words") / "s.kin", request.param)
    return Store(site.path), twin


def test_the_words_and_the_ranges_equal_the_twin_s(web):
    store, twin = web
    held = keywords_of(store)
    assert held.names["term"].to_pylist() == twin.all
    assert held.total == len(twin.told)
    spans = {"S": held.support, "M": held.information, "C": held.confidence}
    for name, span in spans.items():
        assert (span.low, span.high) == pytest.approx(twin.span[name], abs=1e-12)


@pytest.mark.parametrize("support", [0, 0.5, 1])
def test_semantic_relevance_of_every_pair(web, support):
    store, twin = web
    held = keywords_of(store)
    words = held.semantic(support)
    for a, one in enumerate(twin.all):
        want = [twin.r_s(one, other, support) for other in twin.all]
        assert relevance_to_all(a, words) == pytest.approx(want, abs=1e-12)
        assert [relevance_of(a, b, words) for b in range(len(twin.all))] == pytest.approx(want, abs=1e-12)


def test_confidence_of_every_pair(web):
    store, twin = web
    held = keywords_of(store)
    for a, one in enumerate(twin.all):
        assert linked(held, store.arrays, a) == pytest.approx([twin.C(one, other) for other in twin.all])


@pytest.mark.parametrize(("part", "letter"), [("support", "S"), ("information", "M")])
@pytest.mark.parametrize("theta", [0, 1e-9, 0.3, 0.6, 1])
def test_pruned_links_are_the_twin_s(web, part, letter, theta):
    store, twin = web
    graph = keywords_of(store).pruned(store.arrays, theta, 0.4, part)
    urls = [store.url(p) for p in range(store.size)]
    found = {urls[p]: {urls[q] for q in graph.targets(p).tolist()} for p in range(store.size)}
    assert found == twin.pruned(theta, 0.4, letter)


def test_theta_0_prunes_nothing(web):
    store, _ = web
    held = keywords_of(store)
    assert held.pruned(store.arrays, 0.0, 0.5, "support") is store.arrays
    least = held.pruned(store.arrays, np.nextafter(0, 1), 0.5, "support")
    told = [p for p in range(store.size) if held.of(p).size]
    for page in told:  # whatever the threshold, links are weighed by keywords: those between pages with any stay
        assert set(least.targets(page).tolist()) <= set(store.arrays.targets(page).tolist())
