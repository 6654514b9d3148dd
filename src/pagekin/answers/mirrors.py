"""`mirrors`: groups of pages that are copies of each other, the one that represents the group first."""

from dataclasses import dataclass
from typing import ClassVar

from pagekin.answer import Answer, Row
from pagekin.answers.clusters import clustering
from pagekin.collection.store import Store
from pagekin.index.base import opened, staleness
from pagekin.index.similarity import SimilarityGraph
from pagekin.methods.assisted import Assisted


@dataclass(frozen=True)
class Copies(Row):
    """A group of pages that have the same text and are linked from the same pages."""

    urls: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Mirrors(Answer[Copies]):
    """Groups of copies."""

    method: str = ""

    shown: ClassVar[tuple[str, ...]] = ("urls",)


def mirrors(store: Store, method: str) -> Mirrors:
    """Pages that are copies of each other, as the similarity graph has merged them into one node."""
    asked = clustering(method)
    graph: SimilarityGraph = opened(store, asked.index)
    rows = []
    for node in graph.shared().tolist():
        head = store.number(int(graph.head[node]))
        if head is not None and (copies := asked.copies(store, head)):
            rows.append(Copies(tuple(store.url(page) for page in (head, *copies))))
    said = (None if rows else _why_none(store, asked), staleness(store, asked.index))
    return Mirrors(note="; ".join(filter(None, said)) or None, results=tuple(rows), method=repr(asked))


def _why_none(store: Store, asked: Assisted) -> str:
    if asked.level != "page" or asked.mirrors == "paper":
        return f"{asked!r} does not look for mirrors; use one with level=page and mirrors=text"
    if not store.graph.pages["fetched"].is_valid().to_numpy(zero_copy_only=False).any():
        return "no page was fetched; without their text, copies cannot be recognised"
    return f"no two fetched pages have a similarity above 0.95 ({asked.measure}) and the same text"
