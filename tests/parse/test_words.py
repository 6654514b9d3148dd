"""Words and stems; the slow twin below says what analysing a text means."""

import re
import threading
from collections import Counter
from unicodedata import normalize

import pytest
import Stemmer
import stopwordsiso
from bm25s.stopwords import STOPWORDS_EN_PLUS
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.errors import MissingExtraError, UsageError
from pagekin.model import Term
from pagekin.parse import words
from pagekin.parse.segmenters import LONGEST_RUN, SEGMENTERS, segmenters
from pagekin.parse.words import Analyser, analyse, stems

PLAIN = Analyser()


def slow_stems(text: str) -> list[tuple[str, str]]:
    """Surfaces and stems of an English text, as the docs page puts it."""
    both = stopwordsiso.stopwords("en") & set(STOPWORDS_EN_PLUS)
    stop = {part for word in both for part in re.findall(r"[^\W_]+", word)}
    stemmer = Stemmer.Stemmer("porter")
    found = []
    for word in re.findall(r"[^\W_]+", normalize("NFKC", text)):
        number = word.isdigit() and len(word) > 4
        if 1 < len(word) <= 40 and not number and word.casefold() not in stop:
            found.append((word, stemmer.stemWord(word.casefold())))
    return found


def slow_analyse(text: str, title: str) -> dict[str, Term]:
    body, head = slow_stems(text), slow_stems(title)
    surfaces = Counter(body + head)
    terms = {}
    for stem in {stem for _, stem in body + head}:
        best = min((-count, surface) for (surface, of), count in surfaces.items() if of == stem)[1]
        terms[stem] = Term(stem, best, sum(s == stem for _, s in body), sum(s == stem for _, s in head))
    return terms


western = st.text(st.sampled_from("aAbeEsgni'’_-.,1239 \t\nüÉßﬁ½²“”…") | st.sampled_from(" "), max_size=80)


@settings(deadline=None)
@given(western, western)
def test_analyse_equals_its_slow_twin(text: str, title: str) -> None:
    assert {term.term: term for term in PLAIN.analyse(text, title, "en")} == slow_analyse(text, title)


@settings(deadline=None)
@given(st.text(), st.sampled_from(["en", "de", "tr", "zh", "ja", "th", "xx"]))
def test_stems_of_a_query_are_those_of_a_page(text: str, language: str) -> None:
    assert Counter(stems(text, language)) == {t.term: t.body for t in analyse(text, "", language)}


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("bees, (bees) bees' bee's", "en", ["bee"] * 4),
        ("don't you've snake_case", "en", ["snake", "case"]),
        ("x y 7 42 1996 802 20481 x86", "en", ["42", "1996", "802", "x86"]),
        ("l'homme qu'il d'Alembert", "fr", ["homm", "alembert"]),
        ("Straße STRASSE", "de", ["strass", "strass"]),
        ("cafe\u0301 café ｈｉｖｅｓ", "en", ["café", "café", "hive"]),
        ("IŞIK ışık", "tr", ["ışık", "ışık"]),
        ("हिन्दी मधुमक्खी", "xx", ["हिन्दी", "मधुमक्खी"]),
        (f"{'a' * 40} {'b' * 41}", "xx", ["a" * 40]),
        ("keepers", "xx", ["keepers"]),
    ],
)
def test_words(text: str, language: str, expected: list[str]) -> None:
    assert PLAIN.stems(text, language) == expected


def test_the_surface_is_the_commonest_then_the_least() -> None:
    assert PLAIN.analyse("hives hive hive Hive", "Hive", "en") == (Term("hive", "Hive", 4, 1),)
    assert PLAIN.analyse("hives hive hive", "", "en") == (Term("hive", "hive", 3, 0),)


def test_text_and_title_are_counted_apart() -> None:
    assert PLAIN.analyse("honey", "comb honey honey", "en") == (
        Term("honei", "honey", 1, 2),
        Term("comb", "comb", 0, 1),
    )


def test_scripts_without_spaces_are_cut_on_any_page() -> None:
    assert PLAIN.stems("Python検索エンジン入門 猫", "en") == [
        "python",
        "検索",
        "索エ",
        "エン",
        "ンジ",
        "ジン",
        "ン入",
        "入門",
        "猫",
    ]
    assert PLAIN.stems("ผึ้ง", "en")
    assert all(len(pair) <= 2 for pair in PLAIN.stems("น้ำผึ้งจากดอกไม้ป่าในประเทศไทย" * 3, "th"))


def test_segmenters_find_words() -> None:
    pytest.importorskip("jieba", reason="the extra zh is not installed")
    pytest.importorskip("fugashi", reason="the extra ja is not installed")
    assert segmenters() == {"zh": "jieba", "ja": "fugashi"}
    both = Analyser(**segmenters())
    assert both.stems("蜜蜂采集花粉", "zh") == ["蜜蜂", "采集", "花粉"]
    assert both.stems("東京タワーと蜜蜂", "ja") == ["東京", "タワー", "蜜蜂"]
    assert both.stems("The 東京タワー and 花粉", "en") == ["東京", "タワー", "花粉"]


def test_the_choice_of_segmenters_can_be_forced() -> None:
    assert Analyser(zh="bigrams").stems("蜜蜂采集", "zh") == ["蜜蜂", "蜂采", "采集"]
    with pytest.raises(UsageError, match="unknown segmenter for zh 'jeiba'; did you mean 'jieba'"):
        Analyser(zh="jeiba")
    with pytest.raises(UsageError, match="known: bigrams, fugashi"):
        Analyser(ja="jieba")


def test_a_segmenter_that_is_missing_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagekin.parse.segmenters.find_spec", lambda module: None)
    assert segmenters() == {"zh": "bigrams", "ja": "bigrams"}
    with pytest.raises(MissingExtraError, match=r"pip install 'pagekin\[ja\]'"):
        Analyser(ja="fugashi")


def test_threads_agree() -> None:
    """PyStemmer's objects break when two threads are in one; ours wait for each other."""
    texts = [
        " ".join(f"running{chr(97 + n % 26)}{n}s" for n in range(start, start + 300)) for start in range(0, 3000, 100)
    ]
    expected = [PLAIN.stems(text, "en") for text in texts]
    words._reader.cache_clear()
    results: dict[int, list[list[str]]] = {}
    threads = [
        threading.Thread(target=lambda key=key: results.update({key: [PLAIN.stems(text, "en") for text in texts]}))
        for key in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(result == expected for result in results.values())
    assert len(results) == 8


def test_the_memory_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "REMEMBERED", 10)
    words._reader.cache_clear()
    PLAIN.stems(" ".join(f"word{n}" for n in range(100)) + " " + "x" * 1000, "en")
    reader = words._reader(PLAIN, "en")
    assert len(reader) <= 10
    assert max(map(len, reader)) < 1000
    words._reader.cache_clear()


@pytest.mark.parametrize(("language", "name", "letter"), [("ja", "fugashi", "あ"), ("zh", "jieba", "蜂")])
def test_a_segmenter_is_given_no_more_than_it_can_bear(language, name, letter, monkeypatch):
    """MeCab crashes on a million characters without a space."""
    given = []

    def cut(run):
        given.append(len(run))
        return [run]

    kept = SEGMENTERS[name]
    monkeypatch.setitem(SEGMENTERS, name, (*kept[:2], lambda: cut))
    Analyser(**{language: name}).stems(letter * 2_500, language)
    assert given == [LONGEST_RUN, LONGEST_RUN, 500]
