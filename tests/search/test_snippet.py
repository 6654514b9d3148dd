"""Snippets: the right place, the right length, from any text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.parse.words import Analyser
from pagekin.search.snippet import LENGTH, LOOKED_AT, MOST_LOOKED_AT, Matcher, _hits, snippet

PLAIN = Analyser()
FILLER = "Nothing to be seen in this line of words. " * 40


def test_the_place_with_most_of_the_words_is_shown():
    text = f"A hive. {FILLER} The hive with wax and a queen. {FILLER} Wax."
    shown, words = snippet(text, Matcher.of({"hive", "wax", "queen"}, PLAIN, "en"))
    assert "The hive with wax and a queen." in shown
    assert words == ["hive", "wax", "queen"]
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) <= LENGTH + 4


def test_a_text_without_the_words_is_shown_by_its_beginning():
    assert snippet("Hives.  Wax.", Matcher.of({"queen"}, PLAIN, "en")) == ("Hives. Wax.", [])
    shown, words = snippet(FILLER + "queen", Matcher.of({"bee"}, PLAIN, "en"))
    assert shown.startswith("Nothing to be seen")
    assert (words, len(shown) <= LENGTH) == ([], True)
    assert snippet("", Matcher.of({"bee"}, PLAIN, "en")) == ("", [])


def test_a_text_is_looked_at_in_full_if_need_be_but_not_without_end():
    for length, found in ((LOOKED_AT, ["queen"]), (MOST_LOOKED_AT, [])):
        assert snippet("x " * (length // 2) + "queen", Matcher.of({"queen"}, PLAIN, "en"))[1] == found


@settings(deadline=None)
@given(st.text("ab c。A\u2003\n", max_size=80))
def test_words_match_whole_and_where_they_stand(text):
    """Against a walk over the text, word by word."""
    question = Matcher.of({"a", "ab", "c"}, PLAIN, "de")
    runs = re.finditer(r"[^\s。、，．！？；]+", text)
    expected = [(run.start(), run.end(), question.terms & set(PLAIN.stems(run[0], "de"))) for run in runs]
    assert _hits(text, question) == [hit for hit in expected if hit[2]]


@settings(deadline=None)
@given(st.text(max_size=600), st.sampled_from(["en", "ja", "tr"]))
def test_any_text_gives_a_piece_of_itself(text, language):
    terms = set(PLAIN.stems(text, language)[:3])
    shown, words = snippet(text, Matcher.of(terms, PLAIN, language))
    assert len(shown) <= LENGTH + 4
    assert bool(words) == bool(terms) or not words
    flat = " ".join(text.split())
    assert shown.removeprefix("… ").removesuffix(" …").strip() in flat or not words


@pytest.mark.parametrize("word", ["queen" * 100, "猫" * 900])
def test_words_longer_than_a_snippet_do_not_make_it_longer(word):
    shown, _ = snippet(f"a {word} b queen", Matcher.of({"queen", "猫猫"}, PLAIN, "en"))
    assert len(shown) <= LENGTH + 4
