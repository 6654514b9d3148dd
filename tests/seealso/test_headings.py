"""“See also” in the language of the page."""

from pagekin.parse.see_also_words import says_so
from pagekin.seealso.headings import HEADINGS, SECOND, heading


def test_every_heading_is_known_to_the_parser_of_such_sections() -> None:
    """`parse.see_also_words` was collected from real pages, by others' eyes."""
    told = [language for language, text in HEADINGS.items() if says_so(text)]
    assert {"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "ja", "zh", "sv"} <= set(told)


def test_regions_and_unknown_languages() -> None:
    assert heading("pt-BR") == ("Ver também", "pt")
    assert heading("zh-Hant-HK") == ("參見", "zh-hant")
    assert heading("") == heading("xx") == ("See also", "en")


def test_every_language_has_a_second_one_which_is_another() -> None:
    assert HEADINGS.keys() == SECOND.keys()
    assert not any(says_so(text) and text == HEADINGS[language] for language, text in SECOND.items())
    assert heading("fr-CA", second=True) == ("Pages connexes", "fr")
