"""The tree beside a list: the same heights as in the whole hierarchy, and groups as SciPy cuts them."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, fcluster
from scipy.spatial.distance import squareform

from pagekin.cluster.dendrogram import Scale, around
from pagekin.cluster.flexible import flexible
from pagekin.serve.tree import groups, height_at, induced


def whole(seed, n=30):
    random = np.random.default_rng(seed)
    a, b = np.triu_indices(n, 1)
    return flexible(n, a, b, random.uniform(0.01, 1, a.size), random.uniform(0.3, 0.9))


@pytest.mark.parametrize("seed", range(5))
def test_some_pages_come_together_at_the_heights_at_which_they_do_among_all(seed):
    hierarchy = whole(seed)
    places = np.random.default_rng(seed).permutation(30)[:9].astype(np.int32)
    among = squareform(cophenet(hierarchy.merges))[np.ix_(places, places)]
    assert squareform(cophenet(induced(hierarchy, places).merges)) == pytest.approx(among)


@pytest.mark.parametrize("seed", range(5))
def test_a_cut_makes_the_groups_that_scipy_makes(seed):
    hierarchy = whole(seed, 14)
    drawing = around(hierarchy, 3, 14)
    for cut in np.quantile(hierarchy.merges[:, 2], [0.1, 0.5, 0.9]) + 1e-9:
        labels = fcluster(hierarchy.merges, cut, "distance")
        own = groups(drawing, cut)
        for one, a in zip(drawing.rows, own, strict=True):
            for other, b in zip(drawing.rows, own, strict=True):
                together = labels[one.page] == labels[other.page]
                assert (one is other) or together == (a == b >= 0)


@pytest.mark.parametrize("scale", [Scale(0.2, 0.9), Scale(0.01, 40.0, logarithmic=True)])
def test_a_height_is_found_again_at_its_place(scale):
    assert [scale.at(height_at(scale, place)) for place in (0, 0.3, 1)] == pytest.approx([0, 0.3, 1])
