"""The index of vectors that users bring: the cosines are those of NumPy, and a page without one counts as average."""

import logging

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.index import base
from pagekin.index.base import opened
from pagekin.index.vectors import Vectors, own_vectors
from tests.small_webs import collection, edges, page
from tests.vector_files import vector_file

URL = "http://h.example/{}".format
N = 12


@pytest.fixture
def site(tmp_path):
    pages = [page(URL(i), URL((i + 1) % N), words=f"w{i % 5} bee hive") for i in range(N)]
    return collection(tmp_path / "s.kin", *pages).path


def given(site, pages=N, length=5, seed=1, scale=1.0):
    """Add random vectors to the first pages; url → vector."""
    rng = np.random.default_rng(seed)
    found = {URL(i): (scale * (rng.standard_normal(length) + 0.5)).astype(np.float32) for i in range(pages)}
    Collection(site).add(vectors=vector_file(site.parent / "v.parquet", [(u, v.tolist()) for u, v in found.items()]))
    return found


def expected(store, vectors, page):
    """The definition, pair by pair."""
    q, cosines = vectors.get(store.url(page)), {}
    for other in range(store.size):
        p = vectors.get(store.url(other))
        if q is not None and p is not None and other != page:
            a, b = q.astype(float), p.astype(float)
            cosines[other] = float(a @ b / np.sqrt((a @ a) * (b @ b)))
    mean = sum(cosines.values()) / max(len(cosines), 1)
    return [cosines[other] - mean if other in cosines else 0.0 for other in range(store.size)], len(cosines)


@pytest.mark.parametrize("pages", [N, N // 2, 1])
@pytest.mark.parametrize("scale", [1.0, 1e30, 1e-30])
def test_the_cosines_are_those_of_the_definition(site, pages, scale):
    vectors = given(site, pages, scale=scale)
    said = Collection(site).build(index="vectors").made[0].said
    assert said == f"vectors of {pages} pages, 5 numbers each"
    store = Store(site)
    for at in range(store.size):
        likeness, others = opened(store, Vectors()).likeness(store, at)
        want, count = expected(store, vectors, at)
        assert likeness == pytest.approx(want, abs=1e-6)
        assert others == count


def test_an_index_older_than_the_pages_answers_for_those_it_has(site):
    vectors = given(site)
    Collection(site).build(index="vectors")
    collection(site, page(URL("new"), URL(1)), edges((URL("table"), URL("new"))))
    store = Store(site)
    for at in range(store.size):
        assert own_vectors(store).likeness(store, at)[0] == pytest.approx(expected(store, vectors, at)[0], abs=1e-6)


def test_without_vectors_nothing_is_made_unless_it_is_named(site):
    assert own_vectors(Store(site)) is None
    assert "vectors" not in [each.name for each in Collection(site).build(method="fused").made]
    assert Collection(site).build(index="vectors").made[0].said == "vectors of 0 pages, 0 numbers each"
    store = Store(site)
    assert opened(store, Vectors()).likeness(store, 0)[1] == 0


def test_build_makes_it_and_makes_it_again_after_pages_came(site):
    given(site)
    assert "vectors" in [each.name for each in Collection(site).build(method="fused").made]
    collection(site, page(URL("new"), URL(1)))
    assert "vectors" in Collection(site).info().stale
    assert "vectors" in [each.name for each in Collection(site).build().made]
    assert "vectors" not in Collection(site).info().stale


def test_not_built_it_is_made_for_the_answer_or_left_out_with_a_note(site, caplog, monkeypatch):
    given(site)
    Collection(site).build(index="text")
    with caplog.at_level(logging.WARNING, "pagekin"):
        at_once = Collection(site).related(URL(1))
    assert [line.partition(",")[0] for line in caplog.messages] == ["vectors is not built"]
    assert at_once.note is None
    monkeypatch.setattr(base, "AT_HAND_S", -1)
    without = Collection(site).related(URL(1))
    assert without.note.startswith("vectors is not built, so the answer is without vectors; run: ")
    Collection(site).build(index="vectors")
    built = Collection(site).related(URL(1))
    assert [row.as_dict() for row in built] == [row.as_dict() for row in at_once]
    assert [row.score for row in built] != [row.score for row in without]


def test_a_damaged_index_is_named_and_made_again(site):
    given(site)
    Collection(site).build(index="vectors")
    before = [row.as_dict() for row in Collection(site).related(URL(1))]
    file = site / Store(site).manifest.indexes["vectors"].path / "vectors.npy"
    file.write_bytes(file.read_bytes()[:-4])
    with pytest.raises(Exception, match=r"vectors\.npy is damaged"):
        Collection(site).related(URL(1))
    assert any("the index vectors was damaged" in line for line in Collection(site).scrub().done)
    assert [row.as_dict() for row in Collection(site).related(URL(1))] == before
