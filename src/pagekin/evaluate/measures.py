"""The standard measures of information retrieval, by ir_measures, over judged lists.

A list is judged by its hits and the number of relevant pages; no measure depends on which pages those are. So the qrels
of a question hold placeholders for the relevant pages that were not found, and at most k relevant pages in all. With n
relevant pages, of which the qrels hold m = min(n, k):

* P@k, RR and nDCG@k are the same with m as with n, because they look only at k places;
* R@k and AP@k have n only as their denominator, so what ir_measures gives for m is multiplied by m / n.

Nothing is estimated, and a question costs k qrels, not n: for WebKB's labels, 120 thousand instead of 20 million.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from pagekin.errors import UsageError

if TYPE_CHECKING:
    from ir_measures import Measure

BATCH = 1_000  # questions handed to ir_measures at once
OF_ALL = ("R", "AP")  # measures that divide by the number of relevant pages


@dataclass(frozen=True, slots=True)
class Judged:
    """The judged answer to one question: which places hold a relevant page, and how many relevant pages there are."""

    hits: tuple[bool, ...]  # best first; empty: no answer
    relevant: int  # at least 1, or the question has no right answer
    known: int = 0  # places whose page the truth knows, relevant or not


def measured(lists: Iterable[Judged], k: int) -> dict[str, float]:
    """The mean of each measure over all lists; an empty list counts 0.

    Also two shares: `answered`, the lists that are not empty; `judged`, the results that the truth knows.

    >>> found = measured([Judged((True, False), relevant=4, known=1), Judged((), relevant=2)], k=2)
    >>> {name: round(value, 4) for name, value in found.items()}
    {'P@2': 0.25, 'R@2': 0.125, 'nDCG@2': 0.3066, 'AP@2': 0.125, 'RR': 0.5, 'answered': 0.5, 'judged': 0.5}
    """
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    from ir_measures import AP, RR, P, R, nDCG  # 60 ms, and only an evaluation needs it

    measures = [P @ k, R @ k, nDCG @ k, AP @ k, RR]
    asked = answered = results = known = 0
    totals = dict.fromkeys(measures, 0.0)
    for batch in _batches(lists):
        asked += len(batch)
        answered += sum(bool(judged.hits) for judged in batch)
        results += sum(len(judged.hits) for judged in batch)
        known += sum(judged.known for judged in batch)
        for measure, value in _values(batch, measures, k):
            totals[measure] += value
    means = {str(measure): total / max(asked, 1) for measure, total in totals.items()}
    return means | {"answered": answered / max(asked, 1), "judged": known / max(results, 1)}


def _batches(lists: Iterable[Judged]) -> Iterator[list[Judged]]:
    rest = iter(lists)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _values(batch: list[Judged], measures: "list[Measure]", k: int) -> "Iterator[tuple[Measure, float]]":
    """The value of each measure for each list that is not empty."""
    import ir_measures

    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number, judged in enumerate(batch):
        if judged.hits:
            hits = [place for place, hit in enumerate(judged.hits[:k]) if hit]
            unfound = min(judged.relevant, k) - len(hits)
            qrels[str(number)] = dict.fromkeys([*map(str, hits), *(f"unfound {i}" for i in range(unfound))], 1)
            # trec_eval sorts by score and breaks ties by name, so the score is minus the place: our order stays.
            run[str(number)] = {str(place): float(-place) for place in range(len(judged.hits[:k]))}
    for metric in ir_measures.iter_calc(measures, qrels, run) if run else ():
        relevant = batch[int(metric.query_id)].relevant
        share = min(relevant, k) / relevant if metric.measure.NAME in OF_ALL else 1.0
        yield metric.measure, metric.value * share
