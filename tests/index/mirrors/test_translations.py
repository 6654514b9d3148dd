"""Translations: by address, by hreflang that is answered, and what is none although somebody says so."""

import pytest

from pagekin import Collection
from pagekin.index.mirrors.kin import relatives
from pagekin.index.mirrors.translations import by_address, without_language
from pagekin.model import Capture
from tests.small_webs import collection

HOST = "http://a.example"


def capture(url, language="", head="", body=""):
    html = f"<html lang='{language}'><head>{head}</head><p>{url} {body}"
    return Capture(url, html.encode(), "text/html; charset=utf-8", fetched=1, origin="x")


def alternate(language, url, rel="alternate"):
    return f"<link rel='{rel}' hreflang='{language}' href='{url}'>"


def translations(store, url):
    kin = relatives(store)
    page = store.graph.pages["url"].to_pylist().index(url)
    return {store.url(other) for other in kin.translations(page)}


@pytest.mark.parametrize(
    "pages",
    [
        {"/en/hive.html": "en", "/de/hive.html": "de", "/pt-br/hive.html": "pt"},
        {"/hive.html.en": "en", "/hive.html.de": "de"},
        {"/hive.html": "en", "/hive.de.html": "de", "/hive.nb.html": "no"},
        {"/": "en", "/de/": "de"},
        {"/": "en", "/de": "de"},
        {"/docs/zh-CN/hive": "zh", "/docs/zh_TW/hive": "zh"},
        {
            "/en/hive": "en",
            "/de/hive": "de",
            "/fr/hive": "en",
        },  # two vouch for the third, whose language is a wrong guess
    ],
    ids=lambda pages: " ".join(pages),
)
def test_addresses_that_are_equal_but_for_a_language(tmp_path, pages):
    urls = {f"{HOST}{path}": language for path, language in pages.items()}
    store = collection(tmp_path / "s.kin", *(capture(url, language) for url, language in urls.items()))
    for url in urls:
        assert translations(store, url) == urls.keys() - {url}


@pytest.mark.parametrize(
    "pages",
    [
        {"/it/laptops": "en", "/no/laptops": "en"},  # departments, in English
        {"/it/laptops": "it", "/no/laptops": "en"},  # one of them alone vouches for nobody
        {"/en/hive": "en", "/hive": "en"},
        {"/en-us/hive": "en", "/hive": "en"},
        {"/en/hive": "en", "/de/bees": "de"},
        {"/en/hive?x=1": "en", "/de/hive?x=1": "de"},
        {"/en.html": "en", "/de.html": "de"},
    ],
    ids=lambda pages: " ".join(pages),
)
def test_addresses_that_are_no_translations(tmp_path, pages):
    store = collection(tmp_path / "s.kin", *(capture(f"{HOST}{path}", lang) for path, lang in pages.items()))
    assert not by_address(store, store.fetched).pages.size


def test_a_translation_that_was_never_fetched_does_not_count(tmp_path):
    store = collection(tmp_path / "s.kin", capture(f"{HOST}/en/hive", "en", body=f"<a href='{HOST}/de/hive'>de</a>"))
    assert translations(store, f"{HOST}/en/hive") == set()


def test_hreflang_counts_if_it_is_answered_on_whatever_site(tmp_path):
    one, other, third = "http://a.example/hive", "http://b.example/stock", "http://c.example/ruche"
    store = collection(
        tmp_path / "s.kin",
        capture(one, "en", alternate("de", other) + alternate("fr", third) + alternate("x-default", one)),
        capture(other, "de", body=f"<a hreflang=en href='{one}'>English</a>"),
        capture(third, "fr", alternate("de", other)),  # it names one that does not answer, and does not answer one
    )
    assert translations(store, one) == {other}
    assert translations(store, other) == {one}
    assert translations(store, third) == set()


def test_hreflang_of_the_same_language_is_no_translation(tmp_path):
    one, other = "http://a.example/hive", "http://b.example/hive"
    store = collection(
        tmp_path / "s.kin", capture(one, "en", alternate("en", other)), capture(other, "en", alternate("en", one))
    )
    assert translations(store, one) == set()


def test_a_link_in_the_body_or_of_another_rel_names_no_translation(tmp_path):
    one, other = "http://a.example/hive", "http://b.example/stock"
    store = collection(
        tmp_path / "s.kin",
        capture(one, "en", body=alternate("de", other)),
        capture(other, "de", alternate("en", one, rel="prev")),
    )
    assert translations(store, one) == set()


def test_ten_thousand_hreflangs_are_a_few_rows(tmp_path):
    many = "".join(alternate("de", f"http://b.example/{i}") for i in range(10_000))
    store = collection(tmp_path / "s.kin", capture("http://a.example/", "en", many))
    assert sum(rows.num_rows for rows in store.rows("alternates")) == 1000
    assert store.size == 1  # what nobody fetched and nobody links to is no page


def test_the_built_index_says_what_was_found_at_once(tmp_path):
    path, urls = tmp_path / "s.kin", [f"{HOST}/{tag}/{name}" for tag in ("en", "de", "fr") for name in "abc"]
    collection(path, *(capture(url, url.split("/")[3]) for url in urls))
    site = Collection(path)
    before = [translations(site.store, url) for url in urls]
    site.build(index="mirrors")
    assert relatives(site.store).built
    assert [translations(site.store, url) for url in urls] == before
    assert before[0] == {f"{HOST}/de/a", f"{HOST}/fr/a"}


def test_elements_of_an_address():
    assert list(without_language("http://a.example/de/x/en/p.fr.html")) == [
        ("http://a.example/x/en/p.fr.html", "de"),
        ("http://a.example/de/x/p.fr.html", "en"),
        ("http://a.example/de/x/en/p.html", "fr"),
    ]
    assert list(without_language("http://de.example/")) == []
