"""A page as a question to the index `text`: how alike every other page is by its words."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pagekin.collection.store import Store
from pagekin.index.text.index import TextVectors, text_of
from pagekin.index.text.terms import TITLE
from pagekin.index.text.vectors import own_share, unit
from pagekin.kernels import Floats, Ints, Longs, frozen
from pagekin.kernels.numbers import number_in, numbers_in

Singles = npt.NDArray[np.float32]

QUESTION_TERMS = 25  # the most telling terms of a page, as a question for BM25
# Rounding moves a cosine by scale / √12 in the mean, where `scale` is the step of the page's small integers; hardly one
# page in 30,000 is moved by more than four times that.
DOUBT = 4 / 12**0.5
MOST_IN_DOUBT = 20_000  # pages: 20 MB to read; only pages that are almost copies of each other are so many
K1, B = 1.2, 0.75  # what Robertson and Zaragoza (2009) recommend for BM25 without tuning


@dataclass(frozen=True)
class Question:
    """A page in the terms and dimensions of the index, which may be older than the page."""

    held: TextVectors
    number: Ints | None  # the store's number of each page of the index (-1: removed); None: they are the same
    ids: Longs  # of the store
    terms: Ints
    counts: Ints
    title: Ints
    y: Singles  # its smoothed vector

    @property
    def weight(self) -> Floats:
        """The page's tf-idf vector, of length 1, by its terms."""
        return _unit((1 + np.log(self.counts)) * self.held.idf[self.terms])

    @property
    def title_weight(self) -> Floats:
        """The vector of the title's words, of length 1."""
        return _unit(self.held.idf[self.title])

    def tf_idf(self) -> Singles:
        """The cosine of tf-idf vectors with every page."""
        from pagekin.kernels.text import add_damped

        held, score = self.held, np.zeros(self.held.ids.size, np.float32)
        weight = self.weight * held.idf[self.terms]
        add_damped(*self._rows(held.terms.of_start, self.terms), weight, held.terms.page, held.terms.of_count, score)
        return self._numbered(_divided(score, held.length))

    def bm25(self) -> Singles:
        """BM25 of every page for the page's most telling terms."""
        from pagekin.kernels.inverted import bm25

        held, score = self.held, np.zeros(self.held.ids.size)
        telling = self.terms[np.lexsort((self.terms, -self.weight))[:QUESTION_TERMS]]
        first, last = self._rows(held.terms.of_start, telling)
        weight = np.log1p((held.terms.pages - (last - first) + 0.5) / (last - first + 0.5))
        bm25(first, last, weight, held.terms.page, held.terms.of_count, held.words, score, K1, B)
        return self._numbered(score.astype(np.float32))

    def titles(self) -> Singles:
        """The cosine of the titles' words with every page."""
        return self._in_titles(self.title, self.title_weight)

    def in_titles(self) -> Singles:
        """The product of the page's tf-idf vector with the vector of every page's title."""
        return self._in_titles(self.terms, self.weight)

    def _in_titles(self, terms: Ints, weight: Floats) -> Singles:
        from pagekin.kernels.text import add_members

        held, score = self.held, np.zeros(self.held.ids.size, np.float32)
        rows = self._rows(held.terms.in_title_start, terms)
        add_members(*rows, weight * held.idf[terms], held.terms.in_title, score)
        return self._numbered(_divided(score, held.title_length))

    def smoothed(self) -> Singles:
        """The cosine of smoothed vectors with every page, to about three digits."""
        from pagekin.kernels.text import products

        return self._numbered(products(self.held.small, frozen(self.y), self.held.scale))

    def in_doubt(self, cosine: Singles, first: Ints, k: int) -> Ints:
        """The first pages by rounded cosines, and all others that may be among the k best by exact ones."""
        if first.size <= k:
            return first
        kth = float(np.partition(self.smoothed_exactly(first), -k)[-k])  # of all pages it is at least this
        found = np.flatnonzero(cosine >= kth - DOUBT * self.held.scale.max()).astype(np.int32)
        if found.size > MOST_IN_DOUBT:
            found = found[np.argpartition(-cosine[found], MOST_IN_DOUBT)[:MOST_IN_DOUBT]]
        return np.union1d(first, found)

    def smoothed_exactly(self, pages: Ints) -> Floats:
        """The cosine of smoothed vectors with some pages of the store."""
        place = pages if self.number is None else numbers_in(self.held.ids, self.ids[pages])
        return np.where(place >= 0, self.held.y[place] @ self.y, 0.0).astype(np.float64)

    def _rows(self, start: Longs, terms: Ints) -> tuple[Longs, Longs]:
        return start[terms], start[terms + 1]

    def _numbered(self, score: Singles) -> Singles:
        """Scores by the numbers of the store."""
        if self.number is None:
            return score
        found = np.zeros(self.ids.size, np.float32)
        found[self.number[self.number >= 0]] = score[self.number >= 0]
        return found


def _unit(values: Floats) -> Floats:
    length = float(np.linalg.norm(values))
    return values / length if length else values


def _divided(score: Singles, length: Singles) -> Singles:
    return np.divide(score, length, out=score, where=length > 0)


def question(store: Store, page: int) -> Question:
    """A page as a question. A page that came after the index is projected now, with the words and links it has."""
    held = text_of(store)
    number = store.memo.get("text numbers", None, lambda: _numbers(store, held))
    place = page if number is None else number_in(held.ids, int(store.graph.ids[page]))
    if place is not None:
        terms, counts = held.terms.of(place)
        return Question(
            held, number, store.graph.ids, terms, counts, held.terms.in_title_of(place), np.array(held.y[place])
        )
    terms, counts, title = _new_terms(store, held, page)
    return Question(held, number, store.graph.ids, terms, counts, title, _new_vector(store, held, page, terms, counts))


def _numbers(store: Store, held: TextVectors) -> Ints | None:
    same = np.array_equal(held.ids, store.graph.ids)
    return None if same else numbers_in(store.graph.ids, held.ids).astype(np.int32)


def _new_terms(store: Store, held: TextVectors, page: int) -> tuple[Ints, Ints, Ints]:
    """The terms of a page that is not in the index: those that are, with their counts, and those in its title."""
    counts: dict[int, tuple[int, int]] = {}
    for table in store.rows_of(page, "terms"):
        columns = (table[name].to_pylist() for name in ("body", "title"))
        for term, body, title in zip(held.terms.numbers(table["term"].to_pylist()), *columns, strict=True):
            if term >= 0:
                before = counts.get(int(term), (0, 0))
                counts[int(term)] = max(before[0], body + TITLE * title), max(before[1], title)
    terms = np.array(sorted(counts), np.int32)
    count, title = (np.array([counts[term][i] for term in terms.tolist()], np.int32) for i in (0, 1))
    return terms, count, terms[title > 0]


def _new_vector(store: Store, held: TextVectors, page: int, terms: Ints, counts: Ints) -> Singles:
    """One step of smoothing: a · V + (1 − a) · G · Y, over the linked pages that are in the index."""
    links = store.arrays
    linked = links.linked(page)
    own, share = held.basis.project(terms, counts), float(own_share(np.array([terms.size]))[0])
    degree = 1.0 + np.diff(links.either_start)[linked]
    place = numbers_in(held.ids, store.graph.ids[linked])
    there = place >= 0
    root = 1 / np.sqrt(1.0 + linked.size)
    near = root * own * root + root * (1 / np.sqrt(degree[there])) @ held.y[place[there]]
    return unit((share * own + (1 - share) * near).astype(np.float32))
