"""A web that grows, for measuring what is made again: pages with words, and blocks of links as in `blockpairs`."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from bench.blockpairs import _part
from bench.search import VOCABULARY, _words
from pagekin.collection.schema import Tables, table
from pagekin.collection.writer import writing

PART_PAGES = 20_000
WORDS_A_PAGE = 100
TITLE = 3


def grow(path: Path, first: int, last: int, pages: int) -> None:
    """Add the pages [first, last) of a web whose links are those of a web of `pages` pages."""
    with writing(path) as writer:
        for begin in range(first, last, PART_PAGES):
            end = min(begin + PART_PAGES, last)
            rng = np.random.default_rng([begin, end])
            writer.add(_with_words(_part(rng, begin, end, pages), rng))
        writer.fold()


def _with_words(tables: Tables, rng: np.random.Generator) -> Tables:
    """The tables with words for the pages that were fetched: they follow Zipf's law."""
    words, zipf = pa.array(_words()), np.cumsum(1 / np.arange(1, VOCABULARY + 1))
    held = tables["pages"]
    own = held["id"].filter(held["fetched"].is_valid()).to_numpy()
    drawn = np.searchsorted(zipf / zipf[-1], rng.random((own.size, WORDS_A_PAGE)))
    key, count = np.unique(np.arange(own.size)[:, None] * VOCABULARY + drawn, return_counts=True)
    titled = np.isin(key, (np.arange(own.size)[:, None] * VOCABULARY + drawn[:, :TITLE]).ravel())
    term = words.take(pa.array(key % VOCABULARY))
    rows = {"page": own[key // VOCABULARY], "term": term, "surface": term, "body": count, "title": titled.astype(int)}
    titles = np.full(held.num_rows, "", object)
    names = np.array(words.to_pylist(), object)
    titles[held["fetched"].is_valid().to_numpy()] = [" ".join(names[row]) for row in drawn[:, :TITLE]]
    at = held.column_names.index("title")
    return tables | {
        "pages": held.set_column(at, held.schema.field(at), pa.array(titles, pa.string())),
        "terms": table("terms", rows),
    }
