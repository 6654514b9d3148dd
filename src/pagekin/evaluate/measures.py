"""The standard measures of information retrieval, by ir_measures, for each judged list.

A list is judged by the grades of its places and of the relevant pages; no measure depends on which pages those are. So
the qrels of a question hold placeholders for relevant pages that were not found, and only as many as can matter: the
best k grades. With n relevant pages, of which the qrels hold m:

* P@k, RR, Success@1 and nDCG@k are the same with m as with n, because they look only at k places;
* R@k and AP@k have n only as their denominator, so what ir_measures gives for m is multiplied by m / n.

Nothing is estimated, and a question costs k qrels, not n: for WebKB's labels, 120 thousand instead of 20 million.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pagekin.errors import UsageError
from pagekin.evaluate.rscore import r_score
from pagekin.kernels import Floats

if TYPE_CHECKING:
    from ir_measures import Measure

BATCH = 1_000  # questions handed to ir_measures at once
OF_ALL = ("R", "AP")  # measures that divide by the number of relevant pages


@dataclass(frozen=True, slots=True)
class Judged:
    """The judged answer to one question: the grade of each place, and what could have been found."""

    grades: Sequence[int]  # best place first, 0: not relevant; empty: no answer
    ideal: Sequence[int]  # the best grades of the relevant pages, at least as many as places count, best first
    relevant: int  # how many relevant pages there are; at least 1, or the question has no right answer


def measured(lists: Sequence[Judged], k: int) -> dict[str, Floats]:
    """The value of each measure for each list; an empty list has 0.

    >>> found = measured([Judged((1, 0), ideal=(1, 1), relevant=4), Judged((), ideal=(2,), relevant=1)], k=2)
    >>> {name: values.round(4).tolist() for name, values in found.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'P@2': [0.5, 0.0], 'R@2': [0.25, 0.0], 'nDCG@2': [0.6131, 0.0], 'AP@2': [0.25, 0.0], 'RR': [1.0, 0.0],
     'Success@1': [1.0, 0.0], 'R-score@2': [0.5, 0.0], 'answered': [1.0, 0.0]}
    """
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    from ir_measures import AP, RR, P, R, Success, nDCG  # 60 ms, and only an evaluation needs it

    measures = [P @ k, R @ k, nDCG @ k, AP @ k, RR, Success @ 1]
    found = {str(measure): np.zeros(len(lists)) for measure in measures}
    for first in range(0, len(lists), BATCH):
        for measure, place, value in _values(lists[first : first + BATCH], measures, k):
            found[str(measure)][first + place] = value
    found[f"R-score@{k}"] = np.array([r_score(judged.grades, k) for judged in lists], np.float64)
    found["answered"] = np.array([bool(len(judged.grades)) for judged in lists], np.float64)
    return found


def _values(batch: Sequence[Judged], measures: "list[Measure]", k: int) -> "Iterator[tuple[Measure, int, float]]":
    """The value of each measure for each list that is not empty, with its place in the batch."""
    import ir_measures

    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number, judged in enumerate(batch):
        if len(judged.grades):
            hits = {str(place): int(grade) for place, grade in enumerate(judged.grades[:k]) if grade}
            unfound = (Counter(judged.ideal[:k]) - Counter(hits.values())).elements()
            qrels[str(number)] = hits | {f"unfound {i}": grade for i, grade in enumerate(unfound)}
            # trec_eval sorts by score and breaks ties by name, so the score is minus the place: our order stays.
            run[str(number)] = {str(place): float(-place) for place in range(len(judged.grades[:k]))}
    for metric in ir_measures.iter_calc(measures, qrels, run) if run else ():
        number = int(metric.query_id)
        share = len(qrels[metric.query_id]) / batch[number].relevant if metric.measure.NAME in OF_ALL else 1.0
        yield metric.measure, number, metric.value * share
