"""The keywords of each page (paper 4, section 3): its k most frequent terms; one in the title counts three times.

Ties go to terms on more pages, then to alphabetical order. If all counts in the collection are equal (word flags), all
words of a page are keywords.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.kernels import Ints, Longs

TITLE = 3  # how many times a word in the title counts

Strings = npt.NDArray[Any]


def page_keywords(store: Store, most: int) -> tuple[Longs, Ints, pa.Table]:
    """The keywords of each page (where each row begins, and the words, ascending), and each word's term and surface."""
    page, term, weight, terms, surfaces = _counted(store)
    if page.size and weight.min() < weight.max():
        spread = np.bincount(term, minlength=len(terms))
        alphabetical = np.empty(len(terms), np.int64)
        alphabetical[np.argsort(terms)] = np.arange(len(terms))
        order = np.lexsort((alphabetical[term], -spread[term], -weight, page))
        page, term = page[order], term[order]
        place = np.arange(page.size) - np.searchsorted(page, page)
        page, term = page[place < most], term[place < most]
    used = np.unique(term)
    used = used[np.argsort(terms[used], kind="stable")]
    word_of = np.zeros(len(terms), np.int32)
    word_of[used] = np.arange(used.size)
    order = np.lexsort((word_of[term], page))
    start = np.zeros(store.size + 1, np.int64)
    np.cumsum(np.bincount(page, minlength=store.size), out=start[1:])
    names = pa.table({"term": pa.array(terms[used], pa.string()), "surface": pa.array(surfaces[used], pa.string())})
    return start, word_of[term][order], names


def _counted(store: Store) -> tuple[Longs, Longs, Longs, Strings, Strings]:
    """Each page's terms, once each: page number, term, weight; and the terms with their commonest surfaces."""
    rows = [_weighted(part) for part in store.rows("terms")]
    empty = np.empty(0, np.int64)
    if not sum(part.num_rows for part in rows):
        return empty, empty, empty, np.empty(0, object), np.empty(0, object)
    table = pa.concat_tables(rows)
    coded = table["term"].combine_chunks().dictionary_encode()
    page = store.graph.page_of[np.searchsorted(store.graph.ids, table["page"].to_numpy())].astype(np.int64)
    term, weight = coded.indices.to_numpy().astype(np.int64), table["weight"].to_numpy().astype(np.int64)
    terms = np.array(coded.dictionary.to_pylist(), object)
    # Several tables may describe a page that was never fetched: the largest count is used.
    order = np.lexsort((-weight, term, page))
    page, term, weight = page[order], term[order], weight[order]
    once = np.concatenate(([True], (page[1:] != page[:-1]) | (term[1:] != term[:-1])))
    return page[once], term[once], weight[once], terms, _surfaces(table, terms)


def _weighted(rows: pa.Table) -> pa.Table:
    weight = pc.add(rows["body"].cast(pa.int64()), pc.multiply(rows["title"].cast(pa.int64()), TITLE))
    kept = rows.select(["page", "term", "surface"]).append_column("weight", weight)
    return kept.filter(pc.greater(weight, 0))


def _surfaces(table: pa.Table, terms: Strings) -> Strings:
    """The commonest spelling of each term; of equally common ones, the first in the alphabet."""
    spelled = table.group_by(["term", "surface"]).aggregate([("weight", "sum")])
    best: dict[str, tuple[int, str]] = {}
    for term, surface, weight in _spelled(spelled):
        best[term] = min(best.get(term, (1, "")), (-weight, surface))
    return np.array([best[term][1] for term in terms], object)


def _spelled(table: pa.Table) -> Iterator[tuple[str, str, int]]:
    columns = (table[name].to_pylist() for name in ("term", "surface", "weight_sum"))
    return zip(*columns, strict=True)
