"""Fits the weights of `fused` to known answers, by nDCG@10.

The part scores of every question's candidates are worked out once; what weights are worth then takes one product. The
search takes, again and again, the part and the factor that help most, until none helps by `GAIN`: a weight that does
not matter stays as it was.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from pagekin.collection.store import Store
from pagekin.engine.local import over_rows
from pagekin.evaluate.truth import Truth
from pagekin.kernels import Floats, Ints
from pagekin.methods.fused import asked_parts, open_parts, scored, weights

K = 10
DEPTH = 200  # candidates of each part: many of them were never fetched, and are no answer
FACTORS = (0.5, 0.7, 1.4, 2.0)  # not 0: sets of one kind would drop what others live on
GAIN = 0.002  # less is noise: a set's mean is known to about 0.01
DISCOUNT = 1 / np.log2(np.arange(2, K + 2))


@dataclass(frozen=True)
class Scored:
    """Questions with their candidates: what a score is made from, and what it is judged by."""

    start: npt.NDArray[np.int64]  # the candidates of question i are [start[i] : start[i + 1]]
    parts: npt.NDArray[np.float32]  # candidate × part, divided by the deviation and times the factor of the question
    grade: npt.NDArray[np.int32]
    ideal: Floats  # of each question, the best sum of discounted grades

    @cached_property
    def _table(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]:
        """Parts and grades with a row for each question, filled up with candidates that score nothing."""
        sizes = np.diff(self.start)
        there = np.arange(max(sizes.max(initial=0), K + 1)) < sizes[:, None]
        parts = np.zeros((*there.shape, self.parts.shape[1]), np.float32)
        grades = np.zeros(there.shape, np.int32)
        parts[there], grades[there] = self.parts, self.grade
        return parts, grades

    def ndcg(self, weight: Floats) -> Floats:
        """nDCG@10 of each question."""
        parts, grades = self._table
        total = parts @ weight.astype(np.float32)
        few = np.sort(np.argpartition(-total, K, axis=1)[:, :K], axis=1)
        scores = np.take_along_axis(total, few, axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")
        best = np.take_along_axis(few, order, axis=1)
        gains = np.take_along_axis(grades, best, axis=1) * (np.take_along_axis(total, best, axis=1) > 0)
        return np.asarray(gains @ DISCOUNT / self.ideal)

    def mean(self, weight: Floats) -> float:
        """nDCG@10, remembered: every fit begins at the same start."""
        key = tuple(weight.tolist())
        if key not in self._means:
            self._means[key] = float(self.ndcg(weight).mean())
        return self._means[key]

    @cached_property
    def _means(self) -> dict[tuple[float, ...], float]:
        return {}


@dataclass(frozen=True)
class Gathered:
    """The candidates of every question about a collection, and the truth about them."""

    names: tuple[str, ...]  # of the parts
    truth: Truth
    asked: tuple[int, ...]
    pages: tuple[Ints, ...]  # the candidates of each question, …
    parts: tuple[npt.NDArray[np.float32], ...]  # … and their scores, as `Scored` has them

    def scored(self, asked: Collection[int], unseen: Collection[int] = ()) -> Scored:
        """Some of the questions, without the truth about the pages in `unseen`: they are neither asked nor judged."""
        hidden = np.array(sorted(unseen), np.int32)
        rows, parts, grades, ideal = [0], [], [], []
        for page, pages, scores in zip(self.asked, self.pages, self.parts, strict=True):
            left = [grade for other, grade in self.truth.relevant(page) if other not in unseen][:K]
            if page not in asked or page in unseen or not left:
                continue
            seen = ~np.isin(pages, hidden)
            parts.append(scores[seen])
            grades.append(np.array([self.truth.grade(page, other) for other in pages[seen].tolist()], np.int32))
            ideal.append(float(np.array(left) @ DISCOUNT[: len(left)]))
            rows.append(rows[-1] + int(seen.sum()))
        empty: list[npt.NDArray[Any]] = [np.empty((0, len(self.names)), np.float32), np.empty(0, np.int32)]
        return Scored(
            np.array(rows), np.concatenate([empty[0], *parts]), np.concatenate([empty[1], *grades]), np.array(ideal)
        )


def gathered(store: Store, truth: Truth) -> Gathered:
    """The part scores of every question's candidates. A question about a fetched page is answered with such pages."""
    fetched = pc.is_valid(store.graph.pages["fetched"]).to_numpy()
    asked = tuple(int(question) for question in truth.asked)
    names = open_parts(store)
    alike = dict.fromkeys(names, 1.0)

    def rows(first: int, last: int) -> list[tuple[Ints, npt.NDArray[np.float32]]]:
        found = []
        for page in asked[first:last]:
            question, spreads = asked_parts(store, page, DEPTH)
            pages, matrix = scored(question, spreads)
            kept = fetched[pages] | (not fetched[page])
            of_question = weights(question, names, alike)[:, None]
            found.append((pages[kept], (matrix * of_question)[:, kept].T.astype(np.float32)))
        return found

    made = [row for block in over_rows(rows, len(asked)) for row in block]
    return Gathered(names, truth, asked, tuple(pages for pages, _ in made), tuple(parts for _, parts in made))


def fitted(known: Sequence[Scored], start: Floats) -> Floats:
    """The weights that are best in the mean over some sets, found from a start."""
    weight, best = start.copy(), worth(known, start)
    while True:
        tried = [changed(weight, part, factor) for part in range(weight.size) for factor in FACTORS]
        values = [worth(known, each) for each in tried]
        at = int(np.argmax(values))
        if values[at] < best + GAIN:
            return weight
        weight, best = tried[at], values[at]


def worth(known: Sequence[Scored], weight: Floats) -> float:
    """nDCG@10 in the mean over some sets."""
    return float(np.mean([each.mean(weight) for each in known]))


def changed(weight: Floats, part: int, factor: float) -> Floats:
    """Weights with that of one part times a factor."""
    made = weight.copy()
    made[part] *= factor
    return made
