"""`bridges`: cross-topic pages, those whose related pages are far from each other (paper 1, 6.3.4)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pagekin.answer import Answer, Row
from pagekin.answers.clusters import clustering
from pagekin.cluster.bridges import Bridge, bridge_of
from pagekin.cluster.flexible import DEFAULT_ALPHA
from pagekin.collection.store import Store
from pagekin.engine.local import over_rows
from pagekin.errors import UsageError
from pagekin.index.base import opened, staleness
from pagekin.index.similarity import SimilarityGraph
from pagekin.kernels.numbers import numbers_in
from pagekin.methods import Method
from pagekin.wording import command, option

DIGITS = 4  # of a score, as tables show it
MARKED_FROM = 0.3  # the score from which `related` marks a page; about one in twenty of WebKB's


@dataclass(frozen=True)
class BridgePage(Row):
    """A page between topics, and the two pages related to it that are farthest apart."""

    rank: int
    url: str
    title: str
    score: float
    witnesses: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Bridges(Answer[BridgePage]):
    """Cross-topic pages, best first."""

    method: str = ""

    shown: ClassVar[tuple[str, ...]] = ("rank", "score", "url", "witnesses")
    header: ClassVar[tuple[str, ...]] = ("rank", "url", "title", "score", "witnesses")


def cross_topic(store: Store, method: str, k: int) -> Bridges:
    """The k pages whose related pages are farthest apart, among the fetched pages (all pages if none were)."""
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    asked = clustering(method, DEFAULT_ALPHA)
    graph: SimilarityGraph = opened(store, asked.index)
    fetched = store.graph.pages["fetched"].is_valid().to_numpy(zero_copy_only=False)
    wanted = fetched if fetched.any() else ~fetched
    numbers = numbers_in(store.graph.ids, graph.head)
    pages = numbers[(numbers >= 0) & (np.diff(graph.start) > 0)]
    pages = pages[wanted[pages]]

    cut = False

    def some(first: int, last: int) -> list[tuple[int, Bridge]]:
        nonlocal cut
        found = []
        for page in pages[first:last].tolist():
            _, tree, _ = asked.hierarchy(store, page)
            scored = None if tree is None else bridge_of(tree)
            found += [(page, scored)] if scored is not None and scored.score > 0 else []
            cut |= tree is not None and tree.cut
        return found

    scored = [each for block in over_rows(some, pages.size) for each in block]
    scored.sort(key=lambda each: (-each[1].score, each[0]))
    rows = tuple(
        BridgePage(rank, store.url(page), store.title(page), each.score, _witnesses(store, graph, each))
        for rank, (page, each) in enumerate(scored[:k], 1)
    )
    said = (
        None if rows else "no page is related to two pages that are far from each other",
        _ties([each.score for _, each in scored], k),
        _from_cuts(store, asked) if cut else None,
        staleness(store, asked.index),
    )
    return Bridges(note="; ".join(filter(None, said)) or None, results=rows, method=repr(asked))


def _ties(scores: list[float], k: int) -> str | None:
    """The note on scores that do not say which pages come first: more pages than are shown have the best of them."""
    best = sum(round(score, DIGITS) == round(scores[0], DIGITS) for score in scores)
    if best <= k:
        return None
    other = option("method", "assisted(delta=0.2)")
    return f"{best:,} pages have the first score, so their order says nothing; smaller components may say more: {other}"


def _from_cuts(store: Store, asked: Method) -> str:
    again = command("build", store.path, method=repr(asked))
    return f"some pages were clustered only with those nearest to them, not with their whole component; run: {again}"


def bridge_mark(store: Store, asked: Method, page: int) -> dict[str, Any] | None:
    """The mark that `related` puts on a cross-topic page: its score and witnesses; None for any other page."""
    found = asked.bridge(store, page)
    if found is None or found.score < MARKED_FROM or asked.index is None:
        return None
    return {"score": found.score, "witnesses": list(_witnesses(store, opened(store, asked.index), found))}


def _witnesses(store: Store, graph: SimilarityGraph, found: Bridge) -> tuple[str, ...]:
    numbers = (store.number(int(graph.head[node])) for node in found.witnesses)
    return tuple(store.url(number) for number in numbers if number is not None)
