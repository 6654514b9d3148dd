"""The fit of search's numbers: average precision by hand, the shipped numbers as `search` uses them, and no loss."""

import pytest

from leaderboard.fit_search import START, Asked, fitted, spelled
from pagekin.evaluate.truth import Relevance
from pagekin.index.inverted import inverted
from pagekin.search.ranking import Ranker
from tests.small_webs import collection, page

URL = "http://h.example/{}".format


@pytest.fixture
def asked(tmp_path):
    store = collection(
        tmp_path / "s.kin",
        page(URL("a"), title="Honey", words="how it is made"),
        page(URL("b"), title="Wax", words="honey honey honey and wax"),
        page(URL("c"), title="Rails", words="trains"),
    )
    number = {store.url(p): p for p in range(store.size)}
    right = {"1": {number[URL("b")]: 1}, "2": {number[URL("a")]: 1, number[URL("b")]: 1}, "3": {number[URL("c")]: 1}}
    words = {"1": "wax", "2": "honey", "3": "nothing"}
    return store, Asked.of(store, Relevance(right, words=words))


def test_average_precision(asked):
    assert asked[1].precision(START).tolist() == [1.0, 1.0, 0.0]


def test_the_start_is_what_search_uses(asked):
    store, questions = asked
    ours = Ranker(inverted(store.seeing())).bm25(questions.questions[1])
    theirs = Ranker(questions._weighed(START)).bm25(questions.questions[1])
    assert ours.own.tolist() == theirs.own.tolist()


def test_numbers_that_cannot_be_better_stay(asked):
    assert fitted([asked[1]], START) == START
    assert spelled({"k": 0.8, "b of names": 0.25}) == "k 0.8, b of names 0.25"
