"""Classes of related pages (paper 4, section 8: recommending classes of sites, not only pages).

Pages are grouped by Sim_s of their keywords: flexible clustering (`cluster.flexible`) of the distances 1 − Sim_s, cut
where the silhouette (Rousseeuw 1987) is best. A class is labelled with words that are main keywords (Eq. 23) of its
pages more than of other pages, weighted by how many of its pages have them and how rare they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagekin.cluster.flexible import flexible
from pagekin.collection.store import Store
from pagekin.graph.topk import best
from pagekin.index.keywords import Keywords, keywords_of
from pagekin.kernels import Floats, Ints
from pagekin.methods.integrated import similarities
from pagekin.search.keywords import relevances

ALPHA = 0.625  # Lance and Williams' own choice (β = −¼); it gives classes of more even size than averages do
LABEL = 3  # words in a label


@dataclass(frozen=True)
class Class:
    """Pages that belong together, in the order they were given, and words that say what they are about."""

    label: tuple[str, ...]  # empty: pages without keywords
    pages: tuple[int, ...]


def classes(store: Store, pages: Sequence[int]) -> list[Class]:
    """Group pages into classes, in the order of their first pages; pages without keywords come last."""
    store = store.seeing()
    held = keywords_of(store)
    told = [page for page in pages if held.of(page).size]
    groups = [[told[i] for i in group] for group in _groups(store, np.array(told, np.int32))]
    found = [Class(label, tuple(group)) for group, label in zip(groups, _labels(held, groups), strict=True)]
    silent = tuple(page for page in pages if not held.of(page).size)
    return [*found, *([Class((), silent)] if silent else [])]


def _groups(store: Store, pages: Ints) -> list[list[int]]:
    """Groups of places in the list; places in a group ascend, and groups are in the order of their first place."""
    n = pages.size
    if n < 3:
        return [list(range(n))] if n else []
    table = similarities(store, pages, pages)
    one, other = np.triu_indices(n, 1)
    alike = np.clip((table[one, other] + table[other, one]) / 2, 0.0, 1.0)
    some = alike > 0
    merges = flexible(n, one[some], other[some], alike[some], ALPHA).merges
    distance = np.ones((n, n))
    distance[one, other] = distance[other, one] = 1 - alike
    np.fill_diagonal(distance, 0.0)
    clusters, cuts = {place: [place] for place in range(n)}, []
    for row, (a, b) in enumerate(merges[:, :2].astype(int).tolist()):
        if 2 <= len(clusters) <= max(n // 3, 2):  # three pages to a class, on average
            cuts.append(sorted(clusters.values()))
        clusters[n + row] = sorted(clusters.pop(a) + clusters.pop(b))
    return max(reversed(cuts), key=lambda groups: round(_silhouette(distance, groups), 12))


def _silhouette(distance: Floats, groups: list[list[int]]) -> float:
    """How much nearer places are to their own group than to the nearest other, 1 at best; a group of one counts 0."""
    mean = np.column_stack([distance[:, group].mean(axis=1) for group in groups])
    total = 0.0
    for at, group in enumerate(groups):
        if len(group) > 1:
            inside = mean[group, at] * len(group) / (len(group) - 1)  # without the place itself
            outside = np.delete(mean[group], at, axis=1).min(axis=1)
            larger = np.maximum(inside, outside)
            total += float(np.divide(outside - inside, larger, where=larger > 0, out=np.zeros(len(group))).sum())
    return total / len(distance)


def _labels(held: Keywords, groups: Sequence[Sequence[int]]) -> list[tuple[str, ...]]:
    """The label of each group: words more relevant, on average, to its pages' keywords than to those of other pages.

    The difference is multiplied by ln(N / pages with the word), since a word on most pages does not set a group apart,
    and by the share of the group's pages that have it, since a word on one page says nothing about the group.
    """
    if not groups:
        return []
    every = np.unique(np.concatenate([held.of(page) for group in groups for page in group]))
    means = [np.mean([relevances(held, held.of(page), every) for page in group], axis=0) for group in groups]
    labels = []
    for at, group in enumerate(groups):
        others = np.mean([mean for i, mean in enumerate(means) if i != at], axis=0) if len(groups) > 1 else 0.0
        share = np.mean([np.isin(every, held.of(page)) for page in group], axis=0)
        score = (means[at] - others) * np.log(held.total / held.pages[every]) * share
        words, _ = best(every[score > 0].astype(np.int32), score[score > 0], LABEL)
        labels.append(tuple(held.surface(word) for word in words.tolist()))
    return labels
