"""One ranking from words and links together.

    score(q, p) = Σ_i w_i · s_i(q, p) / σ_i(q)

The parts s_i are in `PARTS`; σ_i(q) is the standard deviation of s_i(q, p) over all other pages p, so that parts are
comparable, whatever their unit: a part that tells few pages apart counts for those few, one that gives every page
about the same counts little. Candidates are the best of each part; each gets its exact score in every part.

| part | s(q, p) |
|---|---|
| smoothed | cosine of the smoothed vectors (`index.text.vectors`) |
| tf-idf | cosine of tf-idf vectors |
| BM25 | BM25 of p for the 25 best tf-idf terms of q |
| direct | in how many directions they are linked: 0, 1, 2 |
| in-links | Σ w over common citers / √(Σ w over q's · Σ w over p's), a citer weighs ln(N / its out-links) |
| out-links | the same of the pages that they link to, a target weighs ln(N / its in-links) |
| beside | like in-links, but each common citer counts w / the steps between its two links, up to 16 (`graph.beside`) |
| title | cosine of the titles' words, a word weighs its idf |
| words in title | q's tf-idf vector times p's title vector |
| vectors | cosine of the vectors that users brought, less its mean; only of pages that have one (`index.vectors`) |

A user's own judgements may have other weights fitted (`tune`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pagekin.collection import tuned
from pagekin.collection.seen import SeesLinks, SeesWords
from pagekin.collection.store import Store
from pagekin.collection.vectors import has_vectors
from pagekin.graph.beside import Beside, beside
from pagekin.graph.link_cosine import LinkCosine, link_cosine
from pagekin.graph.links import Direction, LinkArrays
from pagekin.graph.topk import TopK, best
from pagekin.index.base import Index, left_out, staleness
from pagekin.index.text.index import Text, has_words
from pagekin.index.text.question import Question, question
from pagekin.index.text.vectors import own_share
from pagekin.index.vectors import Vectors, own_vectors
from pagekin.kernels import Floats, Ints, frozen
from pagekin.methods import evidence
from pagekin.methods.base import Method, Scores, lists_in_threads, register
from pagekin.model import Evidence

# Fitted on the development sets (`python -m leaderboard.fit`).
WEIGHTS = {
    "smoothed": 2.0, "tf-idf": 0.25, "BM25": 0.35, "direct": 0.05, "in-links": 0.1, "out-links": 0.15,
    "beside": 0.05, "title": 0.1, "words in title": 0.1,
    "vectors": 0.25,  # measured with stand-ins for a model, docs/methods/fused.md: `fit` has no set with vectors
}  # fmt: skip
VECTORS = "vectors"
PARTS = tuple(part for part in WEIGHTS if part != VECTORS)  # of every collection; few have vectors
# Of two given pages, where nothing is compared with other candidates: each part in deviations above its mean.
PAIR_WEIGHTS = {
    "smoothed": 1.0, "tf-idf": 1.0, "in-links": 1.0, "out-links": 1.0, "direct": 0.5, "words in title": 0.5,
    "vectors": 1.0,
}  # fmt: skip
OF_WORDS = ("tf-idf", "BM25", "title", "words in title")
OF_LINKS = ("direct", "in-links", "out-links", "beside")
# BM25 asks with 25 terms, which say most of a short page and little of a long one.
SHORT, LONG, BM25_WORDS = 2.0, 0.2, 40.0
# A page of more distinct terms than this is better known by its words as they are than by 256 dimensions and links.
SMOOTHED_WORDS = 30.0
EACH = 100  # candidates of each part
SPARE = 4  # of the smoothed part, whose first look is not exact, so many times more
# A page cannot be further from 0 than so many deviations: where one page among a million shares a citer, the deviation
# is next to nothing, and that page would win whatever else is known.
MOST_DEVIATIONS = 25.0
LOOKED_AT = 100  # pages that link to both, those that link least, of which the most telling are evidence
NEXT, FAR = 4, 1_000  # steps between two links that are side by side, as for `siblings`; and that are not
KEPT = 3  # questions whose scores are kept for the evidence
PAGES_AT_ONCE = 500

SIDES: tuple[Direction, ...] = ("in", "out")

Singles = npt.NDArray[np.float32]


class Spread(NamedTuple):
    """One part for one question: its scores of all pages, the best of them, their mean and deviation."""

    scores: Singles
    best: Ints
    mean: float
    deviation: float


@register("fused")
@dataclass(frozen=True, repr=False)
class Fused(SeesLinks, SeesWords, Method):
    """Two pages are alike by their words and by their links together."""

    @property
    def index(self) -> Index:
        return Text(links=self.links, words=self.words)

    @property
    def ahead(self) -> tuple[Index, ...]:
        return (Vectors(),)

    def left_out(self, store: Store) -> str | None:
        words = left_out(store, self.index, "words") if has_words(store) else None
        if words or not has_vectors(store):
            return words
        return left_out(store, Vectors(), "vectors") or staleness(store, Vectors())

    def related(self, store: Store, page: int, k: int) -> Scores:
        asked, spreads = asked_parts(store, page, k)
        candidates, matrix = scored(asked, spreads)
        total = weights(asked, spreads, WEIGHTS | tuned.weights(store)) @ matrix
        pages, scores = best(candidates[total > 0], total[total > 0], k)
        return Scores(pages, scores) if pages.size else Scores.none(_reason(store, page, asked))

    def lists(self, store: Store, k: int, pages: Ints | None = None) -> TopK:
        open_parts(store)
        return lists_in_threads(self, store, k, pages, PAGES_AT_ONCE)

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        asked, spreads = asked_parts(store, page, EACH)
        _, matrix = scored(asked, spreads, np.array([other], np.int32))
        weight = weights(asked, spreads, WEIGHTS | tuned.weights(store))
        given = dict(zip(spreads, (weight * matrix[:, 0]).tolist(), strict=True))
        own = _own_words(store, asked, other)
        words = sum(given[part] for part in OF_WORDS) + own * given["smoothed"]
        links = sum(given[part] for part in OF_LINKS) + (1 - own) * given["smoothed"]
        vectors = given.get(VECTORS, 0.0)
        total = (max(words, 0.0) + max(links, 0.0) + max(vectors, 0.0)) or 1.0
        reasons = {
            "words": (words / total, [_shared_words(store, asked, other, words / total)]),
            "links": (links / total, [_part("links", links / total), *_shared_links(store, page, other)]),
            "vectors": (vectors / total, [_part("vectors", vectors / total)]),
        }
        telling = sorted(reasons.values(), key=lambda side: -side[0])
        return [reason for share, found in telling if share > 0 for reason in found]


def open_parts(store: Store) -> tuple[str, ...]:
    """The names of a collection's parts. What they read is then open, and threads that ask at once share it."""
    return tuple(asked_parts(store, 0, EACH)[1]) if store.size else PARTS


def asked_parts(store: Store, page: int, k: int) -> tuple[Question, dict[str, Spread]]:
    """A page as a question, and every part's scores for it; kept, because evidence asks for them again."""
    each = max(EACH, k)
    return store.memo.get("fused", (page, each), lambda: _asked_parts(store, page, each), KEPT)


def _asked_parts(store: Store, page: int, each: int) -> tuple[Question, dict[str, Spread]]:
    asked, links = question(store, page), store.arrays
    scores = {
        "smoothed": asked.smoothed(),
        "tf-idf": asked.tf_idf(),
        "BM25": asked.bm25(),
        "direct": _direct(links, page),
        "in-links": _cosine(store, "in").scores(page),
        "out-links": _cosine(store, "out").scores(page),
        "beside": _beside(store).scores(page),
        "title": asked.titles(),
        "words in title": asked.in_titles(),
    }
    others = int(store.graph.is_page.sum()) - 1
    spreads = {
        part: _spread(scores[part], page, SPARE * each if part == "smoothed" else each, others) for part in PARTS
    }
    first = spreads["smoothed"]
    near = asked.in_doubt(first.scores, first.best, each)
    spreads["smoothed"] = first._replace(best=near[near != page])
    if own := own_vectors(store):  # their deviation is that of the pages that have one
        likeness, having = own.likeness(store, page)
        spreads[VECTORS] = _spread(likeness, page, each, having)
    return asked, spreads


def _spread(scores: Singles, page: int, each: int, others: int) -> Spread:
    from pagekin.kernels.text import leading, moments

    pages, own = leading(frozen(scores), page, each), float(scores[page])
    total, squares = moments(frozen(scores))
    total, squares = total - own, squares - own * own
    mean = total / max(others, 1)
    deviation = float(np.sqrt(max(squares / max(others, 1) - mean * mean, 0.0)))
    most = float(scores[pages[0]]) if pages.size else 0.0
    return Spread(scores, pages, mean, max(deviation, most / MOST_DEVIATIONS))


def _direct(links: LinkArrays, page: int) -> Singles:
    found = np.zeros(links.size, np.float32)
    found[links.targets(page)] += 1
    found[links.citers(page)] += 1
    return found


def _cosine(store: Store, near: Direction) -> LinkCosine:
    return store.memo.get("link cosine", near, lambda: link_cosine(store.arrays, near))


def _beside(store: Store) -> Beside:
    return store.memo.get("beside", (), lambda: beside(store.arrays, store.all_links, store.graph.page_of))


def scored(asked: Question, spreads: dict[str, Spread], pages: Ints | None = None) -> tuple[Ints, Floats]:
    """The candidates, or some pages, and their scores in each part (a row), divided by the part's deviation."""
    if pages is None:
        pages = np.unique(np.concatenate([spread.best for spread in spreads.values()]))
    matrix = np.zeros((len(spreads), pages.size))
    for row, (part, spread) in enumerate(spreads.items()):
        if spread.deviation > 0:
            exact = asked.smoothed_exactly(pages) if part == "smoothed" else spread.scores[pages]
            matrix[row] = exact / spread.deviation
    return pages, matrix


def weights(asked: Question, parts: Iterable[str] = PARTS, given: Mapping[str, float] = WEIGHTS) -> Floats:
    """The weight of each part for a question."""
    found, n = dict(given), max(asked.terms.size, 1)
    found["smoothed"] *= min(1.0, SMOOTHED_WORDS / n)
    found["BM25"] *= min(SHORT, LONG + BM25_WORDS / n)
    return np.array([found[part] for part in parts])


def pair_parts(store: Store, one: int, other: int) -> dict[str, float]:
    """What each part says of two pages: the mean over both directions of w · (s − mean) / σ, so it is symmetric."""
    sides = [_above_mean(store, *ends) for ends in ((one, other), (other, one))]
    there = {part: weight for part, weight in PAIR_WEIGHTS.items() if part in sides[0]}
    return {part: weight * (sides[0][part] + sides[1][part]) / 2 for part, weight in there.items()}


def _above_mean(store: Store, page: int, other: int) -> dict[str, float]:
    asked, spreads = asked_parts(store, page, EACH)
    _, matrix = scored(asked, spreads, np.array([other], np.int32))
    found = zip(spreads, matrix[:, 0].tolist(), spreads.values(), strict=True)
    return {part: s - spread.mean / spread.deviation if spread.deviation else 0.0 for part, s, spread in found}


def _own_words(store: Store, asked: Question, other: int) -> float:
    """How much of two smoothed vectors are the pages' own words, the rest being their neighbours'."""
    theirs = question(store, other).terms.size
    return float(own_share(np.array([asked.terms.size, theirs])).mean())


def _part(side: str, share: float, **more: object) -> Evidence:
    """How much one side, words or links or vectors, contributes to a score."""
    return Evidence("part", {"part": side, "share": share, **more})


def _shared_words(store: Store, asked: Question, other: int, share: float) -> Evidence:
    """The words that both pages have, those that count most first, as the other page spells them."""
    theirs = question(store, other)
    both, mine, their = np.intersect1d(asked.terms, theirs.terms, True, return_indices=True)
    given = asked.weight[mine] * theirs.weight[their]
    terms = asked.held.terms.names.take(both[np.lexsort((both, -given))[: evidence.MOST]]).to_pylist()
    spelled = {row["term"]: row["surface"] for table in store.rows_of(other, "terms") for row in table.to_pylist()}
    return _part("words", share, words=[spelled.get(term) or term for term in terms], in_common=int(both.size))


def _shared_links(store: Store, page: int, other: int) -> Iterator[Evidence]:
    """The links between two pages, the pages that link to both, the pages that both link to."""
    links = store.arrays
    for source, target in ((page, other), (other, page)):
        if target in links.targets(source):
            yield evidence.direct(store, source, target)
    for near in SIDES:
        cosine = _cosine(store, near)
        both = np.intersect1d(cosine.members(page), cosine.members(other), True)
        telling = both[np.lexsort((both, -cosine.weight[both]))[:LOOKED_AT]].tolist()
        if near == "out":
            yield from (evidence.cites(store, q, page, other, of=int(both.size)) for q in telling[: evidence.MOST])
            continue
        steps = {q: _beside(store).steps(q, page, other) or FAR for q in telling}
        telling.sort(key=lambda q: -cosine.weight[q] * (1 + 1 / steps[q]))
        for q in telling[: evidence.MOST]:
            yield evidence.cited_by(store, q, page, other, beside=steps[q] <= NEXT, of=int(both.size))


def _reason(store: Store, page: int, asked: Question) -> str:
    if not asked.terms.size and not store.arrays.linked(page).size:
        return (
            "no link leads to or from this page, and it has no words that other pages have; "
            "add its text, or pages that link to it"
        )
    return "no other page has words or links in common with this one; add more pages"
