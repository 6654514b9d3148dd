"""The index of block co-citation: each page's most related pages, computed by the `steps`.

ids.npy …     the pages related to each page (`lists`)
template.npy  three columns, hashes of texts: a site, a page that most of its pages link to, and the anchor they use
folded.npy    two columns: a page, and the page for which links to it count (query strings, mirrors)
weights.npy   how much each page counts as a citing page, in the order of citing.npy; empty if all count the same
given …       what each citing site gives, for the next build (`given`)
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.collection.array_files import load, save
from pagekin.collection.store import Store
from pagekin.engine.base import Tables, relational
from pagekin.engine.memory import memory
from pagekin.index import lists
from pagekin.index.base import Index, kept_of, register, reused
from pagekin.index.block_pairs.given import GIVEN, HELD, Former, Sites, exact, in_groups, pieces, read_held, write_held
from pagekin.index.block_pairs.rule import Dynamic, PairRule
from pagekin.index.block_pairs.tables import Counted, Folded, counting_for, write_tables
from pagekin.index.mirrors.index import Mirrors
from pagekin.kernels import Floats, Ints, Longs, frozen
from pagekin.kernels.numbers import number_in, numbers_in
from pagekin.url import page_id

if TYPE_CHECKING:
    from ibis import Table

# Pairs merged at once: as many as take a part of the memory allowed, with what DuckDB holds beside them.
PAIR_BYTES = 250
BATCH_PAIRS = 16_000_000  # more would not be faster
MOST_ANEW = 0.3  # of the links on sites that have changed: with more, a build from nothing is as fast

Begun = tuple[Sites, Former | None]  # the sites now, and what is kept of a former index


@register("block-pairs")
@dataclass(frozen=True, repr=False)
class BlockPairs(PairRule, Index):
    """Each page's related pages by block co-citation."""

    @property
    def needs(self) -> tuple[Index, ...]:
        return (Mirrors(),) if self.mirrors == "fold" else ()

    def make(self, store: Store, folder: Path, threads: int | None = None) -> str:
        return self._made(store, folder, None, threads) or ""

    def renew(self, store: Store, folder: Path, former: Path) -> str | None:
        return self._made(store, folder, former, None)

    def _made(self, store: Store, folder: Path, former: Path | None, threads: int | None) -> str | None:
        with TemporaryDirectory(dir=folder, prefix="steps.") as steps:
            begun = self._begun(store, folder, Path(steps), former)
            if begun is None:
                return None
            with relational(Path(steps), threads) as engine:
                return self._finished(store, folder, engine, *begun)

    def _begun(self, store: Store, folder: Path, steps: Path, former: Path | None) -> Begun | None:
        """Write the tables that the steps begin with, and what the index says of single pages: none of it is held while
        the steps take the memory. None if there is a former index and it is no use."""
        own = _folded(store, self)
        sites, of_page = Sites.of(store, own)
        kept = kept_of(former, lambda place: Former.read(place, store, sites)) if former else None
        if former and (kept is None or sites.sizes[~kept.same].sum() > MOST_ANEW * sites.sizes.sum()):
            return None
        write_tables(store, own, steps, ~kept.same[of_page] if kept else None)
        ids = store.graph.ids
        folded = np.flatnonzero((own.stands >= 0) & (own.stands != own.aliased))
        save(folder / "sites.npy", sites.table())
        save(folder / "pages.npy", ids)
        save(folder / "folded.npy", ids[np.column_stack((folded, own.stands[folded]))])
        save(folder / "citing.npy", ids if self.weight != "none" else ids[:0])
        save(folder / "weights.npy", own.weight if self.weight != "none" else own.weight[:0])
        return sites, kept

    def _finished(self, store: Store, folder: Path, engine: Tables, sites: Sites, former: Former | None) -> str:
        """Run the steps and add up what they give."""
        made_anew = 0

        def fresh(buckets: int) -> Iterator[pa.Table]:
            nonlocal made_anew
            for rows in _given(engine, self, buckets):
                made_anew += rows.num_rows
                yield exact(rows, sites.of_code)

        buckets = _write_pairs(engine, self, store.size)
        template = _template(store, engine.folder / "template.parquet")
        held = _held(engine.folder / "held.parquet", sites, former)
        blocks = write_held(held, folder / "held.parquet", store.size)
        given = in_groups(former.given(), fresh(buckets)) if former else fresh(buckets)
        pages, rows, kept = _write_related(given, blocks, self, store.graph.ids, folder)
        if former:
            template = np.concatenate((template, _kept_template(former, sites)))
        order = np.lexsort(template.T[::-1])
        save(folder / "template.npy", template[order])
        said = f"{pages:,} pages with {rows:,} related pages"
        return said + (reused(1 - made_anew / max(kept, 1), "pairs") if former else "")

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


def _write_pairs(engine: Tables, rule: PairRule, size: int) -> int:
    """Write all pairs that the tables of links and pages give, split by page into parts of bounded size; returns the
    number of parts. `size`: how many page numbers there are."""
    from pagekin.index.block_pairs.steps import (
        PAIR,
        aimed,
        both_ways,
        filtered,
        first_in_block,
        holding_by_site,
        in_blocks,
        marked,
        once,
        pairs,
        sharing,
        template,
        without_copies,
        worded,
    )

    links, every = engine.read("links"), engine.read("pages")
    engine.write("template", template(links, every, rule))
    engine.write("in_blocks", in_blocks(links, rule))
    _remove(engine, "links")
    engine.write("aimed", aimed(engine.read("in_blocks"), every))
    _remove(engine, "in_blocks")
    engine.write("firsts", first_in_block(engine.read("aimed")))
    _remove(engine, "aimed")
    engine.write("kept", filtered(engine.read("firsts"), every, engine.read("template"), rule))
    _remove(engine, "firsts", "pages")
    kept = engine.read("kept")
    engine.write("held", holding_by_site(kept))
    engine.write("rows", without_copies(marked(kept), rule))
    _remove(engine, "kept")
    rows, words = engine.read("rows"), engine.read("words")
    engine.write("sets", words.distinct())
    _remove(engine, "words")
    sets = engine.read("sets")
    engine.write("worded", worded(rows, sets))
    engine.write("shared", sharing(engine.read("worded")))
    _remove(engine, "worded")
    buckets = max(1, -(-_pair_count(engine, rows) // min(BATCH_PAIRS, max(memory() // PAIR_BYTES, 1))))
    engine.write("found", pairs(rows, engine.read("shared"), sets, rule).select(PAIR))
    _remove(engine, "rows", "sets", "shared")
    ways = both_ways(once(engine.read("found")))
    engine.write("pairs", ways.mutate(bucket=ways.page.cast("int64") * buckets // max(size, 1)), by="bucket")
    _remove(engine, "found")
    return buckets


def _remove(engine: Tables, *names: str) -> None:
    """Remove tables that no later step reads: each may take as much of the disk as all links do."""
    for name in names:
        engine.forget(name)
        file = engine.folder / f"{name}.parquet"
        shutil.rmtree(file) if file.is_dir() else file.unlink()


def _template(store: Store, file: Path) -> Longs:
    """The rows of `steps.template` with hashes of texts, which do not change when pages are added."""
    rows = pq.read_table(file)
    sites = [page_id(store.value("site", page)) for page in rows["page"].to_pylist()]
    columns = np.array(sites, np.int64), store.graph.ids[rows["target"].to_numpy()], rows["anchor"].to_numpy()
    return np.column_stack(columns)


def _pair_count(engine: Tables, rows: "Table") -> int:
    """The most pairs that the blocks can give, both ways."""
    blocks = rows.group_by("block").agg(size=rows.count())
    engine.write("most", blocks.agg(pairs=(blocks.size * (blocks.size - 1)).sum()))
    return int(pq.read_table(engine.folder / "most.parquet")["pairs"][0].as_py() or 0)


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
        write_tables(store, _folded(store, rule), engine.folder)
        buckets = _write_pairs(engine, rule, store.size)
        for _, sums in _summed(engine, rule, buckets):
            found = given(sums)
            engine.write("given", found.select(score=found.score.cast("float64")))
            yield pq.read_table(engine.folder / "given.parquet")["score"].to_numpy()


def _given(engine: Tables, rule: PairRule, buckets: int) -> Iterator[pa.Table]:
    """What citing sites give pairs of pages, part by part; the pages of a part come before those of the next."""
    from pagekin.index.block_pairs.steps import bounded, given

    for _, sums in _summed(engine, rule, buckets):
        engine.write("given", bounded(given(sums), rule).select("page", "other", "citing", "score"))
        yield pq.read_table(engine.folder / "given.parquet")


def _held(found: Path, sites: Sites, former: Former | None) -> Iterator[pa.Table]:
    """How many blocks of each site link to each page: those found now, then those of sites that are the same."""
    for rows in read_held(found):
        citing = sites.of_code[rows["citing"].to_numpy()]
        yield pa.table([citing, rows["target"], rows["blocks"]], HELD.names).cast(HELD)
    yield from former.held() if former else ()


def _kept_template(former: Former, sites: Sites) -> Longs:
    """The templates of the sites that are the same."""
    rows = load(former.folder / "template.npy")
    if not rows.size:  # as it is across sites
        return rows
    same = sites.names.filter(pa.array(former.same[sites.of_code])).to_pylist()
    return rows[np.isin(rows[:, 0], np.array([page_id(name) for name in same], np.int64))]


def _write_related(
    given: Iterator[pa.Table], holding: Longs, rule: PairRule, ids: Longs, folder: Path
) -> tuple[int, int, int]:
    """Add up over sites and write the arrays, and what they are made from; returns the number of lists, of related
    pages in all of them, and of rows that sites gave. `holding` says how many blocks link to each page."""
    from pagekin.kernels.block_pairs import most_related

    weight, kept = frozen(1 + np.log(np.maximum(holding, 1))), 0

    def blocks() -> Iterator[lists.ListsOfSome]:
        nonlocal kept
        with pq.ParquetWriter(folder / "given.parquet", GIVEN, compression="lz4") as file:
            for rows in (piece for part in given for piece in pieces(part)):
                file.write_table(rows, row_group_size=rows.num_rows)
                kept += rows.num_rows
                pages, first = np.unique(rows["page"].to_numpy(), return_index=True)
                start = frozen(np.append(first, rows.num_rows))
                other, whole, rest = (frozen(rows[name].to_numpy()) for name in ("other", "whole", "rest"))
                sizes, others, scores = most_related(start, other, whole, rest, weight, rule.min_score, rule.keep)
                there = sizes > 0
                yield ids[pages[there]], sizes[there], ids[others], scores

    return *lists.write(folder, blocks()), kept
