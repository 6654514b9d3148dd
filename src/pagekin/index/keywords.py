"""The keywords of pages and how words relate to each other (paper 4, section 3): the index `keywords`.

`index/keywords.…/` holds the keywords of each page (`page_keywords`); for each word, the words it meets (shares a page
with) and on how many pages; and the least and greatest support, mutual information and confidence over all pairs of
different words, which scale them to 0 … 1. Relevance itself is computed on demand: it depends on a parameter, pairs
that never meet need no space (`kernels.keywords`), and the confidence across links is one walk from a word's pages.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.array_files import check_rows, load, save
from pagekin.collection.seen import SeesLinks, SeesWords
from pagekin.collection.store import Store
from pagekin.engine.base import over_rows
from pagekin.errors import UsageError
from pagekin.graph.links import LinkArrays, link_arrays
from pagekin.index.base import Index, opened, register
from pagekin.index.keyword_pairs import Range, plogp, write_pairs
from pagekin.index.page_keywords import write_keywords
from pagekin.kernels import Floats, Ints, Longs, frozen, frozen_rows
from pagekin.kernels.numbers import numbers_in

MOST = 20  # keywords of a page, unless another k is asked for; the paper's

WordMeasure = Literal["support", "information"]


@dataclass(frozen=True)
class Keywords:
    """The content of the index, with the page numbers of one store."""

    ids: Longs
    start: Longs  # the keywords of page p are word[start[p] : start[p + 1]]
    word: Ints
    pages: Ints  # for each word, how many pages have it
    pair_start: Longs
    pair: Ints
    together: Ints
    total: int  # pages with keywords
    support: Range
    information: Range
    confidence: Range
    names: pa.Table  # term (ascending) and surface of each word

    @cached_property
    def holders(self) -> tuple[Longs, Ints]:
        """For each word, the pages that have it, ascending."""
        from pagekin.kernels.csr import rows_from_pairs

        page = np.repeat(np.arange(self.start.size - 1, dtype=np.int32), np.diff(self.start))
        return frozen_rows(rows_from_pairs(frozen(self.word), frozen(page), self.pages.size))

    @cached_property
    def number(self) -> dict[str, int]:
        """Term → word."""
        return {term: number for number, term in enumerate(self.names["term"].to_pylist())}

    def of(self, page: int) -> Ints:
        return self.word[self.start[page] : self.start[page + 1]]

    def surface(self, word: int) -> str:
        """A word as pages spell it."""
        return str(self.names["surface"][word].as_py())

    def semantic(self, support: float) -> Any:
        """The kernels' `Words` with r_s = support · S̄ + (1 − support) · M̄ (Eq. 12)."""
        return self._words(self._scaled("support", support) + self._scaled("information", 1 - support))

    def logical(self, support: float, part: WordMeasure = "support") -> tuple[Any, Floats]:
        """`Words` with the first part of r_l = support · S̄ + (1 − support) · C̄ (Eq. 13), and how C enters it."""
        factor = (1 - support) * self.confidence.factor
        return self._words(self._scaled(part, support)), frozen(np.array([-factor * self.confidence.low, factor]))

    def _scaled(self, part: WordMeasure, weight: float) -> Floats:
        """A normalised measure as the kernels' linear form: constant, per shared page, per unit of information."""
        span: Range = getattr(self, part)
        factor = weight * span.factor
        line = np.array([-factor * span.low, 0.0, 0.0])
        line[1 if part == "support" else 2] = factor / max(self.total, 1) if part == "support" else factor
        return line

    def _words(self, scale: Floats) -> Any:
        from pagekin.kernels.keywords import Words

        group_pages, group = self._groups
        own: list[npt.NDArray[Any]] = [self.start, self.word, self.pages, group, group_pages]
        own += [self.pair_start, self.pair, self.together, self._plogp, scale]
        return Words(*map(frozen, own))

    @cached_property
    def _groups(self) -> tuple[Ints, Ints]:
        group_pages, group = np.unique(self.pages, return_inverse=True)
        return group_pages.astype(np.int32), group.astype(np.int32)

    @cached_property
    def _plogp(self) -> Floats:
        return plogp(self.total)

    def targets(self, graph: LinkArrays) -> tuple[Longs, Ints]:
        """For each page, the distinct keywords of the pages that it links to."""
        from pagekin.kernels.keywords import words_of_targets

        links = self.start, self.word, *graph.rows("out"), self.pages.size
        blocks = over_rows(lambda first, last: words_of_targets(first, last, *links), graph.size)
        return frozen_rows(_joined(blocks, 0))

    def pruned(self, graph: LinkArrays, theta: float, support: float, part: WordMeasure) -> LinkArrays:
        """The graph without its weak links: those with r_l < θ between the keywords of their two pages (Eq. 16)."""
        if not theta:
            return graph
        from pagekin.kernels.keywords import link_relevance

        words, confidence = self.logical(support, part)
        rows = *self.holders, *self.targets(graph), *graph.rows("out")
        blocks = over_rows(lambda first, last: link_relevance(first, last, words, confidence, *rows), self.pages.size)
        strength = np.max(blocks, axis=0) if blocks else np.zeros(graph.links)
        kept = strength >= theta
        source = np.repeat(np.arange(graph.size, dtype=np.int32), np.diff(graph.out_start))
        return link_arrays(source[kept], graph.out[kept], graph.size)


@register("keywords")
@dataclass(frozen=True, repr=False)
class KeywordRelevance(SeesLinks, SeesWords, Index):
    """The keywords of every page, and which words meet on how many pages."""

    k: int = MOST  # keywords of a page

    def __post_init__(self) -> None:
        if self.k < 1:
            raise UsageError(f"k, the number of keywords of a page, must be at least 1, not {self.k}")

    def make(self, store: Store, folder: Path) -> str:
        with TemporaryDirectory(prefix="steps-", dir=folder) as steps:
            named = write_keywords(store, self.k, folder, Path(steps))
            words = load(folder / "start.npy"), load(folder / "word.npy")
            pages, total = frozen(named["pages"].to_numpy()), int(np.count_nonzero(np.diff(words[0])))
            pairs, spans = write_pairs(folder, Path(steps), words, pages, total, store.arrays)
        save(folder / "ids.npy", store.graph.ids)
        save(folder / "pages.npy", pages)
        save(folder / "ranges.npy", np.array([*((span.low, span.high) for span in spans), (total, total)]))
        names = named.drop_columns("pages")
        with pa.ipc.new_file(folder / "names.arrow", names.schema) as file:
            file.write_table(names)
        return f"{pages.size:,} keywords on {total:,} pages, {pairs:,} pairs on the same page"

    def open(self, folder: Path) -> Keywords:
        names = ("ids", "start", "word", "pages", "pair_start", "pair", "together")
        *spans, (total, _) = load(folder / "ranges.npy").tolist()
        texts = pa.ipc.open_file(pa.memory_map(str(folder / "names.arrow"))).read_all()
        support, information, confidence = (Range(*span) for span in spans)
        held: dict[str, Any] = {name: load(folder / f"{name}.npy") for name in names}
        found = Keywords(
            **held, total=int(total), support=support, information=information, confidence=confidence, names=texts
        )
        check_rows(found.start, found.ids.size, found.word)
        check_rows(found.pair_start, found.pages.size, found.pair, found.together)
        return found


def keywords_of(store: Store, k: int = MOST) -> Keywords:
    """The index of the links and words that the store sees, with its page numbers, which change when pages are added
    after it was built."""
    links, words = store.kinds
    index = KeywordRelevance(k, links=links, words=words)
    return store.memo.get("keywords", repr(index), lambda: _numbered(opened(store, index), store.graph.ids))


def _numbered(held: Keywords, ids: Longs) -> Keywords:
    if np.array_equal(held.ids, ids):
        return held
    lengths = np.zeros(ids.size, np.int64)
    at = numbers_in(ids, held.ids)
    there = at >= 0
    lengths[at[there]] = np.diff(held.start)[there]
    start = np.concatenate(([0], np.cumsum(lengths)))
    word = held.word[np.repeat(there, np.diff(held.start))]  # both are ordered by id, so rows keep their order
    return replace(held, ids=ids, start=frozen(start), word=frozen(word))


def _joined(blocks: list[Any], at: int) -> tuple[Longs, Ints]:
    """The rows of all blocks, each of which has counted and listed its own, one after another."""
    if not blocks:
        return np.zeros(1, np.int64), np.empty(0, np.int32)
    sizes = np.concatenate([block[at] for block in blocks])
    return np.concatenate(([0], np.cumsum(sizes))), np.concatenate([block[at + 1] for block in blocks])
