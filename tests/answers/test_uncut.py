"""What is said about Chinese and Japanese pages where their segmenters are not installed."""

from pathlib import Path

import pytest

from pagekin import Collection
from pagekin.parse import segmenters

TEXT = {"ja": "東京で蜂を飼う", "zh": "北京的养蜂人", "en": "Bees in a hive"}


def written(folder: Path, *languages: str) -> Path:
    folder.mkdir()
    for number, language in enumerate(languages):
        page = f"<html lang={language}><title>{number}</title><p>{TEXT[language[:2]]}</p></html>"
        (folder / f"{number}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without extras."""
    monkeypatch.setattr(segmenters, "find_spec", lambda module: None)


def said(site: Path, folder: Path) -> list[str]:
    report = Collection(site).add(folder, base_url="http://a.example/")
    return [line for line in report.lines if "pairs of characters" in line]


@pytest.mark.usefixtures("plain")
def test_each_language_is_named_with_the_pip_line(tmp_path: Path) -> None:
    pages = written(tmp_path / "web", "ja", "ja-JP", "zh", "en")
    assert said(tmp_path / "a.kin", pages) == [
        "2 pages in Japanese are cut into pairs of characters; to have words instead, "
        "run: pip install 'pagekin[ja]', and make the collection anew",
        "1 page in Chinese is cut into pairs of characters; to have words instead, "
        "run: pip install 'pagekin[zh]', and make the collection anew",
    ]
    assert said(tmp_path / "a.kin", pages) == []  # nothing new came in


@pytest.mark.usefixtures("plain")
def test_other_languages_need_nothing(tmp_path: Path) -> None:
    assert said(tmp_path / "a.kin", written(tmp_path / "web", "en", "en")) == []


def test_with_the_extras_nothing_is_said(tmp_path: Path) -> None:
    assert said(tmp_path / "a.kin", written(tmp_path / "web", "ja", "zh")) == []


def test_a_collection_keeps_to_what_it_began_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as bare:
        bare.setattr(segmenters, "find_spec", lambda module: None)
        said(tmp_path / "a.kin", written(tmp_path / "web", "ja"))
    later = said(tmp_path / "a.kin", written(tmp_path / "more", "ja", "ja"))
    assert later == [
        "2 pages in Japanese are cut into pairs of characters; to have words instead, make the collection anew"
    ]
