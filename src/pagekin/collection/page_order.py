"""Tables in the order of pages, as every part has them: sorted, each link of a table once, several parts as one."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.schema import OWNER, SCHEMAS, Tables

ODD = 0x5851F42D4C957F2D  # any odd number with many bits spreads sources


def in_page_order(name: str, rows: pa.Table) -> pa.Table:
    """Sort the rows of a table by page; a page's rows keep their order, but links are sorted by position."""
    if name == "aliases" or not rows.num_rows:
        return rows
    keys = [rows[OWNER[name]].to_numpy()]
    if name == "links":
        keys.insert(0, rows["position"].to_numpy())
    order = _order(*keys)
    return (rows if order is None else rows.take(pa.array(order))).combine_chunks()


def once(links: pa.Table) -> pa.Table:
    """The links of tables, each (source, target, anchor) once, at its first position; by source, then position."""
    if links.num_rows < 2:
        return links
    source, target, position = (links[name].to_numpy() for name in ("source", "target", "position"))
    pair = source.astype(np.int64) * ODD + target  # wraps round; equal for equal pairs, and hardly ever for others
    ordered = np.sort(pair)
    again = ordered[1:][ordered[1:] == ordered[:-1]]
    if again.size:  # only then the anchors matter
        some = np.flatnonzero(np.isin(pair, again))
        kept = np.delete(np.arange(source.size), np.delete(some, _firsts(links.take(pa.array(some)))))
        source, position = source[kept], position[kept]
        links = links.take(pa.array(kept))
    in_order = _order(position, source)
    if in_order is not None:
        links = links.take(pa.array(in_order))
        source, position = source[in_order], position[in_order]
    if ((source[1:] == source[:-1]) & (position[1:] == position[:-1])).any():
        # If positions of two files are equal, target and anchor decide, so that the order of adding does not matter.
        links = links.take(
            pa.array(np.lexsort((_ranks(links["anchor"]), links["target"].to_numpy(), position, source)))
        )
    return links


def _firsts(links: pa.Table) -> npt.NDArray[np.int64]:
    """Of links with the same source, target and anchor, the first by position."""
    source, target, position = (links[name].to_numpy() for name in ("source", "target", "position"))
    anchor = _ranks(links["anchor"])
    order = np.lexsort((position, anchor, target, source))
    first = np.ones(order.size, bool)
    first[1:] = np.logical_or.reduce([each[order][1:] != each[order][:-1] for each in (source, target, anchor)])
    return order[first]


def _ranks(anchors: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """The rank of each text among the different ones."""
    coded = anchors.combine_chunks().dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.combine_chunks()
    rank = np.empty(len(coded.dictionary), np.int64)
    rank[pc.sort_indices(coded.dictionary).to_numpy()] = np.arange(rank.size)
    return np.asarray(rank[coded.indices.to_numpy()])


def _order(*keys: npt.NDArray[Any]) -> npt.NDArray[np.int64] | None:
    """The order of rows by the last of the keys, then by those before; none if they are in order."""
    if _rise(*keys):
        return None
    order = _by_runs(keys[-1])
    return order if _rise(*(key[order] for key in keys)) else np.lexsort(keys)


def _rise(*keys: npt.NDArray[Any]) -> bool:
    """Whether rows are in order by the last of the keys, then by those before."""
    last, before = keys[-1], keys[0]
    rises = (last[1:] > last[:-1]) | ((last[1:] == last[:-1]) & ((before[1:] >= before[:-1]) | (len(keys) == 1)))
    return bool(rises.all())


def _by_runs(key: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The order of rows by a key; equal ones stay as they are. Equal ones in a row move together: of a table of links
    most rows have the source of the row before, and a source's rows are in order."""
    first = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    size = np.diff(first, append=key.size)
    order = np.argsort(key[first], kind="stable")
    first, size = first[order], size[order]
    return np.repeat(first - np.cumsum(size) + size, size) + np.arange(key.size)


def joined(parts: Sequence[Tables]) -> Iterator[Tables]:
    """Join parts of fetched pages; parts that disagree about a page stay separate, for the snapshot to decide."""
    group: list[Tables] = []
    for tables in parts:
        if group and _disagree(group, tables):
            yield _concatenated(group)
            group = []
        group.append(tables)
    if group:
        yield _concatenated(group)


def _disagree(group: Sequence[Tables], tables: Tables) -> bool:
    """Whether a page of `tables` was also fetched in the group, or has another address there."""
    pages = pa.concat_tables([*(other["pages"] for other in group), tables["pages"]]).select(["id", "url", "fetched"])
    fetched = pages["id"].filter(pc.is_valid(pages["fetched"]))
    addresses = pages.select(["id", "url"]).group_by(["id", "url"]).aggregate([])
    return bool(
        pc.count_distinct(fetched).as_py() < len(fetched) or pc.count_distinct(addresses["id"]).as_py() < len(addresses)
    )


def _concatenated(group: Sequence[Tables]) -> Tables:
    if len(group) == 1:
        return group[0]
    made = {name: pa.concat_tables([tables[name] for tables in group]) for name in SCHEMAS}
    ids = made["pages"]["id"].to_numpy()
    unsaid = [pc.is_null(made["pages"][name]).to_numpy(zero_copy_only=False) for name in ("status", "fetched")]
    order = np.lexsort((*unsaid, ids))
    first = np.concatenate(([True], ids[order][1:] != ids[order][:-1]))
    made["pages"] = made["pages"].take(
        pa.array(order[first])
    )  # the fetched row, else the one asked for in vain, else the bare address
    return {name: in_page_order(name, rows) for name, rows in made.items()}
