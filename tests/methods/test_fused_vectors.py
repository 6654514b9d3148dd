"""Vectors of one's own as a part of `fused`: against the twin, for half of the pages, and without a trace for none."""

import numpy as np
import pytest

from pagekin import Collection
from pagekin.answers.telling import every_line as sentences
from pagekin.collection.store import Store
from pagekin.methods import fused, method
from tests.methods.test_fused import NEAR, Twin, built
from tests.small_webs import collection, of_words, page, random_pairs, random_words
from tests.vector_files import vector_file

URL = "http://h.example/{}".format


def with_vectors(path, vectors):
    Collection(path).add(vectors=vector_file(path.parent / "v.parquet", [(u, list(v)) for u, v in vectors.items()]))
    return built(Store(path))


def random_vectors(seed, urls):
    rng = np.random.default_rng(seed)
    return {url: (rng.standard_normal(8) + 1).astype(np.float32) for url in urls}


def expected(store, vectors, q):
    """What the vectors add to the scores: the cosine less its mean, in deviations of the pages that have one."""
    mine, added = vectors.get(store.url(q)), np.zeros(store.size)
    there = [p for p in range(store.size) if p != q and store.url(p) in vectors]
    if mine is None or len(there) < 2:
        return added
    a = mine.astype(float) / np.linalg.norm(mine.astype(float))
    cosine = np.array([vectors[store.url(p)] @ a / np.linalg.norm(vectors[store.url(p)].astype(float)) for p in there])
    cosine -= cosine.mean()
    added[there] = fused.WEIGHTS["vectors"] * cosine / max(cosine.std(), cosine.max() / 25)
    return added


@pytest.mark.parametrize("share", [1.0, 0.5, 0.1])
def test_it_equals_the_table_whatever_the_share_of_pages_that_have_one(tmp_path, share):
    links = [(f"p{s}", f"p{t}") for s, t in random_pairs(2, 50, 120)]
    made = of_words(tmp_path / "s.kin", random_words(2, 50, 60, 25), links)
    vectors = random_vectors(3, [f"p{i}" for i in range(int(50 * share))])
    store = with_vectors(made.path, vectors)
    twin = Twin(store)
    for q in range(store.size):
        want = twin.scores(q) + expected(store, vectors, q)
        want[q] = -1
        found = method("fused").related(store, q, 100)
        assert found.scores == pytest.approx(want[found.pages], abs=NEAR)
        missed = np.setdiff1d(np.arange(store.size), found.pages)
        assert want[missed].max() < NEAR


def test_a_collection_without_vectors_answers_as_if_there_were_no_such_part(tmp_path, monkeypatch):
    links = [(f"p{s}", f"p{t}") for s, t in random_pairs(4, 60, 200)]
    store = built(of_words(tmp_path / "s.kin", random_words(4, 60, 60, 25), links))

    def answers():
        state = method("fused").seen(Store(store.path))
        told = [method("fused").related(state, q, 100) for q in range(state.size)]
        why = [reason.as_dict() for other in told[0].pages.tolist() for reason in method("fused").why(state, 0, other)]
        return (
            [(each.pages.tolist(), each.scores.tolist(), each.note) for each in told],
            why,
            fused.pair_parts(state, 0, 1),
        )

    before = answers()
    assert "vectors" not in before[2]
    for name in ("WEIGHTS", "PAIR_WEIGHTS"):
        monkeypatch.setattr(
            fused, name, {part: value for part, value in getattr(fused, name).items() if part != "vectors"}
        )
    monkeypatch.setattr(fused, "own_vectors", lambda store: None)
    assert answers() == before


@pytest.fixture
def blind(tmp_path):
    """Twenty pages whose words say nothing; by their vectors the even ones and the odd ones belong together."""
    words = random_words(7, 20, 400, 8)
    pages = [page(URL(i), words=text) for i, text in enumerate(words.values())]
    return collection(tmp_path / "s.kin", *pages).path


def topics(pages):
    rng = np.random.default_rng(5)
    return {URL(i): [1.0 - i % 2, i % 2, *(0.1 * rng.random(3))] for i in pages}


def urls(store, url, k):
    number = store.graph.pages["url"].to_pylist().index(url)
    return [store.url(each) for each in method("fused").related(store, number, k).pages.tolist()]


def test_vectors_find_what_words_do_not(blind):
    def right(store):
        return sum(int(url.rpartition("/")[2]) % 2 == i % 2 for i in range(20) for url in urls(store, URL(i), 5))

    before = right(built(Store(blind)))
    assert right(with_vectors(blind, topics(range(20)))) > 1.2 * before


def test_a_page_without_a_vector_is_answered_by_the_rest(blind):
    before = urls(built(Store(blind)), URL(15), 10)
    store = with_vectors(blind, topics(range(10)))
    assert urls(store, URL(15), 10) == before


def test_a_page_without_a_vector_is_no_worse_than_an_average_one(blind):
    before = built(Store(blind))
    q = before.graph.pages["url"].to_pylist().index(URL(4))
    old = dict(zip(*(x.tolist() for x in vars_of(method("fused").related(before, q, 20))), strict=True))
    store = with_vectors(blind, topics(range(10)))
    new = dict(zip(*(x.tolist() for x in vars_of(method("fused").related(store, q, 20))), strict=True))
    without = [p for p in old if int(store.url(p).rpartition("/")[2]) >= 10]
    assert without
    assert [new[p] for p in without] == pytest.approx([old[p] for p in without])


def vars_of(scores):
    return scores.pages, scores.scores


def test_the_evidence_names_the_part_and_shares_add_up(blind):
    store = with_vectors(blind, topics(range(20)))
    one, other = (store.graph.pages["url"].to_pylist().index(URL(i)) for i in (4, 8))
    why = method("fused").why(store, one, other)
    parts = {reason.detail["part"]: reason.detail["share"] for reason in why if reason.kind == "part"}
    assert parts["vectors"] > 0
    assert sum(parts.values()) == pytest.approx(1)
    assert any(line.startswith("vectors ") and line.endswith("%") for line in sentences(each.as_dict() for each in why))


def test_two_pages_have_the_part_too(blind):
    with_vectors(blind, topics(range(20)))
    site = Collection(blind)
    same, other = site.pair(URL(4), URL(8)).results[0], site.pair(URL(4), URL(9)).results[0]
    assert same.parts["vectors"] > 0 > other.parts["vectors"]
    assert same == site.pair(URL(8), URL(4)).results[0]


def test_a_page_with_nothing_but_a_vector_is_answered(blind):
    collection(blind, page(URL("bare")))
    store = with_vectors(blind, topics(range(20)) | {URL("bare"): [1.0, 0.0, 0.0, 0.0, 0.0]})
    assert {int(url.rpartition("/")[2]) % 2 for url in urls(store, URL("bare"), 8)} == {0}


def test_one_vector_alone_says_nothing(blind):
    before = urls(built(Store(blind)), URL(4), 10)
    assert urls(with_vectors(blind, topics([4])), URL(4), 10) == before
