"""What the steps of `blockpairs` read: a collection's pages, links and anchors as tables of numbers.

pages.parquet   the page that a link to each page counts for, its site and weight
links.parquet   links in blocks, by page, with numbers for anchors
words.parquet   the word sets of those
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pagekin.collection.store import Store
from pagekin.graph.page_weights import Weight, weights
from pagekin.index.block_pairs.rule import Dynamic, Mirrors
from pagekin.kernels import Floats, Longs
from pagekin.url import host, page_id

# A path that ends like this is no page; of a fetched one its content type is known, and counts instead.
_FILES = (
    "7z|aac|aif|aiff|apk|avi|bin|bmp|bz2|class|css|csv|deb|djvu|dmg|doc|docx|dvi|eps|epub|exe|flac|flv|gif|gz|hqx|ico|iso|"
    "jar|jpeg|jpg|js|json|m4a|m4v|mid|mkv|mobi|mov|mp3|mp4|mpeg|mpg|msi|odp|ods|odt|ogg|pdf|pkg|png|ppt|pptx|ps|psd|qt|ra|"
    "ram|rar|rpm|rtf|sit|svg|swf|tar|tex|tgz|tif|tiff|torrent|wav|webm|webp|wma|wmv|xls|xlsx|xz|z|zip|zst"
)
FILE = rf"^https?://[^/]+/[^?]*\.(?i:{_FILES})(\?|$)"
PAGE_TYPE = r"^\s*(?i:text/html|application/xhtml\+xml|text/plain|text/xml|application/xml)"
DYNAMIC = r"^https?://[^?]*\?"

# Links that are read at once: the more, the more often an anchor comes again, which is then read once. Hostile pages
# have anchors of a kilobyte: so many bytes of anchors at most, and anchors that Python looks at.
BATCH_LINKS = 1 << 23
BATCH_BYTES = 1 << 29
BATCH_ANCHORS = 1 << 20
# An anchor is a name. A paragraph that stands in one would be compared word by word with its whole block.
MOST_WORDS = 50


@dataclass(frozen=True)
class Folded:
    """Of every page: the page that links to it count for (−1: none), and how much its own links count."""

    aliased: npt.NDArray[np.int32]
    stands: npt.NDArray[np.int32]
    copy: npt.NDArray[np.bool_]  # a mirror: its links are those of the page it is folded into
    weight: Floats

    @classmethod
    def of(cls, store: Store, dynamic: Dynamic, mirrors: Mirrors, weight: Weight) -> "Folded":
        n = store.size
        aliased = store.graph.page_of
        stands = counting_for(store, np.arange(n, dtype=np.int32), dynamic)
        known = stands >= 0
        stands[known] = aliased[stands[known]]
        copy = np.zeros(n, bool)
        if mirrors == "fold":
            from pagekin.index.mirrors import by_text

            first = np.arange(n, dtype=np.int32)
            for group in by_text.mirrors(store):
                first[group[1:]] = group[0]
                copy[group[1:]] = True
            stands[known] = first[stands[known]]
        return cls(aliased, stands, copy, weights(store.arrays, weight))


def counting_for(store: Store, pages: npt.NDArray[np.int32], dynamic: Dynamic) -> npt.NDArray[np.int32]:
    """The page that a link to each page counts for: −1 for a file, the host's root for a query string, else itself.

    A root that is not in the collection cannot be anybody's answer: −1.
    """
    urls = store.graph.pages["url"].take(pa.array(pages))
    types = store.graph.pages["content_type"].take(pa.array(pages)).cast(pa.large_string())
    file = pc.if_else(
        pc.is_valid(types), pc.invert(pc.match_substring_regex(types, PAGE_TYPE)), pc.match_substring_regex(urls, FILE)
    )
    stands = np.where(file.to_numpy(zero_copy_only=False).astype(bool), np.int32(-1), pages)
    if dynamic == "host":
        query = pc.match_substring_regex(urls, DYNAMIC).to_numpy(zero_copy_only=False).astype(bool) & (stands >= 0)
        found: dict[str, int] = {}
        for at, url in zip(np.flatnonzero(query).tolist(), urls.filter(pa.array(query)).to_pylist(), strict=True):
            root = f"{url.partition('://')[0]}://{host(url)}/"
            if root not in found:
                number = store.number(page_id(root))
                found[root] = -1 if number is None else number
            stands[at] = found[root]
    return stands


def anchor_words(anchor: str, language: str) -> frozenset[str]:
    """An anchor's stems without stop words: the word set of Eq. 6."""
    from pagekin.parse.words import stems  # parsers, which a look-up does not need

    return frozenset(list(dict.fromkeys(stems(anchor, language)))[:MOST_WORDS])


def folded_anchor(anchor: str) -> str:
    """An anchor with case and white space folded: what the limit on repetitions takes for the same text.

    >>> folded_anchor("  The  Hive ")
    'the hive'
    """
    return " ".join(anchor.split()).casefold()


def write_pages(store: Store, own: Folded, folder: Path) -> None:
    """Pages with what they count for, and whether their links need no anchor."""
    pages, (_, site) = store.graph.pages, _coded(store.graph.pages["site"])
    links = store.graph.links
    anchored = np.zeros(store.size, bool)
    anchored[links["source"].filter(pc.not_equal(links["anchor"], "")).to_numpy()] = True
    fetched = pages["fetched"].is_valid().to_numpy()
    table = pa.table(
        {
            "page": np.arange(store.size, dtype=np.int32),
            "site": site,
            "weight": own.weight,
            "bare": ~fetched & ~anchored,
            "stands": own.stands,
            "at": site[own.stands],
            "random": _random(own.stands),
        }
    )
    pq.write_table(table, folder / "pages.parquet")


def _coded(column: pa.ChunkedArray) -> tuple[list[str], npt.NDArray[np.int32]]:
    """The different strings of a column, and the number of each row's."""
    coded = column.cast(pa.large_string()).combine_chunks().dictionary_encode()
    return coded.dictionary.to_pylist(), np.asarray(coded.indices).astype(np.int32)


def _random(numbers: npt.NDArray[np.int32]) -> Longs:
    """Numbers of 31 bits that look random (splitmix64; Steele et al. 2014)."""
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


def write_links(store: Store, own: Folded, folder: Path) -> None:
    """Links with numbers for anchors, and the word sets of those; a word of a set may come more than once."""
    links = store.graph.links.select(["source", "target", "block", "position", "anchor"])
    spoken, language_of = _coded(store.graph.pages["language"])
    with (
        pq.ParquetWriter(folder / "links.parquet", LINKS, compression="lz4") as to_links,
        pq.ParquetWriter(folder / "words.parquet", WORDS, compression="lz4") as to_words,
    ):
        for batch in _batches(links):
            source, block = batch["source"].to_numpy(), batch["block"].to_numpy()
            stays = ~own.copy[source] & (block >= 0)  # a negative number is a link that stands alone
            batch = batch.filter(pa.array(stays))
            source, block = source[stays].astype(np.int64), block[stays]
            anchor, words = np.zeros(source.size, np.int64), np.zeros(source.size, np.int64)
            for code in np.unique(language_of[source]).tolist():
                here = np.flatnonzero(language_of[source] == code)
                text = batch["anchor"].take(pa.array(here)).combine_chunks().dictionary_encode()
                of_anchor, of_set = np.zeros((2, len(text.dictionary)), np.int64)
                for first in range(0, len(text.dictionary), BATCH_ANCHORS):
                    some = slice(first, first + BATCH_ANCHORS)
                    of_anchor[some], of_set[some] = _numbers(text.dictionary[some].to_pylist(), spoken[code])
                    which, word = word_sets(text.dictionary[some], spoken[code])
                    to_words.write_table(pa.table([of_set[some][which], word], schema=WORDS))
                anchor[here], words[here] = of_anchor[text.indices], of_set[text.indices]
            columns = [source, source << 32 | block, batch["position"], batch["target"], anchor, words]
            to_links.write_table(pa.table(columns, LINKS.names).cast(LINKS))


def _numbers(anchors: list[str], language: str) -> tuple[Longs, Longs]:
    """The numbers of anchors (0: it has no characters), and those of their word sets."""
    folded = np.array([page_id(text) if text else 0 for text in map(folded_anchor, anchors)], np.int64)
    own = np.array([page_id(text) for text in anchors], np.int64)
    return folded, np.where(folded == 0, 0, own ^ page_id(language))


def word_sets(anchors: pa.Array, language: str) -> tuple[Longs, Longs]:
    """The words of many anchors: the place of an anchor, and a word's number; what `anchor_words` says of each.

    Anchors are many and their words few, so an anchor is taken to pieces by Arrow, and each different piece read once.
    """
    from pagekin.parse.words import stems

    parts = pc.utf8_split_whitespace(anchors.cast(pa.large_string()))
    pieces = parts.flatten().dictionary_encode()
    read = [[page_id(stem) for stem in stems(piece, language)] for piece in pieces.dictionary.to_pylist()]
    words = np.array([word for each in read for word in each], np.int64)
    length = np.array([len(each) for each in read], np.int64)
    piece, place = np.asarray(pieces.indices), np.asarray(pc.list_parent_indices(parts))
    count = length[piece]
    first = np.repeat((np.cumsum(length) - length)[piece] - np.cumsum(count) + count, count)
    which, word = np.repeat(place, count), words[first + np.arange(count.sum())]
    long = np.flatnonzero(np.bincount(which, minlength=len(anchors)) > MOST_WORDS)
    fewer = [(at, page_id(stem)) for at in long.tolist() for stem in anchor_words(anchors[at].as_py(), language)]
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
