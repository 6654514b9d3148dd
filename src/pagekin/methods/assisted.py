"""User-assisted similarity (paper 1): the user moves α, and the ranking follows.

The pages of the component of the one asked about are clustered by Eq. 5 for each α that is built (`cluster.whole`), and
for any other α those of them that are nearest to it (`cluster.hierarchy`). With d(p) the height of p's first merge and
d(p, q) the height at which p and q come together, they are ranked by

    |d(p) − d(p, q)| + |d(q) − d(p, q)|        (5.3, Table 1), least first; ties by d(p, q), then page

so that a page with no similarity of its own to p is found through those it merges with. The score is 1 / (1 + that).
"""

from dataclasses import asdict, dataclass, fields, replace
from typing import ClassVar

import numpy as np

from pagekin.cluster.bridges import Bridge, bridge_of
from pagekin.cluster.flexible import DEFAULT_ALPHA, checked_alpha
from pagekin.cluster.hierarchy import PageHierarchy, hierarchy_around
from pagekin.cluster.whole import LEFT_OUT, Hierarchies, WholeHierarchies, whole_hierarchies
from pagekin.collection.store import Store
from pagekin.engine.memory import SETTING
from pagekin.errors import UsageError
from pagekin.index.base import Index, opened
from pagekin.index.similarity.candidates import MAX_CANDIDATES
from pagekin.index.similarity.graph import Similarity, SimilarityGraph, SimilaritySettings
from pagekin.kernels.numbers import numbers_in
from pagekin.methods import evidence
from pagekin.methods.base import Method, Scores, register
from pagekin.methods.cocitation import Amsler, CoCitation, Coupling
from pagekin.model import Evidence
from pagekin.wording import command, option

MOST_BRIDGES = 10_000  # marks that are kept for a state, a hundred bytes each
_MEASURES = {each.name: each for each in (CoCitation, Coupling, Amsler)}


@register("assisted")
@dataclass(frozen=True, repr=False)
class Assisted(SimilaritySettings, Method):
    """Pages that cluster with this one, as tightly as α says."""

    alpha: float = DEFAULT_ALPHA  # near 0: one growing chain; near 1: sharp groups
    max_candidates: int | None = None  # cluster so many pages around the one asked about; none: the whole component

    clusters: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_alpha(self.alpha)
        if self.max_candidates is not None and self.max_candidates < 2:
            raise UsageError(f"max_candidates must be at least 2, or none, not {self.max_candidates}")

    @property
    def index(self) -> Similarity:
        return Similarity(**{item.name: getattr(self, item.name) for item in fields(SimilaritySettings)})

    @property
    def whole(self) -> WholeHierarchies:
        """The index of whole components for this α."""
        return WholeHierarchies(**asdict(self.index), alpha=self.alpha)

    @property
    def ahead(self) -> tuple[Index, ...]:
        return () if self.max_candidates else (self.whole,)

    def hierarchy(self, store: Store, page: int) -> tuple[SimilarityGraph, PageHierarchy | None, str | None]:
        """The similarity graph, the hierarchy around a page if there is one, and a note for the user if needed."""
        graph: SimilarityGraph = opened(store, self.index)
        node = graph.node_of(int(store.graph.ids[page]))
        if node is None:
            return graph, None, f"this page is not in {self.index!r}; run: {command('build', store.path)}"
        head = store.number(int(graph.head[node]))
        if graph.start[node + 1] == graph.start[node]:
            return graph, None, self._reason(graph)
        found, said = self._around(store, graph, node)
        notes = [] if head in (page, None) else [self._stands_for(store, int(head or 0))]
        notes += [said] if said else []
        return graph, found, "; ".join(notes) or None

    def _around(self, store: Store, graph: SimilarityGraph, node: int) -> tuple[PageHierarchy, str | None]:
        """The hierarchy around a node that has an edge, and a note if it might be another."""
        held = None if self.max_candidates else whole_hierarchies(store, self.whole)
        whole = None if held is None else held.around(graph, node)
        if whole is not None:
            large = whole.nodes.size > MAX_CANDIDATES
            return whole, f"of its whole component, {whole.nodes.size:,} {self.level}s" if large else None
        found = hierarchy_around(graph, node, self.alpha, self.max_candidates or MAX_CANDIDATES)
        return found, self._cut(store, found, held, node) if found.cut else None

    def _stands_for(self, store: Store, head: int) -> str:
        if self.level == "page":
            return f"this page is a mirror of {store.url(head)}; the answer is for that page"
        whole = f"{self.level} {store.value(self.level, head)}"
        return f"the answer is for the {whole} as a whole; each other {self.level} is represented by one page"

    def _cut(self, store: Store, found: PageHierarchy, held: Hierarchies | None, node: int) -> str:
        said = (
            f"clustered with only the {found.nodes.size - 1:,} {self.level}s nearest to it; more are around it, "
            "and they might change the order"
        )
        if self.max_candidates:
            return f"{said}: raise max_candidates to include them, or leave it out"
        if held is not None and held.component[node] == LEFT_OUT:
            needed = f"{held.about.needed / 1e9:,.1f} GB"
            return (
                f"{said}: its component needs up to {needed}, more than {SETTING} allowed when {self.whole!r} was built"
            )
        return f"{said}: to cluster all of them, run: {command('build', store.path, method=repr(self))}"

    def _reason(self, graph: SimilarityGraph) -> str:
        other = "amsler" if self.measure != "amsler" else "amsler, delta=0"
        return (
            f"no other {self.level} has a similarity of {graph.about.delta:.3g} or more to this one ({self.measure}); "
            f"try {option('method', f'assisted(measure={other})')}, or {option('method', 'amsler')}"
        )

    def related(self, store: Store, page: int, k: int) -> Scores:
        graph, found, note = self.hierarchy(store, page)
        if found is None:
            return Scores.none(note or "")
        wanted = k
        while True:
            places, apart = found.ranked(wanted)
            pages = numbers_in(store.graph.ids, graph.head[found.nodes[places]])
            there = pages >= 0  # else removed since
            if there.sum() >= k or places.size < wanted:
                return Scores(pages[there][:k].astype(np.int32), 1 / (1 + apart[there][:k]), note)
            wanted *= 2

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        graph, found, _ = self.hierarchy(store, page)
        node = graph.node_of(int(store.graph.ids[other]))
        if found is None or node is None or node not in found.nodes:
            return []
        place = int(np.searchsorted(found.nodes, node))

        def named(at: int) -> tuple[str, str]:
            number = store.number(int(graph.head[found.nodes[at]]))
            return ("", "") if number is None else (store.url(number), store.title(number))

        first = found.hierarchy.first_merge_heights
        chain, reasons = found.chain(place), []
        for row in chain[: evidence.MOST]:
            merge = found.merge(row)
            detail: dict[str, object] = {"height": merge.height, "sizes": [merge.left.size, merge.right.size]}
            if merge.strongest:
                a, b, sim = merge.strongest
                urls, titles = zip(named(a), named(b), strict=True)
                detail |= {"strongest": list(urls), "titles": list(titles), "similarity": sim}
            if row == chain[0]:
                heights = [float(first[found.place]), float(first[place])]
                distance = sum(abs(height - merge.height) for height in heights)
                clustered = {"clustered": found.hierarchy.size, "whole": not found.cut}
                detail = {"distance": distance, "first_merges": heights, **detail, **clustered}
            reasons.append(Evidence("merge", {**detail, "of": len(chain)}))
        if self.level == "page":
            measured = _MEASURES[self.measure](max_in=self.max_in, max_out=self.max_out)
            reasons += measured.why(store, page, other)
        return reasons

    def bridge(self, store: Store, page: int) -> Bridge | None:
        """How far apart the pages related to a page at α = 0.5 are (paper 1, 6.3.4); witnesses are nodes."""
        usual = replace(self, alpha=DEFAULT_ALPHA)

        def work() -> Bridge | None:
            _, found, _ = usual.hierarchy(store, page)
            return None if found is None else bridge_of(found)

        # It does not depend on α: who moves α asks for the marks of much the same pages again and again.
        return store.memo.get("bridge", (usual, page), work, MOST_BRIDGES)
