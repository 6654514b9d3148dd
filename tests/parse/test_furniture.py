"""Menus and footers are told from content by what authors call them."""

import pytest

from pagekin.model import Capture
from pagekin.parse.furniture import is_furniture, names, region, said_region, within_furniture
from pagekin.parse.html import elements, parse


def first(html, selector):
    return elements(Capture("http://a.example/", html.encode())).tree.css_first(selector)


@pytest.mark.parametrize("html", [
    "<nav><i>x</i></nav>", "<footer><i>x</i></footer>", "<div class='main-nav'><i>x</i></div>",
    "<div id=navbar><p><i>x</i></div>", "<div role=navigation><i>x</i></div>", "<div class=navheader><i>x</i></div>",
])  # fmt: skip
def test_furniture(html):
    assert is_furniture(first(html, "body").first_child)
    assert within_furniture(first(html, "i"))


@pytest.mark.parametrize("html", ["<p><i>x</i>", "<div class=navy><i>x</i></div>", "<div class=related><i>x</i></div>"])
def test_content(html):
    assert not is_furniture(first(html, "body").first_child)
    assert not within_furniture(first(html, "i"))


def test_texts_have_no_names():
    assert names(first("<p>x", "p").first_child) == []


def regions(html):
    """The region of each link of a page, by its text."""
    return {link.anchor: link.region for link in parse(Capture("http://a.example/", html.encode())).links}


@pytest.mark.parametrize(("box", "called"), [
    ("<nav>", "navigation"), ("<footer>", "footer"), ("<header>", "header"),
    ("<div class=nav>", "navigation"), ("<div class='main-nav'>", "navigation"), ("<div id=mainNav>", "navigation"),
    ("<ul class='menu'>", "navigation"), ("<ul class='site_menu'>", "navigation"), ("<div id=crumbs>", "navigation"),
    ("<div class='page nav-bar'>", "navigation"), ("<div role=navigation>", "navigation"),
    ("<div role=search>", "navigation"),
    ("<div class='site-footer'>", "footer"), ("<div role=contentinfo>", "footer"), ("<div id=copyright>", "footer"),
    ("<div role=banner>", "header"), ("<div class=masthead>", "header"), ("<div class=sphinxsidebar>", "sidebar"),
    ("<div id='sidebar-left'>", "sidebar"), ("<div class='left sideBar'>", "sidebar"),
    ("<ul class=tags>", "tags"),
    ("<div id=catlinks>", "tags"), ("<div class=TagCloud>", "tags"),
])  # fmt: skip
def test_what_a_page_calls_its_boxes(box, called):
    tag = box[1:].partition(" ")[0].rstrip(">")
    assert regions(f"{box}<a href=1>one</a> <a href=2>two</a></{tag}>") == {"one": called, "two": called}


@pytest.mark.parametrize("box", [
    "<div class=has-sidebar>", "<div class='page with-nav'>", "<div class=no-nav>", "<div class='without-menu'>",
    "<div class='hide-footer'>", "<div class=content>", "<div id=content>", "<div class=toc>", "<nav-less>", "<aside>",
    "<div class=navy>", "<menu>", "<div class=related>", "<div class='my-nav-content'>", "<section>", "<div role=list>",
    "<div class=''>", "<div class>", "<div role>", "<div class='123'>", f"<div class='{'x' * 200} nav'>", "<main>",
])  # fmt: skip
def test_names_that_say_nothing(box):
    """`<menu>` was a list in 1996, and `has-sidebar` is said of the box beside one; lists of contents are chosen."""
    tag = box[1:].partition(" ")[0].rstrip(">")
    found = regions(f"{box}<a href=1>one</a> <a href=2>two</a></{tag}>")
    assert set(found) == {"one", "two"} and set(found.values()) <= {"text", "list", "links"}


def test_the_innermost_name_counts_and_content_within_a_named_box_is_content():
    found = regions("""<div class=sidebar><a href=1>one</a> <div class=footer><a href=2>two</a></div>
        <a href=3>three</a>
        <div><a href=4>four</a></div> <article><a href=5>five</a> <nav><a href=6>six</a></nav></article>
        <div role=main><a href=7>seven</a></div> <main><a href=8>eight</a></main> <a href=9>nine</a></div>
        <a href=10>ten</a>""")
    said = {name: region for name, region in found.items() if region not in ("text", "list", "links")}
    assert said == {"one": "sidebar", "two": "footer", "three": "sidebar", "four": "sidebar", "six": "navigation",
                    "nine": "sidebar"}  # fmt: skip


@pytest.mark.parametrize("box", ["<div class=header>", "<div id=sidebar>", "<div class=content>"])
def test_a_box_with_the_heading_of_the_page_in_it_is_around_the_whole_page(box):
    found = regions(
        f"{box}<a href=0>zero</a><h1>Bees</h1><p>Whoever keeps some should see <a href=1>one</a> first.</p>"
    )
    assert found["one"] == "text"
    with_footer = regions(f"{box}<h1>Bees</h1><p>See <a href=1>one</a>.</p><footer><a href=2>two</a></footer></div>")
    assert with_footer == {"one": "text", "two": "footer"}
    beside = regions(f"<footer>{box}<a href=1>one</a></div></footer><h1>Bees</h1><nav><a href=2>two</a></nav>")
    assert beside["two"] == "navigation"


@pytest.mark.parametrize("outer", ["", "navigation", "sidebar"])
def test_a_box_without_a_name_is_what_is_around_it(outer):
    assert region("div", {}, outer) == region("p", {"class": "wide", "id": None, "role": None}, outer) == outer
    assert region("article", {"class": "nav"}, outer) == region("div", {"role": "main", "class": "nav"}, outer) == ""


@pytest.mark.parametrize(("rel", "anchor", "said"), [
    ("next", "Bees", "navigation"), ("nofollow prev", "Bees", "navigation"), ("tag", "Bees", "tags"),
    ("category tag", "Bees", "tags"), ("tag next", "Bees", "tags"), ("", "Next", "navigation"),
    ("", "« Previous page", "navigation"), ("", "[Up]", "navigation"), ("", "→", "navigation"),
    ("", ">>", "navigation"), ("", "ZURÜCK", "navigation"), ("", "次のページ", "navigation"),
    ("", "Archives", "tags"), ("", "All posts »", "tags"),
    ("", "", ""), ("nofollow", "Bees", ""), ("", "Next of kin", ""), ("", "The index of refraction", ""),
    ("", "Home economics", ""), ("", "Tagging bees", ""), ("nextish", "Bees", ""), ("", "next " * 50, ""),
])  # fmt: skip
def test_what_a_link_says_about_itself(rel, anchor, said):
    assert said_region(rel, anchor) == said


CODE = ("code", "tt", "kbd", "samp", "var")


@pytest.mark.parametrize("word", ["back", "next", "index", "Top", "tags", "archive", "&lt;&lt;", "[]", "-&gt;"])
@pytest.mark.parametrize("tag", CODE)
def test_what_stands_in_code_turns_no_page(tag, word):
    """`vector::back`, `std::next`, `list.index`, `operator<<`: names of things, however the link is marked."""
    ways = [f"<a href=1><{tag}>{word}</{tag}></a>", f"<{tag}>x.<a href=1>{word}</a>()</{tag}>",
            f"<a href=1><i> <{tag} class=xref><b>{word}</b></{tag}></i></a>",
            f"<{tag}><b><a href=1>{word}</a></b></{tag}>",
            f"<a href=1><{tag}>{word}</{tag}>()</a>"]  # fmt: skip
    for way in ways:
        assert set(regions(f"<p>Whoever keeps bees should see {way} first.</p>").values()) == {"text"}, way
    assert set(regions(f"<p>A list: <a href=1 rel=next><{tag}>{word}</{tag}></a></p>").values()) == {"navigation"}
    assert set(regions(f"<nav><a href=1><{tag}>{word}</{tag}></a></nav>").values()) == {"navigation"}


def test_signs_in_code_beside_a_word_are_arrows():
    assert regions("<p><a href=1><tt>&lt;&lt;</tt> Back</a></p>") == {"<< Back": "navigation"}
    assert regions("<p><tt>There is</tt> a <a href=1>next</a> <code>page</code></p>") == {"next": "navigation"}


@pytest.mark.parametrize("word", ["next()", "index()", "back()", "next<>()"])
def test_a_call_turns_no_page(word):
    shown = word.replace("<", "&lt;").replace(">", "&gt;")
    assert set(regions(f"<p>Whoever keeps bees should see <a href=1>{shown}</a> first.</p>").values()) == {"text"}


@pytest.mark.parametrize(("anchor", "href", "said"), [
    ("back", "vector/back.html", ""), ("next", "/iterator/next", ""), ("up", "up.htm#x", ""), ("prev", "prev?v=1", ""),
    ("top", "stack/top.html", ""), ("next", "http://api.example/next/", ""),
    ("Next", "next.html", "navigation"), ("TOP", "top.html", "navigation"), ("next", "queue.html", "navigation"),
    ("home", "home.html", "navigation"), ("index", "index.html", "navigation"),
    ("contents", "contents.html", "navigation"),
    ("next", "next-steps.html", "navigation"), ("next", "a/?page=next", "navigation"), ("tags", "tags.html", "tags"),
    ("next", "next/2.html", "navigation"),
])  # fmt: skip
def test_a_page_that_is_called_next_is_what_is_meant(anchor, href, said):
    """cppreference lists members without any mark of code: `back` leads to vector/back.html."""
    found = regions(f"<p>Whoever keeps bees should see <a href='{href}'>{anchor}</a> first.</p>")
    assert found == {anchor: said or "text"}


@pytest.mark.parametrize(("anchor", "said"), [
    ("...", ""), ("-", ""), ("[]", ""), ("::", ""), ("()", ""), ("<<", "navigation"), ("[→]", "navigation"),
    ("(next)", "navigation"), ("[ ↑ ]", "navigation"), ("…", ""),
])  # fmt: skip
def test_signs_without_an_arrow_say_nothing(anchor, said):
    assert said_region("", anchor) == said


def test_what_a_link_says_counts_more_than_its_box():
    html = "<nav><a rel=tag href=1>one</a></nav> <p>All of this is said of <a rel=next href=2>two</a> in a text."
    assert regions(html) == {"one": "tags", "two": "navigation"}


def test_sentences_in_a_side_bar_are_an_author_s_note():
    note = "Bees are kept in hives, and what a keeper has to know about them is said in <a href=1>one</a> of the books."
    found = regions(f"<div class=sidebar><p>{note}</p></div><div class=sidebar><p><a href=2>two</a> 2007</p></div>")
    assert found == {"one": "text", "two": "sidebar"}


@pytest.mark.parametrize("box", ["docnav", "side-nav", "mainmenu", "sidenav left", "topnav", "subnav"])
def test_a_name_that_ends_like_a_menu_s_is_one(box):
    assert regions(f"<ul class='{box}'><li><a href=1>one</a></ul>")["one"] == "navigation"


def test_other_languages_of_a_page_are_navigation():
    assert regions("<p>In <a href=1 rel=alternate hreflang=fr>one</a></p>")["one"] == "navigation"


def test_a_layout_that_is_named_after_its_menu_is_none():
    assert regions("<div class='columns leftmenu'><p>There is <a href=1>one</a></p></div>")["one"] == "text"
