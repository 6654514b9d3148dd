"""A search that is measured gives the lists that the verb gives."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.errors import NotBuiltError, UsageError
from pagekin.evaluate.searching import DEFAULTS, Search, search
from pagekin.search.answer import search as answer
from tests.small_webs import of_words, random_pairs, random_words


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    path = tmp_path_factory.mktemp("searching") / "s.kin"
    of_words(path, random_words(5, 80, 60, 12), [(f"p{s}", f"p{t}") for s, t in random_pairs(5, 80, 300)])
    Collection(path).build()
    return Store(path)


@pytest.mark.parametrize("written", [*DEFAULTS, "search(alpha=0.5, kind=fan-in, tau=20)", "search(alpha=1.0)"])
def test_the_lists_are_those_of_the_verb(site, written):
    asked = search(written)
    if asked.kind != "fan-out":
        Collection(site.path).build(index="subrelevant(kind=fan-in)")
    store = Store(site.path)
    texts = ["w1 w2", "w3", "w40 w7 w8", "nothing"]
    sizes, pages, scores = asked.lists(store, texts, 6)
    for row, text in enumerate(texts):
        found = answer(store, text, 6, asked.alpha, asked.kind, asked.tau, asked.by)
        assert [store.url(page) for page in pages[row, : sizes[row]].tolist()] == [hit.url for hit in found]
        assert scores[row, : sizes[row]].tolist() == [hit.score for hit in found]
    assert sizes[3] == 0


def test_text_and_back():
    assert [repr(search(written)) for written in DEFAULTS] == list(DEFAULTS)
    assert search("search(by=tf-idf)") == Search(by="tf-idf")
    with pytest.raises(UsageError, match="amsler answers pages; questions in words are answered by a search: search, "):
        search("amsler")
    with pytest.raises(UsageError, match="unknown search 'bm25'"):
        search("bm25")
    with pytest.raises(UsageError, match="expected 0"):
        search("search(alpha=2)")


def test_not_built(tmp_path):
    with pytest.raises(NotBuiltError, match="inverted is not built"):
        Search().lists(of_words(tmp_path / "n.kin", {"a": "bee"}), ["bee"], 3)
