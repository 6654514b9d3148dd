"""Link arrays, against sets."""

import numpy as np
import pytest

from pagekin.graph.links import link_arrays
from tests.small_webs import random_pairs


@pytest.mark.parametrize("seed", range(4))
def test_rows_are_the_sets_of_linked_pages(seed):
    pairs = [*random_pairs(seed, 20, 90), (3, 3), (1, 2), (1, 2)]
    graph = link_arrays(*(np.array(ends, np.int32) for ends in zip(*pairs, strict=True)), 20)
    out = {page: {b for a, b in pairs if a == page != b} for page in range(20)}
    into = {page: {a for a, b in pairs if b == page != a} for page in range(20)}
    for page in range(20):
        assert graph.targets(page).tolist() == sorted(out[page])
        assert graph.citers(page).tolist() == sorted(into[page])
        assert graph.linked(page).tolist() == sorted(out[page] | into[page])
    assert (graph.size, graph.links) == (20, sum(map(len, out.values())))
    some = np.array([5, 0, 5], np.int32)
    rows, lengths = graph.gathered("out", some)
    assert rows.tolist() == [target for page in some.tolist() for target in sorted(out[page])]
    assert lengths.tolist() == [len(out[page]) for page in some.tolist()]


@pytest.mark.parametrize(("max_in", "max_out"), [(None, None), (2, None), (None, 4), (1, 5)])
def test_limits_drop_portals_and_the_least_cited_citers(max_in, max_out):
    pairs = [pair for pair in random_pairs(7, 20, 120) if pair[0] != pair[1]]
    graph = link_arrays(*(np.array(ends, np.int32) for ends in zip(*pairs, strict=True)), 20)
    limited = graph.limited(max_in, max_out)
    out, into = ({page: set() for page in range(20)} for _ in range(2))
    for a, b in pairs:
        out[a].add(b)
        into[b].add(a)
    for page in range(20):
        citers = [a for a in into[page] if max_out is None or len(out[a]) <= max_out]
        kept = sorted(citers, key=lambda a: (-len(into[a]), a))[:max_in]
        assert limited.citers(page).tolist() == sorted(kept)
