"""The words that mean "see also": each is known as a heading, and in many languages at the beginning of a paragraph."""

import re

import pytest

from pagekin.model import Capture
from pagekin.parse.html import parse
from pagekin.parse.see_also import without_see_also
from pagekin.parse.see_also_words import _BEGINS, LABELS, PHRASES, begins_so, begins_with_capital, says_so

BEE, KEPT = '<a href="bee">Bees</a>', '<a href="kept">kept</a>'
PHRASE_LIST = [phrase.strip() for phrase in re.split(r"[|\n]", f"{PHRASES}|{LABELS}") if phrase.strip()]


def shown(html: str) -> Capture:
    return Capture("http://a.example/honey", html.encode(), "text/html; charset=utf-8")


@pytest.mark.parametrize("spell", [str, str.capitalize, str.upper, "{}:".format])
def test_every_phrase_is_known_as_a_heading(spell):
    pages = {phrase: shown(f"<p>Sweet.</p><h2>{spell(phrase)}</h2><p>{BEE}</p>") for phrase in PHRASE_LIST}
    assert [phrase for phrase, page in pages.items() if parse(without_see_also(page).capture).text != "Sweet."] == []
    assert len(pages) > 150


@pytest.mark.parametrize("written", [
    "See also %s.", "Siehe auch %s.", "Voir aussi : %s", "Véase también %s", "Vedi anche %s", "Veja também %s.",
    "Zie ook %s.", "Zobacz też %s", "См. также %s", "関連項目: %s", "参见%s。", "另請參閱%s", "Se även %s.",
])  # fmt: skip
def test_a_paragraph_may_begin_so_in_many_languages(written):
    found = without_see_also(shown(f"<p>Sweet.</p><p>{written % BEE}</p><p>{KEPT}</p>"))
    assert [[link.target for link in links] for links in found.sections] == [["http://a.example/bee"]]
    assert parse(found.capture).text.split() == ["Sweet.", "kept"]


def test_what_the_words_are_and_are_not():
    assert all(map(says_so, ("See also", "2. SEE ALSO:", "Related links", "See also [edit]")))
    assert not any(map(says_so, ("See", "See also the hive", "Related functions", "")))
    assert begins_so("(See also the hive)")
    assert begins_so("Related: the hive")
    assert not begins_so("Related topics are many")
    assert not begins_so("See alsoran")
    assert begins_with_capital("• See also the hive")
    assert not begins_with_capital("see also the hive")


@pytest.mark.parametrize("spell", [str, str.title, str.upper])
@pytest.mark.parametrize("space", [" ", "\n", "\xa0", "  \t"])
def test_the_quick_look_before_the_pattern_misses_nothing(spell, space):
    texts = [f"{before}{spell(phrase).replace(' ', space)}" for phrase in PHRASE_LIST for before in ("", "(", "• \n")]
    for text in (f"{text}{after}" for text in texts for after in ("", ": x", " x", "x")):
        assert begins_so(text) == (_BEGINS.match(text) is not None), text
    assert begins_so(texts[0])
    assert not any(map(begins_so, ("", " ", "\u2003\u2003\u2003", "(", "se", "s")))
