"""A map of the pages around a page: those that a method finds, each at a place, and which of them are alike.

Where a page stands depends on the page in the middle and on links, not on the method or its α, so that a reader who
moves α sees pages come and go, not move. Places come from the `BASE` pages that share most neighbours with the middle:
their distances 1 − s are laid out in the plane by stress majorization (SMACOF, from the classical scaling of the same
distances); any other page stands at the mean of the base pages that it is like.

    s(a, b) = |N(a) ∩ N(b)| / |N(a) ∪ N(b)|          N(p): p, the pages that link to p, and those that p links to
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array

from pagekin.answer import Answer, Row
from pagekin.answers.filters import Filters
from pagekin.answers.related import related
from pagekin.collection.lookup import known
from pagekin.collection.store import Store
from pagekin.kernels import Floats, Ints
from pagekin.methods import Method, ask
from pagekin.methods import method as named

BASE = 100  # pages that are laid out together: some 10 ms
BY = "amsler"  # the base pages are those nearest by links in either direction
STEPS = 40  # of the majorization; further ones move no page by a hundredth
NEAREST = 0.2  # least distance of two pages, of at most 1: names of equal pages would cover each other
EDGES_EACH = 3  # the edges of a page lead to those that it is most like; with all of them nothing can be seen
WITNESSES = 3  # common neighbours that an edge names


@dataclass(frozen=True)
class Place(Row):
    """A page on the map; x and y are between -1 and 1. The first is the page in the middle."""

    url: str
    title: str
    host: str
    score: float | None  # None: the page in the middle
    linked: bool
    x: float
    y: float


@dataclass(frozen=True)
class Edge(Row):
    """Two pages that are alike, by their places in the results, and pages that link to both or that both link to."""

    source: int
    target: int
    weight: float
    common: int
    pages: tuple[str, ...]  # the first few of these


@dataclass(frozen=True, repr=False)
class Map(Answer[Place]):
    """The pages around a page, at their places."""

    method: str = ""
    edges: tuple[Edge, ...] = field(default=())

    shown: ClassVar[tuple[str, ...]] = ("url", "title", "score", "x", "y")


def draw_map(store: Store, page: str, asked: Method, k: int, filters: Filters | None = None) -> Map:
    """The k pages that a method finds, on a map around the page."""
    found = related(store, [page], k, asked, filters=filters)
    middle = known(store, page).page
    numbers = [middle, *(known(store, row.url).page for row in found)]
    places = layout(store, middle, numbers)
    names = [(store.url(middle), store.title(middle), store.value("host", middle), None, False)]
    names += [(row.url, row.title, row.host, row.score, row.linked) for row in found]  # type: ignore[misc]
    rows = [Place(*name, *xy) for name, xy in zip(names, places.round(4).tolist(), strict=True)]
    return Map(found.query, found.note, tuple(rows), found.method, tuple(edges(store, numbers)))


def layout(store: Store, middle: int, pages: Sequence[int]) -> Floats:
    """A place for each page, the middle at (0, 0)."""

    def made() -> tuple[Ints, Floats]:
        near = ask(named(BY), store, middle, BASE).pages
        base = np.array([middle, *near.tolist()], np.int32)
        return base, majorized(np.maximum(1 - _similarity(store, base, base), NEAREST))

    base, places = store.memo.get("map", middle, made)
    where = {page: at for at, page in enumerate(base.tolist())}
    found = np.array([places[where[page]] if page in where else (np.nan, np.nan) for page in pages])
    new = np.flatnonzero(np.isnan(found[:, 0]))
    if new.size:
        alike = _similarity(store, np.array(pages, np.int32)[new], base)
        total = alike.sum(axis=1)
        for row, weights, whole in zip(new.tolist(), alike, total.tolist(), strict=True):
            found[row] = weights @ places / whole if whole else _rim(int(store.graph.ids[pages[row]]))
    return found


def _rim(page_id: int) -> Floats:
    """A place at the edge for a page that is like none: always the same one."""
    angle = 2 * np.pi * (page_id % 997) / 997
    return np.array([np.cos(angle), np.sin(angle)])


def majorized(distance: Floats) -> Floats:
    """Places in the plane whose distances are near to the given ones; the first is at (0, 0), all within 1 of it."""
    n = len(distance)
    if n == 1:
        return np.zeros((1, 2))
    np.fill_diagonal(distance, 0.0)
    centred = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(-0.5 * centred @ distance**2 @ centred)
    vectors *= np.where(vectors[np.abs(vectors).argmax(axis=0), np.arange(n)] < 0, -1, 1)  # the sign is arbitrary
    places = vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 0))
    for _ in range(STEPS):  # Guttman transform: X ← B(X) X / n
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        ratio = np.divide(distance, apart, out=np.zeros_like(distance), where=apart > 1e-9)
        places = (ratio.sum(axis=1)[:, None] * places - ratio @ places) / n
    places = places - places[0]
    return np.asarray(places / (np.linalg.norm(places, axis=1).max() or 1.0))


def _neighbours(store: Store, pages: Ints) -> csr_array:
    """N(p) of each page, as rows of ones."""
    rows = [np.union1d(store.arrays.linked(page), [page]) for page in pages.tolist()]
    start = np.concatenate([[0], np.cumsum([row.size for row in rows])])
    whole = np.concatenate(rows)
    return csr_array((np.ones(whole.size), whole, start), shape=(len(rows), store.size))


def _similarity(store: Store, some: Ints, others: Ints) -> Floats:
    """s for each pair."""
    a, b = _neighbours(store, some), _neighbours(store, others)
    common = (a @ b.T).toarray()
    size_a, size_b = (np.diff(each.indptr) for each in (a, b))
    return np.asarray(common / (size_a[:, None] + size_b[None] - common))


def edges(store: Store, pages: Sequence[int]) -> list[Edge]:
    """For each page, the pages that it is most like, with what they have in common."""
    numbers = np.array(pages, np.int32)
    alike = _similarity(store, numbers, numbers)
    np.fill_diagonal(alike, 0.0)
    best: dict[tuple[int, int], float] = {}
    for row, values in enumerate(alike):
        for other in np.lexsort((np.arange(values.size), -values))[:EDGES_EACH].tolist():
            if values[other] > 0:
                best[min(row, other), max(row, other)] = float(values[other])
    return [_edge(store, pages, *pair, weight) for pair, weight in sorted(best.items())]


def _edge(store: Store, pages: Sequence[int], source: int, target: int, weight: float) -> Edge:
    one, other = (store.arrays.linked(pages[at]) for at in (source, target))
    common = np.intersect1d(one, other, assume_unique=True)
    return Edge(source, target, weight, int(common.size), tuple(map(store.url, common[:WITNESSES].tolist())))
