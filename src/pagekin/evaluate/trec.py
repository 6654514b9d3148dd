"""Rankings and truths in the files that TREC's tools read, so that others can check us, and we others.

    run      question Q0 page rank score tag
    qrels    question 0 page grade

A question about a page is called by its address. Names have no spaces in these files: they are written as `%20`.

Where a run is read, the score gives the order, as in trec_eval; ranks are only checked. Equal scores are ordered by
a hash of the address, as in our own lists; it knows nothing of the truth. So neither the order of rows nor the names of
pages help a run whose scores say nothing.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pagekin.acquire.text import lines
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.judgements import named, number
from pagekin.evaluate.truth import Question, Truth, some
from pagekin.graph.topk import TopK
from pagekin.model import Skipped
from pagekin.url import page_id


@dataclass
class _Rows:
    """The rows of a run, by question; what is wrong with them is counted."""

    of: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    ranks: dict[str, list[str]] = field(default_factory=dict)
    bad: list[str] = field(default_factory=list)


def read_run(store: Store, truth: Truth, path: Path, k: int) -> tuple[TopK, list[str]]:
    """The first k pages of each question in a run, and notes about what is wrong with it.

    A page that is not in the collection keeps its place, as −1: nobody can say that it is relevant.
    """
    rows = _read(path)
    queries = _queries(store, truth, list(rows.of))
    pages = named(store, [name for listed in rows.of.values() for _, name in listed])
    place = {question: at for at, question in enumerate(truth.asked)}
    of: dict[Question, list[tuple[float, str]]] = {}
    for query, listed in rows.of.items():
        if queries.get(query) in place:
            of.setdefault(queries[query], []).extend(listed)  # 01 and 1 are the same question
    found = TopK.empty(len(place), k)
    strangers: dict[str, None] = {}
    twice = itself = 0
    for question, listed in of.items():
        strangers |= {name: None for _, name in listed if name not in pages}
        best: dict[int | str, float] = {}
        for score, name in listed:
            page = pages.get(name, name)
            twice += page in best
            best[page] = max(score, best.get(page, score))
        if isinstance(question, int):
            itself += best.pop(question, None) is not None
        order = sorted(best, key=lambda page: (-best[page], _hash(store, page)))[:k]
        chosen = np.array([page if isinstance(page, int) else -1 for page in order], np.int32)
        found.put(place[question], chosen, np.array([best[page] for page in order], np.float64))
    notes = _faults(path, rows)
    others = [query for query in rows.of if queries.get(query) not in place]
    if not found.sizes.any():
        theirs = [f"its questions are {some(others)}"] if others else []
        ours = [f"those asked here are {some([_name(store, each) for each in truth.asked])}"]
        raise PagekinError("; ".join([f"{path} answers none of the questions", *notes, *theirs, *ours]))
    counts = {
        f"questions of {path.name} are not asked here and are left out: {some(others)}": len(others),
        f"pages of {path.name} are not in the collection and count as wrong: {some(list(strangers))}": len(strangers),
        f"rows of {path.name} repeat a page; its best score counts": twice,
        f"questions of {path.name} are answered with the page itself, which is left out": itself,
    }
    return found, notes + [f"{count:,} {said}" for said, count in counts.items() if count]


def _hash(store: Store, page: int | str) -> int:
    """What orders pages of equal score: the hash of the address, also of a page that is not in the collection."""
    return int(store.graph.ids[page]) if isinstance(page, int) else page_id(page)


def _read(path: Path) -> _Rows:
    rows = _Rows()
    for at, line in enumerate(lines(path), 1):
        if isinstance(line, Skipped):
            rows.bad.append(line.why)
            continue
        cells = line.split()
        if not cells:
            continue
        score = _score(cells[4]) if len(cells) in (5, 6) else None
        if score is None:
            rows.bad.append(f"line {at}")
        else:
            rows.of.setdefault(cells[0], []).append((score, cells[2]))
            rows.ranks.setdefault(cells[0], []).append(cells[3])
    return rows


def _score(text: str) -> float | None:
    try:
        score = float(text)
    except ValueError:
        return None
    return None if math.isnan(score) else score


def _faults(path: Path, rows: _Rows) -> list[str]:
    notes = []
    if rows.bad:
        expected = "expected question Q0 page rank score tag"
        notes.append(f"{len(rows.bad):,} rows of {path.name} could not be read ({expected}): {some(rows.bad)}")
    doubled = [query for query, ranks in rows.ranks.items() if len(set(ranks)) < len(ranks)]
    if doubled:
        said = f"questions of {path.name} have two pages at one rank; scores give the order"
        notes.append(f"{len(doubled):,} {said}: {some(doubled)}")
    return notes


def _queries(store: Store, truth: Truth, names: Sequence[str]) -> dict[str, Question]:
    """Name in a run → the question it means."""
    if truth.words:
        return {name: number(name) for name in names}
    return dict(named(store, names))


def run_lines(store: Store, truth: Truth, lists: TopK, tag: str) -> Iterator[str]:
    """The rows of a run; the score is minus the rank, so that every reader keeps the order of the lists."""
    tag = spelled(tag)
    for row, question in enumerate(truth.asked):
        for rank, page in enumerate(lists.pages[row, : lists.sizes[row]].tolist(), 1):
            if page >= 0:
                yield f"{_name(store, question)} Q0 {spelled(store.url(page))} {rank} {-rank} {tag}\n"


def qrels_lines(store: Store, truth: Truth) -> Iterator[str]:
    """The rows of qrels: every relevant page of every question."""
    for question in truth.asked:
        for page, grade in truth.relevant(question):
            yield f"{_name(store, question)} 0 {spelled(store.url(page))} {grade}\n"


def _name(store: Store, question: Question) -> str:
    return question if isinstance(question, str) else spelled(store.url(question))


def spelled(name: str) -> str:
    """A name without spaces.

    >>> spelled("block(scope=site, links=2)")
    'block(scope=site,%20links=2)'
    """
    return re.sub(r"\s", lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name)
