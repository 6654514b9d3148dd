"""Companion (Dean & Henzinger 1999): the authorities of a page's vicinity, where only links between hosts count.

The vicinity of a page is its parents (at most `max_parents`) and, on each, the `around` links nearest the link to the
page; its children and their parents (at most `max_parents` each, those with most in-links). Pages with over 10 links
that share 95 % of them count as one. Hubs and authorities are then scored: a link within a host weighs 0, each of k
links from one host to one page weighs 1/k for the authority, each of l links from one page to one host 1/l for the hub.
"""

from dataclasses import dataclass

import numpy as np

from pagekin.collection.lookup import stop_list
from pagekin.collection.seen import SeesLinks
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.graph.base_set import links_among
from pagekin.graph.hubs import Scored, Web, score_web
from pagekin.graph.near_duplicates import leaders
from pagekin.kernels import Floats, Ints, Longs
from pagekin.methods import evidence
from pagekin.methods.base import ALONE, Method, Scores, register
from pagekin.model import Evidence
from pagekin.wording import option


@register("companion")
@dataclass(frozen=True, repr=False)
class Companion(SeesLinks, Method):
    """The pages that link lists on other hosts name beside a page."""

    max_parents: int = 2_000  # B and FB of the paper
    around: int = 8  # BF: links nearest the link to the page, half before it and half after
    stop: str | None = None  # a file of addresses to leave out, one per line

    def __post_init__(self) -> None:
        if self.max_parents < 1:
            raise UsageError(f"max_parents must be at least 1, not {self.max_parents}")
        if self.around < 2:
            raise UsageError(f"around must be at least 2, one link on each side, not {self.around}")

    def related(self, store: Store, page: int, k: int) -> Scores:
        if not store.arrays.linked(page).size:
            return Scores.none(ALONE)
        if _one_host(store):  # said at once: to look at the vicinity takes a tenth of a second
            return Scores.none(
                "all pages are on one host, and links within a host weigh 0 here; "
                f"try {option('method', 'hits')}, which only damps them"
            )
        found, merged = self._vicinity_scored(store, page)
        size, links = found.web.pages.size, np.count_nonzero(found.web.to_authority)
        if not links:
            return Scores.none(
                f"no link leads from one host to another among the {size:,} pages around this one, and links within "
                f"a host weigh 0 here; try {option('method', 'hits')}, which only damps them"
            )
        pages, scores = found.ranked("authority", k)
        if not pages.size:
            return Scores.none(
                f"no other page around this one is linked to from another host; try {option('method', 'hits')}"
            )
        twins = f" ({merged:,} near-duplicates merged)" if merged else ""
        note = f"vicinity of {size:,} pages{twins} and {links:,} links between hosts, {found.steps()}"
        return Scores(pages, scores, note)

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        found, _ = self._vicinity_scored(store, page)
        return list(evidence.of_scores(store, found, int(np.searchsorted(found.web.pages, other)), "authority"))

    def _vicinity_scored(self, store: Store, page: int) -> tuple[Scored, int]:
        """The vicinity with its scores, and how many pages were merged into others."""
        return store.memo.get("companion", (self, page), lambda: self._scored(store, page))

    def _scored(self, store: Store, page: int) -> tuple[Scored, int]:
        pages = self.vicinity(store, page)
        place = int(np.searchsorted(pages, page))
        source, target = links_among(store.arrays, pages)
        leader = leaders(store.arrays, pages, place)
        pairs = np.unique(leader[source].astype(np.int64) * pages.size + leader[target])
        links = np.stack(np.divmod(pairs, pages.size)).astype(np.int32)
        host = np.unique(store.values("host", pages), return_inverse=True)[1]
        source, target = links[:, host[links[0]] != host[links[1]]]
        to_authority, to_hub = _one_of(host[source], target), _one_of(source, host[target])
        ones = np.ones(pages.size)
        web = Web(pages, place, source, target, to_authority, to_hub, ones, ones)
        return score_web(web), int(np.count_nonzero(leader != np.arange(pages.size)))

    def vicinity(self, store: Store, page: int) -> Ints:
        """The page, its parents and their links near it, its children and their parents, ascending."""
        graph, stopped = store.arrays, self._stopped(store, page)
        parents = np.setdiff1d(graph.citers(page), stopped, True)[: self.max_parents]  # ids are hashes: a random choice
        children = np.setdiff1d(graph.targets(page), stopped, True)
        siblings = [_siblings(store, parent, page, self.around) for parent in parents.tolist()]
        others = [self._best_known(store, np.setdiff1d(graph.citers(c), stopped, True)) for c in children.tolist()]
        found = np.unique(np.concatenate([np.array([page], np.int32), parents, children, *siblings, *others]))
        return np.setdiff1d(found, stopped, True)

    def _best_known(self, store: Store, parents: Ints) -> Ints:
        """The parents with most in-links, ties in page order."""
        if parents.size <= self.max_parents:
            return parents
        start = store.arrays.in_start
        return parents[np.lexsort((parents, start[parents] - start[parents + 1]))[: self.max_parents]]

    def _stopped(self, store: Store, page: int) -> Ints:
        """The pages on the stop list, except the one asked about."""
        stopped = [] if self.stop is None else stop_list(store, self.stop)
        return np.array([each for each in stopped if each != page], np.int32)


def _siblings(store: Store, parent: int, page: int, around: int) -> Ints:
    """The targets of a parent's links nearest to its link to the page, half before and half after, each once."""
    targets = list(dict.fromkeys(store.graph.page_of[store.links_of(parent)["target"].to_numpy()].tolist()))
    if page not in targets:  # the parent's links are stored under an alias of it
        return np.empty(0, np.int32)
    at = targets.index(page)
    return np.array(targets[max(at - around // 2, 0) : at] + targets[at + 1 : at + 1 + around // 2], np.int32)


def _one_of(first: Ints | Longs, second: Ints | Longs) -> Floats:
    """For each link, 1 / the number of links with the same pair of ends."""
    pairs = first.astype(np.int64) * (int(second.max(initial=0)) + 1) + second
    _, which, count = np.unique(pairs, return_inverse=True, return_counts=True)
    return np.asarray(1.0 / count[which])


def _one_host(store: Store) -> bool:
    return store.memo.get("one host", (), lambda: len(store.graph.pages["host"].unique()) == 1)
