"""The vectors that users bring, from whatever model made them: which of them count, and how they are read.

**Which rows count.** The latest vector of a page counts, whichever part holds its text; of two from the same moment,
the one with the larger fingerprint. The vector of an alias counts for its page, unless that has one of its own. All
that count have the length of the latest: those of another model cannot be compared with it. So the order of parts does
not matter.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.page_order import in_page_order
from pagekin.collection.schema import VECTORS
from pagekin.collection.store import Store
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import numbers_in

NUMBER = np.dtype("<f4")
_KEYS = ("page", "added", "length", "print")

Table = npt.NDArray[np.float32]  # a row for each page


class Standing(NamedTuple):
    """The pages that have a vector, ascending, and where it is: a row of the table of a part."""

    page: Ints
    part: Longs
    row: Longs
    print: Longs
    length: int = 0  # of every vector; 0 if there is none
    unfit: int = 0  # further pages, whose vectors have another length
    added: int = 0  # when the latest came, in milliseconds since 1970


def has_vectors(store: Store) -> bool:
    """Whether a part has vectors."""
    return any(part.rows.get("vectors") for part in store.manifest.parts)


def standing(store: Store) -> Standing:
    """Which vectors count; worked out once for a state."""
    return store.memo.get("vectors", None, lambda: _standing(store))


def _standing(store: Store) -> Standing:
    keys = _keys(store)
    at = numbers_in(store.graph.ids, keys["page"])
    keys = {name: values[at >= 0] for name, values in keys.items()}
    at = at[at >= 0]
    page = store.graph.page_of[at]
    won = _last(page, at == page, keys["added"], keys["print"])
    if not won.size:
        return Standing(page, keys["part"], keys["row"], keys["print"])
    length, added = keys["length"][won], keys["added"][won]
    latest = np.lexsort((length, added))[-1]
    fits = won[length == length[latest]]
    part, row, print_ = (keys[name][fits] for name in ("part", "row", "print"))
    return Standing(page[fits], part, row, print_, int(length[latest]), won.size - fits.size, int(added[latest]))


def _keys(store: Store) -> dict[str, Longs]:
    """All that is known of every vector but its numbers: the columns, and the part and row that it is in."""
    tables = [store.table(part, "vectors", _KEYS) for part in store.manifest.parts]
    rows = pa.concat_tables(tables) if tables else VECTORS.empty_table()
    found = {name: rows[name].cast(pa.int64()).to_numpy() for name in _KEYS}
    sizes = [table.num_rows for table in tables]
    found["part"] = np.repeat(np.arange(len(tables)), sizes)
    return found | {"row": np.concatenate([np.empty(0, np.int64), *map(np.arange, sizes)]).astype(np.int64)}


def _last(of: npt.NDArray[Any], *keys: npt.NDArray[Any]) -> Longs:
    """For each value of `of`, ascending, the row whose keys are the largest, the first key first."""
    order = np.lexsort((*reversed(keys), of))
    ends = np.append(of[order][1:] != of[order][:-1], True) if of.size else np.empty(0, bool)
    return np.asarray(order[ends], np.int64)


def numbers(store: Store, held: Standing) -> Iterator[tuple[Longs, Table]]:
    """The vectors that count, some at a time: their places in `held`, and their numbers."""
    for index, part in enumerate(store.manifest.parts):
        own = np.flatnonzero(held.part == index)
        if own.size:
            rows, first = store.table(part, "vectors", ["vector"])["vector"], 0
            order = own[np.argsort(held.row[own])]
            for chunk in rows.chunks:
                here = order[(held.row[order] >= first) & (held.row[order] < first + len(chunk))]
                yield here, unpacked(chunk.take(pa.array(held.row[here] - first)), held.length)
                first += len(chunk)


def packed(rows: Table) -> tuple[list[bytes], list[int]]:
    """Vectors as a part holds them, and their fingerprints."""
    vectors = [row.tobytes() for row in rows.astype(NUMBER)]
    return vectors, [int.from_bytes(blake2b(each, digest_size=8).digest(), "little", signed=True) for each in vectors]


def unpacked(vectors: pa.Array, length: int) -> Table:
    """The numbers of vectors as a part holds them."""
    return np.frombuffer(b"".join(vectors.to_pylist()), NUMBER).reshape(len(vectors), length)


def is_sound(rows: pa.Table) -> npt.NDArray[np.bool_]:
    """Which rows of the table have as many numbers as they say, and no others than `add` would take."""
    lengths = rows["length"].to_numpy()
    sound = pc.binary_length(rows["vector"]).to_numpy() == lengths * NUMBER.itemsize
    sound &= lengths > 0
    for at in np.flatnonzero(sound).tolist():
        values = np.frombuffer(rows["vector"][at].as_py(), NUMBER)
        sound[at] = np.isfinite(values).all() and values.any()
    return np.asarray(sound)


def compacted(store: Store, first: int, last: int) -> pa.Table:
    """Of the parts [first, last), the latest vector of each address, unless another part has a later one."""
    keys = _keys(store)
    won = _last(*(keys[name] for name in ("page", "added", "print", "part", "row")))
    made = [VECTORS.empty_table()]
    for index in range(first, last):
        rows = keys["row"][won[keys["part"][won] == index]]
        if rows.size:
            made.append(store.table(store.manifest.parts[index], "vectors").take(pa.array(np.sort(rows))))
    return in_page_order("vectors", pa.concat_tables(made))
