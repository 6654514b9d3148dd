"""The report: it stands alone, strangers' text is harmless in it, and it says what came out and what was hidden."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from pagekin.evaluate.experiment import evaluate
from pagekin.evaluate.report import html
from pagekin.evaluate.truth import Relevance
from tests.small_webs import collection, page

EVIL = "<script>alert(1)</script> & <b>bold</b> \x1b[31m ‮"
URL = "http://site.example/{}".format


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Pages of two topics; one of them has a title that would do harm."""
    rng = np.random.default_rng(1)
    pages = []
    for i in range(40):
        targets = [URL(int(t)) for t in (*(rng.choice(20, 3) + 20 * (i // 20)), rng.integers(40))]
        pages.append(page(URL(i), *targets, title=EVIL.replace("<", "&lt;") if i % 5 == 0 else f"Page {i}"))
    return collection(tmp_path_factory.mktemp("report") / "s&<i>.kin", *pages)


def made(store, methods, **more):
    number = {store.url(page): page for page in range(store.size)}
    of = {
        number[URL(i)]: {number[URL(j)]: 1 for j in range(20 * (i // 20), 20 * (i // 20) + 20) if j != i}
        for i in range(40)
    }
    truth = Relevance(of, ("a note with <i>markup</i>; and a second part",), **more)
    answer = evaluate(store, truth, methods, 5)
    return answer, html(answer, store, truth)


class Seen(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.loads, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "srcset", "data", "background") and value]
        self.loads += [value for name, value in attrs if tag in ("link", "base") or (tag != "a" and name == "href")]

    def handle_data(self, data):
        self.text.append(data)


def read(text):
    seen = Seen()
    seen.feed(text)
    return seen


def test_it_stands_alone_and_strangers_do_no_harm(store):
    _, text = made(store, ["amsler", "co-citation", "walk"])
    seen = read(text)
    assert not {"script", "iframe", "object", "link", "img", "b" * 99} & set(seen.tags)
    assert seen.loads == []
    assert "@import" not in text and "url(" not in re.sub(r"url\(#", "", text)
    assert EVIL not in text and "\x1b" not in text and "‮" not in text and "<i>markup" not in text
    assert "alert(1)" in " ".join(seen.text)
    assert seen.tags.count("svg") == 2


def test_it_says_what_came_out(store):
    answer, text = made(store, ["amsler", "co-citation"])
    best = max(answer, key=lambda row: row["nDCG@5"])
    words = " ".join(" ".join(read(text).text).split())
    assert f"{best['method']} has the best lists: nDCG@5 {best['nDCG@5']:.3f}" in words
    for row in answer:
        assert f"{row['P@5']:.3f}" in words
    assert "40, all of them asked" in words
    assert "a note with <i>markup</i>; and a second part" in words  # one note, not cut at its semicolon
    assert words.index("a note with") < words.index("Right answers")  # what limits the figures is read before them
    assert 'title="precision: the share of the first 5 places that hold a relevant page">P@5</th>' in text
    assert "hidden nothing" in words
    assert "What the figures mean" in words and "R-score" not in words


def test_it_says_what_was_hidden(store):
    _, text = made(store, ["amsler"], hidden="77 links between pairs")
    words = " ".join(" ".join(read(text).text).split())
    assert "hidden 77 links between pairs" in words
    assert "amsler was measured alone" in words


def test_no_method_and_empty_lists(store):
    number = {store.url(page): page for page in range(store.size)}
    truth = Relevance({number[URL(0)]: {number[URL(1)]: 1}})
    answer = evaluate(store, truth, ["cosine(min_in=1000)"], 5)
    words = " ".join(read(html(answer, store, truth)).text)
    assert "What no method finds" in words and "No answers." in words
    none = type(answer)(k=5)
    assert "No method could be asked" in html(none, store, truth)
