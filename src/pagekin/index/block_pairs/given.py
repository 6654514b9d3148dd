"""What citing sites give pairs of pages, kept beside the index: at the next build only sites that changed give anew.

Everything before the sum over sites (Eq. 12) is a matter of one citing site: which of its blocks are copies, what is
its template, what counts of one anchor, and at most N in all. So a site whose links are the same gives the same.

    given.parquet    by page: page, other, citing (a place in sites.npy), and the score: whole, and rest in 10¹⁷ parts
    held.parquet     citing, target, blocks: how many blocks of a site link to a page; in any order
    sites.npy        two columns, by site: a print of its name, ascending, and one of all that its pages link to
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.collection.array_files import load
from pagekin.collection.store import Store
from pagekin.collection.strings import coded
from pagekin.index.block_pairs.tables import Folded, bare_pages
from pagekin.index.prints import Prints, mixed, of_texts, summed
from pagekin.kernels import Ints, Longs
from pagekin.kernels.block_pairs import ONE
from pagekin.kernels.numbers import numbers_in
from pagekin.version import VERSION

GIVEN = pa.schema(
    [("page", pa.int32()), ("other", pa.int32()), ("citing", pa.int32()), ("whole", pa.int64()), ("rest", pa.int64())]
)
HELD = pa.schema([("citing", pa.int32()), ("target", pa.int32()), ("blocks", pa.int64())])
GROUP_ROWS = 1 << 21  # rows of a group of given.parquet, or those of a single page: 60 MB in memory
HELD_ROWS = 1 << 20  # rows of held.parquet that are read at a time


@dataclass(frozen=True)
class Sites:
    """The sites of a state: prints of their names, ascending, and of what their pages link to."""

    name: Prints
    links: Prints
    sizes: Longs  # links on its pages
    of_code: Ints  # of each number that the `steps` give a site
    names: pa.Array  # by that number

    @classmethod
    def of(cls, store: Store, own: Folded) -> "tuple[Sites, Ints]":
        """The prints of all sites, and the site of each page. Words depend on who reads them, so the print does."""
        codes, names = coded(store.graph.pages["site"])
        name, of_code = np.unique(of_texts(names), return_inverse=True)
        of_page = of_code.astype(np.int32)[codes]
        found, sizes = np.full(name.size, _reader(store), np.uint64), np.zeros(name.size, np.int64)
        ids, stands = store.graph.ids, own.stands
        known = np.where(stands >= 0, ids[stands], -1)
        at = np.where(stands >= 0, name[of_page[stands]], np.uint64(0)) if name.size else np.empty(0, np.uint64)
        has_links = np.zeros(store.size, bool)
        for links in store.all_links():
            source, target = links["source"].to_numpy(), links["target"].to_numpy()
            block = links["block"].to_numpy()
            kept = (block >= 0) & ~own.copy[source]
            where = mixed(ids[source], block, links["position"].to_numpy(), known[target], at[target])
            prints = mixed(where, of_texts(links["anchor"]))[kept]
            found += summed(of_page[source[kept]], prints, name.size)
            sizes += np.bincount(of_page[source[kept]], minlength=name.size)
            has_links[source[kept]] = True
        citing = np.flatnonzero(has_links)
        language = of_texts(store.column("language", citing.astype(np.int32)))
        bare = bare_pages(store, citing.astype(np.int32), store.graph.links)
        pages = mixed(ids[citing], bare, known[citing], own.weight[citing], language)
        found += summed(of_page[citing], pages, name.size)
        return cls(name, found, sizes, of_code.astype(np.int32), names), of_page

    def table(self) -> Prints:
        return np.column_stack((self.name, self.links))


def _reader(store: Store) -> np.uint64:
    return of_texts(pa.array([f"{VERSION} {sorted(store.manifest.segmenters.items())}"]))[0]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Former:
    """What the former index kept, with the numbers of a later state, for the sites that give the same."""

    page: Ints  # by former page number: the number now, −1 if it is gone
    site: Ints  # by former place: the place now, −1 if the site gives something else or is gone
    same: npt.NDArray[np.bool_]  # by place now: whether the site gives the same
    folder: Path

    @classmethod
    def read(cls, folder: Path, store: Store, sites: Sites) -> "Former":
        held = load(folder / "sites.npy")
        now = numbers_in(sites.name, held[:, 0])
        same_links = (now >= 0) & (sites.links[now] == held[:, 1])
        same = np.zeros(sites.name.size, bool)
        same[now[same_links]] = True
        page = numbers_in(store.graph.ids, load(folder / "pages.npy"))
        for name, schema in (("given", GIVEN), ("held", HELD)):
            if not pq.read_schema(folder / f"{name}.parquet").equals(schema):
                raise ValueError(f"{name}.parquet has other columns")
        return cls(page, np.where(same_links, now, -1).astype(np.int32), same, folder)

    def given(self) -> Iterator[pa.Table]:
        """The rows that stay, by page."""
        with pq.ParquetFile(self.folder / "given.parquet", memory_map=True) as file:
            for group in range(file.num_row_groups):
                yield self._numbered(file.read_row_group(group), "page", "other")

    def held(self) -> Iterator[pa.Table]:
        """The rows that stay."""
        return (self._numbered(rows, "target") for rows in read_held(self.folder / "held.parquet"))

    def _numbered(self, rows: pa.Table, *pages: str) -> pa.Table:
        moved = {"citing": self.site[rows["citing"].to_numpy()]}
        moved |= {name: self.page[rows[name].to_numpy()] for name in pages}
        kept = np.logical_and.reduce([each >= 0 for each in moved.values()])
        for name, values in moved.items():
            rows = rows.set_column(rows.column_names.index(name), name, pa.array(values))
        return rows if kept.all() else rows.filter(pa.array(kept))


def exact(rows: pa.Table, of_code: Ints) -> pa.Table:
    """What the `steps` say that sites give, with places for the numbers of sites, by page."""
    whole, rest = _split(rows["score"].combine_chunks())
    page = rows["page"].to_numpy()
    citing = of_code[rows["citing"].to_numpy()]
    made = pa.table([page, rows["other"], citing, whole, rest], GIVEN.names).cast(GIVEN)
    return made.take(pa.array(np.lexsort((citing, rows["other"].to_numpy(), page))))


def _split(scores: Any) -> tuple[Longs, Longs]:
    """Decimals with 17 digits behind the point as whole numbers and the rest."""
    chunks = scores.chunks if isinstance(scores, pa.ChunkedArray) else [scores]
    words = [np.frombuffer(each.buffers()[1], np.uint64).reshape(-1, 2)[each.offset :][: len(each)] for each in chunks]
    both = np.concatenate([np.empty((0, 2), np.uint64), *words])
    low, high = both[:, 0], both[:, 1]
    whole, rest = (low // np.uint64(ONE)).astype(np.int64), (low % np.uint64(ONE)).astype(np.int64)
    for at in np.flatnonzero(high).tolist():  # a pair that one site gives more than 184
        whole[at], rest[at] = divmod((int(high[at]) << 64) + int(low[at]), ONE)
    return whole, rest


def in_groups(former: Iterator[pa.Table], fresh: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """Two streams of what sites give, each by page in pieces of whole pages, as one of the same kind."""
    one, other = _next(former), _next(fresh)
    while one.num_rows and other.num_rows:
        last = min(int(rows["page"][-1].as_py()) for rows in (one, other))
        size, more = (int(np.searchsorted(rows["page"].to_numpy(), last, "right")) for rows in (one, other))
        both = pa.concat_tables([one.slice(0, size), other.slice(0, more)])
        yield both.take(pa.array(np.argsort(both["page"].to_numpy(), kind="stable")))
        one = one.slice(size) if size < one.num_rows else _next(former)
        other = other.slice(more) if more < other.num_rows else _next(fresh)
    for rows, left in ((one, former), (other, fresh)):
        yield rows
        yield from left


def _next(stream: Iterator[pa.Table]) -> pa.Table:
    return next((rows for rows in stream if rows.num_rows), GIVEN.empty_table())


def pieces(rows: pa.Table) -> Iterator[pa.Table]:
    """Rows in pieces of about `GROUP_ROWS`, each with whole pages."""
    page, first = rows["page"].to_numpy(), 0
    while first < page.size:
        last = min(first + GROUP_ROWS, page.size)
        last = int(np.searchsorted(page, page[last - 1], "right"))
        yield rows.slice(first, last - first)
        first = last


def read_held(path: Path) -> Iterator[pa.Table]:
    """The rows of a table citing, target, blocks, some at a time: a file, or a folder of them."""
    for file in sorted(path.glob("*.parquet")) if path.is_dir() else [path]:
        with pq.ParquetFile(file, memory_map=True) as held:
            yield from map(pa.table, held.iter_batches(HELD_ROWS))


def write_held(held: Iterator[pa.Table], file: Path, pages: int) -> Longs:
    """Write how many blocks of each site link to each page; returns in(p) of Eq. 13, those of all sites."""
    blocks = np.zeros(pages, np.int64)
    with pq.ParquetWriter(file, HELD, compression="lz4") as to:
        for rows in held:
            to.write_table(rows)
            np.add.at(blocks, rows["target"].to_numpy(), rows["blocks"].to_numpy())
    return blocks
