"""Rows of words on disk: whatever memory allows and however parts are cut, the index is the same to the byte."""

import numpy as np
import pyarrow as pa
import pytest

from pagekin.collection import parts
from pagekin.collection.store import Store
from pagekin.index import gathered, spooled
from pagekin.index.fields import BOUNDS
from pagekin.index.inverted import ARRAYS, inverted, weighed
from pagekin.index.spooled import FIELDS, MOST, Spool
from pagekin.model import Rows
from tests.small_webs import collection, page, random_pairs

N = 120


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    """Pages in four parts, and two tables that tell of one page."""
    path, urls = tmp_path_factory.mktemp("spooled") / "s.kin", [f"http://h.example/{i}" for i in range(N)]
    groups, parts.ROW_GROUP = parts.ROW_GROUP, 7  # so that pages' rows go on from one group to the next
    rng, links = np.random.default_rng(1), random_pairs(1, N, 4 * N)
    for first in range(0, N, N // 4):
        items = []
        for i in range(first, first + N // 4):
            words = " ".join(f"zo{int(n)}b" for n in 50 * rng.random(30) ** 2)
            items.append(
                page(urls[i], *(urls[b] for a, b in links if a == i), words=words, title=f"Zo{i}b write-ahead")
            )
        collection(path, *items)
    for count in (2, 5):
        told = {"url": ["x"], "term": ["wax"], "surface": ["wax"], "body": [count], "title": [0]}
        collection(path, Rows(pages=pa.table({"url": ["x"], "title": [f"t{count}"]}), terms=pa.table(told)))
    parts.ROW_GROUP = groups
    return Store(path)


def content(store):
    made = inverted(Store(store.path).seeing())
    arrays = {name: np.asarray(getattr(made, name)).tobytes() for name in ARRAYS}
    return arrays, made.terms.to_pylist(), made.surfaces.to_pylist(), made.languages


def test_the_index_is_the_same_whatever_is_read_and_held_at_a_time(web, monkeypatch):
    whole = content(web)
    dealt = []
    limits = spooled.fitting
    monkeypatch.setattr(spooled, "fitting", lambda *rows: dealt.append(limits(*rows)) or dealt[-1])
    monkeypatch.setenv("PAGEKIN_MEMORY", "1KB")
    monkeypatch.setattr(parts, "PIECE", 1)
    monkeypatch.setattr(gathered, "NAMES_AT_ONCE", 11)
    assert content(web) == whole
    assert len(dealt[0]) > 20  # files, so that terms were dealt out
    monkeypatch.setattr(gathered, "LINKS_AT_ONCE", 3)
    monkeypatch.setattr(gathered, "LINK_BYTES", 100)
    assert content(web) == whole


def test_anchors_count_up_to_a_limit_however_they_come(tmp_path):
    """So that it does not matter how many links are read at a time."""
    weights, wax, zero = [], pa.array(["wax"]), np.zeros(1, np.int32)
    for said in ([MOST], [200, 200], [1] * 300, [254]):
        (tmp_path / str(len(weights))).mkdir()
        spool = Spool(tmp_path / str(len(weights)), 1)
        for times in said:
            spool.add(wax, wax, zero, anchors=[times])
        (held,) = spool.by_terms()
        weights.append(weighed(held, np.ones((1, len(FIELDS)), np.float32), BOUNDS)["weight"].tolist())
    assert weights[0] == weights[1] == pytest.approx(weights[2])
    assert weights[3] < weights[0]


def test_lengths_and_rows_by_hand(tmp_path):
    spool = Spool(tmp_path, 2)
    names = pa.array(["wax", "bee", "wax"])
    spool.add(names, names, np.array([0, 0, 1], np.int32), plain=True, body=[3, 1, 2], title=[4, 0, 0])
    spool.add(names[:1], names[:1], np.array([1], np.int32), body=[7])  # a part of a compound
    spool.add(names[:1], names[:1], np.array([1], np.int32), anchors=[1_000])
    assert spool.lengths.tolist() == [[4, 0, 1, 0, 0], [2, 0, 0, MOST, 0]]
    (held,) = spool.by_terms()
    assert spool.terms["term"].to_pylist() == ["bee", "wax"]
    assert held.plain == 3
    rows = sorted(zip(held.term.tolist(), held.page.tolist(), held.body.tolist(), strict=True))
    assert rows == [(0, 0, 1), (1, 0, 3), (1, 1, 0), (1, 1, 2), (1, 1, 7)]


def test_of_spellings_the_commonest_is_kept_and_of_equals_the_first(tmp_path):
    spool = Spool(tmp_path, 1)
    for surface, times in (("Wax", 2), ("wax", 1), ("waxes", 1), ("wax", 1), ("Bee", 1), ("bee", 1)):
        term = pa.array([surface.lower().removesuffix("es")])
        spool.add(term, pa.array([surface]), np.zeros(1, np.int32), plain=True, body=[times])
    assert spool.terms.to_pylist() == [{"term": "bee", "surface": "Bee"}, {"term": "wax", "surface": "Wax"}]


def test_a_spelling_of_two_terms_counts_for_each(tmp_path):
    """In another language the same word has another stem."""
    spool = Spool(tmp_path, 1)
    terms, surfaces = ["die", "dice", "die", "dice", "dice"], ["dice", "dice", "die", "dices", "dice"]
    said = np.array([3, 1, 2, 4, 2], np.int32)
    spool.add(pa.array(terms), pa.array(surfaces), np.zeros(5, np.int32), plain=True, body=said)
    spool.add(pa.array(["dice"]), pa.array(["dice"]), np.zeros(1, np.int32), plain=True, body=[2])
    assert spool.terms.to_pylist() == [{"term": "dice", "surface": "dice"}, {"term": "die", "surface": "dice"}]


def test_nothing(tmp_path):
    spool = Spool(tmp_path, 0)
    assert spool.terms.num_rows == 0
    assert [words.term.size for words in spool.by_terms()] == [0]
