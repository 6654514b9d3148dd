"""Entries of indexes and one-line descriptions, in the shapes that documentation tools give them."""

import pytest

from pagekin.model import Capture
from pagekin.parse.html import parse
from pagekin.parse.index_entries import LEAST_SUMMARIES, listing, stands_in, without_entries


def shown(html: str) -> Capture:
    return Capture("http://a.example/p", html.encode(), "text/html; charset=utf-8")


def read(html: str) -> list[tuple[str, list[str]]]:
    found = listing(shown(html))
    return [(entry.wording, [target.rpartition("/")[2] for target in entry.targets]) for entry in found.entries]


SPHINX = """<title>Index — Bees 1.0 documentation</title><div role="navigation"><ul><li><a href="/">Bees</a></ul></div>
<h1>Index</h1><table class="genindextable"><tr><td><ul>
<li><a href="d.html#x">drone() (in module bees)</a>, <a href="e.html">[1]</a>
<ul><li><a href="w.html">(in module wasps)</a></ul>
<li>hive<ul><li><a href="h.html">moving</a></ul>
<li><a href="q.html">(see also queen)</a><li><a href="q.html">queen</a></ul></table>"""
DOCBOOK = """<title>Index</title><h1>Index</h1><dl>
<dt>drone, <a class="indexterm" href="d.html">Drones</a>, <a href="e.html">Males</a></dt>
<dt>hive</dt><dd><dl><dt>moving, <a href="h.html">On the Road</a></dt></dl></dd>
<dt>queen, <a href="q.html">Queens</a></dt><dt>wax, see <a href="#x">honey</a></dt></dl>"""
TEXINFO = """<title>Concept Index (Bees)</title><h2>Concept Index</h2><table>
<tr><td></td><td><a href="d.html#i">drone</a></td><td><a href="d.html">Drones</a></td></tr>
<tr><td></td><td><a href="h.html#i">hive</a></td><td><a href="h.html">Hives</a></td></tr>
<tr><td></td><td><a href="q.html#i">queen</a></td><td><a href="q.html">Queens</a></td></tr></table>"""
JAVADOC = """<title>D-Index (Bees 1.0)</title><h1>Index</h1><dl>
<dt><a href="D.html#d()">drone()</a> - Method in class <a href="D.html">D</a></dt><dd>Makes a drone of an egg.</dd>
<dt><a href="D.html#e()">dying()</a> - Method in class <a href="D.html">D</a></dt><dd></dd>
<dt><a href="D.html#f()">dzierzon()</a> - Method in class <a href="D.html">D</a></dt><dd>Keeps bees. Very well.</dd>
</dl>"""


@pytest.mark.parametrize(("html", "entries"), [
    (SPHINX, [("drone() (in module bees)", ["d.html", "e.html"]), ("drone() (in module wasps)", ["w.html"]),
              ("hive moving", ["h.html"]), ("queen", ["q.html"])]),
    (DOCBOOK, [("drone", ["d.html", "e.html"]), ("hive moving", ["h.html"]), ("queen", ["q.html"])]),
    (TEXINFO, [("drone", ["d.html"]), ("hive", ["h.html"]), ("queen", ["q.html"])]),
    (JAVADOC, [("Makes a drone of an egg", ["D.html"]), ("dying()", ["D.html"]), ("dzierzon()", ["D.html"])]),
])  # fmt: skip
def test_the_entries_of_an_index(html, entries):
    assert listing(shown(html)).is_index
    assert read(html) == entries


@pytest.mark.parametrize("html", [
    SPHINX.replace("Index", "Contents"),  # not called one
    SPHINX.replace("<h1>Index", "<h1>CREATE INDEX").replace("Index —", "CREATE INDEX —"),
    "<h1>Index</h1><ul><li><a href=z>zoo</a><li><a href=q>queen</a><li><a href=h>hive</a><li><a href=d>drone</a></ul>",
    "<h1>Index</h1><ul><li><a href=q>queen</a></ul>",  # too short to tell
])  # fmt: skip
def test_other_pages_are_no_index(html):
    assert not listing(shown(html)).is_index


@pytest.mark.parametrize("item", [
    '<dl><dt><a href="d">bee-drone(1)</a></dt><dd>Make a drone of an egg. At once.</dd></dl>',
    '<ul><li><a href="d">bee-drone</a> - Make a drone of an egg</ul>',
    '<dl><dt><span><a href="d">DRONE</a></span><span> — Make a drone of an egg</span></dt></dl>',
    '<table><tr><td><div><a href="d">drone</a> (C++11)</div><td>Make a drone of an egg <br> (function)</table>',
])  # fmt: skip
def test_a_description_in_a_few_words(item):
    assert read(item) == [("Make a drone of an egg", ["d"])]
    cut = without_entries(shown(f"<p>Before</p>{item}<p>After"), {"Make a drone of an egg": 1})
    assert parse(cut).text.split() == ["Before", "After"]
    assert parse(cut).links == ()


@pytest.mark.parametrize("item", [
    '<ul><li><a href="d">drone</a></ul>',  # says nothing
    '<ul><li><a href="d">drone</a> - a male</ul>',  # a name
    '<ul><li>Some <a href="d">drones</a> - males of all kinds of bees</ul>',  # in a sentence
    f'<ul><li><a href="d">drone</a> - {"word " * 40}</ul>',  # a paragraph
    '<dl><dt id="bee_new"><a href="d">Bee</a> *bee_new()</dt><dd>Make a drone of an egg.</dd></dl>',  # defined here
    '<nav><ul><li><a href="d">drone</a> - Make a drone of an egg</ul></nav>',
])  # fmt: skip
def test_what_is_no_description(item):
    assert read(item) == []


def test_only_entries_with_these_wordings_are_cut_out():
    page = shown("<ul><li><a href=a>a</a> - one two three<li><a href=b>b</a> - four five six</ul>")
    assert parse(without_entries(page, {"four five six": 1})).text == "a - one two three"
    assert without_entries(page, {"seven": 1}) is page
    assert LEAST_SUMMARIES > 1


def test_how_a_page_begins_is_its_title_and_what_follows_its_heading():
    page = "<title>Drones</title><nav><p>Home and away</nav><h1>Drone</h1>of <i>bees</i>"
    page += f"<ul>{'<li>x' * 400}</ul><p>A drone is a male bee.</p>"
    opening = listing(shown(page)).opening
    assert stands_in("drones", opening)
    assert stands_in("Drone of bees", opening)
    assert stands_in("is a male bee", opening)
    assert not stands_in("home and away", opening)
    assert not stands_in("ale bee", opening)
