"""The best-match mean against its slow twin, and the paper's Table 1."""

import numpy as np
import pytest

from pagekin.index.keywords import keywords_of
from pagekin.kernels import frozen
from pagekin.kernels.bestmatch import dice, link_estimates, means, page_similarities, strongest_matches
from tests.keyword_twin import Twin, best_match
from tests.small_webs import of_words, random_pairs, random_words


def ints(*values):
    return frozen(np.array(values, np.int32))


def starts(*values):
    return frozen(np.array(values, np.int64))


def test_table_1_of_the_paper():
    # Apple links to the iPhone and the MacBook, Microsoft to Lumia and Surface (a row each).
    alike = frozen(np.array([[0.7, 0.2], [0.1, 0.6]]))
    assert means(ints(0), starts(0, 2), ints(0, 1), ints(0, 1), alike)[0] == pytest.approx(0.65)


@pytest.mark.parametrize("seed", range(5))
def test_means_equal_the_twin(seed):
    rng = np.random.default_rng(seed)
    alike = rng.random((9, 1 + seed))
    rows = [rng.choice(9, size, replace=False) for size in (0, 1, 4, 9)]
    start = starts(*np.concatenate(([0], np.cumsum([row.size for row in rows]))))
    found = means(ints(0, 1, 2, 3), start, ints(*np.concatenate(rows)), ints(*range(9)), frozen(alike))
    want = [best_match(range(1 + seed), row.tolist(), lambda a, b: alike[b, a]) for row in rows]
    assert found == pytest.approx(want)


@pytest.fixture(scope="module", params=range(4))
def web(request, tmp_path_factory):
    words = random_words(request.param, 30, 25, 8)
    path = tmp_path_factory.mktemp("words") / "s.kin"
    store = of_words(path, words)
    from pagekin import Collection

    Collection(path).build(index=["keywords"])
    from pagekin.collection.store import Store

    store = Store(path)
    pages = [store.url(p) for p in range(store.size)]
    return store, pages, Twin({page: set(words[page].split()) for page in pages}, {})


@pytest.mark.parametrize("support", [0, 0.3, 1])
def test_similarities_equal_the_twin_and_are_symmetric(web, support):
    store, pages, twin = web
    every = ints(*range(store.size))
    found = page_similarities(every, every, keywords_of(store).semantic(support))
    want = [[twin.sim_s(p, q, support) for p in pages] for q in pages]
    assert found == pytest.approx(np.array(want), abs=1e-12)
    assert found == pytest.approx(found.T, abs=1e-15)


@pytest.mark.parametrize("k", [1, 5, 40])
def test_the_bounded_search_finds_what_scoring_everything_finds(web, k):
    store, _, _ = web
    every, words = ints(*range(store.size)), keywords_of(store).semantic(0.5)
    scores = page_similarities(every, every, words)
    sizes, pages, found = strongest_matches(every, k, words)
    for p in range(store.size):
        row = [(-float(f"{s:.12g}"), q) for q, s in enumerate(scores[:, p].tolist()) if q != p and s > 0]
        want = sorted(row)[:k]
        assert pages[p, : sizes[p]].tolist() == [q for _, q in want]
        assert found[p, : sizes[p]].tolist() == pytest.approx([-s for s, _ in want])


def test_estimates_are_the_mean_with_equal_words_only(tmp_path):
    words = random_words(9, 30, 25, 8)
    links = {(f"p{s}", f"p{t}") for s, t in random_pairs(9, 30, 90) if s != t}
    store = of_words(tmp_path / "s.kin", words, sorted(links))
    from pagekin.index.keywords import KeywordRelevance

    (tmp_path / "index").mkdir()
    KeywordRelevance().make(store, tmp_path / "index")
    held = KeywordRelevance().open(tmp_path / "index")
    keywords = held.semantic(0.5)

    def alike(p, q):
        both = held.of(p).size + held.of(q).size
        return 1 if p == q else 2 * len(set(held.of(p).tolist()) & set(held.of(q).tolist())) / max(both, 1)

    for page in range(store.size):
        mine = store.arrays.targets(page)
        rows = *held.holders, *store.arrays.rows("out"), *store.arrays.rows("in")
        found = link_estimates(frozen(mine), store.size, keywords, *rows)
        theirs = [store.arrays.targets(q).tolist() for q in range(store.size)]
        assert found == pytest.approx([best_match(mine.tolist(), row, alike) for row in theirs])
        others = [q for q in range(store.size) if q != page]
        assert dice(page, keywords, *held.holders)[others] == pytest.approx([alike(page, q) for q in others])
