"""The index of block co-citation: each page's most related pages, computed by the `steps`.

ids.npy …     the pages related to each page (`lists`)
template.npy  three columns, hashes of texts: a site, a page that most of its pages link to, and the anchor they use
folded.npy    two columns: a page, and the page for which links to it count (query strings, mirrors)
weights.npy   how much each page counts as a citing page, in the order of citing.npy; empty if all count the same
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.parquet as pq

from pagekin.collection.array_files import load, save
from pagekin.collection.store import Store
from pagekin.engine.base import Tables, relational
from pagekin.index import lists
from pagekin.index.base import Index, register
from pagekin.index.block_pairs.rule import Dynamic, PairRule
from pagekin.index.block_pairs.tables import Counted, Folded, counting_for, write_tables
from pagekin.index.mirrors.index import Mirrors
from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.numbers import number_in, numbers_in
from pagekin.url import page_id

if TYPE_CHECKING:
    from ibis import Table

# Pairs merged at once; so many take about 1 GB.
BATCH_PAIRS = 16_000_000


@register("block-pairs")
@dataclass(frozen=True, repr=False)
class BlockPairs(PairRule, Index):
    """Each page's related pages by block co-citation."""

    @property
    def needs(self) -> tuple[Index, ...]:
        return (Mirrors(),) if self.mirrors == "fold" else ()

    def make(self, store: Store, folder: Path, threads: int | None = None) -> str:
        own = _folded(store, self)
        with TemporaryDirectory(dir=folder, prefix="steps.") as steps, relational(Path(steps), threads) as engine:
            buckets = _write_pairs(store, own, engine, self)
            save(folder / "template.npy", _template(store, engine.folder / "template.parquet"))
            pages, rows = _write_related(engine, self, buckets, store.graph.ids, folder)
        folded = np.flatnonzero((own.stands >= 0) & (own.stands != own.aliased))
        save(folder / "folded.npy", store.graph.ids[np.column_stack((folded, own.stands[folded]))])
        save(folder / "citing.npy", store.graph.ids if self.weight != "none" else store.graph.ids[:0])
        save(folder / "weights.npy", own.weight if self.weight != "none" else own.weight[:0])
        return f"{pages:,} pages with {rows:,} related pages"

    def open(self, folder: Path) -> "RelatedByBlocks":
        return RelatedByBlocks(
            *lists.Lists.arrays(folder),
            *(load(folder / f"{name}.npy") for name in ("template", "folded", "citing", "weights")),
        )


@dataclass(frozen=True)
class RelatedByBlocks(lists.Lists):
    """The index as methods read it."""

    template: Longs
    folded: Longs
    citing: Longs
    weights: Floats

    def template_of(self, sites: Longs) -> Longs:
        """The links in some sites' templates: the hashes of the site, the page linked to, and the anchor."""
        return self.template[np.isin(self.template[:, 0], sites)]

    def stands(self, page: int) -> int:
        """The id of the page that answers for a page: itself, or the page it is folded into."""
        at = number_in(self.folded[:, 0], page)
        return page if at is None else int(self.folded[at, 1])

    def members(self, page: int) -> list[int]:
        """The ids of the pages to which links count for a page: itself and those folded into it."""
        return [page, *self.folded[self.folded[:, 1] == page, 0].tolist()]

    def counted(self, store: Store, pages: Ints, dynamic: Dynamic) -> Counted:
        """What links to some pages (ascending) count for, and how much, as of when the index was made."""
        ids = store.graph.ids
        folded = numbers_in(self.folded[:, 0], ids[pages])
        stands = store.graph.page_of[pages]
        moved = folded >= 0
        stands[moved] = numbers_in(ids, self.folded[folded[moved], 1])
        stands[counting_for(store, pages, dynamic) < 0] = -1
        weight, citing = np.ones(pages.size), numbers_in(self.citing, ids[pages])
        weight[citing >= 0] = self.weights[citing[citing >= 0]]
        return Counted(pages, stands, weight)


def _folded(store: Store, rule: PairRule) -> Folded:
    return Folded.of(store, rule.dynamic, rule.mirrors, rule.weight)


def _write_pairs(store: Store, own: Folded, engine: Tables, rule: PairRule) -> int:
    """Write all pairs, split by page into parts of bounded size; returns the number of parts."""
    from pagekin.index.block_pairs.steps import (
        PAIR,
        both_ways,
        filtered,
        holding,
        marked,
        once,
        pairs,
        sharing,
        template,
        without_copies,
        worded,
    )

    write_tables(store, own, engine.folder)
    links, every = engine.read("links"), engine.read("pages")
    engine.write("template", template(links, every, rule))
    engine.write("kept", filtered(links, every, engine.read("template"), rule))
    kept = engine.read("kept")
    engine.write("held", holding(kept))
    engine.write("rows", without_copies(marked(kept), rule))
    rows, words = engine.read("rows"), engine.read("words")
    engine.write("sets", words.distinct())
    sets = engine.read("sets")
    engine.write("worded", worded(rows, sets))
    engine.write("shared", sharing(engine.read("worded")))
    buckets = engine.parts_of(_pair_count(engine.folder / "rows.parquet"), BATCH_PAIRS)
    engine.write("found", pairs(rows, engine.read("shared"), sets, rule).select(PAIR))
    ways = both_ways(once(engine.read("found")))
    engine.write("pairs", ways.mutate(bucket=ways.page.cast("int64") * buckets // max(store.size, 1)), by="bucket")
    return buckets


def _template(store: Store, file: Path) -> Longs:
    """The rows of `steps.template` with hashes of texts, which do not change when pages are added."""
    rows = pq.read_table(file)
    sites = [page_id(store.value("site", page)) for page in rows["page"].to_pylist()]
    columns = np.array(sites, np.int64), store.graph.ids[rows["target"].to_numpy()], rows["anchor"].to_numpy()
    return np.column_stack(columns)


def _pair_count(rows: Path) -> int:
    """The most pairs that the blocks can give, both ways."""
    blocks = pq.read_table(rows, columns=["block"])["block"].to_numpy()
    sizes = np.unique(blocks, return_counts=True)[1]
    return int((sizes * (sizes - 1)).sum())


def _summed(engine: Tables, rule: PairRule, buckets: int) -> Iterator[tuple[int, "Table"]]:
    """The sums of the pairs of each citing site and anchor, part by part; a part's pairs are then removed."""
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
    from pagekin.index.block_pairs.steps import given

    with TemporaryDirectory() as steps, relational(Path(steps)) as engine:
        buckets = _write_pairs(store, _folded(store, rule), engine, rule)
        for _, sums in _summed(engine, rule, buckets):
            found = given(sums)
            engine.write("given", found.select(score=found.score.cast("float64")))
            yield pq.read_table(engine.folder / "given.parquet")["score"].to_numpy()


def _write_related(engine: Tables, rule: PairRule, buckets: int, ids: Longs, folder: Path) -> tuple[int, int]:
    """Merge part by part and write the arrays; returns the number of lists, and of related pages in all of them."""
    from pagekin.index.block_pairs.steps import merged

    held = engine.read("held")
    made = []
    for bucket, sums in _summed(engine, rule, buckets):
        engine.write(f"related-{bucket}", merged(sums, held, rule))
        made.append(engine.folder / f"related-{bucket}.parquet")

    def blocks() -> Iterator[lists.ListsOfSome]:
        for file in made:
            table = pq.read_table(file).sort_by([("page", "ascending"), ("place", "ascending")])
            pages, lengths = np.unique(table["page"].to_numpy(), return_counts=True)
            yield ids[pages], lengths, ids[table["other"].to_numpy()], table["score"].to_numpy()

    return lists.write(folder, blocks())
