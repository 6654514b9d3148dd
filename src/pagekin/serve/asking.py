"""What the pages ask a collection, beside the questions of the API: all that one page shows, from one state of it."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pagekin.answer import PageName
from pagekin.answers.blocks import BlockOfLinks, Blocks
from pagekin.answers.map import Map
from pagekin.answers.quotes import Quote
from pagekin.answers.ranking import Ranking
from pagekin.answers.report import SiteReport, report
from pagekin.answers.why import why
from pagekin.collection.lookup import find, known
from pagekin.collection.store import Store
from pagekin.errors import NotBuiltError
from pagekin.index.base import is_built, staleness
from pagekin.index.inverted import Inverted
from pagekin.index.subrelevant import Subrelevant
from pagekin.methods import REGISTRY, Method
from pagekin.methods.assisted import Assisted
from pagekin.model import DEFAULT_METHOD
from pagekin.serve.chart import Chart, Frame, chart
from pagekin.serve.held import Held
from pagekin.serve.questions import SearchQuestion
from pagekin.serve.rendering import Piece, name_of, short, where
from pagekin.serve.tree import Tree, tree_of
from pagekin.serve.view import View
from pagekin.wording import command, speaking

ROWS_DRAWN = 40  # of the dendrogram; the first of a longer list
EXAMPLES = 6
ROWS = 10  # of each kind in the report
LEAST_ON_MAP = 30
MOST_LINKS = 150  # of the blocks of a page; a page of ours is to stay under 150 kB with all that it loads
MOST_WORDS = 4  # of a search, for which others are suggested
SIMILAR_NAMES = 3  # words: examples whose titles begin alike are not worth showing twice
NAMED_IN_WHY = 60  # characters of the name of a page in a sentence


@dataclass(frozen=True)
class Ask:
    """A question that a page asks. Messages are worded for a page: options by their labels, commands for a shell."""

    cost: Hashable  # questions of one cost take about as long as each other: see `lanes`
    question: Callable[[Held], Any]

    def ask(self, collection: Held) -> Any:
        with speaking("page"):
            return self.question(collection)


@dataclass(frozen=True)
class Reasons:
    """Why a page is related to others: sentences in pieces, and what authors wrote around the links."""

    sentences: list[list[Piece]]
    quotes: list[Quote]


@dataclass(frozen=True)
class Shown:
    """The results of a view: a ranking, the open evidence as sentences, and the tree for a method that has one."""

    ranking: Ranking
    why: dict[str, "Reasons"]
    tree: Tree | None


def results(view: View, drawn: bool = True) -> Ask:
    """The results that a view shows; `drawn`: with the tree, if the method has one."""

    def question(held: Held) -> Shown:
        asked = view.asked
        ranking = held.related(*asked.url, k=asked.k, method=view.method, filters=asked.filters)
        listed = {row.url for row in ranking}
        opened = {url: _why(held, view, url) for url in view.open if url in listed}
        tree = None
        if drawn and view.method.clusters:
            tree = _tree(held, ranking.query[0].url, [row.url for row in ranking], view.method)  # type: ignore[union-attr]
        return Shown(ranking, opened, tree)

    return Ask(("results", view.method.name, bool(view.open), drawn), question)


def reasons(view: View, other: str) -> Ask:
    """Why a page is related to those of a view."""
    return Ask(("why", view.method.name), lambda held: _why(held, view, other))


@dataclass(frozen=True)
class Around:
    """The map around a page, and the tree for a method that has one."""

    map: Map
    chart: Chart
    tree: Tree | None


def around(view: View, cut: float) -> Ask:
    """The map of a view; `cut` is where the tree is cut."""

    def question(held: Held) -> Around:
        asked = view.asked
        found = held.map(asked.url[0], view.method, max(asked.k, LEAST_ON_MAP), asked.filters)
        tree = None
        if view.method.clusters:
            tree = _tree(held, found.results[0].url, [place.url for place in found.results[1:]], view.method, cut)
        middle = found.results[0].url
        frame = held._ask(lambda store: Frame.around(store, known(store, middle).page))
        return Around(found, chart(found, frame), tree)

    return Ask(("around", view.method.name), question)


def found_by_words(asked: SearchQuestion) -> Ask:
    """The answer to a search, and words that go with it. Without clusters, if they are not built, with a note."""

    def question(held: Held) -> dict[str, Any]:
        try:
            answer = asked.ask(held)
        except NotBuiltError as error:
            if asked.alpha == 0:
                raise
            answer = asked.model_copy(update={"alpha": 0.0}).ask(held)
            notes = filter(None, (f"only the words of each page itself count: {error}", answer.note))
            answer = replace(answer, note="; ".join(notes))
        return {"answer": answer, "near": _near_words(held, asked.q)}

    return Ask(asked.cost, question)


def _near_words(held: Held, typed: str) -> list[str]:
    words = [word for word in typed.split() if word.isalnum()][:MOST_WORDS]
    try:
        found = held.suggest(*words, k=8) if words else ()
    except NotBuiltError:
        return []
    said = {word.lower() for word in words}
    return [each.word for each in found if each.word.lower() not in said]


def _why(held: Held, view: View, url: str) -> Reasons:
    found = held._ask(lambda store: why(store, view.urls, url, view.method))
    quotes = [Quote(quote.page, tuple((_plain(text), link) for text, link in quote.parts)) for quote in found.quotes]
    return Reasons([linked(sentence, found.pages) for sentence in found.sentences()], quotes)


def linked(sentence: str, pages: Sequence[PageName]) -> list[Piece]:
    """A sentence in pieces, where the address of a page is a piece that shows its title.

    >>> linked("http://a.example/ links to both", [PageName("http://a.example/", "A")])
    [Piece(text='A', url='http://a.example/'), Piece(text=' links to both', url=None)]
    """
    pieces: list[Piece] = []
    rest = sentence
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


def _tree(held: Held, page: str, others: Sequence[str], method: Method, cut: float | None = None) -> Tree | None:
    """The tree of a page and the first of others."""
    assert isinstance(method, Assisted)
    return held._ask(lambda store: tree_of(store, page, others[:ROWS_DRAWN], method, cut))


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
            "blocks": shown_blocks(held.blocks(url)),
        }

    return Ask("trimmings", question)


@dataclass(frozen=True)
class ShownBlocks:
    """The first blocks of a page, as many as a page of ours has room for, and how many links are left out."""

    blocks: tuple[BlockOfLinks, ...]
    left_out: int


def shown_blocks(found: Blocks) -> ShownBlocks:
    """The blocks to show; one that is too long is cut."""
    room, shown = MOST_LINKS, []
    for block in found.results:
        if room > 0:
            shown.append(replace(block, links=block.links[:room]))
            room -= len(block.links)
    return ShownBlocks(tuple(shown), max(0, sum(len(block.links) for block in found.results) - MOST_LINKS))


@dataclass(frozen=True)
class Readiness:
    """Whether a method can answer now."""

    index: str  # "": it needs none
    ready: bool
    stale: bool


def methods() -> Ask:
    """Method → whether it can answer."""

    def question(held: Held) -> dict[str, Readiness]:
        return held._ask(lambda store: {name: _readiness(store, cls()) for name, cls in REGISTRY.items()})

    return Ask("methods", question)


def _readiness(store: Store, method: Method) -> Readiness:
    used = method.answering(store)
    if used.index is None:
        return Readiness("", True, False)
    built = is_built(used.seen(store), used.index)
    stale = built and staleness(store, used.index) is not None
    return Readiness(repr(used.index), built or used.name == DEFAULT_METHOD, stale)


def _search_readiness(store: Store) -> Readiness:
    used = [Inverted(), Subrelevant()]
    stale = any(staleness(store, index) is not None for index in used if is_built(store, index))
    built = all(is_built(store, index) for index in used)
    return Readiness(", ".join(map(repr, used)), built, stale)


def home() -> Ask:
    """What a collection's own page shows: counts, and examples to click."""

    def question(held: Held) -> dict[str, Any]:
        return {"info": held.info(), "examples": held._ask(examples)}

    return Ask("home", question)


def health() -> Ask:
    """What the page about the collection shows: counts, which methods can answer, what is stale."""

    def question(held: Held) -> dict[str, Any]:
        found = methods().ask(held)
        options = {} if all(each.ready for each in found.values()) else {"all": True}
        ready = found | {"search": held._ask(_search_readiness)}
        return {"info": held.info(), "ready": ready, "command": command("build", held.path, **options)}

    return Ask("health", question)


def to_mend() -> Ask:
    """What a keeper would mend, a few of each kind. The server looks at no file that links name."""

    def question(held: Held) -> SiteReport:
        return held._ask(lambda store: store.memo.get("report", ROWS, lambda: report(store, ROWS, files=False)))

    return Ask("report", question)


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
