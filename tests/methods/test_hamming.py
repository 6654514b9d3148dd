"""Hamming distances against set differences."""

import pytest

from pagekin.graph.base_set import base_set
from pagekin.methods import method
from tests.small_webs import from_edges, random_pairs


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return from_edges(
        tmp_path_factory.mktemp("hamming") / "s.kin", [(f"p{s}", f"p{t}") for s, t in random_pairs(2, 50, 160)]
    )


@pytest.mark.parametrize("radius", [1, 2])
def test_distances_are_the_sizes_of_set_differences(store, radius):
    for page in range(0, store.size, 6):
        inside = set(base_set(store.arrays, page, radius).pages.tolist())
        forth = {p: set(store.arrays.targets(p).tolist()) & inside for p in inside}
        back = {p: set(store.arrays.citers(p).tolist()) & inside for p in inside}
        expected = {p: len(forth[page] ^ forth[p]) + len(back[page] ^ back[p]) for p in inside - {page}}
        found = method(f"hamming(radius={radius})").related(store, page, 100)
        assert dict(zip(found.pages.tolist(), (1 / found.scores - 1).round(9).tolist(), strict=True)) == expected
        for other in found.pages[:5].tolist():
            reasons = [reason.as_dict() for reason in method(f"hamming(radius={radius})").why(store, page, other)]
            assert reasons[0]["distance"] == expected[other]
            assert reasons[0]["targets"] == len(forth[page] ^ forth[other])
            shared = {r["page"] for r in reasons if r["kind"] == "cites"}
            assert shared == {store.url(p) for p in sorted(forth[page] & forth[other])[:10]}
