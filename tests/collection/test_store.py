"""Rows of single pages, from a graph whose tables are in several pieces."""

import numpy as np
import pytest

from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from tests.small_webs import collection, edges, random_pairs


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
