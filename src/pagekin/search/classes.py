"""Classes of related pages (paper 4, section 8: recommending classes of sites, not only pages).

Pages are grouped by Sim_s of their keywords: flexible clustering (`cluster.flexible`) of the distances 1 − Sim_s, cut
where the silhouette (Rousseeuw 1987) is best. A class is labelled with the words and phrases that set its pages apart
(`topic`), more than they do the pages of other classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagekin.cluster.flexible import flexible
from pagekin.collection.store import Store
from pagekin.index.base import is_built
from pagekin.index.inverted import Inverted
from pagekin.index.keywords import keywords_of
from pagekin.kernels import Floats, Ints
from pagekin.methods.semantic import similarities
from pagekin.search.answer import numbered
from pagekin.search.keywords import main_keywords
from pagekin.search.topic import topic

ALPHA = 0.625  # Lance and Williams' own choice (β = −¼); it gives classes of more even size than averages do
LABEL = 3  # words in a label
TOPIC = 30  # words of a page that may be in one


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
    found = [Class(label, tuple(group)) for group, label in zip(groups, _labels(store, groups), strict=True)]
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


def _labels(store: Store, groups: Sequence[Sequence[int]]) -> list[tuple[str, ...]]:
    """The label of each group: the words and phrases that set its pages apart, and not those of other groups.

    Each page shares 1 among the words of its topic, by their scores. Of each word the mean over the pages of the group,
    less that over the pages of the others, counts as often as the share of the group's pages that have it: a word on
    one page says nothing about the group.
    """
    told = [[_topic(store, page) for page in group] for group in groups]
    labels = []
    for at, group in enumerate(told):
        others = [page for i, other in enumerate(told) if i != at for page in other]
        scores = {
            word: (_mean(word, group) - _mean(word, others)) * sum(word in page for page in group) / len(group)
            for page in group
            for word in page
        }
        words = sorted((word for word in scores if scores[word] > 0), key=lambda word: (-scores[word], word))
        labels.append(tuple(words[:LABEL]))
    return labels


def _topic(store: Store, page: int) -> dict[str, float]:
    """The words of a page; without the index of search its main keywords, which the index of classes has."""
    if is_built(store, Inverted()):
        found = topic(store, numbered(store, Inverted()), page, TOPIC)
    else:
        found = list(main_keywords(store, page, TOPIC).words)
    return {word: score / sum(each for _, each in found) for word, score in found}


def _mean(word: str, pages: Sequence[dict[str, float]]) -> float:
    return sum(page.get(word, 0.0) for page in pages) / max(len(pages), 1)
