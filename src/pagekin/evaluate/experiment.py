"""An experiment: every method answers every question with a known answer, and the lists are measured.

The result has a row for each method. Lists are judged and measured one by one, so memory does not grow with the data.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pagekin.answer import Answer
from pagekin.collection.store import Store
from pagekin.errors import NotBuiltError, UsageError
from pagekin.evaluate.measures import Judged, measured
from pagekin.evaluate.truth import Truth, labels_of, read_labels, read_pairs
from pagekin.methods import REGISTRY, Method, ask, index_note, method
from pagekin.wording import option


@dataclass(frozen=True, repr=False)
class Evaluation(Answer[Mapping[str, Any]]):
    """A row for each method: its text, and the mean of each measure."""

    truth: str = "labels"  # or `related`: pairs of pages
    file: str | None = None  # None: the labels that came with the data
    pages: int = 0  # how many pages were asked about
    k: int = 15


def evaluate(
    store: Store,
    labels: Path | None = None,
    related: Path | None = None,
    methods: Sequence[str] = (),
    k: int = 15,
    tell: Callable[[str, int, int], None] = lambda method, done, pages: None,
) -> Evaluation:
    """Measure how well methods find the pages that labels or pairs say are related; all methods if none is named.

    Without a file, the labels are those that came with the data. Every page that the truth can judge is asked about, in
    page order, without sampling. `tell` is called with the method, the number of pages done and the number of all.
    """
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if labels and related:
        raise UsageError(f"{option('labels')} and {option('related')} are two different truths; give only one of them")
    asked = [method(written) for written in methods] or [cls() for cls in REGISTRY.values()]
    truth = _truth(store, labels, related)
    results, notes = [], list(truth.notes)
    for one in asked:
        each = one.answering(store)
        try:
            lists = _counted(judged(store, each, truth, k), partial(tell, repr(each)), len(truth.asked))
            results.append({"method": repr(each), **measured(lists, k)})
            notes += filter(None, [index_note(one, store)])
        except NotBuiltError as error:
            if methods:
                raise
            notes.append(f"{each!r} is left out: {error}")
    return Evaluation(
        note="; ".join(notes) or None,
        results=tuple(results),
        truth="related" if related else "labels",
        file=str(labels or related) if labels or related else None,
        pages=len(truth.asked),
        k=k,
    )


def _counted(lists: Iterator[Judged], tell: Callable[[int, int], None], pages: int) -> Iterator[Judged]:
    for done, each in enumerate(lists, 1):
        yield each
        tell(done, pages)


def judged(store: Store, asked: Method, truth: Truth, k: int) -> Iterator[Judged]:
    """The judged answers of a method for all pages that a truth can judge."""
    for page in truth.asked:
        found = ask(asked, store, page, k).pages.tolist()
        hits = tuple(truth.relevant(page, other) for other in found)
        yield Judged(hits, truth.count(page), sum(map(truth.knows, found)))


def _truth(store: Store, labels: Path | None, related: Path | None) -> Truth:
    if related:
        return read_pairs(store, related)
    return read_labels(store, labels) if labels else labels_of(store)
