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
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from numpy.lib.stride_tricks import sliding_window_view

from pagekin.collection.array_files import Growing, load
from pagekin.collection.arrow_files import Mapped
from pagekin.collection.store import Store
from pagekin.engine.base import one_by_one
from pagekin.engine.memory import memory
from pagekin.index.base import Index, opened, register
from pagekin.index.inverted import Inverted
from pagekin.kernels import Floats, Ints, Longs

Kind = Literal["title", "word", "address"]
KINDS = get_args(Kind)

HELD = {"at": np.int64, "entry": np.int32, "score": np.float32}
KEY = 24  # bytes: three numbers of 64 bits, which NumPy sorts by
LONGEST = 200  # characters of an entry that are looked at: nobody types more of a title
STARTS = 12  # words of an entry from which it is found
ENTRIES_AT_ONCE = 20_000  # whose words are found at a time: a third of a second
PLACES_AT_ONCE = 1 << 18  # whose keys are looked at
PLACE_BYTES = 100  # of memory for a place while it is put in order
SAMPLE = 1 << 10  # places for each lot: lots differ by a few percent
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
        with TemporaryDirectory(prefix="steps-", dir=folder) as place:
            steps = Path(place)
            _write_entries(store, folder / "shown.arrow", steps / "speaking.npy")
            entries = Mapped(folder / "shown.arrow")
            _write_folded(entries, folder / "folded.npy", steps)
            begin, entry = load(steps / "begin.npy"), load(steps / "entry.npy")
            score = _Scores(entries.rows["kind"].to_numpy(), load(steps / "speaking.npy"))
            with ExitStack() as files:
                at, of, scores = (
                    files.enter_context(Growing(folder / f"{name}.npy", kind)) for name, kind in HELD.items()
                )
                for places in in_order(load(folder / "folded.npy"), begin):
                    at.append(begin[places])
                    of.append(entry[places])
                    is_first = (places == 0) | (entry[places] != entry[places - 1])
                    scores.append(score.of(entry[places]) * np.where(is_first, 1, INSIDE))
        return f"{entries.num_rows:,} words, titles and addresses, found from {begin.size:,} words on"

    def open(self, folder: Path) -> CompletionsHeld:
        shown = pa.ipc.open_file(pa.memory_map(str(folder / "shown.arrow"))).read_all()
        held = CompletionsHeld(shown, *(load(folder / f"{name}.npy") for name in ("folded", *HELD)))
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


def _write_entries(store: Store, shown: Path, speaking: Path) -> None:
    """Write the entries of a collection as they are shown, and how many pages speak for each: titles, words, addresses,
    in this order."""
    with pa.ipc.new_file(shown, SCHEMA) as file, Growing(speaking, np.float64) as pages:
        for kind, texts, ids, spoken in _entries(store):
            kinds = np.full(len(texts), KINDS.index(kind), np.int8)
            file.write_table(pa.table([pa.array(texts, pa.large_string()), kinds, ids], schema=SCHEMA))
            pages.append(spoken)


def _entries(store: Store) -> Iterator[tuple[Kind, list[str], pa.Array, Floats]]:
    """Entries of one kind, some at a time: texts, the ids of their pages, and how many pages speak for each."""
    postings = opened(store, Inverted()).for_pages(store.graph.ids)
    pages = np.flatnonzero(postings.shown & store.graph.is_page).astype(np.int32)
    linked = 1.0 + np.diff(store.seeing().arrays.in_start)  # a menu links to its pages from everywhere
    for some in _pieces(pages):
        titles = store.values("title", some)
        titled = np.flatnonzero([bool(folded(title)) for title in titles])
        texts = [" ".join(titles[at][:LONGEST].split()) for at in titled]
        yield "title", texts, pa.array(store.graph.ids[some[titled]]), linked[some[titled]]
    for some in _pieces(np.flatnonzero(np.diff(postings.start))):
        words = postings.surfaces.take(pa.array(some)).to_pylist()
        spoken = postings.start[some + 1] - postings.start[some]
        yield "word", words, pa.nulls(some.size, pa.int64()), spoken.astype(np.float64)
    for some in _pieces(pages):
        yield "address", store.values("url", some), pa.array(store.graph.ids[some]), linked[some]


def _pieces(numbers: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
    return (numbers[first : first + ENTRIES_AT_ONCE] for first in range(0, numbers.size, ENTRIES_AT_ONCE))


def _written(text: str, kind: int) -> str:
    return (without_scheme(text) if KINDS[kind] == "address" else text)[:LONGEST]


def _write_folded(entries: Mapped, folded: Path, steps: Path) -> None:
    """Write the entries folded, one after another, where words begin in them; and for each of these its entry."""
    size = entries.num_rows
    blocks = [(first, min(first + ENTRIES_AT_ONCE, size)) for first in range(0, size, ENTRIES_AT_ONCE)]
    with (
        Growing(folded, np.uint8) as file,
        Growing(steps / "begin.npy", np.int64) as begin,
        Growing(steps / "entry.npy", np.int32) as entry,
    ):
        found = one_by_one(partial(_words_in, entries), blocks, workers=1)
        for (first, last), (text, begins_at, words) in zip(blocks, found, strict=True):
            begin.append(begins_at + file.size)
            entry.append(np.repeat(np.arange(first, last, dtype=np.int32), words))
            file.append(text)


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


def in_order(text: npt.NDArray[np.uint8], begin: Longs) -> Iterator[Longs]:
    """The numbers of places in a text by the `KEY` bytes from there on, of equals in their own order; so many at a time
    that memory can hold them.

    Where one lot ends and the next begins is taken from a sample. Each lot is picked from all places anew: reading them
    takes a tenth of the time of sorting.
    """
    lots = -(-begin.size * PLACE_BYTES // (memory() // 2))
    if lots <= 1:
        yield _sorted(_keys(text, begin))
        return
    sample = np.unique(np.linspace(0, begin.size - 1, SAMPLE * lots).astype(np.int64))
    sample = sample[_sorted(_keys(text, begin[sample]))]
    ends = [sample[sample.size * lot // lots] for lot in range(1, lots)]
    for low, high in pairwise([None, *ends, None]):
        held = []
        for first in range(0, begin.size, PLACES_AT_ONCE):
            some = np.arange(first, min(first + PLACES_AT_ONCE, begin.size))
            keys = _keys(text, begin[some])
            here = np.ones(some.size, bool) if low is None else _from(keys, some, _keys(text, begin[low]), low)
            if high is not None:
                here &= ~_from(keys, some, _keys(text, begin[high]), high)
            held.append(some[here])
        places = np.concatenate([np.empty(0, np.int64), *held])
        yield places[_sorted(_keys(text, begin[places]))]


Keys = npt.NDArray[np.uint64]  # a row for each place: its `KEY` bytes as numbers


def _keys(text: npt.NDArray[np.uint8], begin: Longs) -> Keys:
    """The `KEY` bytes from each place on; behind the end are zeros."""
    last = text.size - KEY
    end = np.concatenate((text[max(last, 0) :], np.zeros(KEY, np.uint8)))
    found = np.empty((np.size(begin), KEY), np.uint8)
    inside = np.atleast_1d(begin) <= last
    for source, first, which in ((text, 0, inside), (end, max(last, 0), ~inside)):
        if which.any():
            found[which] = sliding_window_view(source, KEY)[np.atleast_1d(begin)[which] - first]
    return found.view(">u8").astype(np.uint64)


def _sorted(keys: Keys) -> Longs:
    return np.lexsort(keys.T[::-1])


def _from(keys: Keys, places: Longs, key: Keys, place: int) -> npt.NDArray[np.bool_]:
    """Which places are not before one, by key and then by number."""
    found = places >= place
    for own, other in zip(keys.T[::-1], key[0][::-1], strict=True):
        found = (own > other) | ((own == other) & found)
    return found


class _Scores:
    """How well entries would complete what is typed, from their first word on."""

    def __init__(self, kinds: npt.NDArray[np.int8], speaking: Floats) -> None:
        self.kinds, self.speaking = kinds, speaking
        self.factor = np.ones(len(KINDS))
        for kind, name in enumerate(KINDS):
            of = slice(*np.searchsorted(kinds, (kind, kind + 1)))
            self.factor[kind] = WEIGHT[name] / np.log1p(speaking[of].max(initial=1))

    def of(self, entries: Ints) -> Floats:
        return np.asarray(np.log1p(self.speaking[entries]) * self.factor[self.kinds[entries]])
