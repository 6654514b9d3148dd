"""What the similarity graph says beyond `related`: the hierarchy around a page, mirrors, cross-topic pages."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from pagekin.cluster.bridges import Bridge, bridges
from pagekin.cluster.flexible import Hierarchy
from pagekin.collection.lookup import known
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.index.base import opened, staleness
from pagekin.index.similarity.graph import SimilarityGraph
from pagekin.index.similarity.neighbourhoods import Measure
from pagekin.methods import method
from pagekin.methods.assisted import Assisted

NEWICK = (".nwk", ".newick")
MARKED_FROM = 0.3  # a page related to things so far apart is marked; about one in twenty of WebKB's


@dataclass(frozen=True)
class Clusters:
    """The hierarchy around a page; `pages[place]` is the one asked for."""

    query: tuple[str, str]
    method: str
    pages: list[str]
    titles: list[str]
    place: int
    hierarchy: Hierarchy | None
    note: str | None

    def as_dict(self) -> dict[str, Any]:
        """SciPy's linkage form, so that a front end can cut anywhere."""
        merges = [] if self.hierarchy is None else self.hierarchy.merges.tolist()
        return {
            "query": [{"url": self.query[0], "title": self.query[1]}],
            "method": self.method,
            "note": self.note,
            "pages": self.pages,
            "merges": [[int(a), int(b), height, int(size)] for a, b, height, size in merges],
            "order": [0] if self.hierarchy is None else self.hierarchy.order().tolist(),
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each merge: two pages, or clusters by their number (as many as there are pages, and up)."""
        n = len(self.pages)

        def name(number: int) -> str | int:
            return self.pages[number] if number < n else number

        merges = self.as_dict()["merges"]
        return [{"left": name(a), "right": name(b), "height": height, "pages": size} for a, b, height, size in merges]

    def drawn(self, out: Path | None = None) -> str:
        """The dendrogram for a terminal, or a file of one and a sentence about it."""
        from pagekin.answers.drawings import draw

        if self.hierarchy is None:
            return self.note or ""
        names = [f"{title}  {url}" if title else url for url, title in zip(self.pages, self.titles, strict=True)]
        if out is not None and out.suffix.lower() in NEWICK:  # its readers refuse two pages of one name
            names = self.pages
        return draw(self.hierarchy, names, self.place, out)


def asked_for(written: str, alpha: float | None = None) -> Assisted:
    """The `assisted` that a person means: by a measure's name, or written out; α given apart, or not."""
    if written in get_args(Measure):
        written = f"assisted(measure={written})"
    named = method(written)
    if not isinstance(named, Assisted):
        raise UsageError(f"'{written}' makes no clusters; name {', '.join(get_args(Measure))}, or an assisted(…)")
    return named if alpha is None else replace(named, alpha=alpha)


def clusters(store: Store, page: str, asked: Assisted) -> Clusters:
    """The hierarchy around a page, as `assisted` sees it."""
    found = known(store, page)
    graph, tree, said = asked.around(store, found.page)
    notes = [note for note in (found.note, said, staleness(store, asked.index)) if note]
    query = (store.url(found.page), store.title(found.page))
    note = "; ".join(notes) or None
    if tree is None:
        return Clusters(query, repr(asked), [query[0]], [query[1]], 0, None, note)
    numbers = [store.number(int(graph.head[node])) for node in tree.nodes]
    urls = ["" if number is None else store.url(number) for number in numbers]
    titles = ["" if number is None else store.title(number) for number in numbers]
    return Clusters(query, repr(asked), urls, titles, tree.place, tree.hierarchy, note)


def mirrors(store: Store, asked: Assisted) -> dict[str, Any]:
    """Pages that are copies of each other, the one that stands for them first."""
    graph: SimilarityGraph = opened(store, asked.index)
    rows = []
    for node in graph.shared().tolist():
        head = store.number(int(graph.head[node]))
        if head is not None and (copies := asked.copies(store, head)):
            rows.append({"urls": [store.url(page) for page in (head, *copies)]})
    note = None if rows else _no_mirrors(store, asked)
    return _answer(store, asked, note, rows)


def _no_mirrors(store: Store, asked: Assisted) -> str:
    if asked.level != "page" or asked.mirrors == "paper":
        return f"{asked!r} folds no mirrors; ask one with level=page and mirrors=text"
    if not store.graph.pages["fetched"].is_valid().to_numpy(zero_copy_only=False).any():
        return "no page was fetched, and without text two pages cannot be seen to be copies"
    return f"no two fetched pages are alike by more than 0.95 ({asked.measure}) and have the same text"


def cross_topic(store: Store, asked: Assisted, k: int) -> dict[str, Any]:
    """The k pages whose related pages are farthest from each other, of those fetched (of all, where none were)."""
    graph: SimilarityGraph = opened(store, asked.index)
    fetched = store.graph.pages["fetched"].is_valid().to_numpy(zero_copy_only=False)
    wanted = fetched if fetched.any() else ~fetched
    numbers = [store.number(int(head)) for head in graph.head]
    nodes = [node for node, number in enumerate(numbers) if number is not None and wanted[number]]
    found = sorted(bridges(graph, nodes), key=lambda each: (-each[1].score, each[0]))
    rows = [
        {"rank": rank, **_named(store, numbers[node] or 0), **shown(store, graph, each)}
        for rank, (node, each) in enumerate(found[:k], 1)
        if each.score > 0
    ]
    note = None if rows else "no page is related to two pages that are apart"
    return _answer(store, asked, note, rows)


def shown(store: Store, graph: SimilarityGraph, found: Bridge) -> dict[str, Any]:
    """A score with its witnesses."""
    numbers = (store.number(int(graph.head[node])) for node in found.witnesses)
    return {"score": found.score, "witnesses": [store.url(number) for number in numbers if number is not None]}


def mark(store: Store, asked: Assisted, page: int) -> dict[str, Any] | None:
    """What `related` says of a page that is related to things far from each other."""
    found = asked.bridge(store, page)
    if found is None or found.score < MARKED_FROM:
        return None
    return shown(store, opened(store, asked.index), found)


def _named(store: Store, page: int) -> dict[str, str]:
    return {"url": store.url(page), "title": store.title(page)}


def _answer(store: Store, asked: Assisted, note: str | None, rows: list[dict[str, Any]]) -> dict[str, Any]:
    notes = [said for said in (note, staleness(store, asked.index)) if said]
    return {"query": [], "method": repr(asked), "note": "; ".join(notes) or None, "results": rows}
