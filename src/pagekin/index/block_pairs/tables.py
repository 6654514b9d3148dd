"""The input of the `steps`: pages, links and anchors as tables of numbers, for a whole collection or a few pages.

pages   for each page, the page for which a link to it counts, with its site and weight
links   links in blocks, by page, with numbers for anchors
words   the word sets of the anchors
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pagekin.collection.roots import DYNAMIC, root_of
from pagekin.collection.store import LINKS_AT_ONCE, Store
from pagekin.collection.strings import coded
from pagekin.engine.base import one_by_one
from pagekin.graph.page_weights import Weight, weights
from pagekin.index.block_pairs.rule import Dynamic, Folding
from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.numbers import numbers_in
from pagekin.url import FILE_ENDINGS, page_id

# A path that ends like this is not a page, unless it was fetched: then its content type decides.
FILE = rf"^https?://[^/]+/[^?]*\.(?i:{FILE_ENDINGS})(\?|$)"
PAGE_TYPE = r"^\s*(?i:text/html|application/xhtml\+xml|text/plain|text/xml|application/xml)"

# Links read at once: the more there are, the more anchors repeat, and each different anchor is read only once. Hostile
# pages have anchors of a kilobyte, so the bytes of anchors are limited, and the anchors that Python looks at.
BATCH_LINKS = 1 << 23
BATCH_BYTES = 1 << 29
BATCH_ANCHORS = 1 << 20
PAGES_AT_ONCE = 1 << 20  # whose addresses are in memory
# An anchor is a name. If it is a whole paragraph, it would be compared word by word with its whole block.
MOST_WORDS = 50


@dataclass(frozen=True)
class Counted:
    """For some pages, ascending: the page for which links to it count (−1: none), and how much its own links count."""

    pages: Ints
    stands: Ints
    weight: Floats


@dataclass(frozen=True)
class Folded(Counted):
    """The same for every page of a collection, as `build` computes it."""

    aliased: Ints
    copy: npt.NDArray[np.bool_]  # a mirror: its links are those of the page it is folded into

    @classmethod
    def of(cls, store: Store, dynamic: Dynamic, mirrors: Folding, weight: Weight) -> "Folded":
        n = store.size
        pages = np.arange(n, dtype=np.int32)
        aliased = store.graph.page_of
        stands = counting_for(store, pages, dynamic)
        known = stands >= 0
        stands[known] = aliased[stands[known]]
        copy = np.zeros(n, bool)
        if mirrors == "fold":
            from pagekin.index.mirrors.kin import mirror_classes

            first = np.arange(n, dtype=np.int32)
            for group in mirror_classes(store):
                first[group[1:]] = group[0]
                copy[group[1:]] = True
            stands[known] = first[stands[known]]
        return cls(pages, stands, weights(store.arrays, weight), aliased, copy)


def counting_for(store: Store, pages: Ints, dynamic: Dynamic) -> Ints:
    """The page for which a link to each of some pages (ascending) counts: −1 for a file, the host's root for an address
    with a query string, else the page itself."""
    some = (pages[first : first + PAGES_AT_ONCE] for first in range(0, pages.size, PAGES_AT_ONCE))
    return np.concatenate([pages[:0], *(_counting_for(store, each, dynamic) for each in some)])


def _counting_for(store: Store, pages: Ints, dynamic: Dynamic) -> Ints:
    urls, types = store.column("url", pages), store.column("content_type", pages).cast(pa.large_string())
    stands = np.where(_is_file(urls, types), np.int32(-1), pages)
    if dynamic == "host":
        query = _matching(urls, DYNAMIC) & (stands >= 0)
        if query.any():
            roots = map(root_of, urls.filter(pa.array(query)).to_pylist())
            number = numbers_in(store.graph.ids, np.array([page_id(root) for root in roots], np.int64))
            # A graph of a former version has no rows for roots: until pages are added, such links count for themselves.
            stands[query] = np.where(number >= 0, number, stands[query])
    return stands


def _matching(texts: pa.ChunkedArray, pattern: str) -> npt.NDArray[np.bool_]:
    return np.asarray(pc.match_substring_regex(texts, pattern).to_numpy(zero_copy_only=False)).astype(bool)


def _is_file(urls: pa.ChunkedArray, types: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """Which pages are files: by content type if there is one, else by address."""
    page_type = pc.match_substring_regex(types, PAGE_TYPE)
    file = pc.if_else(pc.is_valid(types), pc.invert(page_type), pc.match_substring_regex(urls, FILE))
    return np.asarray(file.to_numpy(zero_copy_only=False)).astype(bool)


Stems = Callable[[str], list[str]]  # the stems of a text in one language (`Analyser.reading`)


def anchor_words(anchor: str, stems: Stems) -> frozenset[str]:
    """An anchor's stems without stop words: the word set of Eq. 6."""
    return frozenset(list(dict.fromkeys(stems(anchor)))[:MOST_WORDS])


def folded_anchor(anchor: str) -> str:
    """An anchor with case and white space folded; the limit on repetitions treats equal ones as the same text.

    >>> folded_anchor("  The  Hive ")
    'the hive'
    """
    return " ".join(anchor.split()).casefold()


PAGES = pa.schema(
    [
        ("page", pa.int32()),
        ("site", pa.int32()),
        ("weight", pa.float64()),
        ("bare", pa.bool_()),
        ("stands", pa.int32()),
        ("at", pa.int32()),
        ("random", pa.int64()),
    ]
)


def page_rows(store: Store, own: Counted, links: pa.Table) -> pa.Table:
    """The table of pages: what links to them count for, and whether their own links may lack an anchor. `links` are all
    links on the citing pages."""
    every = np.union1d(own.pages, own.stands[own.stands >= 0])
    site, _ = coded(store.column("site", every))
    columns = {
        "page": own.pages,
        "site": site[np.searchsorted(every, own.pages)],
        "weight": own.weight,
        "bare": bare_pages(store, own.pages, links),
        "stands": own.stands,
        "at": site[np.searchsorted(every, own.stands)],  # unused where it is −1
        "random": _random(own.stands),
    }
    return pa.table(columns, schema=PAGES)


def bare_pages(store: Store, pages: Ints, links: pa.Table) -> npt.NDArray[np.bool_]:
    """Which of some pages (ascending) no one fetched, and have no link with an anchor among all links on them."""
    bare: npt.NDArray[np.bool_] = ~store.column("fetched", pages).is_valid().to_numpy()
    if bare.any():
        anchored = np.zeros(store.size, bool)
        for first in range(0, links.num_rows, LINKS_AT_ONCE):
            some = links.slice(first, LINKS_AT_ONCE)
            anchored[some["source"].filter(pc.not_equal(some["anchor"], "")).to_numpy()] = True
        bare &= ~anchored[pages]
    return bare


def _random(numbers: npt.NDArray[np.int32]) -> Longs:
    """Pseudo-random numbers of 31 bits, one for each number (splitmix64; Steele et al. 2014)."""
    with np.errstate(over="ignore"):
        z = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(33)).astype(np.int64)


LINKS = pa.schema(
    [
        ("source", pa.int32()),
        ("block", pa.int64()),
        ("position", pa.int32()),
        ("target", pa.int32()),
        ("anchor", pa.int64()),
        ("words", pa.int64()),
    ]
)
WORDS = pa.schema([("words", pa.int64()), ("word", pa.int64())])


def write_tables(store: Store, own: Folded, folder: Path, citing: npt.NDArray[np.bool_] | None = None) -> None:
    """Write the tables of a whole collection as Parquet, or with the links on some pages; mirrors have none of their
    own."""
    left_out = own.copy if citing is None else own.copy | ~citing
    links = store.graph.links
    pq.write_table(page_rows(store, own, links), folder / "pages.parquet")

    def rows(first: int, last: int) -> tuple[list[pa.Table], list[pa.Table]]:
        made, words = list[pa.Table](), list[pa.Table]()
        for batch in _batches(store.links_between(first, last, ["source", "target", "block", "position", "anchor"])):
            batch = batch.filter(pa.array(~left_out[batch["source"].to_numpy()]))
            made.append(link_rows(store, batch, words.append))
        return made, words

    with (
        pq.ParquetWriter(folder / "links.parquet", LINKS, compression="lz4") as to_links,
        pq.ParquetWriter(folder / "words.parquet", WORDS, compression="lz4") as to_words,
    ):
        for made, words in one_by_one(rows, store.link_blocks(), workers=1):  # words are read in Python: one at a time
            for file, tables in ((to_links, made), (to_words, words)):
                for each in tables:
                    file.write_table(each)


def link_rows(store: Store, links: pa.Table, put: Callable[[pa.Table], None]) -> pa.Table:
    """The table of links in blocks, by page, with numbers for anchors. The anchors' word sets are passed to `put` as
    tables, in which a word of a set may occur more than once."""
    from pagekin.parse.words import Analyser  # parsers, which a look-up does not need

    analyser = Analyser(**store.manifest.segmenters)
    links = links.filter(pc.greater_equal(links["block"], 0))  # a negative number marks a link outside any block
    source = links["source"].to_numpy()
    anchor, words = np.zeros((2, source.size), np.int64)
    for language, here in _by_language(store, source):
        text = links["anchor"].take(pa.array(here)).combine_chunks().dictionary_encode()
        of_anchor, of_set = np.zeros((2, len(text.dictionary)), np.int64)
        for first in range(0, len(text.dictionary), BATCH_ANCHORS):
            some = slice(first, first + BATCH_ANCHORS)
            of_anchor[some], of_set[some] = _numbers(text.dictionary[some].to_pylist(), language)
            which, word = word_sets(text.dictionary[some], analyser.reading(language))
            put(pa.table([of_set[some][which], word], schema=WORDS))
        anchor[here], words[here] = of_anchor[text.indices], of_set[text.indices]
    block = block_numbers(source, links["block"].to_numpy())
    return pa.table([source, block, links["position"], links["target"], anchor, words], LINKS.names).cast(LINKS)


def _by_language(store: Store, source: Ints) -> Iterator[tuple[str, Longs]]:
    """Each language of the pages that links are on (`source`, ascending), and the places of its links."""
    first = np.flatnonzero(np.diff(source, prepend=-1))
    code, spoken = coded(store.column("language", source[first]))
    of_link = np.repeat(code, np.diff(first, append=source.size))
    for each, language in enumerate(spoken.to_pylist()):
        yield language, np.flatnonzero(of_link == each)


BLOCK_BITS = 32


def block_numbers(source: Ints, block: Ints) -> Longs:
    """One number that combines a page and the number of its block on that page."""
    return source.astype(np.int64) << BLOCK_BITS | block


def on_page(block: int) -> int:
    """The number that a block has on its page.

    >>> on_page(int(block_numbers(np.array([7]), np.array([3]))[0]))
    3
    """
    return block & ((1 << BLOCK_BITS) - 1)


def anchor_number(anchor: str) -> int:
    """The number of an anchor, the same for all anchors that `folded_anchor` makes equal; 0 for an empty anchor."""
    folded = folded_anchor(anchor)
    return page_id(folded) if folded else 0


def _numbers(anchors: list[str], language: str) -> tuple[Longs, Longs]:
    """The numbers of anchors, and the numbers of their word sets."""
    folded = np.array([anchor_number(text) for text in anchors], np.int64)
    own = np.array([page_id(text) for text in anchors], np.int64)
    return folded, np.where(folded == 0, 0, own ^ page_id(language))


def word_sets(anchors: pa.Array, stems: Stems) -> tuple[Longs, Longs]:
    """The words of many anchors, as pairs of an anchor's place and a word's number; the same words as `anchor_words`.

    Anchors are many and their different words few, so Arrow splits the anchors, and each distinct piece is read once.
    """
    parts = pc.utf8_split_whitespace(anchors.cast(pa.large_string()))
    pieces = parts.flatten().dictionary_encode()
    read = [[page_id(stem) for stem in stems(piece)] for piece in pieces.dictionary.to_pylist()]
    words = np.array([word for each in read for word in each], np.int64)
    length = np.array([len(each) for each in read], np.int64)
    piece, place = np.asarray(pieces.indices), np.asarray(pc.list_parent_indices(parts))
    count = length[piece]
    first = np.repeat((np.cumsum(length) - length)[piece] - np.cumsum(count) + count, count)
    which, word = np.repeat(place, count), words[first + np.arange(count.sum())]
    long = np.flatnonzero(np.bincount(which, minlength=len(anchors)) > MOST_WORDS)
    fewer = [(at, page_id(stem)) for at in long.tolist() for stem in anchor_words(anchors[at].as_py(), stems)]
    kept, cut = ~np.isin(which, long), np.array(fewer, np.int64).reshape(-1, 2)
    return np.concatenate((which[kept], cut[:, 0])), np.concatenate((word[kept], cut[:, 1]))


def _batches(links: pa.Table) -> Iterator[pa.Table]:
    first = 0
    while first < links.num_rows:
        size = BATCH_LINKS
        while size > 1 and links["anchor"].slice(first, size).nbytes > BATCH_BYTES:
            size //= 2
        yield links.slice(first, size)
        first += size
    if not links.num_rows:
        yield links
