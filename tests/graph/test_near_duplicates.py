"""Near-duplicates against a comparison of all pairs."""

import numpy as np

from pagekin.graph.links import link_arrays
from pagekin.graph.near_duplicates import leaders


def slow(graph, pages, first):
    order = [first, *(place for place in range(len(pages)) if place != first)]
    sets = [set(graph.targets(page).tolist()) for page in pages]
    leading, leader = [], {}
    for place in order:
        same = (
            other
            for other in sorted(leading)
            if len(sets[place]) > 10
            and len(sets[other]) > 10
            and 100 * len(sets[place] & sets[other]) >= 95 * max(len(sets[place]), len(sets[other]))
        )
        leader[place] = next(same, place)
        if leader[place] == place:
            leading.append(place)
    return [leader[place] for place in range(len(pages))]


def test_near_duplicates_are_those_of_all_pairs():
    rng = np.random.default_rng(3)
    patterns = [rng.choice(400, size, replace=False) for size in (9, 10, 11, 12, 20, 40, 41, 60, 100)]
    rows = []
    for page in range(120):
        members = set(patterns[page % len(patterns)].tolist())
        for _ in range(int(rng.integers(0, 5))):  # some lose a link, some gain one
            members = members - {min(members)} if rng.random() < 0.5 else members | {int(rng.integers(0, 400))}
        rows += [(page, 200 + target) for target in members]
    source, target = np.array(rows, np.int32).T
    graph = link_arrays(source, target, 600)
    pages = np.arange(120, dtype=np.int32)
    for first in (0, 50):
        found = leaders(graph, pages, first)
        assert found.tolist() == slow(graph, pages, first)
    assert 10 < np.count_nonzero(found != np.arange(120)) < 110
