"""The words that a page says itself, against counts of the lines that its site does not repeat."""

from collections import Counter

import pytest

from pagekin import Collection
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.parse.words import Analyser
from pagekin.url import page_id
from tests.role_twin import Twin, capture, random_sites
from tests.small_webs import collection

A = "http://a.example/"


def counts(store, table="terms"):
    """Page → term → counts in the body, the title and the headings."""
    found = {}
    for rows in store.rows(table):
        for row in rows.to_pylist():
            url = store.url(store.number(row["page"]))
            found.setdefault(url, {})[row["term"]] = row["body"], row["title"], row["headings"]
    return found


def said(captures, find):
    """As `counts`, by counting what `find` finds in each line that the site does not repeat."""
    twin, made = Twin(captures), {}
    repeated = twin.without_words()
    for url, page in twin.pages.items():
        body, title, headings = Counter(), Counter(find(page.title, page.language)), Counter()
        for line, stretch, again in zip(page.text.split("\n"), page.stretches, repeated[url], strict=False):
            if not again:
                body.update(find(line, page.language))
                headings.update(find(line, page.language) if stretch.heading else ())
        if body or title:
            made[url] = {term: (body[term], title[term], headings[term]) for term in body | title}
    return made


def compounds(text, language):
    return [term.term for term in Analyser().compounds(text, "", language) for _ in range(term.body)]


@pytest.mark.parametrize("seed", range(4))
def test_the_words_of_random_sites_as_counted_line_by_line(tmp_path, seed):
    captures = random_sites(seed)
    store = collection(tmp_path / "s.kin", *captures)
    seen = store.seeing()
    assert counts(seen) == said(captures, Analyser().stems)
    assert counts(seen, "compounds") == said(captures, compounds)
    assert counts(store.seeing(words="all")) == counts(store) != counts(seen)
    assert store.boilerplate.equals(store.count_boilerplate())  # as written with the graph, and as counted now


def test_some_columns_are_those_of_all(tmp_path):
    seen = collection(tmp_path / "s.kin", *random_sites(1)).seeing()
    (whole,) = seen.rows("terms")
    for columns in (["body"], ["term"], ["surface", "title"], ["headings"], ["term", "headings", "title"]):
        (some,) = seen.rows("terms", columns)
        assert some.equals(whole.select(["page", *columns]))


MENU = "<div><a href=/start>Start</a> <a href=/about>About us</a> <a href=/shop>Shop for honey</a></div>"
NOTICE = "<p>Copying is a write-ahead crime</p>"


def post(n, text, title="", lang="en", head=""):
    body = f"<html lang={lang}><title>{title or f'Post {n}'}</title>{head}{MENU}<p>{text}</p>{NOTICE}"
    return capture(f"{A}{n}", body)


def test_words_of_titles_stay(tmp_path):
    store = collection(tmp_path / "s.kin", *(post(n, f"Number {n}", "Shop" if n == 3 else "") for n in range(6)))
    seen = counts(store.seeing())
    assert seen[f"{A}3"]["shop"] == (0, 1, 0) and "shop" not in seen[f"{A}2"] and "honei" not in seen[f"{A}3"]
    assert counts(store)[f"{A}3"]["shop"] == (1, 1, 0)


def test_words_that_a_page_says_too_stay_with_its_own_count(tmp_path):
    texts = {n: f"We shop and shop in week {n}" for n in range(6)}
    seen = counts(collection(tmp_path / "s.kin", *(post(n, text) for n, text in texts.items())).seeing())
    assert all(words["shop"] == (2, 0, 0) for words in seen.values())
    assert all("honei" not in words and "crime" not in words for words in seen.values())


def test_a_template_on_pages_of_two_languages(tmp_path):
    """A stem is taken by the language of the page, so a repeated line is counted once in each."""
    english = [post(n, f"The bees of week {n} are flying about the garden again") for n in range(6)]
    german = [post(n, f"Die Bienen der Woche {n} fliegen wieder durch den Garten", lang="de") for n in range(20, 28)]
    captures = [*english, *german]
    store = collection(tmp_path / "s.kin", *captures)
    assert set(store.graph.pages["language"].to_pylist()) >= {"en", "de"}
    assert counts(store.seeing()) == said(captures, Analyser().stems)
    assert set(store.boilerplate["language"].to_pylist()) == {"en", "de"}


def test_without_texts_all_words_stay(tmp_path):
    ingest(tmp_path / "s.kin", [[post(n, f"Number {n}") for n in range(6)]], text=False)
    store = Store(tmp_path / "s.kin")
    assert store.graph.repeated.any() and store.boilerplate.num_rows == 0
    assert counts(store.seeing()) == counts(store)
    assert counts(store.seeing(), "compounds") == counts(store, "compounds") != {}


@pytest.mark.parametrize("bare", range(4))
def test_one_page_without_a_text_does_not_matter(tmp_path, bare):
    """Its text was left out, or its author forbids that it is indexed: the words are counted on another page."""
    posts = [post(n, f"Number {n}") for n in range(6)]
    ingest(tmp_path / "out.kin", [posts[:bare] + posts[bare + 1 :]])
    ingest(tmp_path / "out.kin", [[posts[bare]]], text=False)
    assert not any("shop" in words for words in counts(Store(tmp_path / "out.kin").seeing()).values())
    posts[bare] = post(bare, "Secret", head="<meta name=robots content=noindex>")
    store = collection(tmp_path / "noindex.kin", *posts, respect_noindex=True)
    assert not any("shop" in words for words in counts(store.seeing()).values())
    assert f"{A}{bare}" not in counts(store)


def test_own_text(tmp_path):
    store = collection(tmp_path / "s.kin", *(post(n, f"Number {n}") for n in range(6)))
    for n in range(6):
        page = store.number(page_id(f"{A}{n}"))
        assert store.own_text(page, store.text(page)) == f"Number {n}"
        assert store.text(page) == f"Start About us Shop for honey\nNumber {n}\nCopying is a write-ahead crime"
    never_fetched = store.number(page_id(f"{A}shop"))
    assert (
        store.own_text(never_fetched, "") == ""
        and store.own_text(never_fetched, "As a table says") == "As a table says"
    )


def test_snippets_do_not_open_with_the_menu(tmp_path):
    texts = {n: f"In week {n} the bees of the {n}th hive flew to the heath and came home late" for n in range(6)}
    collection(tmp_path / "s.kin", *(post(n, text) for n, text in texts.items()))
    site = Collection(tmp_path / "s.kin")
    site.build(index="inverted")
    found = site.search("bees", alpha=0).results
    assert len(found) == 6
    for each in found:
        assert "About us" not in each.snippet and "Copying" not in each.snippet and "bees" in each.snippet
    assert site.search("crime", alpha=0).results == ()
