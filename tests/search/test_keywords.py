"""Recommended words against the sums of the equations, and what is said of words that nobody has."""

import pytest

from pagekin import Collection
from pagekin.errors import UnknownPageError, UsageError
from tests.keyword_twin import keyword_web
from tests.small_webs import of_words


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    return keyword_web(tmp_path_factory.mktemp("words") / "s.kin", 3)


def scores(answer):
    return {row["word"]: row["score"] for row in answer["results"]}


def test_main_keywords_are_equation_23(web):
    site, twin = web
    for page in twin.told[:8]:
        words = twin.words[page]
        want = {w: sum(twin.r_s(v, w) for v in words) for w in words}
        found = scores(site.keywords(page, by="relevance").as_dict())
        assert found == pytest.approx(want)
        assert [round(s, 9) for s in found.values()] == sorted((round(s, 9) for s in found.values()), reverse=True)


@pytest.mark.parametrize("support", [0.0, 0.2, 1.0])
def test_the_weight_of_support_in_main_keywords_is_alpha_of_equation_12(web, support):
    site, twin = web
    page = twin.told[0]
    want = {w: sum(twin.r_s(v, w, support) for v in twin.words[page]) for w in twin.words[page]}
    assert scores(site.keywords(page, by="relevance", support=support).as_dict()) == pytest.approx(want)
    with pytest.raises(UsageError, match="by="):
        site.keywords(page, support=support)
    with pytest.raises(UsageError, match="from 0 to 1"):
        site.keywords(page, by="relevance", support=2)


@pytest.mark.parametrize("given", [["w1"], ["w0", "w2", "w5"]])
def test_similar_words_are_equation_24(web, given):
    site, twin = web
    want = {w: sum(twin.r_s(v, w) for v in given) for w in twin.all if w not in given}
    assert scores(site.suggest(*given, k=100).as_dict()) == pytest.approx(
        {w: s for w, s in want.items() if s > 1e-12}, abs=1e-12
    )


@pytest.mark.parametrize(("information", "part"), [(False, "S"), (True, "M")])
def test_logically_related_words_are_equation_25(web, information, part):
    site, twin = web
    given = ["w0", "w2"]
    want = {w: sum(twin.r_l(v, w, 0.3, part) for v in given) for w in twin.all if w not in given}
    found = scores(site.suggest(*given, k=100, logical=True, information=information, support=0.3).as_dict())
    assert found == pytest.approx({w: s for w, s in want.items() if s > 1e-12}, abs=1e-12)


def test_words_are_found_as_written_or_by_their_stem_and_unknown_ones_named(tmp_path):
    of_words(tmp_path / "s.kin", {"a": "hive bee", "b": "hive honey", "c": ""})
    Collection(tmp_path / "s.kin").build(all=True)
    site = Collection(tmp_path / "s.kin")
    assert scores(site.suggest("Hives").as_dict()) == scores(site.suggest("hive").as_dict())
    answer = site.suggest("hive", "zzzz").as_dict()
    assert (answer["unknown"], answer["note"]) == (["zzzz"], "no page has the keyword zzzz")
    nobody = site.suggest("honney").as_dict()
    assert nobody["results"] == []
    assert "the nearest keywords are: honey" in nobody["note"]
    assert "no keywords" in site.keywords("c", by="relevance").as_dict()["note"]
    with pytest.raises(UnknownPageError):
        site.keywords("nowhere").as_dict()
    for wrong in ({"k": 0}, {"support": 2.0}):
        with pytest.raises(UsageError):
            site.suggest("hive", **wrong).as_dict()
