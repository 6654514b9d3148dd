"""The index `text`: a function of the content, refitted only when it must be, damaged, empty."""

import numpy as np
import pytest

from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError
from pagekin.index.base import derive, opened
from pagekin.index.text import vectors
from pagekin.index.text.index import Text
from pagekin.index.text.vectors import Sample
from tests.small_webs import collection, of_words, page, random_pairs, random_words

URL = "http://h.example/{}".format


def pages(seed, count):
    words = random_words(seed, count, 80, 20)
    links = random_pairs(seed, count, 3 * count)
    return [
        page(URL(p), *(URL(f"p{t}") for s, t in links if s == at), words=text)
        for at, (p, text) in enumerate(words.items())
    ]


def built(path):
    with writing(path) as writer:
        derive(writer, Text())
    return opened(Store(path), Text())


def test_every_history_of_adding_ends_in_the_same_vectors(tmp_path):
    every = pages(1, 60)
    collection(tmp_path / "a.kin", *every)
    at_once = built(tmp_path / "a.kin")
    for some in (every[40:], every[:20], every[20:40]):
        collection(tmp_path / "b.kin", *some)
        step_by_step = built(tmp_path / "b.kin")
    for name in ("ids", "y", "small", "scale", "length", "words"):
        assert np.array_equal(getattr(at_once, name), getattr(step_by_step, name)), name
    assert np.array_equal(at_once.basis.table, step_by_step.basis.table)
    assert at_once.basis.mark == step_by_step.basis.mark


def test_the_basis_is_fitted_again_only_when_the_sample_has_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "SAMPLE", 20)
    every = sorted(pages(2, 60), key=lambda each: each.url)
    collection(tmp_path / "a.kin", *every)
    before, store = built(tmp_path / "a.kin"), Store(tmp_path / "a.kin")
    with monkeypatch.context() as patch:
        patch.setattr(Sample, "fitted", lambda self: pytest.fail("fitted again"))
        last = store.url(int(np.flatnonzero(np.diff(before.terms.start))[-1]))
        changed = next(each for each in every if each.url == last)
        text = before.terms.names.take(before.terms.of(store.size - 1)[0]).to_pylist()
        collection(tmp_path / "a.kin", page(changed.url, fetched=2_000, words=" ".join(text * 2)))
        after = built(tmp_path / "a.kin")
    assert after.basis.mark == before.basis.mark
    first = store.url(int(np.flatnonzero(np.diff(before.terms.start))[0]))
    collection(tmp_path / "a.kin", page(first, fetched=3_000, words="w1 w1 w2 w3 w4"))
    assert built(tmp_path / "a.kin").basis.mark != before.basis.mark


def test_a_page_is_projected_as_the_index_projects_it(tmp_path):
    store = of_words(tmp_path / "s.kin", random_words(3, 50, 60, 20))  # no links, so Y = V
    held = built(store.path)
    for p in range(store.size):
        assert held.basis.project(*held.terms.of(p)) == pytest.approx(held.y[p], abs=1e-4)


def test_the_first_look_at_bytes_finds_the_best(tmp_path):
    from pagekin.kernels.text import products

    rng = np.random.default_rng(4)
    y = (rng.standard_normal((20_000, 64)) * 0.95 ** np.arange(64)).astype(np.float32)
    small, scale = np.empty(y.shape, np.int8), np.empty(len(y), np.float32)
    vectors.finish(y, small, scale)
    shares = []
    for q in range(0, 2_000, 100):
        exact = np.argsort(-(y @ y[q]), kind="stable")[:100]
        first = np.argsort(-products(small, y[q], scale), kind="stable")[:200]
        shares.append(np.isin(exact, first).mean())
    assert np.mean(shares) >= 0.99


def test_columns_are_smoothed_the_same_however_little_memory_there_is(tmp_path, monkeypatch):
    collection(tmp_path / "a.kin", *pages(5, 40))
    with monkeypatch.context() as patch:
        patch.setenv("PAGEKIN_MEMORY", "3KB")
        little = np.array(built(tmp_path / "a.kin").y)
    assert np.array_equal(little, built(tmp_path / "a.kin").y)


def test_nothing_to_index(tmp_path):
    store = of_words(tmp_path / "s.kin", {}, [("a", "b")])
    held = built(store.path)
    assert held.terms.pages == 0
    assert not held.y.any()


def test_damage_names_the_command(tmp_path):
    collection(tmp_path / "a.kin", *pages(6, 20))
    built(tmp_path / "a.kin")
    store = Store(tmp_path / "a.kin")
    np.save(store.path / store.manifest.indexes["text"].path / "y.npy", np.zeros((1, 1), np.float32))
    with pytest.raises(CollectionError, match=r"y\.npy is damaged: .* run: Collection\(.*\.scrub\(\)"):
        opened(store, Text())
