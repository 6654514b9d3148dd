"""The baselines are what their names say: against plain loops on a small collection."""

import math
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("sklearn")
pytest.importorskip("tantivy")

from leaderboard import baselines
from leaderboard.baselines import OF_PAGES, OF_WORDS, Corpus
from leaderboard.board import BASELINES
from tests.small_webs import collection, page

WORDS = ["bees honey hive", "honey queen", "trains track signal", "signal station track", "bread oven flour honey"]
URLS = [f"http://a.example/{number}" for number in range(5)]
LINKS = [[1, 2], [0, 2, 3], [3], [2, 4], [0, 1]]


@pytest.fixture
def corpus(tmp_path):
    pages = [page(url, *(URLS[to] for to in LINKS[at]), words=WORDS[at]) for at, url in enumerate(URLS)]
    return Corpus(collection(tmp_path / "s.kin", *pages), range(5))


def numbers(corpus):
    """The page number of each of the five."""
    urls = corpus.store.graph.pages["url"].to_pylist()
    return [urls.index(url) for url in URLS]


def ranked(lists, row):
    return dict(zip(lists.pages[row, : lists.sizes[row]].tolist(), lists.scores[row].tolist(), strict=False))


def test_names():
    assert (*OF_PAGES, *OF_WORDS) == BASELINES


def test_in_link_cosine(corpus):
    at = numbers(corpus)
    weight = [math.log(corpus.store.size / len(links)) for links in LINKS]
    vectors = [{source: 1 for source in range(5) if to in LINKS[source]} for to in range(5)]

    def product(one, other):
        return sum(weight[source] for source in one if source in other)

    for asked in range(5):
        found = ranked(baselines.in_link_cosine(corpus, [at[asked]], 5), 0)
        for other in range(5):
            if other != asked and product(vectors[asked], vectors[other]) > 0:
                lengths = math.sqrt(product(vectors[asked], vectors[asked]) * product(vectors[other], vectors[other]))
                assert found[at[other]] == pytest.approx(product(vectors[asked], vectors[other]) / lengths)
            else:
                assert at[other] not in found


def test_random_walk(corpus):
    at = numbers(corpus)
    either = Counter(
        pair for source, links in enumerate(LINKS) for to in links for pair in ((source, to), (to, source))
    )
    there = [1.0, 0, 0, 0, 0]
    for _ in range(baselines.STEPS):
        moved = [0.0] * 5
        for (source, to), times in either.items():
            total = sum(count for (one, _), count in either.items() if one == source)
            moved[to] += (1 - baselines.RESTART) * there[source] * times / total
        moved[0] += baselines.RESTART
        there = moved
    found = ranked(baselines.random_walk(corpus, [at[0]], 5), 0)
    assert found == pytest.approx({at[other]: there[other] for other in range(1, 5)})


def test_words_find_pages_with_the_same_words(corpus):
    at = numbers(corpus)
    for method in (baselines.tfidf_cosine, baselines.bm25_more_like_this, baselines.lsa_cosine):
        assert method(corpus, [at[2]], 3).pages[0, 0] == at[3]
    assert np.allclose(np.linalg.norm(corpus.lsa[at], axis=1), 1)


def test_searches(corpus):
    at = numbers(corpus)
    for search in (baselines.bm25_search, baselines.tantivy_search):
        found = search(corpus, ["queens", "nothing of the kind", "station"], 3)
        assert [found.pages[row, : found.sizes[row]].tolist() for row in range(3)] == [[at[1]], [], [at[3]]]
