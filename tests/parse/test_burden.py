"""The cost of a page for the parser: hostile pages are refused in linear time, real ones never."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagekin.acquire.folder import EXTENSIONS
from pagekin.parse import burden, limits, open_elements, quick_look, tags
from pagekin.parse.burden import Burden, objection
from pagekin.parse.encoding import decode
from pagekin.parse.limits import ATTRIBUTES, DEEP, NAMES, OPEN, OPTIONS
from tests.debian import unpacked
from tests.steps import lines_run


def numbered(unit: str) -> Callable[[int], str]:
    return lambda n: "".join(unit.format(number) for number in range(n))


BOXES = "frameset menu figure address details dir dialog pre summary hgroup search figcaption ul span x-y object"
REFUSED = {
    "boxes": (DEEP, lambda n: "<div>" * n),
    "end tags first": (DEEP, lambda n: "</div>" * n + "<div>" * n),
    "end tags in a comment": (DEEP, lambda n: "<!--" + "</div>" * n + "-->" + "<div>" * n),
    "end tags in an attribute": (DEEP, lambda n: "<p title='" + "</div>" * n + "'>" + "<div>" * n),
    "end tags in a script": (DEEP, lambda n: "<script>" + "</div>" * n + "</script>" + "<div>" * n),
    "end tags that do not count": (DEEP, lambda n: "<div><table><td></div></table>" * n),
    "hidden by a title in a picture": (DEEP, lambda n: "<svg><title>" + "<div>" * n),
    "hidden by a quote that is none": (DEEP, lambda n: "<p =\"'>" + "<div>" * n),
    **{f"<{name}>": (DEEP, lambda n, name=name: f"<{name}>" * n) for name in BOXES.split()},
    "ended in an attribute": (DEEP, lambda n: "<span title='>x</span>'>" * n),
    "ended in an attribute, twice": (DEEP, lambda n: "<code title='><span>x</span></code>'>" * n),
    "ended in a comment": (DEEP, lambda n: "<span><!--x</span>-->" * n),
    "begun in a comment": (DEEP, lambda n: "<div><!--<span>-->x</span>" * n),
    "begun in an attribute": (DEEP, lambda n: "<div title='<span>'>x</span>" * n),
    "begun in a name": (DEEP, lambda n: "<div<span>x</span>" * n),
    "begun in a name, twice": (DEEP, lambda n: "<code<b></b> >x</code>" * n),
    "ended by another name": (DEEP, lambda n: "<span>x</spann>" * n),
    "items": (DEEP, lambda n: "<ul><li>" * n),
    "cells": (DEEP, lambda n: "<table><td>" * n),
    "adopted": (DEEP, lambda n: "<b><div></b>" * n),
    "links": (DEEP, lambda n: "<a href=x><div></a>" * n),
    "forms out of reach": (DEEP, lambda n: "<form><table></form></table>" * n),
    "forms ended twice": (DEEP, lambda n: "<form><table></form></table></form>" * n),
    "forms in lists of options": (DEEP, lambda n: "<select>t</form>t<form>" * n),
    "terms in rubies": (DEEP, lambda n: "<rtc><ruby><ruby><dt>" * n),
    "formulas with notes": (DEEP, lambda n: "</option>t<option/><math><math><annotation-xml>" * n),
    "different fonts": (DEEP, numbered("<font color={}>")),
    "opened again": (OPEN, numbered("<p><font color={}>")),
    "shallow but many": (OPEN, lambda n: "<p>" + numbered("<b id={}>")(1_000) + "<p>x" * n),
    "attributes": (ATTRIBUTES, lambda n: "<p " + numbered("a{} ")(n) + ">"),
    "attributes with >": (ATTRIBUTES, lambda n: "<p " + numbered("a{}='>' ")(n) + ">"),
    "attributes of the page": (ATTRIBUTES, lambda n: numbered("<body a{}>")(5 * n)),
    "names of attributes": (NAMES, numbered("<p a{}>")),
    "names of tags": (NAMES, numbered("<x{0}></x{0}>")),
    "options": (OPTIONS, lambda n: "<select>" + "<option>x</option>" * n),
}  # fmt: skip
TAKEN = {
    "paragraphs": lambda n: "<p>words" * n,
    "items": lambda n: "<ul>" + "<li>item" * n,
    "definitions": lambda n: "<dl>" + "<dt>word<dd>what it is" * n,
    "rows": lambda n: "<table>" + "<tr><td>a<td>b" * n,
    "options of which many can be chosen": lambda n: "<select multiple>" + "<option>x" * n,
    "boxes side by side": lambda n: "<div><div>x</div></div>" * n,
    "boxes in a comment": lambda n: "<!--" + "<div>" * n + "-->",
    "boxes in a script": lambda n: "<script>" + "<div>" * n + "</script>",
    "boxes in an attribute": lambda n: "<p title='" + "<div>" * n + "'>",
    "links": lambda n: "<a href=x>x" * n,
    "formatting": lambda n: "<b>x</b><i>y</i>" * n,
    "the same font": lambda n: "<p><font size=2>x" * n,
    "pictures": lambda n: "<svg><g/><path d='M0'/></svg>" * n,
    "an open comment": lambda n: "<!--" * n,
    "signs": lambda n: "<" * n + "&" * n + "a<1 " * n,
    "quotes": lambda n: "<p a=\"><q b='>" * n,
    "unclosed": lambda n: "<p a" * n,
    "comments": lambda n: "<!--x-->" * n + "<!x>" * n,
    "titles": lambda n: "<title>x</title>" * n,
    "one class after another": lambda n: "<p class='" + numbered("a{} ")(n) + "'>",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_page_is_refused_without_being_parsed(name):
    why, make = REFUSED[name]
    assert objection(make(200_000 if why == NAMES else 40_000)) == why


@pytest.mark.parametrize("name", TAKEN)
def test_a_large_page_is_taken(name):
    assert objection(TAKEN[name](40_000)) is None


@pytest.mark.parametrize("name", [*REFUSED, *TAKEN])
def test_the_work_is_linear(name, monkeypatch):
    for limit in ("MOST_STEPS", "DEEPEST", "MOST_REOPENED"):  # or the larger page would be refused sooner
        monkeypatch.setattr(burden, limit, 1 << 60)
    make = TAKEN[name] if name in TAKEN else REFUSED[name][1]
    if name not in ("opened again", "shallow but many"):  # these are quadratic, until they are refused
        small, large = (lines_run((burden, open_elements, tags), Burden().read, make(n)) for n in (1_000, 2_000))
        assert large <= 2.2 * small + 100


NAMES_USED = (
    "div p b i a font span li ul dd dl table td tr tbody caption form button select option optgroup h1 svg math title "
    "script template object nobr x-y center mi foreignobject desc g textarea body br col ruby rt menu"
)


def soup(seed: int) -> str:
    """A few tags, repeated: what is left open each time adds up."""
    chance = random.Random(seed)
    few = chance.sample(NAMES_USED.split(), chance.randrange(1, 6))
    tags = [
        f"<{'/' * (chance.random() < 0.3)}{chance.choice(few)}{chance.choice(['', '', ' id=1', ' id=2'])}>"
        f"{'t' * (chance.random() < 0.2)}"
        for _ in range(chance.randrange(1, 7))
    ]
    return "".join(tags) * 60


def tree(markup: str) -> tuple[int, int]:
    """The depth and the number of elements of the tree that the parser makes."""
    node, above, deepest, elements = LexborHTMLParser(markup).root, [], 0, 0
    while node is not None:
        elements += node.is_element_node
        deepest = max(deepest, len(above) + 1)
        if node.first_child is not None:
            above.append(node)
            node = node.first_child
            continue
        while (following := node.next) is None and above:
            node = above.pop()
        node = following
    return deepest, elements


def test_open_elements_are_counted_as_the_parser_counts_them():
    """On nearly all mixtures of tags, the depth and the size are those of the tree; the rules have odd corners."""
    wrong = 0
    for seed in range(1_500):
        markup = soup(seed)
        deepest, elements = tree(markup)
        counted = Burden().read(markup)
        wrong += deepest > 2 * counted.deepest + 8 or elements > 3 * counted.elements + 240
        if "<template" not in markup:  # its contents are not in the tree
            wrong += counted.deepest > 3 * deepest + 6
    assert wrong <= 3


@given(
    st.lists(
        st.sampled_from(
            [*(f"<{name}>" for name in NAMES_USED.split()), *(f"</{name}>" for name in NAMES_USED.split()), "x"]
        )
    )
)
def test_any_tags_can_be_counted(tags):
    counted = Burden().read("".join(tags))
    assert 0 <= counted.depth <= counted.deepest


@pytest.mark.parametrize(
    ("markup", "open_at_the_end"),
    [
        ("<template><tr><table>", ["template", "tr"]),  # HTML, 13.2.6.4.9: no table in scope, so it is passed over
        ("<table><template><tr><table>", ["table", "template", "tr"]),
        ("<table><tr><table>", ["table"]),
        ("<table><tr><td><table>", ["table", "tbody", "tr", "td", "table"]),
    ],
)
def test_a_table_ends_the_table_around_it_but_none_outside_a_template(markup, open_at_the_end):
    assert Burden().read(markup).stack == open_at_the_end


def test_a_table_of_contents_needs_no_count(monkeypatch):
    monkeypatch.setattr(Burden, "read", None)
    entry = "<li class=x><a href=y><code class='z'><span class=pre>os</span></code><em>files</em></a></li>"
    assert objection("<ul>" + entry * 10_000 + "</ul>") is None


def test_without_its_pairs_a_page_is_as_deep():
    """Elements that end at once can be taken out: no trick with comments, quotes or names makes a tree look flatter."""
    pieces = (
        "<span>", "<span a='b'>", '<span a="b', "</span>", "<b>", "</b>", "<!--", "-->", "'", '"', ">", "<i<b>", "x",
        " ", "<b a=<i>", "<div>", "</div>", "<table>", "<select>", "</select>", "<svg>", "<title>", "</title>",
        "<code>", "</code>", "<script>", "</script>", "<td>", "</td>", "<p>", "</p>", "<em/>", "</em>", "<a>", "</a>",
        "<li>", "</li>", "<h1>", "</h1>", "</table>",
    )  # fmt: skip
    chance = random.Random(5)
    for _ in range(3_000):
        markup = "".join(chance.choices(pieces, k=chance.randrange(2, 30)))
        if quick_look.QUOTED_END.search(markup):
            continue
        bare = markup
        for _ in range(quick_look.PASSES):
            bare = quick_look.PAIR.sub(r"\1", bare)
        assert tree(markup)[0] <= tree(bare)[0] + quick_look.PASSES + 2, markup  # and <tbody><tr> around a cell


def test_what_the_quick_look_lets_pass_is_harmless():
    """The quick look is never milder than the count."""
    passed = 0
    for seed in range(60):
        markup = soup(seed) * 60
        if quick_look.harmless(markup, markup.count("<")):
            passed += markup.count("<") > limits.DEEPEST
            counted = Burden().read(markup)
            assert counted.reopened <= quick_look.QUICK_REOPENED
            assert counted.deepest <= limits.DEEPEST + quick_look.PASSES
    assert passed > 5


@pytest.mark.parametrize(
    "markup",
    [
        "<math><mrow><mi>x</mi><mo>+</mo></mrow></math>",
        "<p><math><mtext>x</mtext><annotation-xml encoding=text/html><p>x</p></annotation-xml></math></p>",
        "<svg><desc><b>x</b></desc><g><title>x</title></g></svg>",
        "<o:p>x</o:p><svg:g>x</svg:g>",
    ],
)
def test_formulas_and_pictures_end(markup):
    assert Burden().read(markup * 50).deepest + 2 == tree(markup * 50)[0] - 1  # <html> and <body>, and the text


@pytest.mark.data
@pytest.mark.parametrize("name", ["webkb", pytest.param("planetmath", marks=pytest.mark.slow)])
def test_no_real_page_is_refused(name, data):
    assert no_objections(data(name)) > 8_000


@pytest.mark.parametrize("package", [pytest.param("python3.11-doc", marks=pytest.mark.slow), "postgresql-doc-15"])
def test_no_page_of_a_documentation_is_refused(package, tmp_path):
    assert no_objections(unpacked(package, tmp_path)) > 500


def no_objections(folder: Path) -> int:
    pages = [file for file in folder.rglob("*") if file.suffix in EXTENSIONS or file.name.startswith("http")]
    refused = {file: why for file in pages if file.is_file() and (why := objection(decode(file.read_bytes())))}
    assert not refused
    return len(pages)
