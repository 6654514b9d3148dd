"""The index of block co-citation: each page's most related pages, found by the steps of `blockpairs`.

ids.npy …     the pages related to each (`lists`)
template.npy  three columns, numbers of texts: a site, a page that most of its pages link to, and by which anchor
folded.npy    two columns: a page, and the page that links to it count for (query strings, mirrors)
weights.npy   how much each page counts as a citing one, in the order of citing.npy; only if not all alike
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.parquet as pq

from pagekin.collection.store import Store
from pagekin.index import lists
from pagekin.index.base import Index, register
from pagekin.index.block_pairs.rule import PairRule
from pagekin.index.block_pairs.tables import Folded, folded_anchor, write_links, write_pages
from pagekin.kernels import Floats, Longs
from pagekin.kernels.numbers import number_in
from pagekin.url import page_id

if TYPE_CHECKING:
    from ibis import Table

    from pagekin.engine.relational import Relational

# Pairs that are merged at once; so many take about 1 GB.
BATCH_PAIRS = 16_000_000


@register("block-pairs")
@dataclass(frozen=True, repr=False)
class BlockPairs(PairRule, Index):
    """Each page's related pages by block co-citation."""

    def make(self, store: Store, folder: Path, threads: int | None = None) -> str:
        from pagekin.engine.relational import Relational

        own = _folded(store, self)
        with TemporaryDirectory(dir=folder, prefix="steps.") as steps, Relational(Path(steps), threads) as engine:
            buckets = _write_pairs(store, own, engine, self)
            np.save(folder / "template.npy", _template(store, engine.folder / "template.parquet"))
            pages, rows = _write_related(engine, self, buckets, store.graph.ids, folder)
        folded = np.flatnonzero((own.stands >= 0) & (own.stands != own.aliased))
        np.save(folder / "folded.npy", store.graph.ids[np.column_stack((folded, own.stands[folded]))])
        np.save(folder / "citing.npy", store.graph.ids if self.weight != "none" else store.graph.ids[:0])
        np.save(folder / "weights.npy", own.weight if self.weight != "none" else own.weight[:0])
        return f"{pages:,} pages with {rows:,} related ones"

    def open(self, folder: Path) -> "RelatedByBlocks":
        return RelatedByBlocks(
            *lists.Lists.arrays(folder),
            *(np.load(folder / f"{name}.npy") for name in ("template", "folded", "citing", "weights")),
        )


@dataclass(frozen=True)
class RelatedByBlocks(lists.Lists):
    """The index as methods read it."""

    template: Longs
    folded: Longs
    citing: Longs
    weights: Floats

    @cached_property
    def _repeated(self) -> set[tuple[int, int, int]]:
        return set(map(tuple, self.template.tolist()))

    def of_template(self, site: str, page: int, anchor: str) -> bool:
        """Whether a site has a link to the page with an id, by this anchor, on most of its pages."""
        return (page_id(site), page, page_id(folded_anchor(anchor))) in self._repeated

    def stands(self, page: int) -> int:
        """The id of the page that answers for one: itself, or the mirror that is first."""
        at = number_in(self.folded[:, 0], page)
        return page if at is None else int(self.folded[at, 1])

    def members(self, page: int) -> list[int]:
        """The ids of the pages whose links count for one."""
        return [page, *self.folded[self.folded[:, 1] == page, 0].tolist()]

    def weight(self, page: int) -> float:
        """How much a page counts as a citing one."""
        at = number_in(self.citing, page)
        return 1.0 if at is None else float(self.weights[at])


def _folded(store: Store, rule: PairRule) -> Folded:
    return Folded.of(store, rule.dynamic, rule.mirrors, rule.weight)


def _write_pairs(store: Store, own: Folded, engine: "Relational", rule: PairRule) -> int:
    """All pairs, in as many parts by page as keep each within bounds; returns how many parts."""
    from pagekin.index.block_pairs.steps import (
        both_ways,
        filtered,
        holding,
        once,
        pairs,
        sharing,
        template,
        without_copies,
    )

    write_pages(store, own, engine.folder)
    write_links(store, own, engine.folder)
    links, every = engine.read("links"), engine.read("pages")
    engine.write("template", template(links, every, rule))
    engine.write("kept", filtered(links, every, engine.read("template"), rule))
    kept = engine.read("kept")
    engine.write("held", holding(kept))
    engine.write("rows", without_copies(kept, rule))
    rows, words = engine.read("rows"), engine.read("words")
    engine.write("sets", words.distinct())
    sets = engine.read("sets")
    engine.write("shared", sharing(rows, sets))
    buckets = max(1, -(-_pair_count(engine.folder / "rows.parquet") // BATCH_PAIRS))
    engine.write("found", pairs(rows, engine.read("shared"), sets, rule))
    ways = both_ways(once(engine.read("found")))
    engine.write("pairs", ways.mutate(bucket=ways.page.cast("int64") * buckets // max(store.size, 1)), by="bucket")
    return buckets


def _template(store: Store, file: Path) -> Longs:
    """The rows of `blockpairs.template` with the numbers of texts, which stay when pages are added."""
    rows = pq.read_table(file)
    sites = [page_id(store.value("site", page)) for page in rows["page"].to_pylist()]
    columns = np.array(sites, np.int64), store.graph.ids[rows["target"].to_numpy()], rows["anchor"].to_numpy()
    return np.column_stack(columns)


def _pair_count(rows: Path) -> int:
    """How many pairs the blocks give, both ways, at most."""
    blocks = pq.read_table(rows, columns=["block"])["block"].to_numpy()
    sizes = np.unique(blocks, return_counts=True)[1]
    return int((sizes * (sizes - 1)).sum())


def _summed(engine: "Relational", rule: PairRule, buckets: int) -> Iterator[tuple[int, "Table"]]:
    """Part by part what the pairs of a citing site and an anchor come to; a part's pairs are then removed."""
    from pagekin.index.block_pairs.steps import capped, summed

    for bucket in range(buckets):
        folder = engine.folder / "pairs" / f"bucket={bucket}"
        if folder.exists():
            found = engine.read("pairs", f"pairs/bucket={bucket}/*.parquet")
            engine.write("sums", summed(found))
            yield bucket, capped(engine.read("sums"), found, rule)
            engine.forget("pairs")
            engine.forget("sums")
            shutil.rmtree(folder)


def given_by_sites(store: Store, rule: PairRule) -> Iterator[Floats]:
    """What citing sites give pairs of pages, before the bound N: every DS_d(p₁ → p₂) of Eq. 12, part by part."""
    from pagekin.engine.relational import Relational
    from pagekin.index.block_pairs.steps import given

    with TemporaryDirectory() as steps, Relational(Path(steps)) as engine:
        buckets = _write_pairs(store, _folded(store, rule), engine, rule)
        for _, sums in _summed(engine, rule, buckets):
            found = given(sums)
            engine.write("given", found.select(score=found.score.cast("float64")))
            yield pq.read_table(engine.folder / "given.parquet")["score"].to_numpy()


def _write_related(engine: "Relational", rule: PairRule, buckets: int, ids: Longs, folder: Path) -> tuple[int, int]:
    """Merge part by part, and write the arrays; returns how many pages have related ones, and how many in all."""
    from pagekin.index.block_pairs.steps import merged

    held = engine.read("held")
    made = []
    for bucket, sums in _summed(engine, rule, buckets):
        engine.write(f"related-{bucket}", merged(sums, held, rule))
        made.append(engine.folder / f"related-{bucket}.parquet")

    def blocks() -> Iterator[lists.Block]:
        for file in made:
            table = pq.read_table(file).sort_by([("page", "ascending"), ("place", "ascending")])
            pages, lengths = np.unique(table["page"].to_numpy(), return_counts=True)
            yield ids[pages], lengths, ids[table["other"].to_numpy()], table["score"].to_numpy()

    return lists.write(folder, blocks())
