"""Related pages in classes: two topics come apart, and each says what it is about."""

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.search.classes import _silhouette, classes
from tests.small_webs import collection, of_words, page

BEES = {f"bee{i}": f"bee hive honey queen{i}" for i in range(4)}
TRAINS = {f"train{i}": f"train rail engine driver{i}" for i in range(4)}


@pytest.mark.parametrize("built", [["keywords"], ["keywords", "inverted"]])
def test_topics_are_classes_labelled_with_their_words(tmp_path, built):
    of_words(tmp_path / "s.kin", {**BEES, **TRAINS, "silent": ""})
    Collection(tmp_path / "s.kin").build(index=built)
    store = Store(tmp_path / "s.kin")
    number = {store.url(p): p for p in range(store.size)}
    mixed = [number[f"{kind}{i}"] for i in range(4) for kind in ("train", "bee")]
    first, second, last = classes(store, [number["silent"], *mixed])
    assert {store.url(p) for p in first.pages} == set(TRAINS)
    assert [store.url(p) for p in second.pages] == ["bee0", "bee1", "bee2", "bee3"]
    assert set(first.label) == {"train", "rail", "engine"}
    assert set(second.label) == {"bee", "hive", "honey"}
    assert (last.label, last.pages) == ((), (number["silent"],))


def test_few_pages_are_one_class_and_none_are_none(tmp_path):
    of_words(tmp_path / "s.kin", {**BEES, **TRAINS})
    Collection(tmp_path / "s.kin").build(index=["keywords"])
    store = Store(tmp_path / "s.kin")
    assert classes(store, []) == []
    [only] = classes(store, [0, 1])
    assert only.pages == (0, 1)


def test_the_silhouette_is_what_a_slow_twin_says():
    def of(place, distance, groups):
        (own,) = (group for group in groups if place in group)
        if len(own) == 1:
            return 0.0
        a = sum(distance[place][q] for q in own if q != place) / (len(own) - 1)
        b = min(sum(distance[place][q] for q in group) / len(group) for group in groups if group is not own)
        return (b - a) / max(a, b) if max(a, b) else 0.0

    rng = np.random.default_rng(8)
    for _ in range(50):
        n = int(rng.integers(3, 12))
        half = np.triu(rng.random((n, n)).round(1), 1)
        distance = half + half.T
        label = rng.permutation(np.concatenate(([0, 1], rng.integers(0, 3, n - 2))))
        groups = [np.flatnonzero(label == g).tolist() for g in np.unique(label)]
        expected = sum(of(place, distance.tolist(), groups) for place in range(n)) / n
        assert _silhouette(distance, groups) == pytest.approx(expected, abs=1e-12)


def test_a_label_has_what_sets_the_pages_apart_as_they_write_it(tmp_path):
    """Words on half of the pages are no keywords of paper 4's that set a class apart; a phrase is none at all."""
    text = {
        "bee": "The queen bee is in the hive. A queen bee lays eggs.",
        "train": "The steam engine pulls. A steam engine.",
    }
    pages = [
        page(f"http://x.example/{kind}{i}", title=f"{kind} {i}", words=text[kind]) for kind in text for i in range(4)
    ]
    store = collection(tmp_path / "s.kin", *pages)
    Collection(tmp_path / "s.kin").build(index=["keywords", "inverted"])
    labels = {store.url(each.pages[0])[17:20]: each.label for each in classes(Store(tmp_path / "s.kin"), range(8))}
    assert "queen bee" in labels["bee"]
    assert "steam engine" in labels["tra"]


def test_a_word_on_every_page_labels_no_class(tmp_path):
    words = {name: f"{text} page" for name, text in {**BEES, **TRAINS}.items()}
    of_words(tmp_path / "s.kin", words)
    Collection(tmp_path / "s.kin").build(index=["keywords"])
    found = classes(Store(tmp_path / "s.kin"), range(8))
    assert len(found) == 2
    assert all("page" not in each.label for each in found)
