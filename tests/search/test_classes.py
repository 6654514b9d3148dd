"""Related pages in classes: two topics come apart, and each says what it is about."""

from pagekin.collection.store import Store
from pagekin.search.classes import classes
from pagekin.serve.build import build
from tests.small_webs import of_words

BEES = {f"bee{i}": f"bee hive honey queen{i}" for i in range(4)}
TRAINS = {f"train{i}": f"train rail engine driver{i}" for i in range(4)}


def test_topics_are_classes_labelled_with_their_words(tmp_path):
    of_words(tmp_path / "s.kin", {**BEES, **TRAINS, "silent": ""})
    list(build(tmp_path / "s.kin", indexes=["keywords"]))
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
    list(build(tmp_path / "s.kin", indexes=["keywords"]))
    store = Store(tmp_path / "s.kin")
    assert classes(store, []) == []
    [only] = classes(store, [0, 1])
    assert only.pages == (0, 1)
