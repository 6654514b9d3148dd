"""x, y, x' and scores against dense twins; α = 0 is the baseline, bit for bit."""

import math

import numpy as np
import pytest

from pagekin.collection.strings import coded
from pagekin.index.inverted import inverted
from pagekin.index.subrelevant import PageClusters, clusters, prepared
from pagekin.kernels import frozen
from pagekin.kernels.inverted import best_mates
from pagekin.search import ranking
from pagekin.search.question import Word
from pagekin.search.ranking import Ranker
from tests.small_webs import collection, page, random_pairs

WORDS = [f"zo{letter}" for letter in "bcdfghjklmnpqrtv"]
N = 60


@pytest.fixture(scope="module", params=range(3))
def web(request, tmp_path_factory):
    """A random web of pages with random words, some without any, on two hosts."""
    rng = np.random.default_rng(request.param)
    urls = [f"http://h{i % 2}.example/{i}" for i in range(N)]
    links = {i: [urls[b] for a, b in random_pairs(request.param, N, 4 * N) if a == i] for i in range(N)}
    items = []
    for i, url in enumerate(urls):
        drawn = (len(WORDS) * rng.random(rng.integers(0, 40)) ** 2).astype(int)
        items.append(page(url, *links[i], words=" ".join(WORDS[w] for w in drawn), title="…"))
    return collection(tmp_path_factory.mktemp("ranking") / "s.kin", *items)


def made(store, kind="fan-out", tau=20) -> PageClusters:
    return clusters(prepared(store.arrays.out_start, store.arrays.out, coded(store.graph.pages["host"])[0]), kind, tau)


def counts(store):
    """Pages × terms, from the terms table."""
    table = np.zeros((store.size, len(WORDS)))
    for rows in store.rows("terms"):
        for row in rows.to_pylist():
            if row["term"] in WORDS:
                table[store.number(row["page"]), WORDS.index(row["term"])] += row["body"] + row["title"]
    return table


def dense(store, found, alpha, terms):
    """x' by the formulas, page by page, and its inner product with the question."""
    tf = counts(store)
    with_words = {store.number(row["page"]) for rows in store.rows("terms") for row in rows.to_pylist()}
    df = (tf > 0).sum(axis=0)
    x = np.zeros_like(tf)
    for v, t in zip(*np.nonzero(tf), strict=True):
        x[v, t] = (1 + math.log(1 + math.log(tf[v, t] + 1))) * (len(with_words) / df[t]) ** 0.2
    y = np.zeros_like(x)
    for v in range(len(x)):
        for c in range(found.start.size - 1):
            if v in found.members(c):
                y[v] = np.maximum(y[v], x[found.members(c)].max(axis=0))
    return ((1 - alpha) * x + alpha * y)[:, [WORDS.index(term) for term in terms]].sum(axis=1), with_words


def numbers(postings, terms):
    return np.array([postings.find(term) for term in terms])


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize(("kind", "tau"), [("fan-out", 20), ("fan-in", 8), ("cyclic", 30), ("trivial", 20)])
def test_scores_equal_the_dense_twin_s(web, kind, tau, alpha):
    postings, found = inverted(web), made(web, kind, tau)
    for terms in (WORDS[:1], WORDS[2:5], WORDS):
        scored = Ranker(postings, found).tf_idf(numbers(postings, terms))
        expected, eligible = dense(web, found, alpha, terms)
        assert (1 - alpha) * scored.own + alpha * scored.led == pytest.approx(expected, rel=1e-12)
        pages, scores = scored.best(web.size, alpha)
        ranked = sorted((p for p in eligible if expected[p] > 0), key=lambda p: (-float(f"{expected[p]:.11e}"), p))
        assert pages.tolist() == ranked
        assert scores == pytest.approx(expected[ranked], rel=1e-12)
        assert scored.best(7, alpha)[0].tolist() == ranked[:7]


def by_fields(postings, found, alpha, words):
    """Scores by BM25 over fields, from the weights in the index, page by page and word by word."""
    shown = np.flatnonzero(postings.shown)
    x = np.zeros((postings.shown.size, len(words)))
    for w, word in enumerate(words):
        for term in word.terms:
            for e in range(postings.start[term], postings.start[term + 1]):
                x[postings.page[e], w] = max(x[postings.page[e], w], postings.weight[e])
        df = np.count_nonzero(x[:, w])
        x[:, w] *= math.log(1 + (len(shown) - df + 0.5) / (df + 0.5)) * word.times
    y = x.copy()
    for v in range(len(x)):
        for c in range(found.start.size - 1):
            if v in found.members(c):
                y[v] = np.maximum(y[v], x[found.members(c)].max(axis=0))
    return ((1 - alpha) * x + alpha * y).sum(axis=1)


@pytest.mark.parametrize("alpha", [0.0, 0.1, 1.0])
@pytest.mark.parametrize(("kind", "tau"), [("fan-out", 20), ("cyclic", 30)])
def test_scores_by_fields_equal_the_dense_twin_s(web, kind, tau, alpha):
    postings, found = inverted(web), made(web, kind, tau)
    one, two, three, four = numbers(postings, WORDS[:4]).tolist()
    for words in ([Word("one", (one,))], [Word("two", (two,), 3), Word("more", (one, three, four))], []):
        scored = Ranker(postings, found).bm25(words)
        expected = by_fields(postings, found, alpha, words)
        assert (1 - alpha) * scored.own + alpha * scored.led == pytest.approx(expected, rel=1e-12)
        ranked = sorted(np.flatnonzero(expected).tolist(), key=lambda p: (-float(f"{expected[p]:.11e}"), p))
        assert scored.best(web.size, alpha)[0].tolist() == [p for p in ranked if postings.shown[p]]


def test_alpha_nought_is_the_baseline_exactly(web):
    postings = inverted(web)
    terms = numbers(postings, WORDS[:6])
    baseline = Ranker(postings).tf_idf(terms).best(web.size, 0.0)
    for kind in ("fan-out", "fan-in", "cyclic", "trivial"):
        raised = Ranker(postings, made(web, kind)).tf_idf(terms).best(web.size, 0.0)
        assert np.array_equal(baseline[0], raised[0])
        assert np.array_equal(baseline[1], raised[1])


def test_a_page_in_no_cluster_keeps_its_own_score(web):
    """As pages that came after the clusters were made."""
    postings = inverted(web)
    none = PageClusters(
        np.zeros(1, np.int64), np.empty(0, np.int32), np.zeros(web.size + 1, np.int64), np.empty(0, np.int32)
    )
    scored = Ranker(postings, none).tf_idf(numbers(postings, WORDS))
    assert np.array_equal(scored.own, scored.led)


@pytest.mark.parametrize("kind", ["fan-out", "cyclic", "trivial"])
def test_the_best_of_a_page_s_clusters_are_listed_once_each_and_best_first(web, kind):
    """More members than are listed, in several clusters at once, many of them with one score."""
    found = made(web, kind)
    own = np.random.default_rng(1).integers(0, 5, web.size).astype(np.float64)
    for v in range(web.size):
        held = found.holding(v)
        mates = {u for c in held.tolist() for u in found.members(c).tolist() if own[u] > own[v]}
        expected = sorted(mates, key=lambda u: (-own[u], u))
        for k in (1, 3, 100):
            assert best_mates(frozen(held), found.start, found.member, own, v, k).tolist() == expected[:k]


@pytest.mark.parametrize("often", [0.0, 0.2, 2.0])
def test_however_a_word_s_clusters_are_found_the_scores_are_the_same(web, monkeypatch, often):
    """All words by looking at all members, some, none; on several threads: sums may differ in the last digit alone."""
    postings, found = inverted(web), made(web)
    words = [Word(term, (number,)) for term, number in zip(WORDS, numbers(postings, WORDS).tolist(), strict=True)]
    expected = by_fields(postings, found, 1.0, words)
    monkeypatch.setattr(ranking, "OFTEN", often)
    monkeypatch.setattr(ranking, "MANY_MEMBERS", 0)
    assert Ranker(postings, found).bm25(words).led == pytest.approx(expected, rel=1e-12)


def test_a_page_in_no_cluster_leads_to_itself_alone(web):
    postings, found = inverted(web), made(web)
    start, of_start = np.zeros(1, np.int64), np.zeros(web.size + 1, np.int64)
    none = PageClusters(frozen(start), frozen(found.member[:0]), frozen(of_start), frozen(found.of[:0]))
    words = [Word(term, (number,)) for term, number in zip(WORDS, numbers(postings, WORDS).tolist(), strict=True)]
    scored = Ranker(postings, none).bm25(words)
    assert scored.led == pytest.approx(scored.own, rel=1e-12)
    assert scored.own.any()
