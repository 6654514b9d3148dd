"""Merges all parts of a collection into one state: which rows count, which page has which number, who links to whom.

**Which rows count.** The latest capture of a page wins; if times are equal, the one with the larger digest, then the
one that the later parser read, then the smaller origin. A page that was never fetched combines what tables say of it.
All rows of a fetched page come from its winning part, so table rows about it do not count. If two addresses have the
same id, the lexically smaller one stays. None of this depends on the order in which parts were added.

**Numbers.** A page's number is the rank of its id, so a binary search for the id gives the number.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.page_order import once
from pagekin.collection.roles import Stretches
from pagekin.collection.schema import PAGES, SCHEMAS
from pagekin.kernels import Ints
from pagekin.kernels.numbers import numbers_in

# The ids of all pages, ascending, and the part that holds each one's rows (or UNITED).
Winners = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]
NOBODY: Ints = np.empty(0, np.int32)
UNITED = -1  # the `part` of a page that was never fetched: every part may say something about it


@dataclass(frozen=True)
class Snapshot:
    """One state of a collection: the rows that count, in page order."""

    ids: npt.NDArray[np.int64]
    pages: pa.Table  # PAGES, and `part`: the index of the winning part, or UNITED
    links: pa.Table  # as in parts, but with page numbers for source and target; by source, then position
    aliases: pa.Table  # alias (URL), page (id), kind
    stretches: Stretches
    refused: tuple[str, ...] = ()  # addresses whose id belongs to another address


@dataclass(frozen=True)
class Contribution:
    """The rows that one part, or an earlier snapshot, contributes, with ids; `parts[i]` is the part of page row i."""

    pages: pa.Table
    parts: npt.NDArray[np.int32]
    links: pa.Table = field(default_factory=SCHEMAS["links"].empty_table)
    aliases: pa.Table = field(default_factory=SCHEMAS["aliases"].empty_table)
    stretches: pa.Table = field(default_factory=SCHEMAS["stretches"].empty_table)


def merged(contributions: list[Contribution]) -> Snapshot:
    """Merge all contributions into one state, in memory (`fold` does it on disk); their order does not matter."""
    if not contributions:
        contributions = [Contribution(PAGES.empty_table(), np.empty(0, np.int32))]
    rows = pa.concat_tables([with_part(c.pages, c.parts) for c in contributions])
    pages, refused = decided(rows)
    ids, winning = pages["id"].to_numpy(), pages["part"].to_numpy()
    strange = strangers(rows, pages) if refused else np.zeros(rows.num_rows, bool)
    links, stretches, first = [], list[tuple[npt.NDArray[Any], ...]](), 0
    for each in contributions:
        own = each.pages["id"].to_numpy()
        others = own[strange[first : first + own.size]]
        first += own.size
        parts = [_parts(each, owner) for owner in (each.links["source"], each.stretches["page"])]
        links.append(counting(each.links, parts[0], (ids, winning), others))
        page, live = standing(each.stretches["page"].to_numpy(), parts[1], (ids, winning), united=False)
        stretches.append((page[live], *(each.stretches[name].to_numpy()[live] for name in ("print", "heading"))))
    aliases = distinct_aliases(pa.concat_tables([c.aliases for c in contributions]))
    return Snapshot(ids, pages, in_order(links, winning), aliases, _stretches(stretches, ids.size), refused)


def with_part(pages: pa.Table, parts: npt.NDArray[np.int32]) -> pa.Table:
    """Rows of pages with the part that each is from."""
    return plain(pages).append_column("part", pa.array(parts, pa.int32()))


def decided(rows: pa.Table) -> tuple[pa.Table, tuple[str, ...]]:
    """The row of each page, by id, from all rows about these pages (PAGES and `part`); and the addresses refused."""
    winners, refused = _winners(rows)
    return _united(rows, rows.take(pa.array(winners)), bool(refused)), refused


def strangers(rows: pa.Table, pages: pa.Table) -> npt.NDArray[np.bool_]:
    """Which rows are about an address that was refused: their id belongs to the page of another."""
    at = np.searchsorted(pages["id"].to_numpy(), rows["id"].to_numpy())
    return np.asarray(pc.not_equal(rows["url"], pages["url"].take(pa.array(at))).to_numpy(zero_copy_only=False))


def standing(
    owner: npt.NDArray[np.int64], part: npt.NDArray[np.int32] | int, winners: Winners, united: bool = True
) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """The numbers of the pages that rows are about, given by id, and which rows count: those from the page's part.

    Of a page that was never fetched all rows count, if it may have `united` ones. A page's rows are in a row.
    """
    first = np.flatnonzero(np.concatenate((np.ones(min(owner.size, 1), bool), owner[1:] != owner[:-1])))
    number = np.repeat(numbers_in(winners[0], owner[first]), np.diff(first, append=owner.size))
    if not winners[0].size:
        return number, np.zeros(number.size, bool)
    stands = winners[1][number]
    live = (stands == part) | ((stands == UNITED) & united)
    return number, live & (number >= 0)  # a damaged part may lack the page


def counting(
    links: pa.Table,
    part: npt.NDArray[np.int32] | int,
    winners: Winners,
    strange: npt.NDArray[np.int64],
    number_of: Callable[[npt.NDArray[np.int64]], Ints] | None = None,
) -> pa.Table:
    """The links of one contribution that count, with page numbers instead of ids; `strange`: ids that are of other
    addresses there. `number_of`: finds numbers, if there is something faster than a binary search."""
    source, kept = standing(links["source"].to_numpy(), part, winners)
    target = (number_of or partial(numbers_in, winners[0]))(links["target"].to_numpy())
    kept &= target >= 0
    for end in ("source", "target") if strange.size else ():
        kept &= ~np.isin(links[end].to_numpy(), strange)
    if not kept.all():
        links, source, target = links.filter(pa.array(kept)), source[kept], target[kept]
    return plain(links).set_column(0, "source", pa.array(source)).set_column(1, "target", pa.array(target))


def in_order(made: list[pa.Table], winning: npt.NDArray[np.int32], several: Ints = NOBODY) -> pa.Table:
    """The links of several contributions by source: those of a page that was never fetched once each. `several`: the
    pages of which one table has links of several contributions."""
    of_united = [
        np.unique(source[winning[source] == UNITED]) for source in (each["source"].to_numpy() for each in made)
    ]
    pages, contributions = np.unique(np.concatenate(of_united), return_counts=True)
    links = pa.concat_tables(made)
    source = links["source"].to_numpy()
    repeated = np.union1d(pages[contributions > 1], several[winning[several] == UNITED])
    if repeated.size:
        mask = np.isin(source, repeated)
        links = pa.concat_tables([links.filter(pa.array(~mask)), once(links.filter(pa.array(mask)))])
        source = links["source"].to_numpy()
    if (source[1:] >= source[:-1]).all():
        return links
    return links.take(pa.array(np.argsort(source, kind="stable")))  # within a source the rows are in order already


def plain(table: pa.Table) -> pa.Table:
    """The table with texts as such, not as dictionaries, and with 64-bit offsets: taking rows of more than 2 GiB of
    addresses would overflow 32-bit ones. Rows of parts and of the written graph have the same types then."""
    texts = (pa.types.is_string, pa.types.is_dictionary)
    types = {
        each.name: pa.large_string() if any(is_(each.type) for is_ in texts) else each.type for each in table.schema
    }
    return table.cast(pa.schema(types))


def _winners(rows: pa.Table) -> tuple[npt.NDArray[np.int64], tuple[str, ...]]:
    """The winning row for each id, in order of id; and the addresses refused."""
    ids = rows["id"].to_numpy()
    # A bare row says only that some page links to this one. Nearly all repeated rows are bare, and they lose to any
    # other row, so only a page with two rows that are not bare needs the full comparison.
    bare = _bare(rows).to_numpy(zero_copy_only=False)
    order = np.lexsort((bare, ids))
    ordered = ids[order]
    starts = (
        np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if ids.size else np.empty(0, np.int64)
    )
    ends = np.append(starts[1:], ids.size)
    winners = order[starts]
    refused = _refused(rows, order, np.repeat(winners, ends - starts))
    second = np.minimum(starts + 1, max(ids.size - 1, 0))
    contested = (ends - starts > 1) & ~bare[order[second]] if ids.size else np.empty(0, bool)
    if refused:  # one in 10¹⁹ pairs, or a test: then every repeated id is compared in full
        contested = ends - starts > 1
    if contested.any():
        mask = np.repeat(contested, ends - starts)
        candidates = order[mask]
        best = pc.sort_indices(  # nulls come last
            rows.take(pa.array(candidates)),
            sort_keys=[
                ("id", "ascending"), ("url", "ascending"), ("fetched", "descending"),
                ("digest", "descending"), ("parser", "descending"), ("origin", "ascending"), ("status", "descending"),
                ("content_type", "ascending"), ("part", "ascending"),
            ],
        ).to_numpy()  # fmt: skip
        in_order = candidates[best]
        first = np.concatenate(([True], ids[in_order][1:] != ids[in_order][:-1]))
        winners[contested] = in_order[first]
    return winners, refused


def _bare(rows: pa.Table) -> pa.ChunkedArray:
    """Whether a row has nothing but its address."""
    said = [pc.not_equal(rows[name], "") for name in ("title", "summary", "language")]
    said += [pc.is_valid(rows[name]) for name in ("label", "fetched", "status")]
    return pc.invert(reduce(pc.or_, said))


def _refused(rows: pa.Table, order: npt.NDArray[Any], winner_of: npt.NDArray[Any]) -> tuple[str, ...]:
    """The addresses that share an id with a smaller address."""
    repeated = order != winner_of
    if not repeated.any():
        return ()
    mine = rows["url"].take(pa.array(order[repeated]))
    other = rows["url"].take(pa.array(winner_of[repeated]))
    differ = pc.not_equal(mine, other)
    if not pc.any(differ).as_py():
        return ()
    pairs = zip(mine.filter(differ).to_pylist(), other.filter(differ).to_pylist(), strict=True)
    return tuple(sorted({max(pair) for pair in pairs}))


def _united(rows: pa.Table, winners: pa.Table, refused: bool) -> pa.Table:
    """Give pages that no part fetched what any table says about them: of several titles or labels, the smallest."""
    unfetched = winners["id"].filter(pc.is_null(winners["fetched"])).combine_chunks()
    part = np.where(winners["fetched"].is_null().to_numpy(), UNITED, winners["part"].to_numpy())
    winners = winners.set_column(winners.column_names.index("part"), "part", pa.array(part, pa.int32()))
    spoken = rows.filter(pc.and_(pc.is_null(rows["fetched"]), pc.invert(_bare(rows))))
    spoken = spoken.filter(pc.is_in(spoken["id"], unfetched))
    if not refused and spoken.num_rows == pc.count_distinct(spoken["id"]).as_py():
        return winners  # no two rows disagree
    at = np.searchsorted(winners["id"].to_numpy(), spoken["id"].to_numpy())
    same = pc.equal(spoken["url"], winners["url"].take(pa.array(at)))  # not a refused address that shares the id
    spoken, at = spoken.filter(same), at[same.to_numpy(zero_copy_only=False)]
    for name in ("title", "summary", "language", "label"):
        winners = winners.set_column(
            winners.column_names.index(name), winners.schema.field(name), _least(winners[name], spoken[name], at)
        )
    return winners


def _least(values: pa.ChunkedArray, said: pa.ChunkedArray, at: npt.NDArray[np.int64]) -> pa.Array:
    """`values`, with the smallest non-empty text that was said for each place."""
    places = np.unique(at)
    best = dict(zip(places.tolist(), values.take(pa.array(places)).to_pylist(), strict=True))
    for place, text in zip(at.tolist(), said.to_pylist(), strict=True):
        if text and (not best[place] or text < best[place]):
            best[place] = text
    mask = np.zeros(len(values), bool)
    mask[places] = True
    return pc.replace_with_mask(values.combine_chunks(), pa.array(mask), pa.array(list(best.values()), values.type))


def _stretches(rows: list[tuple[npt.NDArray[Any], ...]], pages: int) -> Stretches:
    """The stretches that count, by page: only the part that won has some, so those of a page are in order."""
    nothing = np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, bool)
    owner, prints, headings = (np.concatenate(column) for column in zip(nothing, *rows, strict=True))
    order = np.argsort(owner, kind="stable")
    start = np.zeros(pages + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=pages), out=start[1:])
    return Stretches(start, prints[order], headings[order])


def _parts(contribution: Contribution, owner: pa.ChunkedArray) -> npt.NDArray[np.int32]:
    """The part that rows about these pages, given by id, are from."""
    own = contribution.pages["id"].to_numpy()
    if not own.size:  # a damaged part may lack them
        return np.full(len(owner), UNITED, np.int32)
    return contribution.parts[np.maximum(numbers_in(own, owner.to_numpy()), 0)]


def distinct_aliases(aliases: pa.Table) -> pa.Table:
    """Each alias once: of several targets, the one with the smallest id, whatever the order of adding."""
    rows = aliases.sort_by([(name, "ascending") for name in ("alias", "page", "kind")])
    if rows.num_rows < 2:
        return rows
    alias = rows["alias"].combine_chunks()
    again = pc.equal(alias.slice(1), alias.slice(0, len(alias) - 1)).to_numpy(zero_copy_only=False)
    return rows.filter(pa.array(np.concatenate(([True], ~again)))).combine_chunks()
