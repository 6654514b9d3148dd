"""Which addresses may be visited."""

import pytest

from pagekin.acquire.crawl import rules
from pagekin.acquire.crawl.rules import Rules
from pagekin.errors import UsageError

HOME = "docs.example.org"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://docs.example.org/a", None),
        ("http://www.example.org/a", None),  # the site, not the host
        ("https://example.com/", rules.OTHER_SITE),
        ("https://stats.doubleclick.net/", rules.IRRELEVANT),
        ("ftp://docs.example.org/a", rules.NOT_WEB),
        ("10.1145/1", rules.NOT_WEB),
        ("https://docs.example.org/" + "a" * 3000, rules.TOO_LONG),
    ],
)
def test_the_site_and_the_lists(url, why):
    assert Rules(["example.org"]).against(url) == why


@pytest.mark.parametrize(
    ("name", "is_file"),
    [
        ("a.pdf", True), ("A.PDF", True), ("a.png?size=2", True), ("b/c.tar.gz", True), ("a:b/c.zip", True),
        ("pdf", False), ("a.pdf/", False), ("a.pdf.html", False), ("show?file=a.pdf", False), ("v1.png.x", False),
        ("wiki/File:Bee.png", False), ("wiki/Node.js", False), ("?a.pdf", False), ("", False),
    ],
)  # fmt: skip
def test_what_is_not_html_by_its_ending_is_not_asked_for(name, is_file):
    url = f"https://docs.example.org/{name}"
    assert Rules(["example.org"]).against(url) == (rules.NOT_HTML if is_file else None)
    assert Rules(["example.org"], any_type=True).against(url) is None
    assert Rules(["example.zip"]).against("https://docs.example.zip/") is None


def test_across_follows_anywhere_but_to_the_lists():
    across = Rules(["example.org"], across=True)
    assert across.against("https://example.com/") is None
    assert across.against("https://www.google-analytics.com/x") == rules.IRRELEVANT


def test_patterns():
    asked = Rules(["example.org"], include=["/docs/"], exclude=[r"\.old/", "print=1"])
    assert asked.against("https://example.org/docs/a") is None
    assert asked.against("https://example.org/blog/a") == rules.NOT_INCLUDED
    assert asked.against("https://example.org/docs/a?print=1") == rules.EXCLUDED
    with pytest.raises(UsageError, match="not a regular expression"):
        Rules([], include=["("])


def test_a_start_that_moved_is_welcome():
    moved = Rules(["example.org"])
    moved.welcome("https://www.example.com/")
    assert moved.against("https://docs.example.com/x") is None


def test_what_owners_asked_for(monkeypatch):
    monkeypatch.setattr(rules, "_domains", lambda file: {"example.org"} if file == "exclude.txt" else set())
    assert Rules(["example.org"]).against("https://a.b.example.org/") == rules.ASKED
    assert Rules(["notexample.org"]).against("https://notexample.org/") is None


def test_the_list_of_owners_is_shipped_empty_and_the_other_is_not():
    from importlib.resources import files

    folder = files("pagekin.acquire.crawl")
    lines = {name: folder.joinpath(name).read_text().splitlines() for name in ("exclude.txt", "irrelevant.txt")}
    assert [line for line in lines["exclude.txt"] if not line.startswith("#")] == []
    assert len(lines["irrelevant.txt"]) > 50
