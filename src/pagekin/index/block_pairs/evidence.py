"""Evidence of block co-citation, the citing pages and sites that relate two pages: the index's `steps` on a few pages.

All the pages that cite the page asked about are read at once and remembered, because the results of a question are
explained one after another. Which page a link counts for, and what a site's template is, comes from the index.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from pagekin.collection.store import Store
from pagekin.index.base import opened
from pagekin.index.block_pairs.index import BlockPairs, RelatedByBlocks
from pagekin.index.block_pairs.tables import (
    LINKS,
    PAGES,
    WORDS,
    anchor_number,
    block_numbers,
    counting_for,
    link_rows,
    on_page,
    page_rows,
)
from pagekin.kernels import Ints
from pagekin.kernels.numbers import numbers_in
from pagekin.url import page_id

if TYPE_CHECKING:
    from pagekin.engine.relational import Script

MOST_CITERS = 2_000  # the most citing pages read for the evidence
MOST_RULES = 16  # the most rules whose steps stay compiled

TEMPLATE = pa.schema([("citing", pa.int32()), ("target", pa.int32()), ("anchor", pa.int64())])
ASKED = pa.schema([("page", pa.int32())])


class Pair(NamedTuple):
    """What one citing page gives two pages, and the share that its site has in what all sites give."""

    page: int
    site: str
    block: int
    anchors: tuple[int, int]  # numbers (`tables`), in the order of `positions`; `written` gives the texts
    positions: tuple[int, int]
    gap: int
    score: float
    share: float


def pairs_between(store: Store, rule: BlockPairs, page: int, other: int) -> list[Pair]:
    """The pair from each page that cites both: sites that give most first, and within a site the best first."""
    return _Citations(store, opened(store, rule), rule).between(page, other)


def written(store: Store, pair: Pair) -> list[str]:
    """The two anchors of a pair as the citing page spells them."""
    links = store.links_of(pair.page)
    return [_written(links, pair.block, *link) for link in zip(pair.positions, pair.anchors, strict=True)]


def _written(links: pa.Table, block: int, position: int, anchor: int) -> str:
    """The text of an anchor, by its number, among the links that tables have at one position."""
    here = np.flatnonzero((links["block"].to_numpy() == block) & (links["position"].to_numpy() == position))
    texts = (str(links["anchor"][at].as_py()) for at in here.tolist())
    return next(text for text in texts if anchor_number(text) == anchor)


@dataclass(frozen=True)
class _Citations:
    """The links on a few citing pages, read and paired by the steps."""

    store: Store
    index: RelatedByBlocks
    rule: BlockPairs

    def between(self, page: int, other: int) -> list[Pair]:
        here, there = self._standing(page), self._standing(other)
        if here is None or there is None:
            return []
        citers = self._citers(here)
        if citers.size <= MOST_CITERS:
            found = self._remembered(citers, here)
        else:
            common = np.intersect1d(citers, self._citers(there), assume_unique=True)
            found = self._remembered(common[:MOST_CITERS], here, there)
        return self._pairs(found.filter(pa.array(found["other"].to_numpy() == there)))

    def _standing(self, page: int) -> int | None:
        """The page that answers for a page, unless it has been removed since the index was made."""
        return self.store.number(self.index.stands(int(self.store.graph.ids[page])))

    def _citers(self, page: int) -> Ints:
        """The pages that link to a page, or to any page folded into it, ascending, without mirrors."""

        def found() -> Ints:
            graph = self.store.graph
            members = numbers_in(graph.ids, np.array(self.index.members(int(graph.ids[page]))))
            meant = np.unique(graph.page_of[members[members >= 0]])
            citers = np.unique(graph.arrays.gathered("in", meant)[0])
            return np.setdiff1d(citers, self._copies(citers), assume_unique=True)

        return self.store.memo.get("block citers", (self.rule, page), found)

    def _copies(self, pages: Ints) -> Ints:
        """The mirrors among some pages, whose links are those of the page they are folded into.

        A page with a query string is folded into its host's root, but has links of its own.
        """
        folded = pages[np.isin(self.store.graph.ids[pages], self.index.folded[:, 0])]
        copies: Ints = folded[counting_for(self.store, folded, self.rule.dynamic) == folded]
        return copies

    def _remembered(self, citers: Ints, *held: int) -> pa.Table:
        """The pairs of the first page `held` that the citing pages give, from blocks with links to all pages `held`."""
        key = (self.rule, *held)
        return self.store.memo.get("block pairs", key, lambda: _steps(self.rule).run(self._tables(citers, *held)))

    def _tables(self, citers: Ints, *held: int) -> dict[str, pa.Table]:
        links = self.store.links_on(citers)
        within = self._in_blocks_with(links, held)
        targets = within["target"].to_numpy()
        own = self.index.counted(self.store, np.union1d(citers, targets), self.rule.dynamic)
        pages = page_rows(self.store, own, links)
        words = [WORDS.empty_table()]
        rows = link_rows(self.store, within, words.append)
        return {
            "links": rows,
            "pages": pages,
            "words": pa.concat_tables(words),
            "repeated": self._template(citers, pages),
            "asked": pa.table([held[:1]], schema=ASKED),
        }

    def _in_blocks_with(self, links: pa.Table, pages: tuple[int, ...]) -> pa.Table:
        """The links in blocks with links to each of some pages. Other blocks, and those too large to count, say nothing
        about them, and reading their anchors would take most of the time."""
        graph, targets = self.store.graph, links["target"].to_numpy()
        blocks = block_numbers(links["source"].to_numpy(), links["block"].to_numpy())
        within = np.ones(targets.size, bool)
        for page in pages:
            members = numbers_in(graph.ids, np.array(self.index.members(int(graph.ids[page]))))
            leads = np.isin(targets, members) | (graph.page_of[targets] == page)
            within &= np.isin(blocks, blocks[leads])
        _, place, size = np.unique(blocks[within], return_inverse=True, return_counts=True)
        least, most = self.rule.block_sizes
        within[within] = ((size >= least) & (size <= most))[place]
        return links.filter(pa.array(within))

    def _template(self, citers: Ints, pages: pa.Table) -> pa.Table:
        """The templates of the citing sites, with the site numbers of `pages`."""
        at = np.searchsorted(pages["page"].to_numpy(), citers)
        names = self.store.values("site", citers)
        code = {page_id(name): each for name, each in zip(names, pages["site"].to_numpy()[at].tolist(), strict=True)}
        rows = self.index.template_of(np.array(list(code), np.int64))
        citing = np.array([code[site] for site in rows[:, 0].tolist()], np.int32)
        return pa.table([citing, numbers_in(self.store.graph.ids, rows[:, 1]), rows[:, 2]], schema=TEMPLATE)

    def _pairs(self, found: pa.Table) -> list[Pair]:
        rows = found.to_pylist()
        given = {row["citing"]: row["given"] for row in rows}
        whole = fsum(given.values()) or 1.0

        def named() -> Iterator[Pair]:
            for row in rows:
                yield Pair(
                    row["source"],
                    self.store.value("site", row["source"]),
                    on_page(row["block"]),
                    (row["anchor"], row["other_anchor"]),
                    (row["position"], row["other_position"]),
                    row["gap"],
                    row["score"],
                    row["given"] / whole,
                )

        return sorted(named(), key=lambda pair: (-pair.share, pair.site, -pair.score, pair.page))


@lru_cache(MOST_RULES)
def _steps(rule: BlockPairs) -> "Script":
    """The steps from links to pairs of the pages `asked`, each with what its citing site gives from all its pages."""
    from pagekin.engine.relational import Script  # DuckDB, which a look-up does not need
    from pagekin.index.block_pairs.steps import (
        aimed,
        bounded,
        capped,
        filtered,
        first_in_block,
        given,
        in_blocks,
        marked,
        once,
        one_way,
        pairs,
        sharing,
        summed,
        worded,
    )

    script = Script()
    links, pages, words = (script.table(*each) for each in (("links", LINKS), ("pages", PAGES), ("words", WORDS)))
    repeated, asked = script.table("repeated", TEMPLATE), script.table("asked", ASKED)
    firsts = first_in_block(aimed(in_blocks(links, rule), pages))
    rows = script.step("rows", marked(script.step("kept", filtered(firsts, pages, repeated, rule))))
    own = script.step("own", rows.semi_join(asked, rows.target == asked.page))
    sets = script.step("sets", words.distinct())
    all_words, own_words = script.step("all_words", worded(rows, sets)), script.step("own_words", worded(own, sets))
    shared = script.step("shared", sharing(all_words, own_words))
    found = script.step("found", once(script.step("all", pairs(rows, shared, sets, rule, own))))
    ways = script.step("ways", one_way(found))
    sums = script.step("sums", summed(ways))
    sites = script.step("sites", bounded(given(capped(sums, ways, rule)), rule))
    sites = sites.select("other", "citing", given=sites.score.cast("float64"))
    script.step("shown", found.inner_join(sites, ["other", "citing"]))
    return script
