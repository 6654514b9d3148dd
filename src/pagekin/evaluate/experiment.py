"""An experiment: every method answers every question with a known answer, and the lists are measured.

The result has a row for each method, and the value of each measure for each question behind it. Every question is
asked, without sampling. Memory grows with the number of questions times k.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from pagekin.answer import Answer, PageName, html_note, html_table, plain
from pagekin.collection.store import Store
from pagekin.engine.watch import watched
from pagekin.errors import NotBuiltError, UsageError
from pagekin.evaluate.bootstrap import difference, interval, resampled
from pagekin.evaluate.measures import Judged, measured
from pagekin.evaluate.searching import DEFAULTS, Search, search
from pagekin.evaluate.trec import read_run
from pagekin.evaluate.truth import Truth
from pagekin.evaluate.variety import variety
from pagekin.graph.topk import TopK
from pagekin.kernels import Floats, Ints
from pagekin.methods import REGISTRY, Method, ask, index_note, method, narrowed

Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Measured:
    """One method's lists, a row for each question, and the value of each measure for each of them."""

    name: str
    lists: TopK
    grades: Ints  # of each place; 0 also where there is none
    values: Mapping[str, Floats]


@dataclass(frozen=True, repr=False)
class ByQuery(Answer[Mapping[str, Any]]):
    """A row for each question and method."""


@dataclass(frozen=True, repr=False)
class Evaluation(Answer[Mapping[str, Any]]):
    """A row for each method: its text, the mean of each measure, and what its lists are like."""

    truth: str = "labels"  # or related, queries …: the kind of truth
    file: str | None = None  # None: the truth came with the data
    questions: int = 0  # how many were asked
    k: int = 15
    hidden: str | None = None  # what the methods could not see because it is the truth itself
    differences: tuple[Mapping[str, Any], ...] = ()  # of nDCG@k, between any two methods
    asked: tuple[PageName, ...] = ()  # the questions: pages, or numbers with their words
    measured: tuple[Measured, ...] = ()  # in the order of the rows
    notes: tuple[str, ...] = ()  # the parts of the note

    def as_dict(self) -> dict[str, Any]:
        """As JSON, without what `by_query` and the note have."""
        names = [item.name for item in fields(self) if item.name not in ("query", "note", "results", *_LARGE)]
        further = {name: plain(getattr(self, name)) for name in names}
        return {"query": [], **further, "note": self.note, "results": self.rows()}

    def by_query(self) -> ByQuery:
        """The value of each measure for each question, for each method."""
        rows = (
            {
                "method": each.name,
                "question": asked.url,
                "title": asked.title,
                **{name: float(values[at]) for name, values in each.values.items()},
                "results": int(each.lists.sizes[at]),
            }
            for each in self.measured
            for at, asked in enumerate(self.asked)
        )
        return ByQuery(note=self.note, results=tuple(rows))

    def sections(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """The result as tables with captions, as people read it: figures, what lists are like, how sure it is."""
        rows = self.rows()
        figures = [name for name in rows[0] if name not in _OF_LISTS] if rows else []
        if not any((each.grades > 1).any() for each in self.measured):
            figures = [name for name in figures if not name.startswith("R-score")]  # it is the precision
        about = ["method", *(name for name in _OF_LISTS if any(row[name] is not None for row in rows))]
        about_questions = "questions" if self.truth in ("queries", "index-entries") else "pages asked about"
        found = [
            (f"Right answers: {self.questions:,} {about_questions}, {self.k} results each", _only(rows, figures)),
            ("The lists, right or wrong", _only(rows, about)),
        ]
        against_best = self.against_best()
        if against_best:
            found.append((f"How sure it is that the best is better, by nDCG@{self.k}", against_best))
        return found

    @property
    def best(self) -> int:
        """The place of the method with the largest nDCG; of several, the first."""
        return max(range(len(self)), key=lambda at: self[at][f"nDCG@{self.k}"], default=0)

    def against_best(self) -> list[dict[str, Any]]:
        """How much better the best method is than each of the others."""
        if len(self) < 2:
            return []
        best = self[self.best]["method"]
        turned = [
            row if row["method"] == best else _turned(row)
            for row in self.differences
            if best in (row["method"], row["than"])
        ]
        return sorted(map(dict, turned), key=lambda row: row["difference"])

    def _repr_html_(self) -> str:
        tables = "".join(
            f"<p>{caption}</p>{html_table(list(rows[0]), rows)}" for caption, rows in self.sections() if rows
        )
        return tables + html_note("; ".join(filter(None, [self.hidden, self.note])))


_LARGE = ("asked", "measured", "notes")
_OF_LISTS = ("answered", "judged", "hosts", "unlinked", "unseen", "hubs")


def _only(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    return [{name: row[name] for name in names} for row in rows]


def _turned(row: Mapping[str, Any]) -> dict[str, Any]:
    """The difference seen from the other method."""
    return {
        "method": row["than"], "than": row["method"], "difference": -row["difference"],
        "low": -row["high"], "high": -row["low"], "p": row["p"],
    }  # fmt: skip


def evaluate(
    store: Store,
    truth: Truth,
    methods: Sequence[str] = (),
    k: int = 15,
    *,
    file: Path | None = None,
    runs: Sequence[Path] = (),
    real: Store | None = None,
    fetched: bool | None = None,
    tell: Tell = lambda method, done, questions: None,
) -> Evaluation:
    """Measure how well methods find the pages that a truth says are relevant; all methods if none is named.

    `runs` are rankings made elsewhere. If links were hidden in `store`, `real` is the collection that has them: what is
    new to a reader depends on the real ones. `fetched`: who may be an answer (`narrowed`). Copies are not folded:
    which of them a truth names is chance. `tell` is called with the method, the number of questions done and of all.
    """
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    found: list[Measured] = []
    notes = list(truth.notes)
    for one in _named(truth, methods):
        asked = one.answering(store) if isinstance(one, Method) else one
        if repr(asked) in {each.name for each in found}:  # the same under another name: block, block(scope=site)
            continue
        tell(repr(asked), 0, len(truth.asked))
        try:
            with watched(lambda _, done, rows: tell(repr(asked), done, rows or len(truth.asked))):  # noqa: B023
                lists = _lists(store, asked, truth, min(k, max(store.size, 1)), fetched)
        except NotBuiltError as error:
            if methods:
                raise
            notes.append(f"{asked!r} is left out: {error}".replace(str(store.path), str((real or store).path)))
            continue
        found.append(judged(repr(asked), lists, truth, k))
        notes += filter(None, [index_note(one, store) if isinstance(one, Method) else one.note(store)])
        if not lists.sizes.any():
            notes.append(_silent(store, asked, truth))
    for run in runs:
        lists, said = read_run(store, truth, run, k)
        found.append(judged(run.name, lists, truth, k))
        notes += said
        if truth.hidden:
            notes.append(f"{run.name} was made elsewhere: nobody knows whether it has seen what was hidden here")
    rows, differences = _compared(real or store, found, truth, k)
    asked_pages = tuple(
        PageName(each, truth.words[each]) if isinstance(each, str) else PageName(store.url(each), store.title(each))
        for each in truth.asked
    )
    return Evaluation(
        note="; ".join(notes) or None, results=rows, truth=truth.kind, file=None if file is None else str(file),
        questions=len(truth.asked), k=k, hidden=truth.hidden, differences=differences, asked=asked_pages,
        measured=tuple(found), notes=tuple(notes),
    )  # fmt: skip


def _named(truth: Truth, methods: Sequence[str]) -> Sequence[Method | Search]:
    """The methods named, or all; a question in words is answered by searches."""
    if truth.words:
        return list(dict.fromkeys(map(search, methods or DEFAULTS)))
    return list(dict.fromkeys(map(method, methods))) or [cls() for cls in REGISTRY.values()]


def _lists(store: Store, asked: Method | Search, truth: Truth, k: int, fetched: bool | None) -> TopK:
    if isinstance(asked, Search):
        return asked.lists(store, [truth.words[each] for each in truth.asked], k)
    return narrowed.lists(asked, store, k, np.array(truth.asked, np.int32), fetched, fold=False)


def judged(name: str, lists: TopK, truth: Truth, k: int) -> Measured:
    """Lists as a truth judges them, measured."""
    graded, grades = [], np.zeros(lists.pages.shape, np.int32)
    for row, question in enumerate(truth.asked):
        found = [truth.grade(question, page) for page in lists.pages[row, : lists.sizes[row]].tolist()]
        grades[row, : len(found)] = found
        graded.append(Judged(found, truth.ideal(question, k), truth.count(question)))
    return Measured(name, lists, grades, measured(graded, k))


def _silent(store: Store, asked: Method | Search, truth: Truth) -> str:
    """The note on a method that answers nothing, with its reason for the first question."""
    said = f"{asked!r} answers none of the {len(truth.asked):,} questions"
    why = None if isinstance(asked, Search) else ask(asked, store, int(truth.asked[0]), 1).note
    return f"{said}; of the first it says: {why}" if why else said


def _compared(
    store: Store, found: Sequence[Measured], truth: Truth, k: int
) -> tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]]:
    """A row for each method, and one for each pair of methods."""
    main = f"nDCG@{k}"
    means = resampled(np.stack([each.values[main] for each in found], 1)) if found else np.zeros((0, 0))
    rows = []
    for at, each in enumerate(found):
        low, high = interval(means[:, at])
        row: dict[str, Any] = {"method": each.name}
        for name, values in each.values.items():
            row[name] = float(values.mean())
            row |= {"low": low, "high": high} if name == main else {}
        rows.append(row | variety(store, each.lists, truth))
    pairs = []
    for one, other in combinations(range(len(found)), 2):
        made = difference(means[:, one], means[:, other], rows[one][main] - rows[other][main])
        pairs.append(
            {
                "method": found[one].name, "than": found[other].name, "difference": made.mean,
                "low": made.low, "high": made.high, "p": made.p,
            }
        )  # fmt: skip
    return tuple(rows), tuple(pairs)
