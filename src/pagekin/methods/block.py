"""Block co-citation: pages are alike when links to them appear together on a page, and not only in a site's template.

Two links in one block score S = P (1 + A), by how close they are and how many words their anchors share. From one
citing site, equal anchors count at most r times, and the site as a whole at most N (paper 3, Eq. 5–13;
`index.block_pairs`):

    TS(p₁ → p₂) = Σ_d min(N, Σ_anchor Σ_{r best} S) / (1 + ln in(p₂))

`build` computes this once for all pages; a question reads two slices.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from pagekin.collection.store import Store
from pagekin.index.base import is_built, opened
from pagekin.index.block_pairs.evidence import pairs_between, written
from pagekin.index.block_pairs.index import BlockPairs, RelatedByBlocks
from pagekin.index.block_pairs.rule import PairRule, Scope
from pagekin.kernels.numbers import numbers_in
from pagekin.methods import evidence
from pagekin.methods.base import Method, Scores, no_citers, register
from pagekin.model import Evidence
from pagekin.wording import option


@register("block")
@dataclass(frozen=True, repr=False)
class BlockCoCitation(PairRule, Method):
    """Two pages are alike when links to both appear together in blocks on many sites."""

    scope: Scope | None = None  # none: site if over half of the fetched pages are on one site, else web

    @cached_property
    def index(self) -> BlockPairs:
        given = {item.name: getattr(self, item.name) for item in fields(PairRule)}
        return BlockPairs(**given | {"scope": self.scope or "web"})

    @property
    def folds(self) -> bool:
        return self.mirrors == "fold"

    def chosen_for(self, store: Store) -> "BlockCoCitation":
        """This method with the scope that suits the collection, if none was given."""
        return self if self.scope else replace(self, scope=usual_scope(store))

    def answering(self, store: Store) -> "BlockCoCitation":
        """As `chosen_for`; but if only the other scope is built, that one: pages added later may change the choice."""
        chosen = self.chosen_for(store)
        if self.scope or is_built(store, chosen.index):
            return chosen
        other = replace(self, scope="web" if chosen.scope == "site" else "site")
        return other if is_built(store, other.index) else chosen

    def related(self, store: Store, page: int, k: int) -> Scores:
        asked = self.answering(store)
        index: RelatedByBlocks = opened(store, asked.index)
        stands = index.stands(int(store.graph.ids[page]))
        ids, scores = index.of(stands)
        pages = numbers_in(store.graph.ids, ids)
        there = pages >= 0  # pages may have been removed since
        if not there.any():
            return Scores.none(asked._reason(store, page))
        notes = []
        if stands != int(store.graph.ids[page]):
            notes.append(f"answered for {store.url(store.number(stands) or 0)}: links to this page count for it")
        if k > ids.size == self.keep:
            notes.append(f"the index keeps {self.keep} results per page; for more, build block(keep={k})")
        return Scores(pages[there][:k], np.asarray(scores)[there][:k], "; ".join(notes) or None)

    def _reason(self, store: Store, page: int) -> str:
        if not store.arrays.citers(page).size:
            return no_citers()
        if self.scope == "web":
            return (
                "no page on another site links to this page together with a page on a third site; "
                f"to count links within one site, try {option('method', 'block(scope=site)')}"
            )
        whole = option("method", "co-citation")
        return f"no block links to both this page and another; try {whole}, which looks at whole pages"

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        found = pairs_between(store, self.answering(store).index, page, other)
        return [
            Evidence("block", evidence.named(store, pair.page) | {
                "block": pair.block, "anchors": written(store, pair), "gap": pair.gap, "score": pair.score,
                "site": pair.site, "share": pair.share, "of": len(found),
            })
            for pair in found[: evidence.MOST]
        ]  # fmt: skip


def usual_scope(store: Store) -> Scope:
    """`site` if over half of the fetched pages (or, if none is, of those with links) are on one site; else `web`."""

    def found() -> Scope:
        pages = store.graph.pages
        counted = pages["fetched"].is_valid().to_numpy()
        if not counted.any():
            counted = np.diff(store.arrays.out_start) > 0
        sites = pages["site"].filter(pa.array(counted)).value_counts()
        most = np.asarray(sites.field("counts")).max(initial=0)
        return "site" if 2 * most > counted.sum() else "web"

    return store.memo.get("scope", "usual", found)
