"""Rows of single pages, from a graph whose tables are in several pieces; and of all pages, read in spans."""

import pickle

import numpy as np
import pytest

from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from tests.small_webs import collection, edges, page, random_pairs


@pytest.mark.parametrize("rows", [3, 1_000])
def test_the_rows_of_several_pages_are_those_of_each(tmp_path, monkeypatch, rows):
    monkeypatch.setattr("pagekin.collection.arrow_files.BATCH_ROWS", rows)
    collection(tmp_path / "s.kin", edges(*((f"p{a}", f"p{b}", f"{a} to {b}") for a, b in random_pairs(1, 20, 60))))
    with writing(tmp_path / "s.kin") as writer:
        writer.fold()
    store = Store(tmp_path / "s.kin")
    assert store.graph.links["target"].num_chunks == -(-store.graph.links.num_rows // rows)
    for pages in ([], [0], [2, 3, 7, 19], range(store.size)):
        asked = np.array(pages, np.int32)
        links = store.links_on(asked)
        assert links.to_pylist() == [row for page in pages for row in store.links_of(page).to_pylist()]
        assert store.values("url", asked) == store.column("url", asked).to_pylist() == [store.url(p) for p in pages]


@pytest.mark.parametrize("words", ["all", "content"])
def test_the_rows_of_all_spans_are_all_rows_and_another_process_reads_the_same(tmp_path, monkeypatch, words):
    monkeypatch.setattr("pagekin.collection.parts.ROW_GROUP", 7)
    monkeypatch.setattr("pagekin.collection.parts.TEXT_GROUP", 2)
    monkeypatch.setattr("pagekin.collection.parts.PIECE", 200)
    menu = "wax honey comb swarm"
    for part in range(3):
        pages = [page(f"http://h.example/{part}/{n}", words=f"{menu}\nword{n} bee hive queen{part}") for n in range(9)]
        collection(tmp_path / "s.kin", *pages)
    with writing(tmp_path / "s.kin") as writer:
        writer.fold()
    store = Store(tmp_path / "s.kin").seeing("all", words)
    for table, columns in (("terms", ["term", "body"]), ("terms", None), ("text", ["text"]), ("compounds", None)):
        expected = [row for rows in store.rows(table, columns) for row in rows.to_pylist()]
        spans, elsewhere = store.spans(table), pickle.loads(pickle.dumps(store))
        assert [row for span in spans for row in elsewhere.rows_in(span, columns).to_pylist()] == expected
        assert [span.part for span in store.spans(table, [1])] == [1] * sum(span.part == 1 for span in spans)
        assert len(spans) > 6 or table == "compounds"
