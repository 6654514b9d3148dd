"""Pages as their authors wrote them, as browsers forgive them, and as an enemy would."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagekin.model import ALONE, Block, Capture, Link, Page
from pagekin.parse import html, parse
from pagekin.url import canonical

HERE = "http://bees.example/keep/page.html"


def read(markup: str | bytes, url: str = HERE, **capture: str | None) -> Page:
    body = markup.encode("utf-8", "surrogatepass") if isinstance(markup, str) else markup
    return parse(Capture(url, body, **capture))  # type: ignore[arg-type]


def targets(markup: str) -> list[str]:
    return [link.target for link in read(markup).links]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<b>P</b>ython", "Python"),
        ("<table><td>a</td><td>b</td></table>", "a\nb"),
        ("one<br>two<hr>three", "one two\nthree"),
        ("<div>a</div>b<div>c</div>", "a\nb\nc"),
        ("<b>a<div>b</div></b>c", "a\nb\nc"),
        ("<ul><li>a<li>b</ul>c", "a b\nc"),
        ("a<img src=x>b", "a b"),
        ("in&shy;visible wb<wbr>r", "invisible wbr"),
        ("a&nbsp;&nbsp;\t\n b", "a b"),
        ("a<script>b</script>c<style>d</style>e<template>f</template>g", "aceg"),
        ("a<noscript>b</noscript>c<!-- d -->e<textarea>f</textarea>", "ace f"),
        ("<title>t</title><body>a<iframe>b</iframe>c", "a c"),
        ("<math><mi>x</mi><annotation>\\TeX</annotation></math>", "x"),
        ("<ruby>猫<rp>(</rp><rt>ねこ</rt><rp>)</rp></ruby>", "猫 ねこ"),
        ("<select><option>a<option>b</select>", "a b"),
        ("<svg><title>tip</title><text>a</text></svg>", "a"),
    ],
)
def test_text_is_what_a_reader_sees(markup: str, text: str) -> None:
    assert read(markup).text == text


def test_links_in_document_order_with_anchor_rel_and_position() -> None:
    page = read(
        """<a href="/a">  The
           <b>h</b>ive </a> <a href=mailto:jo@bees.example>Jo</a> <a name=x>no link</a>
           <a href="b?x=1#part" rel=" NoFollow  noopener">B</a>
           <map><area href=c alt="C"><area href=d title="D"></map>"""
    )
    assert page.links == (
        Link("http://bees.example/a", "The hive", 0, region="links", stretch=0),
        Link("http://bees.example/keep/b?x=1", "B", 1, rel="nofollow noopener", region="links", stretch=0),
        Link("http://bees.example/keep/c", "C", 2, region="links", stretch=0),
        Link("http://bees.example/keep/d", "D", 3, region="links", stretch=0),
    )
    assert page.blocks == (Block(0, 4, "links"),)
    assert page.dropped == 0


def test_a_page_without_links_has_no_blocks() -> None:
    page = read("<p>nothing")
    assert (page.links, page.blocks) == ((), ())


@pytest.mark.parametrize(
    ("markup", "anchor"),
    [
        ("<a href=x title=T><img alt='A  picture'></a>", "A picture"),
        ("<a href=x title=T><img alt=One><img alt=Two></a>", "One Two"),
        ("<a href=x title='The  title'><img></a>", "The title"),
        ("<a href=x title=T>text<img alt=alt></a>", "text"),
        ("<a href=x><div>Head</div><div>Line</div></a>", "Head Line"),
        ("<a href=x></a>", ""),
        ("<a href=x><svg><title>tip</title></svg></a>", ""),
        ("<a href=x>unclosed", "unclosed"),
    ],
)
def test_anchor_is_text_else_picture_else_title(markup: str, anchor: str) -> None:
    assert [link.anchor for link in read(markup).links] == [anchor]


def test_a_link_that_the_parser_repeats_is_there_twice() -> None:
    """`<h2>` ends the `<p>` and the `<a>` in it, which begins again inside, as the algorithm of HTML has it."""
    for markup, anchors in (("<p><a href=x><h2>t</h2></a>", ["", "t"]), ("<div><a href=x><h2>t</h2></a>", ["t"])):
        assert [link.anchor for link in read(markup).links] == anchors


def test_words_of_a_nested_link_belong_to_the_inner_one() -> None:
    page = read("<a href=outer>before <object><a href=inner>within</a></object> after</a>")
    assert [(link.target[-5:], link.anchor) for link in page.links] == [("outer", "before"), ("inner", "within")]


def test_frames_are_links() -> None:
    page = read("<frameset><frame src=menu.html name=menu><frame src=main.html title='The  page'></frameset>")
    assert page.links == (
        Link("http://bees.example/keep/menu.html", "menu", 0, rel="frame", region="links"),
        Link("http://bees.example/keep/main.html", "The page", 1, rel="frame", region="links"),
    )
    assert [link.rel for link in read("<p>a<iframe src=x></iframe>").links] == ["frame"]


def test_references_within_the_page_are_no_links() -> None:
    assert targets("<a href=#top>a</a><a href=''>b</a><a href>c</a><a href='  #x'>d</a>") == []


def test_only_broken_addresses_are_counted_as_dropped() -> None:
    page = read(
        "<a href='http://a b/'>1</a><a href='//[/'>2</a><a href='mailto:x'>.</a><a href='javascript:x()'>.</a>"
        f"<a href='tel:1'>.</a><a href='data:,x'>.</a><a href='{'x' * 5000}'>3</a>"
    )
    assert (page.links, page.dropped) == ((), 3)


def test_base_is_honoured_wherever_it_stands() -> None:
    assert targets("<a href=x>1</a><base target=_top><base href=../other/><base href=/no/>") == [
        "http://bees.example/other/x"
    ]
    assert targets("<base href='http://a b/'><a href=x>1</a>") == ["http://bees.example/keep/x"]


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("<title> The\n hive </title><h1>no</h1>", "The hive"),
        ("<h1>A<br>B <b>c</b>d</h1><h1>no</h1>", "A B cd"),
        ("<title></title><h1>Heading</h1>", "Heading"),
        ("<body><svg><title>tip</title></svg><p><title>Late</title>", "Late"),
        ("<title>&lt;b&gt; &amp; co</title>", "<b> & co"),
        ("nothing", ""),
        (f"<title>{'word ' * 100}</title>", ("word " * 60).strip()),
    ],
)
def test_title(markup: str, title: str) -> None:
    assert read(markup).title == title


@pytest.mark.parametrize(
    ("markup", "summary"),
    [
        ("<meta name=Description content=' On  bees '><p>text", "On bees"),
        ("<meta property=og:description content=shared><p>text", "shared"),
        ("<meta name=description content=''><meta name=description content=second><p>text", "second"),
        ("<p>" + "word " * 100, ("word " * 40).strip()),
        ("<p>" + "x" * 500, "x" * 200),
        ("<p>short", "short"),
    ],
)
def test_summary(markup: str, summary: str) -> None:
    assert read(markup).summary == summary


def test_language_order_attribute_header_vote_english() -> None:
    german = "<p>Die Biene und der Honig sind in dem Haus, und das ist nicht alles, was wir von ihr haben"
    assert read(f"<html lang=fr>{german}", language="es").language == "fr"
    assert read(f"<html lang=''>{german}", language="es-MX").language == "es"
    assert read(german).language == "de"
    assert read("<p>Honig").language == "en"


def test_noindex_keeps_row_and_links_not_text_or_terms() -> None:
    page = read("<title>Bees</title><meta name=robots content='NOINDEX, follow'><p>secret <a href=x>a</a>")
    assert (page.title, page.summary, page.text, page.terms) == ("Bees", "", "", ())
    assert [link.rel for link in page.links] == [""]
    described = read("<meta name=description content=said><meta name=robots content=none><a href=x>a</a>")
    assert (described.summary, described.text) == ("said", "")
    assert [link.rel for link in described.links] == ["nofollow"]


def test_nofollow_of_the_page_is_that_of_its_links() -> None:
    page = read("<meta name=robots content=noarchive><meta name=robots content=nofollow><a rel=tag href=x>a</a>")
    assert page.links[0].rel == "tag nofollow"
    assert page.text == "a"


def test_terms_come_from_text_and_title() -> None:
    page = read("<title>Hives</title><p>A hive of honey")
    assert [(term.term, term.body, term.title) for term in page.terms] == [("hive", 1, 1), ("honei", 1, 0)]


def test_an_element_that_xml_closes_does_not_swallow_the_page() -> None:
    markup = '<html><head><script src="x"/><title>T</title></head><body><a id="b"/><p>text</p></body></html>'
    page = read(markup, content_type="application/xhtml+xml; charset=utf-8")
    assert (page.title, page.text) == ("T", "text")
    assert read(markup, content_type="text/html").text == ""  # as in a browser


def test_caps() -> None:
    page = read(f"<a href=x rel='{'r ' * 1000}'>{'w ' * 10_000}</a>")
    assert len(page.links[0].anchor) <= html.ANCHOR
    assert len(page.links[0].rel) <= html.REL


@pytest.mark.data
@pytest.mark.parametrize(
    ("folder", "found", "titled", "english"),
    [
        ("course", (930, 16_124, 0), 920, 928),
        pytest.param(".", (8282, 117_045, 23), 8150, 8265, marks=pytest.mark.slow),
    ],
)
def test_the_pages_of_1996(
    data: Callable[[str], Path], folder: str, found: tuple[int, int, int], titled: int, english: int
) -> None:
    """WebKB. The 127,773 references of its README include mailto: and places on the same page."""
    pages = links = titles = dropped = 0
    languages: Counter[str] = Counter()
    for file in (data("webkb") / folder).rglob("*"):
        if file.is_file():
            address = canonical(file.name.replace("^", "/"))
            assert address is not None
            page = read(re.sub(rb"\A(?:[\w-]+:.*\r?\n)+\r?\n", b"", file.read_bytes()), address)
            pages, links, dropped = pages + 1, links + len(page.links), dropped + page.dropped
            titles += bool(page.title)
            languages[page.language] += 1
    print(f"\nWebKB: {pages} pages, {links} links, {dropped} dropped, {titles} titles, {dict(languages)}")
    assert (pages, links, dropped) == found
    assert titles > titled
    assert languages["en"] > english


# --- what an enemy sends --------------------------------------------------------------------------------------------


def well_formed(page: Page) -> None:
    strings = [page.title, page.summary, page.language, page.text]
    strings += [text for link in page.links for text in (link.target, link.anchor, link.rel)]
    strings += [text for term in page.terms for text in (term.term, term.surface)]
    for text in strings:
        text.encode("utf-8")
    assert [link.position for link in page.links] == list(range(len(page.links)))
    assert all(canonical(link.target) == link.target for link in page.links)
    assert sum(block.links for block in page.blocks) == sum(link.block != ALONE for link in page.links)


# No deadline: the first page in Chinese loads a dictionary.
@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_page(body: bytes) -> None:
    well_formed(read(body))


PIECES = [
    *("<a href=", "http://x/", "'", '"', ">", "<", "</a>", "<table>", "<td>", "</td>", "<frameset>", "<frame src=a>"),
    *("<title>", "</title>", "<base href=//b>", "<meta charset=utf-16>", "<meta name=robots content=none>", "&#xD800;"),
    *("<svg>", "<math>", "<template>", "<select>", "<b>", "</p>", "<!--", "-->", "<![CDATA[", "\0", "\ud800", "\xad"),
    *("&#0;", "é", "日本", "word ", "#", "//[", "%zz", "\x1b$B", "<html lang=tr>", "I", "<noframes>", "<plaintext>"),
]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.booleans())
def test_mutilated_html_is_a_page(markup: str, as_utf16: bool) -> None:
    well_formed(read(markup.encode("utf-16" if as_utf16 else "utf-8", "surrogatepass")))


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 10_000 + "deep",
        "<b><p>" * 5_000 + "deep",
        "<a href=x><object>" * 10_000 + "deep",
        "<svg><title>" * 5_000,
        "<font><table><td>" * 5_000,
    ],
)
def test_deep_nesting_needs_no_recursion(markup: str) -> None:
    well_formed(read(markup))


def test_twenty_thousand_links() -> None:
    page = read("".join(f"<li><a href=/{number}>link {number}</a>" for number in range(20_000)))
    assert len(page.links) == 20_000
    assert page.links[-1] == Link("http://bees.example/19999", "link 19999", 19_999, region="links", stretch=0)


def test_a_page_of_five_megabytes() -> None:
    page = read(b"<p>" + b"honey bees &amp; hives <b>by</b> the thousand " * 100_000 + b"<p><a href=x>x</a>" * 10_000)
    assert len(page.text) > 3_500_000
    assert len(page.links) == 10_000


def test_nul_and_lone_surrogates_are_gone() -> None:
    page = read("<title>a\0b\ud800</title><p>c\0d&#xDFFF;\ud800<a href='/\ud800'>\udc00</a>")
    well_formed(page)
    assert "\0" not in page.title + page.text


def test_a_page_of_a_title_has_its_terms() -> None:
    assert [term.term for term in read("<title>Honey</title>").terms] == ["honei"]


CANONICAL = "<head><base href=/x/><link rel='stylesheet canonical' href='{}'></head><p>words"


@pytest.mark.parametrize(
    ("href", "named"),
    [
        ("p", "http://www.a.example/x/p"),
        ("https://a.example/p#part", "https://a.example/p"),  # another host of the same site
        ("http://bank.example/", None),
        ("http://www.a.example/q?sid=1", None),  # itself
        ("mailto:jo@a.example", None),
        ("http://[", None),
        ("", None),
    ],
)
def test_the_canonical_address_is_another_one_of_the_same_site(href, named):
    capture = Capture("http://www.a.example/q?sid=1", CANONICAL.format(href).encode())
    assert parse(capture).canonical == html.leads(capture)[1] == named


def test_a_canonical_address_in_the_body_is_somebody_else_s():
    assert parse(Capture("http://a.example/q", b"<p>comment <link rel=canonical href=/p>")).canonical is None


def test_the_header_speaks_to_robots_as_the_page_does():
    capture = Capture("http://a.example/", b"<p>words <a href=/b>b</a>", robots="noindex, nofollow")
    assert (parse(capture).text, parse(capture).links[0].rel, html.leads(capture)[0]) == ("", "nofollow", [])


LEADING = [
    "<a href=x>", "</a>", "<a href=y rel=nofollow>n", "<area href=/z>", "<frame src=f.html>", "<a href=#top>",
    "<iframe src=g></iframe>", "<noscript><a href=hidden>h</a></noscript>", "<base href=http://other.example/b/>",
    "<div>", "</div>", "<td>", "text ", "<a href='mailto:x'>m</a>", "<a href='http://a b/'>broken</a>", "<nav>",
    "<meta name=robots content=nofollow>", "<template><a href=t>t</a></template>", "<svg><title>s</title></svg>",
    "<link rel=canonical href=/own>", "</nav>",
]  # fmt: skip


@given(st.lists(st.sampled_from(LEADING), max_size=30))
def test_a_crawler_is_led_where_the_page_s_links_lead(pieces):
    capture = Capture("http://bees.example/a/", "".join(pieces).encode())
    page = parse(capture)
    targets, own = html.leads(capture)
    assert targets == [link.target for link in page.links if "nofollow" not in link.rel]
    assert own == page.canonical


def test_a_crawler_s_reading_cuts_no_blocks(monkeypatch):
    def cut(*_):
        raise AssertionError("blocks were cut")

    monkeypatch.setattr("pagekin.parse.blocks.sections", cut)
    monkeypatch.setattr("pagekin.parse.scan.Scan.enter", cut)
    monkeypatch.setattr("pagekin.parse.scan.Scan.learn", cut)
    markup = b"<nav><a href=a>A</a></nav><div style='color:red'><a href=b>B</a></div>"
    assert html.leads(Capture("http://bees.example/", markup))[0] == ["http://bees.example/a", "http://bees.example/b"]


HOSTILE = {
    "pictures in a link": lambda n: "<a href=x>" + "<img alt=abc>" * n,
    "tooltips in a deep picture": lambda n: "<svg>" + "<g>" * n + "<title>x</title>" * n,
    "tooltips at all depths": lambda n: "<svg>" + "<g><title>x</title>" * n,
    "titles": lambda n: "<title> </title>" * n,
    "links": lambda n: "".join(f"<a href=/{i}>{i}</a> " for i in range(n)),
    "links in links": lambda n: "<object><a href=x>" * n,
    "descriptions": lambda n: "<meta name=description content=x>" * n,
    "bases": lambda n: "<base href=x>" * n + "<a href=y>z</a>" * n,
    "headings": lambda n: "<h1>x" * n,
    "style sheets": lambda n: "".join(f"<style>.c{i}{{color:red}}</style>" for i in range(n)) + "<p class=c1>x" * n,
    "rules": lambda n: "<style>" + "".join(f".c{i}{{color:red}}" for i in range(n)) + "</style>" + "<p class=c1>" * n,
    "braces": lambda n: "<style>" + "a{" * n + "</style>x",
    "classes": lambda n: "<style>.a{color:red}</style><p class='" + "b " * n + "'>x",
    "a long style": lambda n: "<p style='" + "color:red;" * n + "'>x",
    "looks": lambda n: "".join(f"<p style='color:#{i:06x}'><a href=x>x</a>" for i in range(n)),
    "lines": lambda n: "<a href=x>x</a><hr>" * n,
    "cells": lambda n: "<table>" + "<tr><td><a href=x>x</a>" * n,
    "words": lambda n: " ".join(f"w{i}" for i in range(n)),
    "one word": lambda n: "蜜蜂" * n,
    "one word in kana": lambda n: "みつばち" * n,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_work_is_linear(name):
    from pagekin.parse import blocks, compounds, scan, segmenters, style, words
    from tests.steps import lines_run

    def work(n: int) -> int:
        words._reader.cache_clear()  # it remembers words, and forgets them all when it is full
        return lines_run((blocks, compounds, html, scan, segmenters, style, words), read, HOSTILE[name](n))

    work(2_000)  # stop words are loaded once, and looks are remembered
    assert work(2_000) <= 2.2 * work(1_000) + 1_000


def test_pictures_of_a_link_are_not_copied_for_each_of_them():
    notes = html._noted(LexborHTMLParser("<a href=x>" + "<img alt=abc>" * 1_000))
    assert notes.anchors[0].pictures == [" abc"] * 1_000  # and not a text that grows


@pytest.mark.parametrize("written", ["", "tag ", "tag " * 24, "tag " * 100, "tag " * 100 + "nofollow"])
def test_a_long_rel_keeps_its_nofollow(written: str) -> None:
    asked = parse(
        Capture("http://a.example/", b'<meta name=robots content=nofollow><a rel="%b" href=b>b</a>' % written.encode())
    )
    own = parse(Capture("http://a.example/", b'<a rel="%b nofollow" href=b>b</a>' % written.encode()))
    for page in (asked, own):
        (link,) = page.links
        assert "nofollow" in link.rel.split() and len(link.rel) <= html.REL
