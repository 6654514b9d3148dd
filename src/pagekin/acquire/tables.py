"""Makes the Arrow tables in a reader's `Rows`: links with their positions, and terms."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.engine.addresses import ids
from pagekin.model import Term

Numbers = npt.NDArray[np.int64]


def links_of(pairs: Sequence[tuple[str, str]]) -> pa.Table:
    """The links table of (source, target) pairs of canonical names in file order.

    >>> links_of([("a", "b"), ("c", "b"), ("a", "c")])["position"].to_pylist()
    [0, 0, 1]
    """
    source = pa.array([source for source, _ in pairs], pa.string())
    target = pa.array([target for _, target in pairs], pa.string())
    position = pa.array(Positions().next(source.dictionary_encode()), pa.int32())
    return pa.table({"source": source, "target": target, "position": position})


def terms_of(rows: Sequence[tuple[str, Term]]) -> pa.Table:
    """The terms table of (canonical name, term) pairs.

    >>> terms_of([("a", Term("bee", "bees", body=2))]).to_pylist()
    [{'url': 'a', 'term': 'bee', 'surface': 'bees', 'body': 2, 'title': 0}]
    """
    columns = {
        "url": pa.array([url for url, _ in rows], pa.string()),
        "term": pa.array([term.term for _, term in rows], pa.string()),
        "surface": pa.array([term.surface for _, term in rows], pa.string()),
        "body": pa.array([term.body for _, term in rows], pa.int32()),
        "title": pa.array([term.title for _, term in rows], pa.int32()),
    }
    return pa.table(columns)


class Positions:
    """Counts the links of each source across the parts of a file, in a hash table: 12 bytes a slot, not a dict's 150.

    A source is known by its id (`url.page_id`).
    """

    def __init__(self, slots: int = 1 << 10) -> None:
        """slots: a power of two."""
        self.keys, self.counts, self.held = np.empty(slots, np.int64), np.full(slots, -1, np.int32), 0

    def next(self, source: pa.DictionaryArray) -> Numbers:
        """The position of each link of the next part among the links of its source."""
        codes = source.indices.to_numpy()
        sizes = np.bincount(codes, minlength=len(source.dictionary))
        places = self._places(ids(source.dictionary))
        begins = np.cumsum(sizes) - sizes - self.counts[places]
        self.counts[places] += sizes.astype(np.int32)
        # Sorted by source, then in file order, a link's position is its index minus the index where its source begins.
        positions = np.empty(len(codes), np.int64)
        positions[np.argsort(codes, kind="stable")] = np.arange(len(codes)) - np.repeat(begins, sizes)
        return positions

    def _places(self, wanted: Numbers) -> Numbers:
        """The slots of some sources; a quarter of the table at least is kept empty."""
        from pagekin.kernels.addresses import slots

        while 4 * (self.held + wanted.size) > 3 * self.keys.size:
            known = self.counts >= 0
            keys, counts = self.keys[known], self.counts[known]
            self.keys, self.counts = np.empty(2 * self.keys.size, np.int64), np.full(2 * self.keys.size, -1, np.int32)
            self.counts[slots(self.keys, self.counts, keys)[0]] = counts
        found, new = slots(self.keys, self.counts, wanted)
        self.held += new
        return found
