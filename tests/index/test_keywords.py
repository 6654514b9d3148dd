"""Which terms are a page's keywords, and the index that holds them."""

from collections import Counter

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection import parts, row_files
from pagekin.collection.store import Store
from pagekin.errors import CollectionError
from pagekin.index import page_keywords
from pagekin.index.base import opened
from pagekin.index.keywords import MOST, KeywordRelevance, keywords_of
from pagekin.index.spooled import fitting
from tests.small_webs import collection, of_words, page, random_pairs, random_words


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


def chosen(tables, k):
    """The k keywords of each page, slowly: of what several tables say of a page, the largest count of a term."""
    counts = {}
    for words in tables:
        for url, text in words.items():
            for word in text.split():
                key = url, word
                counts[key] = max(counts.get(key, 0), text.split().count(word))
    spread = Counter(word for _, word in counts)
    pages = {url: [word for page, word in counts if page == url] for url, _ in counts}
    return {
        url: set(sorted(words, key=lambda word, url=url: (-counts[url, word], -spread[word], word))[:k])
        for url, words in pages.items()
    }


@pytest.mark.parametrize("memory", ["1KB", "20KB", "1GB"])
def test_keywords_and_pairs_however_much_is_held_at_a_time(tmp_path, monkeypatch, memory):
    monkeypatch.setattr(parts, "ROW_GROUP", 7)
    monkeypatch.setattr(parts, "PIECE", 1)  # so that spans are small, too
    monkeypatch.setattr(row_files, "AT_ONCE", 5)
    monkeypatch.setattr(page_keywords, "AT_ONCE", 5)
    dealt = []
    monkeypatch.setattr(page_keywords, "fitting", lambda *rows: dealt.append(fitting(*rows)) or dealt[-1])
    tables = [random_words(seed, 40, 30, 12) for seed in range(3)]
    for seed, words in enumerate(tables):
        doubled = {page: text + " " + " ".join(text.split()[::2]) for page, text in words.items()}
        tables[seed] = {f"{page}{seed // 2}": text for page, text in doubled.items()}  # the last tells of others
        links = [(f"p{s}{seed // 2}", f"p{t}0") for s, t in random_pairs(seed, 40, 150)]
        of_words(tmp_path / "s.kin", tables[seed], links)
    monkeypatch.setenv("PAGEKIN_MEMORY", memory)
    store, index = Store(tmp_path / "s.kin"), KeywordRelevance(4)
    (tmp_path / "made").mkdir()
    index.make(store, tmp_path / "made")
    held = index.open(tmp_path / "made")
    wanted, name = chosen(tables, 4), held.names["term"].to_pylist()
    words = {store.url(p): {name[word] for word in held.of(p).tolist()} for p in range(store.size) if held.of(p).size}
    assert words == wanted
    assert held.pages.tolist() == [sum(word in words for words in wanted.values()) for word in name]
    met = {(a, b): sum({a, b} <= words for words in wanted.values()) for a in name for b in name if a != b}
    rows = np.repeat(np.arange(held.pages.size), np.diff(held.pair_start))
    found = zip(rows.tolist(), held.pair.tolist(), held.together.tolist(), strict=True)
    assert {(name[a], name[b]): times for a, b, times in found} == {pair: times for pair, times in met.items() if times}
    pages = {store.url(p): p for p in range(store.size)}
    linked = {
        url: set().union(*(wanted.get(store.url(q), set()) for q in store.arrays.targets(pages[url]).tolist()))
        for url in wanted
    }
    confidence = [
        np.mean([b in linked[url] for url, words in wanted.items() if a in words]) for a in name for b in name if a != b
    ]
    assert (held.confidence.low, held.confidence.high) == (min(confidence), max(confidence))
    support = [times / len(wanted) for times in met.values()]
    assert (held.support.low, held.support.high) == (min(support), max(support))
    assert (dealt[-1].size > 10) == (memory == "1KB")  # so that pages were dealt out
