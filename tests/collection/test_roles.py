"""Roles of links and words of templates, from pages of HTML: a menu is told apart, an author's choice is not."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from pagekin import Collection
from pagekin.collection.roles import Sites, Stretches, repeated
from pagekin.collection.store import Store

MENU = "<hr><ul><li><a href=/1>Terms of use</a><li><a href=/2>Imprint</a></ul><p>Printed on recycled paper</p>"


def site(folder, pages, text=True):
    (folder / "web").mkdir(parents=True)
    for number in range(pages):
        own = f"<p>Kind {number * 'x'}a of <a href=/known>bees</a> lives in hive{number}</p>"
        (folder / "web" / f"p{number}.html").write_text(f"<title>Page {number}</title>{own}{MENU}")
    Collection(folder / "s.kin").add(folder / "web", base_url="http://s.example/", text=text)
    return Store(folder / "s.kin")


@pytest.mark.parametrize(("pages", "told"), [(2, False), (3, True), (12, True)])
def test_what_three_pages_repeat_is_the_template_s_and_a_well_known_page_is_not(tmp_path, pages, told):
    store = site(tmp_path, pages)
    info = Collection(store.path).info()
    assert info.roles == {"content": pages * (1 if told else 3), "navigation": 0, "template": 2 * pages * told}


def test_methods_see_content_unless_they_ask_for_all(tmp_path):
    store = site(tmp_path, 4)
    seen = store.seeing()
    page = store.graph.pages["url"].to_pylist().index("http://s.example/p0.html")
    assert [store.url(target) for target in seen.links_of(page)["target"].to_pylist()] == ["http://s.example/known"]
    assert store.seeing("all", "all") is store
    assert (seen.arrays.links, store.arrays.links) == (4, 12)


def words(store):
    return {term for rows in store.rows("terms", ["term"]) for term in rows["term"].to_pylist()}


def test_words_of_templates_are_taken_out_where_texts_are_kept(tmp_path):
    store = site(tmp_path / "text", 4)
    gone = words(store) - words(store.seeing())
    assert gone == {"term", "us", "imprint", "print", "recycl", "paper"}
    assert {"bee", "hive0", "live"} <= words(store.seeing())
    without = site(tmp_path / "none", 4, text=False)
    assert words(without.seeing()) == words(without)
    assert Collection(without.path).info().roles["template"] == 8


def test_repeated_stretches_are_those_of_a_twin_with_sets():
    random = np.random.default_rng(5)
    for _ in range(50):
        lines = [random.integers(0, 6, random.integers(0, 5)).tolist() for _ in range(12)]
        sites = [f"s{number}" for number in random.integers(0, 2, 12)]
        columns = {"site": sites, "digest": [str(number) for number in range(12)], "fetched": [1] * 12}
        start = np.cumsum([0, *map(len, lines)])
        prints = np.array([line for page in lines for line in page], np.int32)
        found = repeated(Stretches(start, prints, np.zeros(prints.size, bool)), Sites.read(pa.table(columns)))
        assert found.tolist() == twin(lines, sites)


def twin(lines, sites):
    rows = [["begin", *page, "end"] if page else [] for page in lines]
    pairs = [list(pairwise(row)) for row in rows]
    on = Counter((where, pair) for where, page in zip(sites, pairs, strict=True) for pair in set(page))
    held = Counter(sites)
    often = [
        [on[where, pair] >= min(max(-(-held[where] // 2), 3), 10) for pair in page]
        for where, page in zip(sites, pairs, strict=True)
    ]
    return [page[at] or page[at + 1] for page in often for at in range(len(page) - 1)]
