"""A copy of a collection without the links that are themselves the truth.

If an author links to the pages that he calls related, a method that looks at links has the answers before it. The copy
has every page and every word, but no link between the two pages of a pair, in either direction. The collection itself
is only read. Page numbers are the same in both: a part has a row for every page that it mentions.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin.collection.schema import SCHEMAS
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.kernels import Longs
from pagekin.kernels.numbers import numbers_in


def without_links(store: Store, pairs: Iterable[tuple[int, int]], copy: Path) -> int:
    """Write a copy of a collection without the links between these pairs of pages; returns how many were left out."""
    ends = np.array(list(pairs), np.int64).reshape(-1, 2)
    hidden, count = _keys(ends[:, 0], ends[:, 1], store.size), 0
    settings = {"icann_only": store.manifest.icann_only, "segmenters": store.manifest.segmenters}
    with writing(copy, **settings) as writer:
        parts = []
        for part in store.manifest.parts:
            tables = {name: store.table(part, name) for name in SCHEMAS}
            links = tables["links"]
            source, target = (_pages(store, links[name].to_numpy()) for name in ("source", "target"))
            found = np.isin(_keys(source, target, store.size), hidden)
            tables["links"] = links.filter(pa.array(~found))
            count += int(found.sum())
            parts.append(writer.new_part(tables, writer.manifest.version + 1))
        writer.commit(parts=tuple(parts), version=writer.manifest.version + 1)
        writer.fold()
    return count


def _pages(store: Store, ids: Longs) -> Longs:
    """The pages that ids mean: for an alias, the page it leads to."""
    return store.graph.page_of[numbers_in(store.graph.ids, ids)].astype(np.int64)


def _keys(one: Longs, other: Longs, size: int) -> Longs:
    """A number for each pair, whichever page comes first."""
    return np.minimum(one, other) * size + np.maximum(one, other)
