"""What the pages ask a collection, beside the questions of the API: all that one page shows, from one state of it."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagekin.answer import PageName
from pagekin.answers.related import Ranking
from pagekin.answers.why import why
from pagekin.collection.lookup import find
from pagekin.collection.store import Store
from pagekin.errors import NotBuiltError
from pagekin.index.base import is_built
from pagekin.methods import REGISTRY, Method
from pagekin.methods.assisted import Assisted
from pagekin.serve.held import Held
from pagekin.serve.rendering import Piece, name_of, short, where
from pagekin.serve.tree import Tree, tree_of
from pagekin.serve.view import View
from pagekin.wording import speaking

ROWS_DRAWN = 40  # of the dendrogram; the first of a longer list
EXAMPLES = 6
SIMILAR_NAMES = 3  # words: examples whose titles begin alike are not worth showing twice
NAMED_IN_WHY = 60  # characters of the name of a page in a sentence


@dataclass(frozen=True)
class Ask:
    """A question that a page asks. Messages are worded for a page: options by their labels, commands for a shell."""

    cost: Hashable  # questions of one cost take about as long as each other: see `lanes`
    question: Callable[[Held], Any]

    @property
    def kind(self) -> Hashable:
        return self.cost

    def ask(self, collection: Held) -> Any:
        with speaking("page"):
            return self.question(collection)


@dataclass(frozen=True)
class Shown:
    """The results of a view: a ranking, the evidence that is open as sentences, and the tree for a method that has one."""

    ranking: Ranking
    why: dict[str, list[list[Piece]]]
    tree: Tree | None


def results(view: View) -> Ask:
    """The results that a view shows."""

    def question(held: Held) -> Shown:
        asked = view.asked
        ranking = held.related(*asked.url, k=asked.k, method=view.method, filters=asked.filters)
        listed = {row.url for row in ranking}
        opened = {url: _why(held, view, url) for url in view.open if url in listed}
        tree = _tree(held, ranking, view.method) if view.method.clusters else None
        return Shown(ranking, opened, tree)

    return Ask(("results", view.method.name, bool(view.open)), question)


def _why(held: Held, view: View, url: str) -> list[list[Piece]]:
    found = held._ask(lambda store: why(store, view.urls, url, view.method))
    return [linked(sentence, found.pages) for sentence in found.sentences()]


def linked(sentence: str, pages: Sequence[PageName]) -> list[Piece]:
    """A sentence in pieces, where the address of a page is a piece that shows its title.

    >>> linked("http://a.example/ links to both", [PageName("http://a.example/", "A")])
    [Piece(text='A', url='http://a.example/'), Piece(text=' links to both', url=None)]
    """
    pieces, rest = [], sentence
    by_length = sorted(pages, key=lambda page: -len(page.url))  # an address may be the beginning of another
    while rest:
        places = [(rest.find(page.url), -len(page.url), page) for page in by_length if page.url in rest]
        if not places:
            return [*pieces, Piece(_plain(rest))]
        at, _, page = min(places)
        pieces += [Piece(_plain(rest[:at]))] if at else []
        named = name_of(page.url, page.title, NAMED_IN_WHY)
        twice = sum(page.title == each.title for each in pages) > 1 and page.title  # a copy, or a careless author
        pieces.append(Piece(f"{named} ({where(page.url)})" if twice else named, page.url))
        rest = rest[at + len(page.url) :]
    return pieces


def _plain(text: str) -> str:
    """`short`, with the spaces at its ends kept."""
    ends = " " if text.startswith(" ") else "", " " if text.endswith(" ") else ""
    return f"{ends[0]}{short(text, 4 * NAMED_IN_WHY)}{ends[1]}" if text.strip() else " "


def _tree(held: Held, ranking: Ranking, method: Method, cut: float | None = None) -> Tree | None:
    """The tree of the first page asked about and the pages found."""
    page = ranking.query[0]
    assert isinstance(page, PageName)
    assert isinstance(method, Assisted)
    others = [row.url for row in ranking][:ROWS_DRAWN]
    return held._ask(lambda store: tree_of(store, page.url, others, method, cut))


def trimmings(url: str) -> Ask:
    """What stands beside the results: facts about the page, its keywords and its blocks. What is not built is None."""

    def question(held: Held) -> dict[str, Any]:
        def or_none(verb: Callable[[], Any]) -> Any:
            try:
                return verb()
            except NotBuiltError:
                return None

        return {
            "facts": held.page(url, 50),
            "keywords": or_none(lambda: held.keywords(url, 15)),
            "blocks": held.blocks(url),
        }

    return Ask("trimmings", question)


def methods() -> Ask:
    """Method → whether it can answer now, for those that need an index."""

    def question(held: Held) -> dict[str, bool]:
        def ready(store: Store) -> dict[str, bool]:
            return {name: _ready(store, cls()) for name, cls in REGISTRY.items()}

        return held._ask(ready)

    return Ask("methods", question)


def _ready(store: Store, method: Method) -> bool:
    used = method.answering(store)
    return used.index is None or used.name == "fused" or is_built(used.seen(store), used.index)


def home() -> Ask:
    """What a collection's own page shows: counts, and examples to click."""

    def question(held: Held) -> dict[str, Any]:
        return {"info": held.info(), "examples": held._ask(examples)}

    return Ask("home", question)


def examples(store: Store) -> list[PageName]:
    """A few pages that an author would know: the fetched ones that most pages choose to link to."""

    def made() -> list[PageName]:
        seen = store.seeing()
        cited = np.diff(seen.arrays.in_start).astype(np.int64) * store.fetched
        found: dict[str, PageName] = {}
        for page in np.argsort(-cited, kind="stable")[: 20 * EXAMPLES].tolist():
            title = store.title(page)
            beginning = " ".join(short(title).lower().split()[:SIMILAR_NAMES])
            if title and cited[page] and beginning not in found:
                found[beginning] = PageName(store.url(page), title)
        return list(found.values())[:EXAMPLES]

    return store.memo.get("examples", EXAMPLES, made)


def meant(text: str) -> Ask:
    """The address of the page that a text means, by its address or its title; None: it is words to search for."""

    def by_title(store: Store) -> str | None:
        found = find(store, text)
        if found is not None and ("." in text or "/" in text or ":" in text):
            return store.url(found.page)
        import pyarrow as pa
        import pyarrow.compute as pc

        titles = store.graph.pages["title"]
        same = pc.index(pc.utf8_lower(titles), pa.scalar(text.strip().lower(), titles.type)).as_py()
        return store.url(same) if same >= 0 else None if found is None else store.url(found.page)

    return Ask("meant", lambda held: held._ask(by_title))


