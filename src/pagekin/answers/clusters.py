"""`clusters`: the hierarchy of the pages around a page, the one by which `assisted` ranks."""

from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, ClassVar, get_args

from pagekin import spec
from pagekin.answer import Answer, PageName, Row, plain
from pagekin.cluster.flexible import Hierarchy
from pagekin.collection.lookup import known
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.harmless import clean
from pagekin.index.base import staleness
from pagekin.index.similarity import Measure
from pagekin.methods import REGISTRY
from pagekin.methods.assisted import Assisted

NEWICK = (".nwk", ".newick")


@dataclass(frozen=True)
class Merged(Row):
    """A merge of two clusters. A page is given by its address, a cluster by its number (counted on from the pages)."""

    left: str | int
    right: str | int
    height: float
    pages: int


@dataclass(frozen=True, repr=False)
class Clusters(Answer[Merged]):
    """The hierarchy around a page; `pages[place]` is the page asked about."""

    method: str = ""
    pages: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    place: int = 0
    hierarchy: Hierarchy | None = None  # none: no page is similar to it

    shown: ClassVar[tuple[str, ...]] = ("left", "right", "height", "pages")

    def as_dict(self) -> dict[str, Any]:
        """The hierarchy in SciPy's linkage form, so that a front end can cut it anywhere."""
        merges = [] if self.hierarchy is None else self.hierarchy.merges.tolist()
        return {
            "query": plain(self.query),
            "method": self.method,
            "note": self.note,
            "pages": list(self.pages),
            "merges": [[int(a), int(b), height, int(size)] for a, b, height, size in merges],
            "order": [0] if self.hierarchy is None else self.hierarchy.order().tolist(),
        }

    def as_lines(self) -> list[str]:
        return [self.drawn()]

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.drawn())}</pre>"

    def drawn(self, out: Path | str | None = None, size: int | None = None) -> str:
        """The dendrogram as text; with `out`, write a file (.svg .png .nwk .json) and return a sentence saying so.

        size: how many rows a picture has, of pages and of clusters that stay closed (60).
        """
        from pagekin.answers.drawings import MOST_DRAWN, draw

        if self.hierarchy is None:
            return clean(self.note or "")
        file = None if out is None else Path(out)
        names = [f"{title}  {url}" if title else url for url, title in zip(self.pages, self.titles, strict=True)]
        if file is not None and file.suffix.lower() in NEWICK:  # Newick readers refuse two pages with the same name
            names = list(self.pages)
        return draw(self.hierarchy, names, self.place, file, MOST_DRAWN if size is None else size)


def clustering(written: str, alpha: float | None = None) -> Assisted:
    """The `assisted` method that a text means: a measure's name, or the method written out. `alpha` replaces its α."""
    if written in get_args(Measure):
        written = f"assisted(measure={written})"
    named: Assisted = spec.read("method", written, REGISTRY)
    if not named.clusters:
        raise UsageError(f"'{written}' makes no clusters; give {', '.join(get_args(Measure))}, or an assisted(…)")
    return named if alpha is None else replace(named, alpha=alpha)


def clusters(store: Store, page: str, asked: Assisted) -> Clusters:
    """The hierarchy around a page that `assisted` ranks by."""
    found = known(store, page)
    graph, tree, said = asked.hierarchy(store, found.page)
    notes = [note for note in (found.note, said, staleness(store, asked.index)) if note]
    query, note = PageName(store.url(found.page), store.title(found.page)), "; ".join(notes) or None
    if tree is None:
        return Clusters((query,), note, (), repr(asked), (query.url,), (query.title,))
    numbers = [store.number(int(graph.head[node])) for node in tree.nodes]
    urls = tuple("" if number is None else store.url(number) for number in numbers)
    titles = tuple("" if number is None else store.title(number) for number in numbers)
    rows = tuple(_merges(tree.hierarchy, urls))
    return Clusters((query,), note, rows, repr(asked), urls, titles, tree.place, tree.hierarchy)


def _merges(hierarchy: Hierarchy, urls: tuple[str, ...]) -> list[Merged]:
    def name(number: int) -> str | int:
        return urls[number] if number < len(urls) else number

    merges = hierarchy.merges.tolist()
    return [Merged(name(int(a)), name(int(b)), height, int(size)) for a, b, height, size in merges]
