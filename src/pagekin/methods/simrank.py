"""SimRank (Jeh and Widom 2002; paper 4, Eq. 2–4): two pages are alike when the pages that link to them are alike.

    s(a, a) = 1,   s(a, b) = C / (|I(a)| |I(b)|) · Σ_{i∈I(a)} Σ_{j∈I(b)} s(i, j),   0 if nobody links to one of them

For up to `EXACT_PAGES` pages the whole matrix is computed, once per open collection, until no score moves by over 1e-4.
Larger graphs are answered page by page, in memory linear in the links and without an index (`kernels.simrank`): after T
steps the rest of the sum is at most C^(T+1), and the diagonal D is sampled where the page's walks go. With probability
`CERTAIN` no score in the answer is off by more than `ERROR`. The seed is fixed: the same question has the same answer.
"""

import math
from dataclasses import dataclass

import numpy as np

from pagekin.collection.seen import SeesLinks
from pagekin.collection.store import Store
from pagekin.engine.local import over_rows
from pagekin.errors import UsageError
from pagekin.graph.links import LinkArrays
from pagekin.graph.topk import best
from pagekin.kernels import Floats
from pagekin.methods import evidence
from pagekin.methods.base import Method, Scores, register
from pagekin.model import Evidence
from pagekin.wording import option

C = 0.8  # unless another is given
MOST_C = 0.95  # above it, walks take hundreds of steps before the rest is small
STILL = 1e-4  # the iteration ends when no score moves by more
EXACT_PAGES = 4_000  # two matrices of 128 MB
ERROR = 0.01
CERTAIN = 0.99
SEED = 2002


def steps(c: float) -> int:
    """How many steps leave a rest, C^(steps + 1), of a quarter of the error at most.

    >>> steps(0.8), steps(0.6)
    (26, 11)
    """
    return max(math.ceil(math.log(ERROR / 4) / math.log(c)) - 1, 1)


def least(c: float) -> float:
    """Smaller scores are not carried from step to step: that loses least / (1 − C), a twentieth of the error."""
    return ERROR / 20 * (1 - c)


def least_diagonal(c: float) -> float:
    """D of a page with two or more citers is at least this, because different citers have s ≤ C."""
    return 1 - c * (1 + c) / 2


def middle(c: float) -> float:
    """What D is taken to be for pages that walks hardly reach."""
    return (1 + least_diagonal(c)) / 2


@register("simrank")
@dataclass(frozen=True, repr=False)
class SimRank(SeesLinks, Method):
    """Two pages are alike when the pages that link to them are alike."""

    c: float = C  # C: how much of their similarity two pages pass on to the pages that they link to

    def __post_init__(self) -> None:
        if not 0 < self.c <= MOST_C:
            raise UsageError(f"c is {self.c}; expected more than 0 and at most {MOST_C}, as 0.8 or 0.6")

    def related(self, store: Store, page: int, k: int) -> Scores:
        graph = store.arrays
        if not graph.citers(page).size:
            return Scores.none(
                f"no page links to this one, and SimRank uses only such links; try {option('method', 'amsler')}"
            )
        scores = self._all_or_one(store, page)
        scores[page] = 0.0
        found = np.flatnonzero(scores > 0).astype(np.int32)
        pages, kept = best(found, scores[found], k)
        if not pages.size:
            return Scores.none(
                f"no other page is linked to by pages like those linking to this one; try {option('method', 'amsler')}"
            )
        return Scores(pages, kept)

    def _all_or_one(self, store: Store, page: int) -> Floats:
        if store.arrays.size > EXACT_PAGES:
            return single_source(store.arrays, page, self.c)
        every: Floats = store.memo.get("simrank", self.c, lambda: exact(store.arrays, c=self.c), most=1)
        return np.array(every[page])

    def why(self, store: Store, page: int, other: int) -> list[Evidence]:
        """Where two random walks back along links, one from each page, may meet; likeliest first."""
        from pagekin.kernels.simrank import walks_back

        begins, pages, chances = walks_back(page, steps(self.c), *store.arrays.rows("in"))
        of_other = walks_back(other, steps(self.c), *store.arrays.rows("in"))
        first: dict[int, tuple[float, int]] = {}  # for each page only the earliest meeting, which a reader can follow
        for t in range(1, steps(self.c) + 1):
            mine, theirs = slice(begins[t], begins[t + 1]), slice(of_other[0][t], of_other[0][t + 1])
            both, here, there = np.intersect1d(pages[mine], of_other[1][theirs], return_indices=True)
            chance = self.c**t * chances[mine][here] * of_other[2][theirs][there]
            for place, value in zip(both.tolist(), chance.tolist(), strict=True):
                first.setdefault(place, (value, t))
        near = {place: value for place, (value, t) in first.items() if t == 1}
        far = {place: value for place, (value, t) in first.items() if t > 1}
        found = [
            evidence.cited_by(store, place, page, other, chance=value, of=len(near))
            for place, value in _likeliest(near)
        ]
        for place, value in _likeliest(far):
            away: evidence.Detail = {"steps": first[place][1], "chance": value, "of": len(far)}
            found.append(Evidence("walk", evidence.named(store, place) | away))
        return found


def _likeliest(chances: dict[int, float]) -> list[tuple[int, float]]:
    return sorted(chances.items(), key=lambda item: (-item[1], item[0]))[: evidence.MOST]


def exact(graph: LinkArrays, still: float = STILL, c: float = C) -> Floats:
    """All scores, iterated until none moves by more than `still`. O(pages × links) a step, pages² memory.

    Pages 1 and 2 are both linked from 0, and from nowhere else:

    >>> from pagekin.graph.links import link_arrays
    >>> exact(link_arrays(np.array([0, 0], np.int32), np.array([1, 2], np.int32), 3))[1].tolist()
    [0.0, 1.0, 0.8]
    """
    from pagekin.kernels.simrank import step_of_columns, step_of_rows

    (start, citer), scores = graph.rows("in"), np.eye(graph.size)
    degrees = np.diff(start)
    half = np.zeros_like(scores)
    half[np.repeat(np.arange(graph.size), degrees), citer] = np.repeat(1 / np.maximum(degrees, 1), degrees)  # of R_0
    while True:
        moved = over_rows(lambda first, last: step_of_columns(first, last, start, citer, c, half, scores), graph.size)
        if max(moved, default=0.0) <= still:
            return scores
        over_rows(lambda first, last: step_of_rows(first, last, start, citer, scores, half), graph.size)


def single_source(graph: LinkArrays, page: int, c: float = C) -> Floats:
    """The scores of one page with all others, off by `ERROR` at most (with probability `CERTAIN` for all of them)."""
    from pagekin.kernels.simrank import row_of_scores, sampled_diagonal, walks_back

    rows = graph.rows("in")
    walks = walks_back(page, steps(c), *rows)
    diagonal = sampled_diagonal(*walks, c, pairs_of_walks(graph.size, c), middle(c), SEED, *rows)
    scores = row_of_scores(*walks, diagonal, c, least(c), rows[0], *graph.rows("out"))
    scores[page] = 1.0
    return scores


def pairs_of_walks(pages: int, c: float = C) -> int:
    """How many pairs of walks to sample per unit of weight, for the error that truncation leaves (Hoeffding).

    A score errs by Σ_k a_k ΔD[k] with a_k ≤ w_k and Σ a_k ≤ s / min D ≤ A = C / `least_diagonal`; a pair of walks adds
    0 or at most C² to D. Pages without a pair have w_k < 1/m; together they add steps / m times what D may be off.
    So P(error > δ) ≤ 2 exp(−2 δ² m / (A C⁴)) for m pairs per unit, to hold for all pages at once.
    """
    without = 2e-4  # steps · (1 − middle) / m is less, for any number of pages and any C: see the test
    left = ERROR - c ** (steps(c) + 1) - least(c) / (1 - c) - without
    spread = c / least_diagonal(c) * c**4
    needed = math.log(2 * max(pages, 1) / (1 - CERTAIN)) * spread / (2 * left**2)
    return math.ceil(max(needed, steps(c) * (1 - middle(c)) / without))
