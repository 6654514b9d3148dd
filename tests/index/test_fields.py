"""The words of pages by field, and their weights, against a readable twin; what no page may win by."""

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest

from pagekin.collection.store import Store
from pagekin.index import fields
from pagekin.index.fields import BOUNDS, WEIGHT, B, factors, words_of
from pagekin.index.gathered import spooled
from pagekin.index.inverted import inverted
from pagekin.index.spooled import FIELDS
from pagekin.model import Capture, Rows
from pagekin.parse.words import Analyser
from tests.small_webs import collection, page

URL = "http://h.example/{}".format
SITE = {
    "": """<title>The bees</title><h1>Bees and hives</h1><p>A bee. The write-ahead hive; BusyHandler.
        <ul><li><a href="/hives/wax-comb.html">Wax combs</a><li><a href="/hives/wax-comb.html">The wax</a></ul>""",
    "hives/wax-comb.html": """<title>Wax</title><p>Wax, wax and more wax: <a href="/">all about bees</a>
        <a href="/hives/wax-comb.html">this page</a> <a href="/nowhere">honey</a>""",
    "queen": """<title>The queen</title><h2>Hives</h2><p>Her hive. See <a href="/hives/wax-comb.html">wax</a>.""",
    "leer": "<title></title>",
}


@pytest.fixture
def store(tmp_path):
    captures = [
        Capture(URL(name), f"<html lang=en>{html}".encode(), "text/html; charset=utf-8", fetched=1, origin="test")
        for name, html in SITE.items()
    ]
    return collection(tmp_path / "s.kin", *captures).seeing()


def counted(store):
    """(url, term) → field → count, and url → field → length."""
    counts, lengths, analyser = defaultdict(Counter), defaultdict(Counter), Analyser(**store.manifest.segmenters)
    for table in ("terms", "compounds"):
        for rows in store.rows(table):
            for row in rows.to_pylist():
                url = store.url(store.number(row["page"]))
                for field in ("body", "title", "headings"):
                    times = min(row[field], 1) if field == "title" else row[field]
                    counts[url, row["term"]][field] += times
                    lengths[url][field] += times if table == "terms" else 0
    found = {store.url(p) for p in np.flatnonzero(store.fetched)} | set(lengths)
    for p in range(store.size):
        said = defaultdict(set)
        for link in store.links_of(p).to_pylist():
            target = store.url(store.graph.page_of[link["target"]])
            said[target] |= {term.term for kind in analyser.read(link["anchor"], "", "en") for term in kind}
        for target in (found & set(said)) - {store.url(p)}:
            for term in said[target]:
                counts[target, term]["anchors"] += 1
                lengths[target]["anchors"] += 1
    for url in found:
        for term in (term for kind in analyser.read(words_of(url), "", "en") for term in kind):
            counts[url, term.term]["address"] += term.body
            lengths[url]["address"] += term.body
        for word in set(analyser.function_words(store.title(store.number(numbers(store)[url])), "en")):
            counts[url, word]["title"] += 1
    return counts, lengths


def numbers(store):
    return {store.url(p): int(store.graph.ids[p]) for p in range(store.size)}


def twin(store):
    """(url, term) → weight."""
    counts, lengths = counted(store)
    mean = {}
    for field in FIELDS:
        has = [length[field] for length in lengths.values() if length[field]]
        mean[field] = sum(has) / max(len(has), 1)
    weights = {}
    for (url, term), by_field in counts.items():
        tf = {
            field: WEIGHT[field] * count / (1 - B[field] + B[field] * lengths[url][field] / max(mean[field], 1))
            for field, count in by_field.items()
        }
        text = sum(tf.get(field, 0) for field in ("body", "headings"))
        names = sum(tf.get(field, 0) for field in ("title", "anchors", "address"))
        k, w, m = BOUNDS["k"], BOUNDS["w"], BOUNDS["m"]
        if text or names:
            weights[url, term] = (k + 1) * text / (text + k) + w * names / (names + m)
    return weights


def weights_of(store):
    made = inverted(store)
    return {
        (store.url(int(made.page[e])), term): float(made.weight[e])
        for t, term in enumerate(made.terms.to_pylist())
        for e in range(made.start[t], made.start[t + 1])
    }


def test_weights_equal_the_twin_s(store):
    found, expected = weights_of(store), twin(store)
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-5)
    assert {
        (URL("hives/wax-comb.html"), "comb"),
        (URL(""), "write-ahead"),
        (URL(""), "handler"),
        (URL(""), "the"),
    } <= set(found)


def test_fields(store, tmp_path):
    spool, shown, _ = spooled(store, tmp_path)
    (held,), terms = spool.by_terms(), spool.terms
    names = terms["term"].to_pylist()

    def count(url, term, field):
        at = (held.page == store.number(numbers(store)[URL(url)])) & (held.term == names.index(term))
        values = held.body if field == "body" else held.others[:, FIELDS.index(field) - 1]
        return int(values[at].sum())

    wax = "hives/wax-comb.html"
    assert count(wax, "wax", "body") == 3
    assert count(wax, "wax", "title") == count(wax, "wax", "address") == 1
    assert count(wax, "wax", "anchors") == 2  # two pages say it, one of them twice; its own link says nothing
    assert count(wax, "page", "anchors") == 0
    assert count("", "hive", "headings") == 1
    assert "honei" in names  # in the text of the link; the page it leads to was never fetched, and is not found by it
    assert not shown[store.number(numbers(store)[URL("nowhere")])]
    assert dict(zip(names, terms["surface"].to_pylist(), strict=True))["wax"] in ("wax", "Wax")


def test_a_title_repeated_a_thousand_times_does_not_win(tmp_path):
    stuffed = page(URL("stuffed"), title="honey " * 1_000, words="wax")
    others = [page(URL(f"p{i}"), title=f"Page {i}", words="wax and combs " * 20) for i in range(20)]
    honest = page(URL("honest"), title="Honey", words="how honey is made, and how it is kept")
    store = collection(tmp_path / "s.kin", stuffed, honest, *others)
    found = weights_of(store)
    assert found[URL("honest"), "honei"] > found[URL("stuffed"), "honei"]


def test_pages_that_tables_tell_of_twice_count_once(tmp_path):
    def terms(count):
        table = {"url": ["x"], "term": ["wax"], "surface": ["wax"], "body": [count], "title": [0]}
        return Rows(pages=pa.table({"url": ["x"], "title": [f"t{count}"]}), terms=pa.table(table))

    collection(tmp_path / "s.kin", terms(2))
    store = collection(tmp_path / "s.kin", terms(5))
    spool, _, _ = spooled(store, tmp_path)
    (held,) = spool.by_terms()
    assert held.body.tolist().count(5) == 1
    assert 2 not in held.body
    assert spool.lengths[store.number(numbers(store)["x"]), 0] == 5


def test_words_of_addresses():
    assert words_of("http://h.example/a/b%20c/GitRebase.html?page=Wax&x=1") == "a b c GitRebase page Wax x 1"
    assert words_of("http://h.example/") == words_of("http://h.example") == ""
    assert words_of("http://h.example/v1.2/notes") == "v1.2 notes"
    assert words_of("10.1145/1234") == "10.1145 1234"


def test_the_order_of_parts_does_not_matter(tmp_path):
    items = [page(URL(name), title=name, words=f"{name} Honey honey") for name in "abc"]
    first = collection(tmp_path / "1.kin", *items)
    for item in reversed(items):
        second = collection(tmp_path / "2.kin", item)
    assert weights_of(first) == weights_of(Store(second.path))
    assert inverted(first).surfaces.to_pylist() == inverted(second).surfaces.to_pylist()


def test_factors_of_fields_by_the_formula_however_many_pages_at_once(monkeypatch):
    monkeypatch.setattr(fields, "PAGES_AT_ONCE", 2)
    lengths = np.random.default_rng(0).integers(0, 9, (7, len(FIELDS)))
    lengths[:, 3] = 0  # no page has anchors
    for at, field in enumerate(FIELDS):
        held = [length for length in lengths[:, at].tolist() if length]
        mean = max(sum(held) / max(len(held), 1), 1)
        wanted = [WEIGHT[field] / (1 - B[field] + B[field] * length / mean) for length in lengths[:, at].tolist()]
        assert factors(lengths)[:, at].tolist() == pytest.approx(wanted, rel=1e-6)
