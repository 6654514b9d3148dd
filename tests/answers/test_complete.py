"""Suggestions while typing, against a twin that looks at every word, title and address."""

import pytest

from pagekin import Collection
from pagekin.answers.complete import complete
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from tests.small_webs import collection, page

SITE = "http://www.a.example/"
TITLES = {"one": "Ink and rollers", "two": "ink", "three": "İnk", "four": "Type", "five": "", "six": "Ink, again"}
WORDS = ["a roller turns", "rolling the roller", "no more than a rose", "type is set", "by a roller", "in rows"]


@pytest.fixture
def store(tmp_path):
    names = list(TITLES)
    pages = [
        page(SITE + name, *(SITE + other for other in names[: at + 1]), title=title or " ", words=WORDS[at])
        for at, (name, title) in enumerate(TITLES.items())
    ]
    collection(tmp_path / "s.kin", *pages)
    Collection(tmp_path / "s.kin").build(index="inverted")
    return Store(tmp_path / "s.kin")


def lower(text):
    return text.replace("İ", "i").lower()  # Unicode's simple mapping: a letter stays one letter


def twin(store, prefix):
    def short(url):
        return url.removeprefix("http://").removeprefix("https://").removeprefix("www.")

    def known(each):
        return -store.arrays.citers(each).size

    pages = range(store.size)
    titled = [each for each in pages if lower(store.title(each)).startswith(prefix)]
    titled.sort(key=lambda each: (known(each), lower(store.title(each))))
    addressed = [each for each in pages if short(store.url(each)).startswith(short(prefix))]
    addressed.sort(key=lambda each: (known(each), short(store.url(each))))
    return [store.url(each) for each in dict.fromkeys([*titled, *addressed])]


@pytest.mark.parametrize(
    "typed", ["i", "ink", "INK", "ink a", "t", "a.ex", "www.a.example/t", SITE, SITE + "f", "zz", "İ"]
)
def test_pages_are_those_that_begin_so_the_best_known_first(store, typed):
    found = complete(store, typed, 50)
    assert [each.url for each in found.pages] == twin(store, lower(typed))
    assert [each.url for each in complete(store, typed, 2).pages] == twin(store, lower(typed))[:2]


def test_words_are_those_on_most_pages(store):
    words = complete(store, "ro", 5).results
    assert [(word.word, word.score) for word in words][:2] == [("roller", 3), ("rolling", 1)]
    assert {word.word for word in words} == {"roller", "rolling", "rose", "rows"}


def test_nothing_found_and_nothing_typed(store):
    assert complete(store, "zzz", 5).note == "no word, title or address begins so"
    with pytest.raises(UsageError, match="nothing was typed"):
        complete(store, "  ", 5)


def test_without_the_index_the_note_says_how_to_build_it(tmp_path):
    store = collection(tmp_path / "n.kin", page(SITE, title="Ink"))
    found = complete(store, "ink", 5)
    assert [each.title for each in found.pages] == ["Ink"]
    assert "build" in found.note
