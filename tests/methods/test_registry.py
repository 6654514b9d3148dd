"""The contract of every method: one test over the whole registry."""

from pathlib import Path

import numpy as np
import pytest

from pagekin import Collection, methods
from pagekin.collection.store import Store
from pagekin.methods import REGISTRY, method
from tests.small_webs import from_edges, random_pairs

METHODS = sorted(REGISTRY)
OWN_TIES = ("assisted",)  # equal scores by the height at which the pages come together, then page order


def test_the_folder_is_the_list():
    files = {path.stem for path in Path(methods.__file__).parent.glob("*.py")} - {
        "__init__",
        "base",
        "evidence",
        "link_sides",
        "narrowed",
    }
    assert files == {cls.__module__.rpartition(".")[2] for cls in REGISTRY.values()}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    pairs = [(f"http://h{s % 7}.example/{s}", f"http://h{t % 7}.example/{t}") for s, t in random_pairs(1, 60, 300)]
    path = tmp_path_factory.mktemp("registry") / "s.kin"
    from_edges(path, [*pairs, ("alone", "alone")])
    Collection(path).build(all=True)
    return Store(path)


@pytest.mark.parametrize("name", METHODS)
def test_rankings_are_sorted_deterministic_and_never_hold_the_page_itself(store, name):
    for page in range(store.size):
        found = method(name).related(store, page, 15)
        assert page not in found.pages
        assert len(set(found.pages.tolist())) == len(found.pages) == len(found.scores) <= 15
        assert np.isfinite(found.scores).all()
        keys = [(-float(f"{s:.12g}"), p) for p, s in zip(found.pages.tolist(), found.scores.tolist(), strict=True)]
        if name in OWN_TIES:
            keys = [score for score, _ in keys]
        assert keys == sorted(keys)
        again = method(name).related(store, page, 15)
        assert again.pages.tolist() == found.pages.tolist()
        assert again.scores.tolist() == found.scores.tolist()
        assert len(found.pages) or found.note


@pytest.mark.parametrize("name", METHODS)
def test_a_shorter_list_is_the_beginning_of_a_longer_one(store, name):
    for page in range(0, store.size, 7):
        long, short = (method(name).related(store, page, k) for k in (40, 5))
        assert short.pages.tolist() == long.pages.tolist()[:5]


@pytest.mark.parametrize("name", METHODS)
def test_every_result_has_a_reason(store, name):
    for page in range(0, store.size, 5):
        for other in method(name).related(store, page, 5).pages.tolist():
            assert method(name).why(store, page, other)


@pytest.mark.parametrize("name", METHODS)
def test_a_page_alone_gets_an_empty_list_and_a_reason(store, name):
    alone = store.graph.pages["url"].to_pylist().index("alone")
    found = method(name).related(store, alone, 15)
    assert not len(found.pages)
    assert found.note


@pytest.mark.parametrize("name", METHODS)
def test_everyone_at_once_equals_everyone_asked(store, name):
    asked = method(name)
    sizes, pages, scores = asked.lists(store, 5)
    some = np.array([7, 0, 7, store.size - 1], np.int32)
    for one, other in zip(asked.lists(store, 5, some), (sizes[some], pages[some], scores[some]), strict=True):
        assert np.array_equal(one, other)
    for page in range(store.size):
        found = asked.related(store, page, 5)
        assert pages[page, : sizes[page]].tolist() == found.pages.tolist()
        assert scores[page, : sizes[page]].tolist() == found.scores.tolist()
