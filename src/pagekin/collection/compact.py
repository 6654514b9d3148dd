"""Compaction: rewrites many small parts as few, without the rows that no longer count. The content does not change.

Neighbouring parts are rewritten group by group, so memory is bounded by the size of a group. For each page a group
keeps what its own parts say, unless another group holds the winning capture: then only the address is kept, if a link
of the group still needs it. A large part waits until those after it have a quarter of its rows: to add a little to it
each time would rewrite it each time, and every index would read its pages again.

The parts alone say which capture wins, never the graph: what is derived must not decide what is kept.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.manifest import Part
from pagekin.collection.page_order import in_page_order
from pagekin.collection.schema import LINKS, PAGES, SCHEMAS, Tables
from pagekin.collection.snapshot import Winners, merged
from pagekin.collection.store import Store
from pagekin.collection.vectors import compacted
from pagekin.collection.writer import Writer
from pagekin.engine.watch import rows_done, step
from pagekin.kernels import Longs

# What tells the rows of a page from each other. The stretches of a page are in order, and only one part has some.
IDENTITY = {
    "text": ["page"],
    "blocks": ["page", "block"],
    "terms": ["page", "term"],
    "compounds": ["page", "term"],
    "alternates": ["page", "language", "target"],
}
MOST_ROWS = 4_000_000  # rows of a compacted part, in all tables: about a gigabyte in memory while it is written
SMALL = 100_000  # rows: a part with fewer never waits
WAITS = 4  # as many rows as all parts after it that would join it: a part with more waits
VECTOR_ROWS = 8  # as many other rows as a vector of some hundred numbers takes memory


def compact(writer: Writer, most_rows: int = MOST_ROWS) -> int:
    """Rewrite the parts of a collection as few; returns how many parts fewer there are."""
    store = writer.store()
    groups = _groups(store.manifest.parts, most_rows)
    if len(groups) == len(store.manifest.parts):
        return 0
    made = list[Part]()
    with writer.scratch() as folder:
        standing = store.winners(folder)
    with step("compacting parts"):
        for first, last in groups:
            made.append(_rewritten(writer, store, standing, first, last))
            rows_done(last, len(store.manifest.parts))
    gone = len(store.manifest.parts) - len(made)
    writer.fold(tuple(made))
    return gone


def _rewritten(writer: Writer, store: Store, standing: Winners, first: int, last: int) -> Part:
    if last - first == 1:
        return store.manifest.parts[first]
    holds = tuple(print_ for part in store.manifest.parts[first:last] for print_ in part.holds)
    return writer.new_part(_live(store, standing, first, last), store.manifest.version, holds)


def _groups(parts: Sequence[Part], most_rows: int) -> list[tuple[int, int]]:
    """Group neighbouring parts; each group is [first, last)."""
    sizes = [sum(part.rows.values()) + (VECTOR_ROWS - 1) * part.rows.get("vectors", 0) for part in parts]
    return grouped(np.array(sizes, np.int64), most_rows)


def grouped(sizes: Longs, most: int, small: int = SMALL) -> list[tuple[int, int]]:
    """Neighbours [first, last) of at most so many rows together, or one alone; a large one waits for enough of them.

    >>> grouped(np.array([5, 3, 2, 9, 1, 1]), most=10, small=4)
    [(0, 3), (3, 4), (4, 6)]
    """
    ends, groups, first = np.concatenate(([0], np.cumsum(sizes))), list[tuple[int, int]](), 0
    while first < sizes.size:
        last = max(int(np.searchsorted(ends, ends[first] + most, "right")) - 1, first + 1)
        if sizes[first] > max(small, WAITS * (ends[last] - ends[first + 1])):
            last = first + 1
        groups.append((first, last))
        first = last
    return groups


def _live(store: Store, standing: Winners, first: int, last: int) -> Tables:
    """What the parts [first, last) contribute to the collection."""
    snapshot = merged([store.contribution(i) for i in range(first, last)])
    ids, part = standing
    live = part[np.searchsorted(ids, snapshot.ids)] == snapshot.pages["part"].to_numpy()
    source, target = (snapshot.links[name].to_numpy() for name in ("source", "target"))
    kept = live[source]
    needed = live.copy()
    needed[target[kept]] = True
    vectors = compacted(store, first, last)
    for pages in (snapshot.aliases["page"], vectors["page"]):
        needed |= pc.is_in(snapshot.pages["id"], pages.combine_chunks()).to_numpy(zero_copy_only=False)
    links = snapshot.links.filter(pa.array(kept))
    links = links.set_column(0, LINKS.field("source"), pa.array(snapshot.ids[source[kept]]))
    links = links.set_column(1, LINKS.field("target"), pa.array(snapshot.ids[target[kept]]))
    mine = snapshot.ids[live]
    return {
        "pages": pa.concat_tables([_bare(snapshot.pages, ~live & needed), _rows(snapshot.pages, live)]).sort_by("id"),
        **{
            name: _united(name, _owned(store, standing, name, first, last, mine), identity)
            for name, identity in IDENTITY.items()
        },
        "links": links.select(LINKS.names).cast(LINKS),
        "stretches": in_page_order("stretches", _owned(store, standing, "stretches", first, last, mine)),
        "vectors": vectors,
        "aliases": snapshot.aliases,
    }


def _rows(pages: pa.Table, mask: npt.NDArray[np.bool_]) -> pa.Table:
    return pages.filter(pa.array(mask)).select(PAGES.names).cast(PAGES)


def _bare(pages: pa.Table, mask: npt.NDArray[np.bool_]) -> pa.Table:
    """Rows with nothing left but their address."""
    rows = _rows(pages, mask)
    for field in PAGES:
        if field.name not in ("id", "url", "host", "site"):
            blank = pa.repeat(pa.scalar(None if field.nullable else "", field.type), rows.num_rows)
            rows = rows.set_column(rows.column_names.index(field.name), field, blank)
    return rows


def _owned(store: Store, standing: Winners, table: str, first: int, last: int, mine: npt.NDArray[np.int64]) -> pa.Table:
    """The rows that count in a table of the parts [first, last), for the pages in `mine`."""
    rows = pa.concat_tables(
        [SCHEMAS[table].empty_table(), *store.rows(table, parts=range(first, last), standing=standing)]
    )
    return rows.filter(pc.is_in(rows["page"], pa.array(mine)))


def _united(table: str, rows: pa.Table, identity: list[str]) -> pa.Table:
    """Each row once; if parts differ about a page that was never fetched, the smallest text and the largest count."""
    if rows.num_rows:
        others = [name for name in rows.column_names if name not in identity]
        keys = [(name, "ascending") for name in identity]
        keys += [
            (name, "ascending" if pa.types.is_string(rows.schema.field(name).type) else "descending") for name in others
        ]
        rows = rows.sort_by(keys)
        again = np.ones(rows.num_rows - 1, bool)
        for name in identity:
            column = rows[name].combine_chunks()
            again &= pc.equal(column.slice(1), column.slice(0, len(column) - 1)).to_numpy(zero_copy_only=False)
        rows = rows.filter(pa.array(np.concatenate(([True], ~again))))
    return in_page_order(table, rows)
