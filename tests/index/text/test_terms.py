"""The terms of pages on disk against the terms table, those that count, and of pages told of twice."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from pagekin.index.text import terms as term_files
from pagekin.index.text.terms import kept
from pagekin.model import Rows
from tests.small_webs import collection, of_words, page, random_words

URL = "http://h.example/{}".format


def written(store, folder):
    folder.mkdir()
    return term_files.write(store, folder)


def forward(made):
    """(page, term) → count."""
    names = made.names.to_pylist()
    found = {}
    for p in range(made.start.size - 1):
        terms, counts = made.of(p)
        assert terms.tolist() == sorted(set(terms.tolist()))
        found |= {(p, names[t]): c for t, c in zip(terms.tolist(), counts.tolist(), strict=True)}
    return found


def backward(made):
    return {
        (p, name): c
        for t, name in enumerate(made.names.to_pylist())
        for p, c in zip(
            made.page[made.of_start[t] : made.of_start[t + 1]].tolist(),
            made.of_count[made.of_start[t] : made.of_start[t + 1]].tolist(),
            strict=True,
        )
    }


@pytest.mark.parametrize("seed", [1, 2])
def test_it_says_what_the_terms_table_says(tmp_path, seed):
    words = random_words(seed, 80, 50, 15)
    pages = [page(URL(p), title=text[:8], words=f"{text} {text[:20]}") for p, text in words.items()]
    store = collection(tmp_path / "s.kin", *pages)
    made = written(store, tmp_path / "terms")
    rows = [row for table in store.rows("terms") for row in table.to_pylist()]
    df, with_words = Counter(row["term"] for row in rows), len({row["page"] for row in rows})
    expected = {
        (store.number(row["page"]), row["term"]): row["body"] + 3 * row["title"]
        for row in rows
        if 2 <= df[row["term"]] <= max(with_words / 2, 20)
    }
    assert forward(made) == backward(made) == expected
    names = made.names.to_pylist()
    assert names == sorted(names)
    titles = {(store.number(row["page"]), row["term"]) for row in rows if row["title"] and row["term"] in names}
    assert {(p, names[t]) for p in range(store.size) for t in made.in_title_of(p).tolist()} == titles
    assert {
        (int(p), name)
        for t, name in enumerate(names)
        for p in made.in_title[made.in_title_start[t] : made.in_title_start[t + 1]]
    } == titles
    assert made.numbers([names[0], "no such term"]).tolist() == [0, -1]
    assert not list((tmp_path / "terms").glob("*.tmp"))


def test_which_terms_count():
    assert kept(10, np.array([1, 2, 9, 10])).tolist() == [False, True, True, False]
    assert kept(100, np.array([1, 50, 51])).tolist() == [False, True, False]


def test_pages_that_tables_tell_of_twice_count_once(tmp_path):
    def terms(count):
        names = ["x", "y", "z"]
        table = {"url": names, "term": ["wax", "wax", "bee"], "surface": names, "body": [count, 1, 1], "title": [0] * 3}
        return Rows(pages=pa.table({"url": names, "title": [f"t{count}", "", ""]}), terms=pa.table(table))

    collection(tmp_path / "s.kin", terms(2))
    store = collection(tmp_path / "s.kin", terms(5))
    found = forward(written(store, tmp_path / "terms"))
    assert {store.url(p): count for (p, _), count in found.items()} == {"x": 5, "y": 1}


def test_nothing_to_write(tmp_path):
    made = written(of_words(tmp_path / "s.kin", {}, [("a", "b")]), tmp_path / "terms")
    assert made.pages == 0
    assert not made.term.size
