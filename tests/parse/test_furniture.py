"""Menus and footers are told from content by what authors call them."""

import pytest

from pagekin.model import Capture
from pagekin.parse.furniture import is_furniture, names, within_furniture
from pagekin.parse.html import elements


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
