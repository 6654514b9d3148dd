"""How a question is read: words in every language, compounds, conditions, what is left out and what is nowhere."""

import pytest

from pagekin.index.inverted import inverted
from pagekin.search.question import read
from tests.small_webs import collection, page

URL = "http://site.example/{}".format


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    german = "Die Häuser und der Garten sind nicht von der Stadt, aber das ist auch für uns"
    store = collection(
        tmp_path_factory.mktemp("question") / "s.kin",
        page(
            URL("a"), title="The Who", words="bees keep the write-ahead log of sqlite3_prepare and BusyHandler houses"
        ),
        page(URL("b"), title="With or without", words="nectar and houses for the bees in the garden of the city"),
        page(URL("de"), title="Haus", words=german),
    )
    return store.seeing(), inverted(store)


def asked(site, text):
    found = read(*site, text)
    names = site[1].terms
    return {word.text: [names[term].as_py() for term in word.terms] for word in found.words}, found


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("bees", ["bee"]),
        ("Write-ahead", ["write", "ahead", "write-ahead"]),
        ("sqlite3_prepare", ["sqlite3", "prepar", "sqlite3_prepare"]),
        ("BusyHandler", ["busyhandl", "busi", "handler"]),
        ("busy handler", ["busi", "busyhandl", "handler"]),
        ("the bees", ["bee"]),
        ("the who", ["the", "who"]),
        ("with", ["with"]),
        ("title:bees", ["bee"]),
        ('"bees keep"', ["bee", "keep"]),
        ("bees -log", ["bee"]),
        ("- bees", ["bee"]),
        ("--bees", ["bee"]),
        ("bees -x", ["bee"]),
        ("!!! bees ???", ["bee"]),
        ("🐝 bees", ["bee"]),
        ("", []),
    ],
)
def test_terms(site, text, terms):
    assert [term for found in asked(site, text)[0].values() for term in found] == terms


def test_a_word_has_its_stems_in_every_language_and_is_counted_once(site):
    found, question = asked(site, "houses Häuser Haus houses")
    assert found["houses"] == ["hous"]
    assert found["Häuser"] == ["haus"]
    assert [word.times for word in question.words] == [2, 2]


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("bees -log", [("word", "log", False)]),
        ('bees -"log of"', [("phrase", "log of", False)]),
        ('"bees  keep" title:who', [("phrase", "bees keep", True), ("title", "who", True)]),
        ("bees SITE:Site.example -site:x", [("site", "Site.example", True), ("site", "x", False)]),
        ('"bees"', []),
        ("bees -x --log", []),
        ('"" bees', []),
    ],
)
def test_conditions(site, text, conditions):
    assert [(each.kind, each.text, each.wanted) for each in asked(site, text)[1].conditions] == conditions


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("bees", None),
        ("the bees and the log", "left out as too common: “the”, “and”"),
        ("nectra", "no page has “nectra”; did you mean “nectar”?"),
        ("bees nectra", "no page has “nectra”; did you mean “nectar”?"),
        ("zzzz qqqq", "no page has any of these words; try other or shorter words"),
        ('bees "log', "a quotation mark without its pair is left out"),
        ("-bees", "the question says only what to leave out or where to look; add words to look for"),
        ("!", "all words of the question are too common or too short to search for; use words that you expect"),
        ("", "the question is empty; use words that you expect"),
    ],
)
def test_notes(site, text, note):
    said = "; ".join(asked(site, text)[1].notes)
    assert said.startswith(note) if note else not said


def test_a_question_of_very_many_words(site):
    found = asked(site, "bees " + " ".join(f"word{i}" for i in range(10_000)))[1]
    assert len(found.words) == 1
    assert "and 9,990 more" in found.notes[0]
