"""Rows of words that are kept for the next build: read back by kind and part, for the pages that are the same."""

import numpy as np
import pyarrow as pa
import pytest

from pagekin.collection.array_files import save
from pagekin.index.kept_words import Keeping, KeptWords, PagePrints
from pagekin.index.spellings import coded


@pytest.fixture
def folder(tmp_path):
    words = coded(pa.array(["wax", "bee", "wax"])), coded(pa.array(["Wax", "bees", "wax"]))
    with Keeping(tmp_path, {}) as kept:
        kept.add("terms", "one", words, np.array([0, 1, 2], np.int32), {"body": [3, 1, 2], "title": [0, 300, 0]})
        kept.add("terms", "none", words, np.empty(0, np.int32), {})
        kept.add("anchors", "", words, np.array([2, 2, 1], np.int32), {"anchors": [1, 2, 3]})
        kept.finish(PagePrints(*np.arange(12, dtype=np.uint64).reshape(4, 3)))
    save(tmp_path / "ids.npy", np.array([10, 20, 30]))
    return tmp_path


def test_they_come_back_with_the_numbers_of_now(folder):
    held = KeptWords.read(folder, np.array([5, 20, 30]), {})  # page 10 is gone, 5 is new
    assert held.parts == {"one"}
    assert held.known.tolist() == [False, True, True]
    assert held.prints.table().tolist() == [[0, 0, 0, 0], [1, 4, 7, 10], [2, 5, 8, 11]]
    (group,) = held.groups("terms", "one", np.array([True, False, True]))
    rows, page = group.rows()
    assert page.tolist() == [2]
    assert [rows[name].to_pylist() for name in ("term", "surface", "body", "title")] == [["wax"], ["wax"], [2], [0]]
    (group,) = held.groups("anchors", "", np.ones(3, bool))
    rows, page = group.rows()
    assert (page.tolist(), rows["anchors"].to_pylist()) == ([2, 2, 1], [1, 2, 3])
    assert list(held.groups("names", "", np.ones(3, bool))) == []


def test_where_no_page_is_left_nothing_counts(folder):
    (group,) = KeptWords.read(folder, np.empty(0, np.int64), {}).groups("terms", "one", np.empty(0, bool))
    rows, page = group.rows()
    assert rows.num_rows == page.size == 0


def test_what_counts_no_more_is_copied_and_stays_out(folder, tmp_path):
    """Page 20 has changed: its rows are in the file of the next index, and count neither there nor later."""
    held = KeptWords.read(folder, np.array([5, 10, 20, 30]), {})
    (terms,) = held.groups("terms", "one", np.array([True, True, False, True]))
    assert terms.is_worth_copying
    (anchors,) = held.groups("anchors", "", np.array([True, True, True, False]))
    assert anchors.is_worth_copying  # one of two pages
    (anchors,) = held.groups("anchors", "", np.array([True, True, False, False]))
    assert not anchors.is_worth_copying
    following = tmp_path / "following"
    following.mkdir()
    with Keeping(following, {}) as kept:
        kept.copy(terms)
        kept.finish(PagePrints.none(4))
    save(following / "ids.npy", np.array([5, 10, 20, 30]))
    (terms,) = KeptWords.read(following, np.array([10, 20, 30]), {}).groups("terms", "one", np.ones(3, bool))
    rows, page = terms.rows()
    assert page.tolist() == [0, 2]
    assert rows["surface"].to_pylist() == ["Wax", "wax"]


def test_other_readers_words_are_refused(folder):
    with pytest.raises(ValueError, match="another version"):
        KeptWords.read(folder, np.array([10]), {"zh": "jieba"})
