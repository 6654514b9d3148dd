"""The kernel against a slow, readable twin: sets and sorting."""

import numpy as np
import pytest

from pagekin.graph.links import link_arrays
from pagekin.kernels import frozen
from pagekin.kernels.similarity import COUNT, DIRECT, SETS, rounded, strongest
from tests.small_webs import random_pairs


def twin(out, page, k, formula, near):
    """Eq. 1–4 with Python sets."""
    n = len(out)
    inward = [{s for s in range(n) if t in out[s]} for t in range(n)]
    around = {"out": out, "in": inward, "either": [o | i for o, i in zip(out, inward, strict=True)]}[near]
    found = []
    for other in range(n):
        common = len(around[page] & around[other])
        direct = (other in out[page]) + (page in out[other])
        if formula == COUNT:
            score, counts = common, common > 0
        elif formula == SETS:
            union = around[page] | around[other]
            score, counts = (common / len(union) if union else 0.0), common > 0
        else:
            union = around[page] | around[other] | {page, other}
            score, counts = (common + direct) / len(union), common + direct > 0
        if other != page and counts:
            found.append((float(f"{score:.12g}"), other))
    return sorted(found, key=lambda item: (-item[0], item[1]))[:k]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("near", "far"), [("in", "out"), ("out", "in"), ("either", "either")])
@pytest.mark.parametrize("formula", [COUNT, SETS, DIRECT])
@pytest.mark.parametrize("k", [1, 4, 50])
def test_strongest_equals_its_twin(seed, near, far, formula, k):
    n = 26
    pairs = random_pairs(seed, n, 20 + 12 * seed)
    graph = link_arrays(*(np.array(side, np.int32) for side in zip(*pairs, strict=True)), n)
    out = [set(graph.targets(p).tolist()) for p in range(n)]
    common, direct = np.zeros(n, np.int32), np.zeros(n, np.int32)
    sizes, pages, scores = strongest(
        frozen(np.arange(n, dtype=np.int32)), k, formula, near == far,
        *graph.rows(near), *graph.rows(far), *graph.rows("out"), *graph.rows("in"), common, direct,
    )  # fmt: skip
    for page in range(n):
        want = twin(out, page, k, formula, near)
        assert pages[page, : sizes[page]].tolist() == [other for _, other in want]
        assert scores[page, : sizes[page]] == pytest.approx([score for score, _ in want], abs=1e-12)
    assert not common.any(), "the scratch is given back as zeros"
    assert not direct.any(), "the scratch is given back as zeros"


def test_scores_are_equal_to_twelve_digits():
    assert rounded(0.1 + 0.2) == rounded(0.3)
    assert rounded(1 / 3) != rounded(1 / 3 + 1e-10)
    assert rounded(0.0) == 0.0
    assert rounded(-2.5e-300) == -2.5e-300
