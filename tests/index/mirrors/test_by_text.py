"""Mirrors by text: signatures estimate resemblance, candidates lose no mirror, shingles decide."""

import numpy as np

from pagekin import demo
from pagekin.answers.collection import Collection
from pagekin.index.mirrors.by_text import mirrors
from pagekin.model import Capture
from tests.small_webs import collection


def words(seed, n=300):
    return [f"w{i}" for i in np.random.default_rng(seed).integers(0, 80, n)]


def store_of(path, texts):
    def capture(name, text):
        return Capture(f"http://{name}.example/", f"<p>{text}".encode(), "text/html", fetched=1, origin="x")

    return collection(path, *(capture(name, text) for name, text in texts.items()))


def test_mirrors_are_texts_that_share_nine_tenths(tmp_path):
    text = words(3)
    texts = {"a": text, "b": text, "c": [*text, "one", "more"], "d": text[:150] + words(4, 150), "e": words(5)}
    store = store_of(tmp_path / "s.kin", {name: " ".join(each) for name, each in texts.items()})
    (found,) = mirrors(store)
    assert {store.url(page)[7] for page in found.tolist()} == {"a", "b", "c"}
    assert sorted(found.tolist()) == found.tolist()


def test_short_texts_say_nothing(tmp_path):
    assert mirrors(store_of(tmp_path / "s.kin", dict.fromkeys("abc", "this page has moved to another address"))) == []


def test_the_demo_web_s_mirrors_are_found_and_no_others(tmp_path):
    demo.write(tmp_path / "web")
    kin = Collection(tmp_path / "demo.kin")
    kin.add(tmp_path / "web")
    found = {frozenset(kin.store.url(page) for page in group.tolist()) for group in mirrors(kin.store)}
    assert found == {frozenset(group) for group in demo.truth().mirrors}
