"""Parts merged into one state with all rows in memory at once and without slices: the slow twin of `fold`.

It shares no rule with `collection.snapshot`, only the types of what goes in and comes out.
"""

from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.roles import Stretches
from pagekin.collection.schema import PAGES, SCHEMAS
from pagekin.collection.snapshot import UNITED, Contribution, Snapshot
from pagekin.kernels.numbers import numbers_in


def merged(contributions: list[Contribution]) -> Snapshot:
    """Merge all contributions into one state, which does not depend on their order."""
    if not contributions:
        contributions = [Contribution(PAGES.empty_table(), np.empty(0, np.int32))]
    rows = pa.concat_tables([_large(c.pages) for c in contributions])
    rows = rows.append_column("part", pa.array(np.concatenate([c.parts for c in contributions]), pa.int32()))
    winners, refused = _winners(rows)
    pages = _united(rows, rows.take(pa.array(winners)), bool(refused))
    ids = pages["id"].to_numpy()
    links = _live_links(contributions, pages, ids)
    aliases = pa.concat_tables([c.aliases for c in contributions])
    stretches = _live_stretches(contributions, pages, ids)
    return Snapshot(ids, pages, links, _distinct_aliases(aliases), stretches, refused)


def _large(table: pa.Table) -> pa.Table:
    """The table with 64-bit string offsets: taking rows of more than 2 GiB of addresses would overflow 32-bit ones."""
    fields = [field.with_type(pa.large_string()) if pa.types.is_string(field.type) else field for field in table.schema]
    return table.cast(pa.schema(fields))


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
    unfetched = winners.filter(pc.is_null(winners["fetched"]))
    part = np.where(winners["fetched"].is_null().to_numpy(), UNITED, winners["part"].to_numpy())
    winners = winners.set_column(winners.column_names.index("part"), "part", pa.array(part, pa.int32()))
    spoken = rows.filter(pc.and_(pc.is_null(rows["fetched"]), pc.invert(_bare(rows))))
    spoken = spoken.filter(pc.is_in(spoken["id"], unfetched["id"].combine_chunks()))
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
    texts = values.to_pylist()
    for place, text in zip(at.tolist(), said.to_pylist(), strict=True):
        if text and (not texts[place] or text < texts[place]):
            texts[place] = text
    return pa.array(texts, values.type)


def _live_links(contributions: list[Contribution], pages: pa.Table, ids: npt.NDArray[np.int64]) -> pa.Table:
    """The links that count, with page numbers instead of ids."""
    winning = pages["part"].to_numpy()
    made, seen = [], np.zeros(ids.size, np.int8)
    again = np.zeros(ids.size, bool)  # never fetched, and more than one contribution has links for it
    for contribution in contributions:
        own = contribution.pages["id"].to_numpy()
        number = np.searchsorted(ids, own).astype(np.int32)
        place_of_source, has_source = _places(own, contribution.links["source"].to_numpy())
        place_of_target, has_target = _places(own, contribution.links["target"].to_numpy())
        stands = winning[number]
        live = (stands == UNITED) | (stands == contribution.parts)
        named = pc.equal(contribution.pages["url"], pages["url"].take(pa.array(number))).to_numpy(zero_copy_only=False)
        kept = (live & named)[place_of_source] & named[place_of_target] & has_source & has_target
        links = contribution.links.filter(pa.array(kept))
        source, target = number[place_of_source[kept]], number[place_of_target[kept]]
        united = np.unique(source[winning[source] == UNITED])
        again[united[seen[united] > 0]] = True
        seen[united] = 1
        made.append(
            _large(links)
            .set_column(0, "source", pa.array(source))
            .set_column(1, "target", pa.array(target))
            .combine_chunks()
        )
    links = pa.concat_tables(made)
    source = links["source"].to_numpy()
    if again.any():
        mask = again[source]
        links = pa.concat_tables([links.filter(pa.array(~mask)), once(links.filter(pa.array(mask)))])
        source = links["source"].to_numpy()
    order = np.argsort(source, kind="stable")  # within a source the rows are in order already
    return links.take(pa.array(order))


def _live_stretches(contributions: list[Contribution], pages: pa.Table, ids: npt.NDArray[np.int64]) -> Stretches:
    """The stretches that count, by page: only the part that won has some."""
    winning = pages["part"].to_numpy()
    owners, prints, headings = [np.empty(0, np.int32)], [np.empty(0, np.int32)], [np.empty(0, bool)]
    for contribution in contributions:
        if not contribution.stretches.num_rows:
            continue
        own = contribution.pages["id"].to_numpy()
        place, has_page = _places(own, contribution.stretches["page"].to_numpy())
        number = np.searchsorted(ids, own).astype(np.int32)
        live = (winning[number] == contribution.parts)[place] & has_page
        owners.append(number[place[live]])
        prints.append(contribution.stretches["print"].to_numpy()[live])
        headings.append(contribution.stretches["heading"].to_numpy()[live])
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")  # within a page they are in order already
    start = np.zeros(ids.size + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=ids.size), out=start[1:])
    return Stretches(start, np.concatenate(prints)[order], np.concatenate(headings)[order])


def _places(
    own: npt.NDArray[np.int64], ids: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """The place of each id among a part's own ids, and whether it has one: a damaged part may lack the row."""
    places = numbers_in(own, ids)
    return np.maximum(places, 0), places >= 0


def _distinct_aliases(aliases: pa.Table) -> pa.Table:
    """Each alias once: of several targets, the one with the smallest id, whatever the order of adding."""
    rows = sorted({(row["alias"], row["page"], row["kind"]) for row in aliases.to_pylist()})
    first: dict[str, tuple[int, str]] = {}
    for alias, page, kind in rows:
        first.setdefault(alias, (page, kind))
    columns = {"alias": list(first), "page": [p for p, _ in first.values()], "kind": [k for _, k in first.values()]}
    return pa.table(columns, schema=SCHEMAS["aliases"])


def once(links: pa.Table) -> pa.Table:
    """The links of tables, each (source, target, anchor) once, at its first position."""
    if links.num_rows < 2:
        return links
    anchors = links["anchor"].combine_chunks().dictionary_encode()
    if isinstance(anchors, pa.ChunkedArray):
        anchors = anchors.combine_chunks()
    # If positions of two files are equal, target and anchor decide, so that the order of adding does not matter.
    rank = np.empty(len(anchors.dictionary), np.int64)
    rank[pc.sort_indices(anchors.dictionary).to_numpy()] = np.arange(rank.size)
    source, target = links["source"].to_numpy(), links["target"].to_numpy()
    anchor, position = rank[anchors.indices.to_numpy()], links["position"].to_numpy()
    order = np.lexsort((position, anchor, target, source))
    source, target, anchor = source[order], target[order], anchor[order]
    first = np.ones(order.size, bool)
    first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1]) | (anchor[1:] != anchor[:-1])
    kept = order[first]
    kept = kept[np.lexsort((position[kept], links["source"].to_numpy()[kept]))]
    return links.take(pa.array(kept))
