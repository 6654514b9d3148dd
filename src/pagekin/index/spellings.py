"""Numbers for the terms of rows that come in pieces, in the order in which they come; and how terms are spelled."""

from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.arrow_files import Codes
from pagekin.kernels import Ints, Longs

SPELLED = pa.schema([("term", pa.large_string()), ("surface", pa.large_string()), ("said", pa.int64())])
LEAST = 1 << 20  # rows of spellings that are added up at once

Strings = Any  # an array of Arrow, in chunks or not
Spelled = tuple[pa.DictionaryArray, pa.DictionaryArray]  # terms and surfaces, `coded`


class Spellings:
    """The terms of all pieces, and how often each is spelled in which way."""

    def __init__(self) -> None:
        self._codes = Codes()
        self._spelled, self._since = SPELLED.empty_table(), list[pa.Table]()

    def add(self, term: pa.DictionaryArray, surface: pa.DictionaryArray, said: Longs) -> Ints:
        """The numbers of the terms of a piece, given `coded` terms, their spellings, and how often each row is said so.

        Nearly every spelling is that of one term, so that its number stands for both. Equal rows are added up whenever
        they are many.
        """
        terms, surfaces = (each.indices.to_numpy() for each in (term, surface))
        of = np.full(len(surface.dictionary), -1, np.int32)
        of[surfaces] = terms
        usual = of[surfaces] == terms
        sums, spelled = np.bincount(surfaces[usual], said[usual], of.size).astype(np.int64), np.flatnonzero(of >= 0)
        others = _summed(pa.table([terms[~usual], surfaces[~usual], said[~usual]], SPELLED.names))
        codes = pa.table([of[spelled], spelled.astype(np.int32), sums[spelled]], SPELLED.names)
        rows = pa.concat_tables([codes, others])
        names = (of.dictionary.take(rows[name]) for name, of in (("term", term), ("surface", surface)))
        self._since.append(pa.table([*names, rows["said"]], schema=SPELLED))
        if sum(each.num_rows for each in self._since) > max(self._spelled.num_rows, LEAST):
            self._spelled, self._since = _summed(pa.concat_tables([self._spelled, *self._since])), []
        return self._codes.of(pa.chunked_array([term])).to_numpy()  # type: ignore[no-any-return]

    @property
    def size(self) -> int:
        """How many terms have numbers."""
        return len(self._codes.values)

    @cached_property
    def terms(self) -> pa.Table:
        """All terms, ascending, each with its commonest spelling, of equals the first in alphabetical order."""
        spelled = _summed(pa.concat_tables([self._spelled, *self._since]))
        spelled = spelled.sort_by([("term", "ascending"), ("said", "descending"), ("surface", "ascending")])
        term = spelled["term"].combine_chunks()
        first = np.ones(len(term), bool)
        first[1:] = pc.not_equal(term[1:], term[:-1]).to_numpy(zero_copy_only=False)
        return spelled.select(["term", "surface"]).filter(pa.array(first)).combine_chunks()

    @cached_property
    def place(self) -> Ints:
        """For each number, the place of its term among all in order."""
        return pc.index_in(self._codes.values, self.terms["term"].combine_chunks()).to_numpy()  # type: ignore[no-any-return]


def coded(texts: Strings) -> pa.DictionaryArray:
    """Texts as numbers into a dictionary, which may hold some that are not used."""
    if pa.types.is_dictionary(texts.type):
        chunks = texts.unify_dictionaries().combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
        if isinstance(chunks, pa.ChunkedArray):
            chunks = chunks.chunk(0) if chunks.num_chunks else pa.array([], pa.large_string()).dictionary_encode()
        return pa.DictionaryArray.from_arrays(chunks.indices, chunks.dictionary.cast(pa.large_string()))
    texts = texts.cast(pa.large_string())
    return (texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts).dictionary_encode()


def _summed(rows: pa.Table) -> pa.Table:
    summed = rows.group_by(["term", "surface"]).aggregate([("said", "sum")])
    return summed.rename_columns({"said_sum": "said"}).select(SPELLED.names)
