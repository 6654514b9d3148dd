"""`python -m leaderboard.fit_search FOLDER`: fit the numbers of `search`, and say what they are worth elsewhere.

Fitted on CACM's questions and the index of Python's documentation; the index of PostgreSQL's documentation is only
measured. The folder keeps the collections. Average precision decides: of a question with one answer it is 1 / its rank.

The search takes, again and again, the one change that helps most in the mean over sets, until none helps by `GAIN`.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from leaderboard.debian import documentation
from leaderboard.sets import MANUALS, data, sampled
from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.evaluate import index_entries, judgements
from pagekin.evaluate.truth import Relevance
from pagekin.index.fields import BOUNDS, WEIGHT, B, factors
from pagekin.index.gathered import spooled
from pagekin.index.inverted import Postings, inverted, weighed
from pagekin.index.spooled import FIELDS, Bools, Words
from pagekin.kernels import Floats, Longs
from pagekin.search.question import Word, read
from pagekin.search.ranking import Ranker

FITTED = ("cacm", "python3.11-doc")
MEASURED = "postgresql-doc-15"
QUESTIONS = 400  # of a set, drawn by a seed
DEPTH = 100
FACTORS, STEPS = (0.5, 0.7, 1.4, 2.0), (-0.2, -0.1, 0.1, 0.2)  # of weights and k1; of b, which is from 0 to 1
LEAST_B = 0.2  # sets of honest pages do not show what long titles and repeated words would gain
GAIN = 0.001  # less is noise

Numbers = dict[str, float]
START: Numbers = {
    **{field: WEIGHT[field] for field in ("headings", "title", "anchors", "address")},
    "b": B["body"],
    "b of names": B["title"],
    **BOUNDS,
}


@dataclass(frozen=True)
class Asked:
    """The questions of a set, the rows of their words by field, and the pages that answer."""

    words: Words
    lengths: Longs
    postings: Postings
    questions: list[tuple[Word, ...]]
    answers: list[set[int]]

    @classmethod
    def of(cls, store: Store, truth: Relevance) -> "Asked":
        store = store.seeing()
        with TemporaryDirectory() as folder:
            spool, _, _ = spooled(store, Path(folder))
            (held,) = spool.by_terms()  # the sets are small
        postings = inverted(store)
        texts = [truth.words[each] for each in truth.asked]
        questions = [read(store, postings, text).words for text in texts]
        used = np.zeros(len(postings.terms), bool)
        used[[term for question in questions for word in question for term in word.terms]] = True
        answers = [set(dict(truth.relevant(each))) for each in truth.asked]
        return cls(_fewer(held, used), spool.lengths, postings, questions, answers)

    def precision(self, numbers: Numbers) -> Floats:
        """Average precision of each question."""
        ranker = Ranker(self._weighed(numbers))
        return np.array([_precision(ranker, *each) for each in zip(self.questions, self.answers, strict=True)])

    def _weighed(self, numbers: Numbers) -> Postings:
        weight = {field: numbers.get(field, 1.0) for field in FIELDS}
        b = {field: numbers["b" if field in ("body", "headings") else "b of names"] for field in FIELDS}
        factor = factors(self.lengths, weight, b)
        return replace(self.postings, **weighed(self.words, factor, {name: numbers[name] for name in BOUNDS}))


def _fewer(held: Words, used: Bools) -> Words:
    """The rows of some terms."""
    kept = used[held.term]
    return replace(held, rows=held.rows[kept], plain=int(kept[: held.plain].sum()))


def _precision(ranker: Ranker, question: tuple[Word, ...], answers: set[int]) -> float:
    pages, _ = ranker.bm25(question).best(DEPTH, 0.0)
    hits = np.flatnonzero([page in answers for page in pages.tolist()])
    return float(((np.arange(hits.size) + 1) / (hits + 1)).sum() / len(answers))


def fitted(known: Sequence[Asked], start: Numbers) -> Numbers:
    """The numbers that are best in the mean over some sets, found from a start."""

    def worth(numbers: Numbers) -> float:
        return float(np.mean([each.precision(numbers).mean() for each in known]))

    numbers, best = start, worth(start)
    while True:
        tried = list(_changes(numbers))
        values = [worth(each) for each in tried]
        at = int(np.argmax(values))
        if values[at] < best + GAIN:
            return numbers
        numbers, best = tried[at], values[at]
        print(f"{best:.4f}  {spelled(numbers)}", flush=True)


def _changes(numbers: Numbers) -> Iterator[Numbers]:
    for name, value in numbers.items():
        if name.startswith("b"):
            yield from (numbers | {name: round(value + step, 2)} for step in STEPS if LEAST_B <= value + step <= 1)
        else:
            yield from (numbers | {name: value * factor} for factor in FACTORS)


def spelled(numbers: Numbers) -> str:
    return ", ".join(f"{name} {value:.2g}" for name, value in numbers.items())


def prepared(name: str, folder: Path) -> Asked:
    """The questions of a set; its collection is made if the folder does not have it."""
    folder = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "whole.kin"
    if name == "cacm":
        place = data("cacm", folder)
        if not path.exists():
            Collection(path).add(place / "cacm.all")
        store = Store(path)
        truth = judgements.read(store, place / "query.text", place / "qrels.text")
        return Asked.of(store, truth)
    if not path.exists():
        Collection(path).add(documentation(name, folder) / MANUALS[name][0], base_url=f"https://{name}.example/")
    store, truth = index_entries.hide(Store(path), folder / "hidden.kin")
    return Asked.of(store, sampled(truth, QUESTIONS))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m leaderboard.fit_search", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the collections are kept")
    folder = parser.parse_args(arguments).folder
    known = {name: prepared(name, folder) for name in (*FITTED, MEASURED)}
    numbers = fitted([known[name] for name in FITTED], START)
    for name, each in known.items():
        before, after = each.precision(START).mean(), each.precision(numbers).mean()
        print(f"{name:20} average precision {before:.3f}, with the fitted numbers {after:.3f}")
    print(f"fitted: {spelled(numbers)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
