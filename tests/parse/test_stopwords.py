"""Stop words: what two lists agree on, and one list where there is no second."""

import stopwordsiso
from bm25s.stopwords import STOPWORDS_EN_PLUS, STOPWORDS_GERMAN

from pagekin.parse.stopwords import languages, longest_list, stop_words


def test_two_lists_must_agree() -> None:
    assert stop_words("en") == set(STOPWORDS_EN_PLUS) & stopwordsiso.stopwords("en")
    assert stop_words("de") == set(STOPWORDS_GERMAN) & stopwordsiso.stopwords("de")
    searched_for = {"computer", "system", "web", "page", "research"}
    assert searched_for <= longest_list("en")
    assert not searched_for & stop_words("en")


def test_one_list_is_taken_as_it_is_and_none_is_empty() -> None:
    assert stop_words("fi") == longest_list("fi") == stopwordsiso.stopwords("fi")
    assert stop_words("xx") == longest_list("xx") == set()
    assert {"en", "fi", "th"} <= set(languages())
