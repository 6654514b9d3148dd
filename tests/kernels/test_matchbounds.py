"""Bounds are never below what they bound, and what is computed after them is what is computed without them."""

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.index.keywords import keywords_of
from pagekin.kernels import frozen
from pagekin.kernels.bestmatch import means, page_similarities
from pagekin.kernels.matchbounds import WIDE, link_bounds, similarity_bounds
from pagekin.kernels.matchneeded import needed_similarities
from pagekin.kernels.strongpairs import ONE, Strong, strong_pairs
from tests.small_webs import of_words, random_pairs, random_words

PAGES = 120


@pytest.fixture(scope="module", params=[(0, 40, 6), (1, 40, 12), (2, 150, 70)])  # 70 keywords: more than one block
def web(request, tmp_path_factory):
    seed, different, most = request.param
    words = random_words(seed, PAGES, different, most)
    links = {(f"p{s}", f"p{t}") for s, t in random_pairs(seed, PAGES, 4_000) if s != t}
    path = tmp_path_factory.mktemp("words") / "s.kin"
    of_words(path, words, sorted(links))
    Collection(path).build(index=["keywords"])
    return Store(path)


def prepared(store, support):
    words = keywords_of(store).semantic(support)
    every = frozen(np.arange(store.size, dtype=np.int32))
    return words, Strong(*map(frozen, strong_pairs(words))), every, page_similarities(every, every, words)


@pytest.mark.parametrize("support", [0, 0.5, 1])
def test_no_similarity_is_above_its_bound(web, support):
    words, strong, every, exact = prepared(web, support)
    alike = similarity_bounds(every, words, strong)
    assert alike.shape == (-(-web.size // WIDE), web.size, WIDE)
    bound = np.concatenate(list(alike), axis=1)[:, : web.size] / ONE
    assert (bound >= exact - 1e-12).all()
    assert (np.diag(bound) == 1).all()
    assert (bound - exact).mean() < 0.2  # it says something


@pytest.mark.parametrize("side", ["out", "in"])
def test_no_mean_over_links_is_above_its_bound_and_what_is_needed_gives_the_mean(web, side):
    words, strong, every, exact = prepared(web, 0.5)
    start, row = web.arrays.rows(side)
    for page in range(0, web.size, 7):
        mine = frozen(row[start[page] : start[page + 1]])
        want = means(every, start, row, every, frozen(np.ascontiguousarray(exact[:, mine])))
        alike = frozen(similarity_bounds(mine, words, strong))
        assert (link_bounds(mine.size, alike, start, row) >= want - 1e-12).all()
        some = frozen(every[page % 5 :: 5])
        theirs = np.unique(np.concatenate([row[start[p] : start[p + 1]] for p in some]))
        place = np.zeros(web.size, np.int32)
        place[theirs] = np.arange(theirs.size)
        rows = some, start, row, frozen(place)
        needed = needed_similarities(mine, frozen(theirs), alike, *rows, words, strong)
        assert (means(*rows, frozen(needed)) == want[some]).all()
        assert (needed > 0).mean() < 0.9
