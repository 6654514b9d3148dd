"""Figures 6 and 7: by hand on a small web."""

import pytest

from pagekin.evaluate.distributions import anchor_repetitions, domain_similarities, plot_distribution, share_over
from pagekin.methods.blockindex import BlockPairs
from tests.methods.test_blockindex import collection

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


@pytest.mark.parametrize("counts", [{1: 75, 2: 20, 12: 5}, {}], ids=["some", "none"])
def test_the_plot_is_written(tmp_path, counts):
    plot_distribution(counts, tmp_path / "figure6.svg", "times that a site repeats an anchor")
    assert "<svg" in (tmp_path / "figure6.svg").read_text()
