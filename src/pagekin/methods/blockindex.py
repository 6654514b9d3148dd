"""The index of block co-citation: each page's most related pages, found by the steps of `blockpairs`.

ids.npy …     the pages related to each (`lists`)
folded.npy    two columns: a page, and the page that links to it count for (query strings, mirrors)
weights.npy   how much each page counts as a citing one, in the order of citing.npy; only if not all alike
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pagekin.collection.derived import derived
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.kernels import Floats, Longs
from pagekin.methods import lists
from pagekin.methods.standing import Weight, weights
from pagekin.url import host, page_id

if TYPE_CHECKING:
    from ibis import Table

    from pagekin.engine.relational import Relational

Scope = Literal["web", "site"]
Dynamic = Literal["host", "keep"]
Mirrors = Literal["fold", "keep"]

# A path that ends like this is no page; of a fetched one its content type is known, and counts instead.
_FILES = (
    "7z|aac|aif|aiff|apk|avi|bin|bmp|bz2|class|css|csv|deb|djvu|dmg|doc|docx|dvi|eps|epub|exe|flac|flv|gif|gz|hqx|ico|iso|"
    "jar|jpeg|jpg|js|json|m4a|m4v|mid|mkv|mobi|mov|mp3|mp4|mpeg|mpg|msi|odp|ods|odt|ogg|pdf|pkg|png|ppt|pptx|ps|psd|qt|ra|"
    "ram|rar|rpm|rtf|sit|svg|swf|tar|tex|tgz|tif|tiff|torrent|wav|webm|webp|wma|wmv|xls|xlsx|xz|z|zip|zst"
)
FILE = rf"^https?://[^/]+/[^?]*\.(?i:{_FILES})(\?|$)"
PAGE_TYPE = r"^\s*(?i:text/html|application/xhtml\+xml|text/plain|text/xml|application/xml)"
DYNAMIC = r"^https?://[^?]*\?"

BATCH_LINKS = 1 << 20
# An anchor is a name. A paragraph that stands in one would be compared word by word with its whole block.
MOST_WORDS = 50
LARGEST_SITE = 1_000_000  # of N, so that it fits the decimals that are summed
# Pairs that are merged at once; so many take about 1 GB.
BATCH_PAIRS = 16_000_000


@derived("block-pairs")
@dataclass(frozen=True, repr=False)
class BlockPairs:
    """Related pages by block co-citation; the fields are those of the method."""

    name: ClassVar[str]

    scope: Scope = "web"
    dynamic: Dynamic = "host"
    weight: Weight = "none"
    mirrors: Mirrors = "fold"
    max_links: int = 80
    near: int = 8
    max_repeats: int = 9
    max_site: float = 10.0
    min_score: float = 0.0
    keep: int = 15

    def __post_init__(self) -> None:
        least = {"max_links": 2, "near": 0, "max_repeats": 1, "keep": 1}
        for name, value in least.items():
            if getattr(self, name) < value:
                raise UsageError(f"{name} must be at least {value}, not {getattr(self, name)}")
        if not 0 < self.max_site <= LARGEST_SITE:
            raise UsageError(f"max_site must be more than 0 and at most {LARGEST_SITE:,}, not {self.max_site}")
        if not self.min_score >= 0:
            raise UsageError(f"min_score must be at least 0, not {self.min_score}")

    def make(self, store: Store, folder: Path, threads: int | None = None) -> str:
        from pagekin.engine.relational import Relational

        own = Folded.of(store, self)
        with TemporaryDirectory(dir=folder, prefix="steps.") as steps, Relational(Path(steps), threads) as engine:
            buckets = _write_pairs(store, own, engine, self)
            pages, rows = _write_related(engine, self, buckets, store.graph.ids, folder)
        folded = np.flatnonzero((own.stands >= 0) & (own.stands != own.aliased))
        np.save(folder / "folded.npy", store.graph.ids[np.column_stack((folded, own.stands[folded]))])
        np.save(folder / "citing.npy", store.graph.ids if self.weight != "none" else store.graph.ids[:0])
        np.save(folder / "weights.npy", own.weight if self.weight != "none" else own.weight[:0])
        return f"{pages:,} pages with {rows:,} related ones"

    def open(self, folder: Path) -> "Related":
        return Related(
            *lists.Lists.arrays(folder),
            *(np.load(folder / f"{name}.npy") for name in ("folded", "citing", "weights")),
        )


@dataclass(frozen=True)
class Related(lists.Lists):
    """The index as methods read it."""

    folded: Longs
    citing: Longs
    weights: Floats

    def stands(self, page: int) -> int:
        """The id of the page that answers for one: itself, or the mirror that is first."""
        at = int(np.searchsorted(self.folded[:, 0], page))
        return int(self.folded[at, 1]) if at < len(self.folded) and self.folded[at, 0] == page else page

    def members(self, page: int) -> list[int]:
        """The ids of the pages whose links count for one."""
        return [page, *self.folded[self.folded[:, 1] == page, 0].tolist()]

    def weight(self, page: int) -> float:
        """How much a page counts as a citing one."""
        at = int(np.searchsorted(self.citing, page))
        return float(self.weights[at]) if at < self.citing.size and self.citing[at] == page else 1.0


@dataclass(frozen=True)
class Folded:
    """Of every page: the page that links to it count for (−1: none), and how much its own links count."""

    aliased: npt.NDArray[np.int32]
    stands: npt.NDArray[np.int32]
    copy: npt.NDArray[np.bool_]  # a mirror: its links are those of the page it is folded into
    weight: Floats

    @classmethod
    def of(cls, store: Store, rule: BlockPairs) -> "Folded":
        n = store.size
        aliased = np.arange(n, dtype=np.int32)
        aliased[list(store.graph.folded)] = list(store.graph.folded.values())
        stands = counting_for(store, np.arange(n, dtype=np.int32), rule.dynamic)
        known = stands >= 0
        stands[known] = aliased[stands[known]]
        copy = np.zeros(n, bool)
        if rule.mirrors == "fold":
            from pagekin.collection.minhash import mirrors

            first = np.arange(n, dtype=np.int32)
            for group in mirrors(store):
                first[group[1:]] = group[0]
                copy[group[1:]] = True
            stands[known] = first[stands[known]]
        return cls(aliased, stands, copy, weights(store.arrays, rule.weight))


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


def _write_pages(store: Store, own: Folded, folder: Path) -> None:
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


def _write_links(store: Store, own: Folded, folder: Path) -> None:
    """Links with numbers for anchors, and the word sets of those; a set may come more than once."""
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
            text = batch["anchor"].combine_chunks().dictionary_encode()
            which = np.asarray(text.indices).astype(np.int64) * len(spoken) + language_of[source]
            distinct, place = np.unique(which, return_inverse=True)
            texts = text.dictionary.to_pylist()
            found = [_numbered(texts[i // len(spoken)], spoken[i % len(spoken)]) for i in distinct.tolist()]
            numbers = np.array([(anchor, words) for anchor, words, _ in found], np.int64).reshape(-1, 2)
            sets = [np.array(word, np.int64) for _, _, word in found]
            columns = [source, source << 32 | block, batch["position"], batch["target"], *numbers[place.reshape(-1)].T]
            to_links.write_table(pa.table(columns, LINKS.names).cast(LINKS))
            lengths = [each.size for each in sets]
            to_words.write_table(
                pa.table([np.repeat(numbers[:, 1], lengths), np.concatenate([numbers[:0, 0], *sets])], schema=WORDS)
            )


def _batches(links: pa.Table) -> Iterator[pa.Table]:
    for first in range(0, links.num_rows, BATCH_LINKS):
        yield links.slice(first, BATCH_LINKS)
    if not links.num_rows:
        yield links


def _numbered(anchor: str, language: str) -> tuple[int, int, list[int]]:
    """An anchor's number (0: it has no characters), its word set's number, and its words' numbers."""
    folded = folded_anchor(anchor)
    if not folded:
        return 0, 0, []
    return page_id(folded), page_id(f"{language} {anchor}"), [_word(stem) for stem in anchor_words(anchor, language)]


_word = lru_cache(1 << 18)(page_id)


def _write_pairs(store: Store, own: Folded, engine: "Relational", rule: BlockPairs) -> int:
    """All pairs, in as many parts by page as keep each within bounds; returns how many parts."""
    from pagekin.methods.blockpairs import both_ways, filtered, holding, once, pairs, sharing, without_copies

    _write_pages(store, own, engine.folder)
    _write_links(store, own, engine.folder)
    engine.write("kept", filtered(engine.read("links"), engine.read("pages"), rule))
    kept = engine.read("kept")
    engine.write("held", holding(kept))
    engine.write("rows", without_copies(kept, rule))
    rows, words = engine.read("rows"), engine.read("words")
    engine.write("sets", words.distinct())
    sets = engine.read("sets")
    engine.write("shared", sharing(rows, sets))
    buckets = max(1, -(-_pair_count(engine.folder / "rows.parquet") // BATCH_PAIRS))
    engine.write("found", pairs(rows, engine.read("shared"), sets, rule))
    ways = both_ways(once(engine.read("found")))
    engine.write("pairs", ways.mutate(bucket=ways.page.cast("int64") * buckets // max(store.size, 1)), by="bucket")
    return buckets


def _pair_count(rows: Path) -> int:
    """How many pairs the blocks give, both ways, at most."""
    blocks = pq.read_table(rows, columns=["block"])["block"].to_numpy()
    sizes = np.unique(blocks, return_counts=True)[1]
    return int((sizes * (sizes - 1)).sum())


def _summed(engine: "Relational", rule: BlockPairs, buckets: int) -> Iterator[tuple[int, "Table"]]:
    """Part by part what the pairs of a citing site and an anchor come to; a part's pairs are then removed."""
    from pagekin.methods.blockpairs import capped, summed

    for bucket in range(buckets):
        folder = engine.folder / "pairs" / f"bucket={bucket}"
        if folder.exists():
            found = engine.read("pairs", f"pairs/bucket={bucket}/*.parquet")
            engine.write("sums", summed(found))
            yield bucket, capped(engine.read("sums"), found, rule)
            engine.forget("pairs")
            engine.forget("sums")
            shutil.rmtree(folder)


def given_by_sites(store: Store, rule: BlockPairs) -> Iterator[Floats]:
    """What citing sites give pairs of pages, before the bound N: every DS_d(p₁ → p₂) of Eq. 12, part by part."""
    from pagekin.engine.relational import Relational
    from pagekin.methods.blockpairs import given

    with TemporaryDirectory() as steps, Relational(Path(steps)) as engine:
        buckets = _write_pairs(store, Folded.of(store, rule), engine, rule)
        for _, sums in _summed(engine, rule, buckets):
            found = given(sums)
            engine.write("given", found.select(score=found.score.cast("float64")))
            yield pq.read_table(engine.folder / "given.parquet")["score"].to_numpy()


def _write_related(engine: "Relational", rule: BlockPairs, buckets: int, ids: Longs, folder: Path) -> tuple[int, int]:
    """Merge part by part, and write the arrays; returns how many pages have related ones, and how many in all."""
    from pagekin.methods.blockpairs import merged

    held = engine.read("held")
    made = []
    for bucket, sums in _summed(engine, rule, buckets):
        engine.write(f"related-{bucket}", merged(sums, held, rule))
        made.append(engine.folder / f"related-{bucket}.parquet")

    def blocks() -> Iterator[lists.Block]:
        for file in made:
            table = pq.read_table(file).sort_by([("page", "ascending"), ("place", "ascending")])
            pages, lengths = np.unique(table["page"].to_numpy(), return_counts=True)
            yield ids[pages], lengths, ids[table["other"].to_numpy()], table["score"].to_numpy()

    return lists.write(folder, blocks())
