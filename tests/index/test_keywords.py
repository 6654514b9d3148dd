"""Which terms are a page's keywords, and the index that holds them."""

import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.errors import CollectionError
from pagekin.index.base import opened
from pagekin.index.keywords import MOST, KeywordRelevance, keywords_of
from tests.small_webs import collection, of_words, page


def built(path):
    Collection(path).build(index=["keywords"])
    return Store(path)


def terms(store, url):
    held = keywords_of(store)
    number = next(p for p in range(store.size) if store.url(p) == url)
    return {held.names["term"][word].as_py() for word in held.of(number).tolist()}


def test_the_most_frequent_terms_title_words_three_times(tmp_path):
    many = " ".join(f"word{i:02} word{i:02} word{i:02} word{i:02}" for i in range(MOST - 1))
    text = f"{many} plain plain seldom"
    collection(tmp_path / "s.kin", page("http://a.example/", title="Zebra", words=text))
    found = terms(built(tmp_path / "s.kin"), "http://a.example/")
    assert len(found) == MOST
    assert "zebra" in found  # three for the title, against two
    assert "plain" not in found
    assert "seldom" not in found


def test_of_equally_frequent_terms_those_on_more_pages_then_by_alphabet(tmp_path):
    words = " ".join(f"w{i:02}" for i in range(MOST + 2))
    of_words(tmp_path / "s.kin", {"a": words, "b": "w21 w21"})
    assert terms(built(tmp_path / "s.kin"), "a") == {f"w{i:02}" for i in range(MOST - 1)} | {"w21"}


def test_word_flags_are_all_keywords(tmp_path):
    words = " ".join(f"w{i}" for i in range(MOST + 10))
    of_words(tmp_path / "s.kin", {"a": words, "b": "w1 w2"})
    assert len(terms(built(tmp_path / "s.kin"), "a")) == MOST + 10


def test_the_commonest_spelling_is_shown(tmp_path):
    collection(
        tmp_path / "s.kin",
        page("http://a.example/", words="hives hives hive"),
        page("http://b.example/", words="hives"),
    )
    held = keywords_of(built(tmp_path / "s.kin"))
    assert held.surface(held.number["hive"]) == "hives"


def test_a_table_that_says_the_same_twice_counts_once(tmp_path):
    of_words(tmp_path / "s.kin", {"a": "bee bee hive", "b": "bee"})
    of_words(tmp_path / "s.kin", {"a": "bee bee hive", "c": "hive"})
    store = built(tmp_path / "s.kin")
    assert terms(store, "a") == {"bee", "hive"}
    assert keywords_of(store).pages.tolist() == [2, 2]


def test_no_words_and_damage(tmp_path):
    of_words(tmp_path / "s.kin", {"a": "bee"})
    store = built(tmp_path / "s.kin")
    (tmp_path / "s.kin" / store.manifest.indexes["keywords"].path / "pair.npy").unlink()
    with pytest.raises(CollectionError, match=r"pair\.npy is missing"):
        opened(store, KeywordRelevance())
    of_words(tmp_path / "none.kin", {"a": ""}, [("a", "b")])
    empty = keywords_of(built(tmp_path / "none.kin"))
    assert (empty.total, empty.pages.size, empty.of(0).size) == (0, 0, 0)
