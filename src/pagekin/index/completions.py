"""What a person may be typing: the collection's words, the titles of its pages and their addresses, from any word on.

`index/completions.…/` holds

    shown.arrow      the entries as they are shown: text, kind, id of the page (none for a word)
    folded.npy       the entries without case, as UTF-8 one after another, each ended by a line end
    at.npy           the places in `folded` where a word begins, ordered by the `KEY` bytes from there on
    entry.npy        the entry that each of them is in
    score.npy        how well it would complete what is typed

so the completions of a prefix are neighbours in `at`: two bisections find them, and those with the largest score are
wanted. The score of an entry is ln(1 + n) / ln(1 + largest n of its kind), n the pages with the word or, for titles and
addresses, 1 and the pages that link to the page in their text; times the `WEIGHT` of its kind, and `INSIDE` from a
later word on.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.array_files import Growing, load, save
from pagekin.collection.arrow_files import Mapped
from pagekin.collection.store import Store
from pagekin.engine.base import one_by_one
from pagekin.index.base import Index, opened, register
from pagekin.index.inverted import Inverted
from pagekin.kernels import Floats, Ints, Longs

Kind = Literal["title", "word", "address"]
KINDS = get_args(Kind)

KEY = 24  # bytes: three numbers of 64 bits, which NumPy sorts by
LONGEST = 200  # characters of an entry that are looked at: nobody types more of a title
STARTS = 12  # words of an entry from which it is found
ENTRIES_AT_ONCE = 20_000  # whose words are found at a time: a third of a second
INSIDE = 0.5
# Words are on many more pages than titles are linked from, and a page is mostly what is sought.
WEIGHT: dict[Kind, float] = {"title": 1.0, "word": 0.6, "address": 0.8}

# A word begins after what is no letter or digit, at a capital inside a name (`CamelCase`), and at every character of
# scripts that write no spaces.
_SPACELESS = "\u0e00-\u0eff\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_BEGIN = re.compile(rf"(?<![^\W_])(?=[^\W_])|(?<=[a-z])(?=[A-Z])|(?=[{_SPACELESS}])")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://(www\.)?")

SCHEMA = pa.schema({"text": pa.large_string(), "kind": pa.int8(), "page": pa.int64()})


@dataclass(frozen=True)
class CompletionsHeld:
    """The content of the index."""

    shown: pa.Table
    folded: npt.NDArray[np.uint8]
    at: Longs
    entry: Ints
    score: npt.NDArray[np.float32]

    def starting(self, prefix: str, k: int) -> list[tuple[int, float]]:
        """The k best entries with a word that goes on with the prefix, and their scores."""
        wanted = folded(without_scheme(prefix)).encode(errors="replace")
        first, last = (bisect_left(self.at, key, key=self._key) for key in (wanted[:KEY], wanted[:KEY] + b"\xff"))
        places = np.arange(first, last)
        if len(wanted) > KEY:
            places = places[[self._bytes(int(at), len(wanted)) == wanted for at in self.at[first:last]]]
        found: dict[int, float] = {}
        enough = STARTS * k  # an entry may be found from each of its words
        if places.size > enough:  # those that score as the last one of them stay, for the order to be decided below
            least = np.partition(self.score[places], -enough)[-enough]
            places = places[self.score[places] >= least]
        order = places[np.lexsort((self.entry[places], -self.score[places]))]
        for entry, score in zip(self.entry[order].tolist(), self.score[order].tolist(), strict=True):
            found.setdefault(entry, score)
            if len(found) == k:
                break
        return list(found.items())

    def _key(self, at: int) -> bytes:
        return self._bytes(at, KEY)

    def _bytes(self, at: int, size: int) -> bytes:
        return self.folded[at : at + size].tobytes()


@register("completions")
@dataclass(frozen=True, repr=False)
class Completions(Index):
    """Index of words, titles and addresses by how they begin."""

    usual = True

    @property
    def needs(self) -> tuple[Index, ...]:
        return (Inverted(),)

    def make(self, store: Store, folder: Path) -> str:
        entries, weights = _entries(store)
        with pa.ipc.new_file(folder / "shown.arrow", SCHEMA) as file:
            file.write_table(entries)
        begin, count = _write_folded(Mapped(folder / "shown.arrow"), folder)
        entry = np.repeat(np.arange(count.size, dtype=np.int32), count)
        is_first = np.diff(entry, prepend=-1) > 0
        order = _ordered(load(folder / "folded.npy"), begin)
        score = (_scores(entries["kind"].to_numpy(), weights)[entry] * np.where(is_first, 1, INSIDE)).astype(np.float32)
        for name, values in (("at", begin), ("entry", entry), ("score", score)):
            save(folder / f"{name}.npy", values[order])
        return f"{entries.num_rows:,} words, titles and addresses, found from {begin.size:,} words on"

    def open(self, folder: Path) -> CompletionsHeld:
        shown = pa.ipc.open_file(pa.memory_map(str(folder / "shown.arrow"))).read_all()
        held = CompletionsHeld(shown, *(load(folder / f"{name}.npy") for name in ("folded", "at", "entry", "score")))
        if not held.at.size == held.entry.size == held.score.size:
            raise ValueError("the arrays do not fit together")
        return held


def folded(text: str) -> str:
    """Text as it is compared: without case, one space between words.

    >>> folded(" Write-Ahead   LOG")
    'write-ahead log'
    """
    return " ".join(text.split()).casefold()


def without_scheme(address: str) -> str:
    """What people type of an address: not the scheme, nor `www.`."""
    return _SCHEME.sub("", address)


def begins(text: str) -> list[int]:
    """Where the words of a text begin.

    >>> begins("git-rebase(1) of CamelCase")
    [0, 4, 11, 14, 17, 22]
    """
    return [found.start() for found in _BEGIN.finditer(text)]


def _entries(store: Store) -> tuple[pa.Table, Floats]:
    """The entries of a collection as shown, with their kinds and pages, and how many pages speak for each."""
    postings = opened(store, Inverted()).for_pages(store.graph.ids)
    pages = np.flatnonzero(postings.shown & store.graph.is_page).astype(np.int32)
    titles, addresses = store.values("title", pages), store.values("url", pages)
    titled = np.flatnonzero([bool(folded(title)) for title in titles])
    words = np.flatnonzero(np.diff(postings.start))
    texts = [
        *(" ".join(titles[at][:LONGEST].split()) for at in titled),
        *postings.surfaces.take(pa.array(words)).to_pylist(),
        *addresses,
    ]
    kinds = np.repeat(np.arange(len(KINDS), dtype=np.int8), [titled.size, words.size, pages.size])
    owner = np.concatenate((pages[titled], np.zeros(words.size, np.int32), pages))
    ids = pa.array(store.graph.ids[owner], mask=kinds == KINDS.index("word"))
    linked = 1.0 + np.diff(store.seeing().arrays.in_start)  # a menu links to its pages from everywhere
    spoken = np.diff(postings.start)[words].astype(np.float64)
    entries = pa.table([pa.array(texts, pa.large_string()), kinds, ids], schema=SCHEMA)
    return entries, np.concatenate((linked[pages[titled]], spoken, linked[pages]))


def _written(text: str, kind: int) -> str:
    return (without_scheme(text) if KINDS[kind] == "address" else text)[:LONGEST]


def _write_folded(entries: Mapped, folder: Path) -> tuple[Longs, Ints]:
    """Write the entries folded, one after another; returns where words begin in them, and how many each entry has."""
    begin, count = [np.empty(0, np.int64)], [np.empty(0, np.int32)]
    size = entries.num_rows
    blocks = [(first, min(first + ENTRIES_AT_ONCE, size)) for first in range(0, size, ENTRIES_AT_ONCE)]
    with Growing(folder / "folded.npy", np.uint8) as file:
        for text, begins_at, words in one_by_one(partial(_words_in, entries), blocks, workers=1):
            begin.append(begins_at + file.size)
            count.append(words)
            file.append(text)
    return np.concatenate(begin), np.concatenate(count)


def _words_in(entries: Mapped, first: int, last: int) -> tuple[npt.NDArray[np.uint8], Longs, Ints]:
    """Some entries folded, as bytes; where words begin in them, and how many each has."""
    some = entries.slice(first, last - first)
    text, begin, count = bytearray(), list[int](), list[int]()
    for entry in map(_written, some["text"].to_pylist(), some["kind"].to_pylist()):
        cuts = [0, *(cut for cut in begins(entry)[:STARTS] if cut), len(entry)]
        for here, there in pairwise(cuts):  # folding may lengthen what it folds
            begin.append(len(text))
            text += entry[here:there].casefold().encode(errors="replace")
        count.append(len(cuts) - 1)
        text += b"\n"
    return np.frombuffer(bytes(text), np.uint8), np.array(begin, np.int64), np.array(count, np.int32)


def _ordered(text: npt.NDArray[np.uint8], begin: Longs) -> Longs:
    """The order of the places by the `KEY` bytes from there on."""
    padded = np.concatenate((text, np.zeros(KEY, np.uint8)))
    columns = [np.zeros(begin.size, np.uint64) for _ in range(KEY // 8)]
    for byte in range(KEY):
        column = columns[byte // 8]
        column <<= np.uint64(8)
        column |= padded[begin + byte]
    return np.lexsort(columns[::-1])


def _scores(kinds: npt.NDArray[np.int8], weights: Floats) -> Floats:
    logs = np.log1p(weights)
    for kind, name in enumerate(KINDS):
        own = kinds == kind
        if own.any():
            logs[own] *= WEIGHT[name] / logs[own].max()
    return logs
