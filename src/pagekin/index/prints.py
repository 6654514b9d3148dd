"""Fingerprints of what an index reads of each page, kept beside it: what has the same print is reused.

A print has 64 bits, and is compared only with the former print of the same page: of a billion pages that have changed,
the chance that one is taken for unchanged is one in twenty billion.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.kernels import frozen

Prints = npt.NDArray[np.uint64]


def mixed(*numbers: npt.ArrayLike) -> Prints:
    """One print for several numbers, row by row; a single number stands for every row.

    >>> mixed([1, 1, 2], [5, 6, 5]).size, bool(mixed(1, 2) == mixed(2, 1))
    (3, False)
    """
    from pagekin.kernels.prints import joined

    rows = [np.atleast_1d(np.asarray(each)) for each in numbers]
    size = max(each.size for each in rows) if all(each.size for each in rows) else 0
    found = np.zeros(size, np.uint64)
    for each in rows:
        joined(found, frozen(np.ascontiguousarray(np.broadcast_to(_bits(each), size))))
    return found


def _bits(values: npt.NDArray[Any]) -> Prints:
    if values.dtype == np.float64:
        return values.view(np.uint64)
    return values if values.dtype == np.uint64 else values.astype(np.int64).view(np.uint64)


def of_texts(texts: pa.Array | pa.ChunkedArray) -> Prints:
    """The print of each text; of none, that of an empty one.

    >>> of_texts(pa.array(["bee", None, "", "bee"])).tolist()[0] == of_texts(pa.chunked_array([["bee"]])).tolist()[0]
    True
    """
    chunks = texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts]
    return np.concatenate([np.empty(0, np.uint64), *map(_of_chunk, chunks)])


def _of_chunk(texts: pa.Array) -> Prints:
    from pagekin.kernels.prints import of_texts as kernel

    if pa.types.is_dictionary(texts.type):
        known = np.append(_of_chunk(texts.dictionary), _of_chunk(pa.array([""])))
        return np.asarray(known[texts.indices.fill_null(len(texts.dictionary)).to_numpy(zero_copy_only=False)])
    plain = texts.cast(pa.large_string()).fill_null("")
    start = np.frombuffer(plain.buffers()[1] or bytes(8), np.int64)[plain.offset : plain.offset + len(plain) + 1]
    return kernel(frozen(start), frozen(np.frombuffer(plain.buffers()[2] or b"", np.uint8)))


def summed(group: npt.NDArray[Any], prints: Prints, groups: int) -> Prints:
    """The sum of the prints of each group."""
    found = np.zeros(groups, np.uint64)
    add_to(found, group, prints)
    return found


def add_to(sums: Prints, group: npt.NDArray[Any], prints: Prints) -> None:
    """Add each print to the sum of its group."""
    from pagekin.kernels.prints import added

    added(frozen(np.ascontiguousarray(group, np.int64)), frozen(prints), sums)
