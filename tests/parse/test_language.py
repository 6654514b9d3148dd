"""The language of a page, as it is declared and by vote."""

import pytest

from pagekin.parse.language import language_of


@pytest.mark.parametrize(
    ("declared", "language"),
    [
        (("en-US",), "en"),
        (("zh-Hant-TW",), "zh"),
        (("nb",), "no"),
        ((" DE_at ",), "de"),
        ((None, "fr"), "fr"),
        (("", "pt-BR"), "pt"),
        (("x-default", "und", "English"), "en"),
        (("de, en", None), "en"),
    ],
)
def test_declared_languages(declared: tuple[str | None, ...], language: str) -> None:
    assert language_of("", *declared) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The bees are in the hive and they have all the honey that you want", "en"),
        ("Die Bienen sind im Stock und sie haben den Honig, den man sich wünscht", "de"),
        ("Les abeilles sont dans la ruche et elles ont tout le miel que vous voulez", "fr"),
        ("Le api sono nella loro casa e hanno tutto il miele che si può volere", "it"),
        ("De bijen zijn in de kast en ze hebben al de honing die je maar wilt", "nl"),
        ("As abelhas estão em sua casa e elas têm todo o mel que você quer", "pt"),
        ("Пчёлы живут в улье, и у них есть весь мёд, который вы только можете себе представить", "ru"),
        ("Bina är i kupan och de har all den honung som du vill ha", "sv"),
        ("Arılar kovanda ve çok güzel bir bal için her şey var ama bu kadar değil", "tr"),
        ("ミツバチは巣箱の中にいます。はちみつもあります", "ja"),
        ("蜜蜂在蜂箱里，它们有你想要的所有蜂蜜", "zh"),
        ("벌은 벌집에 있고 당신이 원하는 모든 꿀을 가지고 있습니다", "ko"),
        ("Chen, Wei. Smith, John. Müller, Hans. Rossi, Mario. 7:00 - 9:00 : 2", "en"),
        ("Los de la", "en"),
        ("", "en"),
    ],
)
def test_the_vote(text: str, language: str) -> None:
    assert language_of(text) == language
