"""Block co-citation: pages are alike when links to them stand together on a page, and not only in a site's template.

Two links of one block score S = P (1 + A) by how near they stand and how many words their anchors share. Of a citing
site, equal anchors count at most r times, and the whole site at most N (paper 3, Eq. 5–13; `blockpairs`):

    TS(p₁ → p₂) = Σ_d min(N, Σ_anchor Σ_{r best} S) / (1 + ln in(p₂))

Found once by `build` for all pages; a question reads two slices.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from math import exp
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from pagekin.collection.store import Store
from pagekin.index.base import opened
from pagekin.index.block_pairs.index import BlockPairs, RelatedByBlocks
from pagekin.index.block_pairs.rule import PairRule, Scope
from pagekin.index.block_pairs.tables import anchor_words, counting_for, folded_anchor
from pagekin.kernels import Ints
from pagekin.kernels.numbers import numbers_in
from pagekin.methods import evidence
from pagekin.methods.base import Method, Scores, no_citers, register
from pagekin.model import Evidence
from pagekin.wording import option

MOST_CITERS = 2_000  # citing pages that are looked at for the evidence


@register("block")
@dataclass(frozen=True, repr=False)
class Block(PairRule, Method):
    """Two pages are alike when links to both stand together in blocks of many sites."""

    scope: Scope | None = None  # none: site where over half of the fetched pages are of one site, else web

    @property
    def index(self) -> BlockPairs:
        given = {item.name: getattr(self, item.name) for item in fields(PairRule)}
        return BlockPairs(**given | {"scope": self.scope or "web"})

    def chosen_for(self, store: Store) -> "Block":
        """With the scope that the collection calls for, where none was given."""
        return self if self.scope else replace(self, scope=usual_scope(store))

    def related(self, store: Store, page: int, k: int) -> Scores:
        asked = self.chosen_for(store)
        index: RelatedByBlocks = opened(store, asked.index)
        stands = index.stands(int(store.graph.ids[page]))
        ids, scores = index.of(stands)
        pages = numbers_in(store.graph.ids, ids)
        there = pages >= 0  # pages may have gone since
        if not there.any():
            return Scores.none(asked._reason(store, page))
        notes = []
        if stands != int(store.graph.ids[page]):
            notes.append(f"answered for {store.url(store.number(stands) or 0)}, for which links to this page count")
        if k > ids.size == self.keep:
            notes.append(f"the index keeps {self.keep} results of each page; for more, build block(keep={k})")
        return Scores(pages[there][:k], np.asarray(scores)[there][:k], "; ".join(notes) or None)

    def _reason(self, store: Store, page: int) -> str:
        if not store.arrays.citers(page).size:
            return no_citers()
        if self.scope == "web":
            return (
                "no page of another site links to this one together with a page of a third; "
                f"within one site try {option('method', 'block(scope=site)')}"
            )
        whole = option("method", "co-citation")
        return f"no other page stands in one block with this one; try {whole}, which takes whole pages"

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        asked = self.chosen_for(store)
        index: RelatedByBlocks = opened(store, asked.index)
        reading = _Reading(store, index, asked.index)
        here, there = (index.stands(int(store.graph.ids[each])) for each in (page, other))
        found = list(reading.pairs(here, there))
        given = _given(found, asked.index)
        whole = sum(given.values()) or 1.0
        found.sort(key=lambda pair: (-given[pair.site], pair.site, -pair.score, pair.page))
        return [
            Evidence("block", {
                "page": store.url(pair.page), "title": store.title(pair.page), "block": pair.block,
                "anchors": list(pair.anchors), "gap": pair.gap, "score": pair.score,
                "site": pair.site, "share": given[pair.site] / whole, "of": len(found),
            })
            for pair in found[: evidence.MOST]
        ]  # fmt: skip


def usual_scope(store: Store) -> Scope:
    """`site` where over half of the fetched pages (or, if none is, of those that link) are of one site; else `web`."""

    def found() -> Scope:
        pages = store.graph.pages
        counted = pages["fetched"].is_valid().to_numpy()
        if not counted.any():
            counted = np.diff(store.arrays.out_start) > 0
        sites = pages["site"].filter(pa.array(counted)).value_counts()
        most = np.asarray(sites.field("counts")).max(initial=0)
        return "site" if 2 * most > counted.sum() else "web"

    return store.memo.get("scope", "usual", found)


class _Pair(NamedTuple):
    """What one citing page says of two pages."""

    page: int
    site: str
    block: int
    anchors: tuple[str, str]
    gap: int
    score: float


@dataclass(frozen=True)
class _Reading:
    """The links of single pages, filtered and paired as `blockpairs` does it for all of them."""

    store: Store
    index: RelatedByBlocks
    rule: PairRule

    def pairs(self, one: int, other: int) -> Iterator[_Pair]:
        """The pair that each page citing both gives, by the ids of the two."""
        citers = np.intersect1d(self._citers(one), self._citers(other))
        citers = np.setdiff1d(citers, self._copies(citers), assume_unique=True)
        for citer in citers[:MOST_CITERS].tolist():
            pair = self._pair(citer, one, other)
            if pair is not None:
                yield pair

    def _citers(self, page: int) -> Ints:
        members = (self.store.number(member) for member in self.index.members(page))
        found = [self.store.arrays.citers(member) for member in members if member is not None]
        return np.unique(np.concatenate([np.empty(0, np.int32), *found]))

    def _copies(self, pages: Ints) -> Ints:
        """The mirrors among some pages: their links are those of the page they are folded into.

        A page with a query string, whose host's root stands for it, has links of its own.
        """
        folded = pages[np.isin(self.store.graph.ids[pages], self.index.folded[:, 0])]
        copies: Ints = folded[counting_for(self.store, folded, self.rule.dynamic) == folded]
        return copies

    def _pair(self, citer: int, one: int, other: int) -> _Pair | None:
        store, language = self.store, self.store.value("language", citer)
        p1, p2, site = store.number(one), store.number(other), store.value("site", citer)
        if p1 is None or p2 is None:
            return None
        if self.rule.scope == "web" and len({site, store.value("site", p1), store.value("site", p2)}) < 3:
            return None
        for block, links in self._blocks(citer):
            if p1 in links and p2 in links:
                (i, a), (j, b) = links[p1], links[p2]
                if self.index.of_template(site, one, a) != self.index.of_template(site, other, b):
                    continue
                gap = abs(i - j)
                sets = [anchor_words(anchor, language) for anchor in (a, b)]
                common, union = len(sets[0] & sets[1]), len(sets[0] | sets[1])
                near = 1.0 if gap <= self.rule.near else exp((self.rule.near - gap) / 2)
                weight = self.index.weight(int(store.graph.ids[citer]))
                return _Pair(citer, site, block, (a, b), gap, near * (1 + (common / union if union else 0)) * weight)
        return None

    def _blocks(self, citer: int) -> Iterator[tuple[int, dict[int, tuple[int, str]]]]:
        """The blocks of a page in order, each the pages it holds with position and anchor."""
        links = self.store.links_of(citer)
        stands = counting_for(self.store, links["target"].to_numpy(), self.rule.dynamic).tolist()
        rows: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
        for block, position, anchor, target in zip(
            *(links[name].to_pylist() for name in ("block", "position", "anchor")), stands, strict=True
        ):
            rows[block].append((position, target, anchor))
        fetched = self.store.graph.pages["fetched"][citer].is_valid
        bare = not fetched and not any(anchor.strip() for held in rows.values() for _, _, anchor in held)
        for block in sorted(rows):
            if block < 0 or not 2 <= len(rows[block]) <= self.rule.max_links:
                continue
            first: dict[int, tuple[int, str]] = {}
            for position, target, anchor in sorted(rows[block]):
                if target >= 0:
                    first.setdefault(self._standing(target), (position, anchor))
            yield block, {page: link for page, link in first.items() if (bare or link[1].strip()) and page != citer}

    def _standing(self, target: int) -> int:
        page = self.store.graph.folded.get(target, target)
        stands = self.store.number(self.index.stands(int(self.store.graph.ids[page])))
        return page if stands is None else stands


def _given(found: list[_Pair], rule: PairRule) -> dict[str, float]:
    """What each citing site gives (Eq. 12)."""
    by_anchor: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for pair in found:
        by_anchor[pair.site][folded_anchor(pair.anchors[1])].append(pair.score)
    given: dict[str, float] = {}
    for site, anchors in by_anchor.items():
        whole = sum(sum(sorted(scores, reverse=True)[: rule.max_repeats]) for scores in anchors.values())
        given[site] = min(rule.max_site, whole) if rule.scope == "web" else whole
    return given
