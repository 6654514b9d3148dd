"""The words that set a page apart: against a twin, phrases by hand, and pages without anything to say."""

import math
from collections import Counter

import pytest

from pagekin.answers.collection import Collection
from pagekin.errors import UsageError
from pagekin.index.fields import WEIGHT
from pagekin.index.inverted import inverted
from pagekin.search.topic import topic
from tests.small_webs import collection, of_words, page, random_words

URL = "http://site.example/{}".format


@pytest.mark.parametrize("seed", range(3))
def test_words_equal_the_twin_s(tmp_path, seed):
    """Pages of a table: words in the body alone, without text."""
    pages = {
        url: f"{words} {words.partition(' ')[0]}" for url, words in random_words(seed, 30, 40, 12).items() if words
    }
    store = of_words(tmp_path / "s.kin", pages)
    everything = Counter(word for words in pages.values() for word in words.split())
    for url, words in pages.items():
        own = Counter(words.split())
        scores = {
            word: tf * math.log((tf / own.total()) / (everything[word] / everything.total()))
            for word, tf in own.items()
        }
        number = next(p for p in range(store.size) if store.url(p) == url)
        found = dict(topic(store, inverted(store), number, 100))
        assert found == pytest.approx({word: score for word, score in scores.items() if score > 1e-12}, rel=1e-9)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    path = tmp_path_factory.mktemp("topic") / "s.kin"
    wal = "The write-ahead log is a file. A Write-Ahead log, once written, is kept; the write-ahead log grows."
    others = (
        page(URL(f"p{i}"), title=f"Page {i}", words="a log of a file that pages write and read") for i in range(9)
    )
    collection(path, page(URL("wal"), title="Checkpoints", words=wal), page(URL("empty")), *others)
    Collection(path).build(["inverted"])
    return Collection(path)


def test_phrases_as_they_are_written_take_the_place_of_their_words(site):
    found = [row.word for row in site.keywords(URL("wal"))]
    assert found[:2] == ["write-ahead log", "Checkpoints"]
    assert not {"ahead", "write", "log", "write-ahead"} & set(found)


def test_a_word_in_the_title_counts_more(site):
    row = site.keywords(URL("wal"))[0]
    assert row.score > WEIGHT["title"]


def test_what_cannot_be_asked_and_what_has_no_answer(site):
    with pytest.raises(UsageError, match="unknown kind of keywords 'topics'; did you mean 'topic'"):
        site.keywords(URL("wal"), by="topics")
    with pytest.raises(UsageError, match="k must be at least 1"):
        site.keywords(URL("wal"), k=0)
    assert len(site.keywords(URL("wal"), k=1)) == 1


def test_a_page_without_words_says_so(tmp_path):
    store = of_words(tmp_path / "s.kin", {"a": "bee", "b": ""}, [("a", "b")])
    Collection(store.path).build(["inverted"])
    answer = Collection(store.path).keywords("b")
    assert (list(answer), answer.note) == (
        [],
        "no word sets this page apart: it has none, or all other pages say the same",
    )
