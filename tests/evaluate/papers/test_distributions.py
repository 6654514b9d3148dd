"""Figures 4, 6 and 7: by hand on a small web, and on WebKB."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.evaluate.papers.distributions import (
    anchor_repetitions,
    block_sizes,
    domain_similarities,
    page_sizes,
    share_over,
)
from pagekin.index.block_pairs.index import BlockPairs
from pagekin.model import ALONE
from tests.index.block_pairs.test_index import collection

A, B, C = (f"http://{name}.example/" for name in "abc")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    # Twelve pages of one site link to a and b side by side, always by the same names; one of another site once.
    links = [(f"http://site.example/{i}", 0, j, target, name)
             for i in range(12) for j, (target, name) in enumerate([(A, "Red"), (B, " blue")])]  # fmt: skip
    links += [("http://other.example/", 0, 0, A, "red"), ("http://other.example/", 0, 1, C, "green"),
              ("http://other.example/", 0, 2, C, "GREEN"), ("http://other.example/", 0, 3, B, "")]  # fmt: skip
    return collection(tmp_path_factory.mktemp("figures") / "s.kin", links)


def test_how_often_a_site_repeats_an_anchor(store):
    assert anchor_repetitions(store) == {1: 1, 2: 1, 12: 2}
    assert share_over(anchor_repetitions(store), 9) == 0.5


def test_how_much_sites_give(store):
    # Of the twelve equal pairs of site.example nine count, in both directions; other.example gives one.
    assert domain_similarities(store, BlockPairs()) == {1: 2, 9: 2}
    assert domain_similarities(store, BlockPairs(max_repeats=20)) == {1: 2, 12: 2}


def test_how_large_blocks_are(store):
    assert block_sizes(store) == page_sizes(store) == {2: 12, 4: 1}


def test_links_alone_are_blocks_of_one(tmp_path):
    links = [("http://h.example/", block, at, A, "a") for at, block in enumerate([0, 0, ALONE, 1, 1, 1, ALONE])]
    cut = collection(
        tmp_path / "s.kin", [*links, ("http://i.example/", 0, 0, A, "a"), ("http://i.example/", 0, 1, B, "b")]
    )
    assert block_sizes(cut) == {1: 2, 2: 2, 3: 1}
    assert page_sizes(cut) == {2: 1, 7: 1}


@pytest.mark.data
@pytest.mark.slow
def test_the_bounds_on_pages_of_1996(data, tmp_path, capsys):
    """As in the paper: few blocks over S, few links repeated more than r times, few similarities over N."""
    Collection(tmp_path / "webkb.kin").add(data("webkb"), text=False)
    webkb = Store(tmp_path / "webkb.kin")
    blocks, pages = block_sizes(webkb), page_sizes(webkb)
    repeated, given = anchor_repetitions(webkb), domain_similarities(webkb, BlockPairs())
    with capsys.disabled():
        print(
            f"\nover 80 links: {share_over(blocks, 80):.2%} of the blocks, {share_over(pages, 80):.2%} of the pages; ",
            end="",
        )
        print(f"anchors over 9 times: {share_over(repeated, 9):.2%}; similarities over 10: {share_over(given, 10):.2%}")
    assert share_over(blocks, 80) < 0.01 < share_over(pages, 80)
    assert share_over(repeated, 1) < 0.25 and share_over(repeated, 9) < 0.05
    assert share_over(given, 10) < 0.01
