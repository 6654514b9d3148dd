"""Strings of an Arrow column: those of single rows from a mapped file, and numbers for those that repeat.

An answer needs the addresses, titles and hosts of fifteen pages that lie anywhere in the file. Arrow makes an object
for each row, or copies the rows; these are slices of the mapped bytes, in about half of the time.
"""

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Literal, cast

import numpy as np
import pyarrow as pa

from pagekin.kernels import Ints

Reader = Callable[[int], str]  # row → its text, "" for none


def reader(column: pa.ChunkedArray) -> Reader:
    """What reads one row of a column of texts, plain or dictionary-encoded.

    >>> read = reader(pa.chunked_array([["bee", None], ["honey"]]))
    >>> [read(row) for row in range(3)]
    ['bee', '', 'honey']
    """
    chunks = [_reader(chunk) for chunk in column.chunks]
    if len(chunks) == 1:
        return chunks[0]
    ends = list(accumulate(map(len, column.chunks)))

    def read(row: int) -> str:
        at = bisect_right(ends, row)
        return chunks[at](row - (ends[at - 1] if at else 0))

    return read


def _reader(chunk: pa.Array) -> Reader:
    if pa.types.is_dictionary(chunk.type):
        return _of_dictionary(chunk)
    if not (pa.types.is_string(chunk.type) or pa.types.is_large_string(chunk.type)):
        raise TypeError(f"a column of {chunk.type} has no texts")
    valid, starts, data = chunk.buffers()
    first, text = chunk.offset, _bytes(data)
    start = _bytes(starts).cast("q" if pa.types.is_large_string(chunk.type) else "i")
    is_there = _validity(valid, first)

    def read(row: int) -> str:
        at = first + row
        return str(text[start[at] : start[at + 1]], "utf-8")

    return read if is_there is None else lambda row: read(row) if is_there(row) else ""


def _of_dictionary(chunk: pa.DictionaryArray) -> Reader:
    valid, codes = chunk.buffers()[:2]
    code = _bytes(codes).cast(_CODES[chunk.type.index_type])
    first, word, is_there = chunk.offset, _reader(chunk.dictionary), _validity(valid, chunk.offset)
    if is_there is None:
        return lambda row: word(code[first + row])
    return lambda row: word(code[first + row]) if is_there(row) else ""


_CODES: dict[pa.DataType, Literal["b", "h", "i", "q"]] = {
    pa.int8(): "b", pa.int16(): "h", pa.int32(): "i", pa.int64(): "q",
}  # fmt: skip


def _validity(bits: pa.Buffer | None, first: int) -> Callable[[int], bool] | None:
    """Whether a row has a text; None if all have."""
    if bits is None:
        return None
    held = _bytes(bits)
    return lambda row: bool(held[(first + row) >> 3] >> ((first + row) & 7) & 1)


def _bytes(buffer: pa.Buffer | None) -> memoryview:
    return memoryview(cast("bytes", buffer) if buffer is not None else b"").cast("B")


def coded(column: pa.ChunkedArray) -> tuple[Ints, pa.Array]:
    """A number for the text of each row, and the different texts, by number. Every row has a text.

    >>> codes, texts = coded(pa.chunked_array([["bee", "ant"], ["bee"]]))
    >>> codes.tolist(), texts.to_pylist()
    ([0, 1, 0], ['bee', 'ant'])
    """
    chunks = column.dictionary_encode().unify_dictionaries().chunks  # what is encoded already is not encoded again
    numbers = (chunk.indices.to_numpy().astype(np.int32, copy=False) for chunk in chunks)
    codes = np.concatenate([np.empty(0, np.int32), *numbers])
    texts = max((chunk.dictionary for chunk in chunks), key=len, default=pa.array([], pa.string()))
    occurs = np.zeros(len(texts), bool)
    occurs[codes] = True
    if occurs.all():
        return codes, texts
    return (np.cumsum(occurs, dtype=np.int32) - 1)[codes], texts.filter(pa.array(occurs))
