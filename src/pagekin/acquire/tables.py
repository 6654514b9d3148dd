"""Makes the Arrow tables in a reader's `Rows`: links with their positions, and terms."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

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
    """Counts the links of each source across the parts of a file, in arrays: a dict would take five times as much."""

    def __init__(self) -> None:
        self.sources = pa.array([], pa.string())
        self.counts: Numbers = np.empty(0, np.int64)

    def next(self, source: pa.DictionaryArray) -> Numbers:
        """The position of each link of the next part among the links of its source."""
        codes, names = source.indices.to_numpy(), source.dictionary
        known = pc.index_in(names, self.sources)
        new = known.is_null()
        places = known.fill_null(0).to_numpy().copy()
        places[new.to_numpy(zero_copy_only=False)] = np.arange(known.null_count) + len(self.sources)
        self.sources = pa.concat_arrays([self.sources, names.filter(new)])
        self.counts = np.append(self.counts, np.zeros(known.null_count, np.int64))
        sizes = np.bincount(codes, minlength=len(names))
        begins = np.cumsum(sizes) - sizes - self.counts[places]
        self.counts[places] += sizes
        # Sorted by source, then in file order, a link's position is its index minus the index where its source begins.
        positions = np.empty(len(codes), np.int64)
        positions[np.argsort(codes, kind="stable")] = np.arange(len(codes)) - np.repeat(begins, sizes)
        return positions
