"""Where a result leads that was found because of its cluster: to which page, and by which link."""

from typing import Any

import numpy as np

from pagekin.collection.store import Store
from pagekin.index.subrelevant import PageClusters
from pagekin.kernels import Floats, Ints, frozen

MOST_TRIED = 5  # best pages in its clusters to which a path of two clicks is looked for
MOST_MEMBERS = 100_000  # members looked at: the front page of a host may be in all its clusters


def leads_to(store: Store, clusters: PageClusters, own: Floats, page: int) -> dict[str, Any] | None:
    """The page to which this one leads: the best by its own words in a common cluster, one click away, else two.

    None if no page there is better than this one.

    `path` is the path there by links that exist, `anchor` the text of its first link. If there is no such path it is
    empty, and the two are only near the `seed` of their cluster.
    """
    targets = store.arrays.targets(page)
    for target in _best(targets[own[targets] > own[page]], own, targets.size):
        seed = _together(clusters, page, target)
        if seed is not None:
            return _said(store, [page, target], seed)
    best = _best_mates(clusters, own, page)
    for target in best:
        between = np.intersect1d(targets, store.arrays.citers(target), assume_unique=True)
        if between.size:
            return _said(store, [page, int(between[0]), target], _together(clusters, page, target))
    return _said(store, [], _together(clusters, page, best[0]), best[0]) if best else None


def _best(pages: Ints, own: Floats, most: int) -> list[int]:
    """The best pages by their own score, then in page order."""
    return pages[np.lexsort((pages, -own[pages]))][:most].tolist()  # type: ignore[no-any-return]


def _best_mates(clusters: PageClusters, own: Floats, page: int) -> list[int]:
    """The best pages, by their own score, that share a cluster with this one and are better than it."""
    from pagekin.kernels.inverted import best_mates

    held = clusters.holding(page)
    sizes = clusters.start[held + 1] - clusters.start[held]
    enough = max(int(np.searchsorted(np.cumsum(sizes), MOST_MEMBERS)), 1)
    found = best_mates(frozen(held[:enough]), clusters.start, clusters.member, own, page, MOST_TRIED)
    return found.tolist()  # type: ignore[no-any-return]


def _together(clusters: PageClusters, page: int, other: int) -> int | None:
    """The seed of the first cluster that contains both pages; None if there is none."""
    both = np.intersect1d(clusters.holding(page), clusters.holding(other), assume_unique=True)
    return int(clusters.members(both[0])[0]) if both.size else None


def _said(store: Store, path: list[int], seed: int | None, target: int | None = None) -> dict[str, Any]:
    end = path[-1] if target is None else target
    return {
        "url": store.url(end),
        "title": store.title(end),
        "anchor": store.anchor(path[0], path[1]) if path else "",
        "path": [store.url(page) for page in path],
        "seed": None if seed is None else store.url(seed),
    }
