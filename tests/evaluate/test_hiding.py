"""The copy lacks exactly the links between the pairs, and the collection stays as it is to the last byte."""

from hashlib import sha256

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.evaluate.hiding import without_links
from pagekin.evaluate.truth import read_pairs
from pagekin.model import Redirect
from tests.small_webs import collection, edges, page, random_pairs


def bytes_of(folder):
    """Every file with its content and times."""
    return {
        file.relative_to(folder): (sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns)
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def links_of(store):
    return sorted(
        (store.url(source), store.url(int(target)))
        for source in range(store.size)
        for target in store.arrays.targets(source)
    )


@pytest.mark.parametrize("seed", range(3))
def test_only_the_links_of_the_pairs_are_gone(tmp_path, seed):
    url = "http://m.example/{}".format
    pages = {i: [url(t) for s, t in random_pairs(seed, 30, 120) if s == i] for i in range(30)}
    store = collection(tmp_path / "s.kin", *(page(url(i), *targets, words="bees") for i, targets in pages.items()))
    collection(tmp_path / "s.kin", edges((url(1), url(2)), ("http://other.example/", url(3))))  # a second part
    store, before = Store(tmp_path / "s.kin"), bytes_of(tmp_path / "s.kin")
    pairs = [(int(s), int(t)) for s, t in random_pairs(seed + 9, store.size, 60) if s != t]
    count = without_links(store, pairs, tmp_path / "copy.kin")
    copy = Store(tmp_path / "copy.kin")
    hidden = {frozenset(map(store.url, pair)) for pair in pairs}
    assert links_of(copy) == [link for link in links_of(store) if frozenset(link) not in hidden]
    assert links_of(copy) != links_of(store)
    assert count >= len(links_of(store)) - len(links_of(copy))
    assert (copy.graph.ids == store.graph.ids).all()
    assert copy.text(store.graph.ids.size // 2) == store.text(store.graph.ids.size // 2)
    assert bytes_of(tmp_path / "s.kin") == before


@pytest.mark.data
@pytest.mark.slow
def test_on_planetmath_no_link_of_the_truth_is_left(data, tmp_path):
    Collection(tmp_path / "p.kin").add(data("planetmath") / "pages", base_url="http://planetmath.org/", text=False)
    store = Store(tmp_path / "p.kin")
    truth = read_pairs(store, data("planetmath") / "related.tsv")
    pairs = {(page, other) for page in truth.asked for other in truth.of[page]}
    linked = sum(other in store.arrays.targets(page) for page, other in pairs)
    assert linked > 2_500
    assert without_links(store, pairs, tmp_path / "copy.kin") >= linked
    copy = Store(tmp_path / "copy.kin")
    assert not any(other in copy.arrays.targets(page) for page, other in pairs)
    assert copy.arrays.links == store.arrays.links - linked


def test_a_link_by_another_address_is_hidden_too(tmp_path):
    a, b, old = "http://m.example/a", "http://m.example/b", "http://m.example/old"
    store = collection(tmp_path / "s.kin", page(a, old), page(b, "http://m.example/c"), Redirect(old, b))
    number = {store.url(page): page for page in range(store.size)}
    assert (a, b) in links_of(store)
    assert without_links(store, [(number[b], number[a])], tmp_path / "copy.kin") == 1
    assert links_of(Store(tmp_path / "copy.kin")) == [(b, "http://m.example/c")]
