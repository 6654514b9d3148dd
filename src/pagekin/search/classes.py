"""Classes of related pages (paper 4, section 8: recommending classes of sites, not only pages).

Pages are grouped by Sim_s of their keywords: flexible clustering (`cluster.flexible`, α = 0.5) of the distances
1 − Sim_s, cut where the merges jump highest. A class is labelled with the words that are main keywords (Eq. 23) of its
pages more than of the others'.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagekin.cluster.flexible import flexible
from pagekin.collection.keywords import Keywords, keywords_of
from pagekin.collection.store import Store
from pagekin.kernels import Floats, Ints
from pagekin.methods.integrated import similarities
from pagekin.methods.onepage import best
from pagekin.search.keywords import relevances

LABEL = 3  # words


@dataclass(frozen=True)
class Class:
    """Pages that belong together, in the order they came, and the words that say what they are about."""

    label: tuple[str, ...]  # none: pages without keywords
    pages: tuple[int, ...]


def classes(store: Store, pages: Sequence[int]) -> list[Class]:
    """The pages in classes; a class stands where its first page does, pages without keywords come last."""
    held = keywords_of(store)
    told = [page for page in pages if held.of(page).size]
    groups = [[told[i] for i in group] for group in _groups(store, np.array(told, np.int32))]
    found = [Class(label, tuple(group)) for group, label in zip(groups, _labels(held, groups), strict=True)]
    silent = tuple(page for page in pages if not held.of(page).size)
    return [*found, *([Class((), silent)] if silent else [])]


def _groups(store: Store, pages: Ints) -> list[list[int]]:
    """Places in the list, grouped; each group ascends, and groups are in order of their first."""
    n = pages.size
    if n < 3:
        return [list(range(n))] if n else []
    table = similarities(store, pages, pages)
    one, other = np.triu_indices(n, 1)
    alike = np.clip((table[one, other] + table[other, one]) / 2, 0.0, 1.0)
    some = alike > 0
    merges = flexible(n, one[some], other[some], alike[some]).merges
    clusters = {place: [place] for place in range(n)}
    for row in range(_cut(merges[:, 2])):
        a, b = merges[row, :2].astype(int).tolist()
        clusters[n + row] = sorted(clusters.pop(a) + clusters.pop(b))
    return sorted(clusters.values())


def _cut(heights: Floats) -> int:
    """How many merges stand: up to the highest jump that leaves two classes at least and three pages to a class."""
    n = heights.size + 1
    most = max(n // 3, 2)
    jumps = np.diff(heights)[n - most - 1 :]
    return n - most + int(np.argmax(jumps))


def _labels(held: Keywords, groups: Sequence[Sequence[int]]) -> list[tuple[str, ...]]:
    """For each group the words whose mean relevance to its pages' keywords is most above that to the others'."""
    if not groups:
        return []
    every = np.unique(np.concatenate([held.of(page) for group in groups for page in group]))
    means = [np.mean([relevances(held, held.of(page), every) for page in group], axis=0) for group in groups]
    labels = []
    for at, group in enumerate(groups):
        others = np.mean([mean for i, mean in enumerate(means) if i != at], axis=0) if len(groups) > 1 else 0.0
        own = np.isin(every, np.concatenate([held.of(page) for page in group]))
        score = (means[at] - others)[own]
        words, _ = best(every[own][score > 0].astype(np.int32), score[score > 0], LABEL)
        labels.append(tuple(held.surface(word) for word in words.tolist()))
    return labels
