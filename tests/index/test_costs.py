"""What indexes cost, by counts."""

import pagekin.answers.build  # noqa: F401  all indexes
from pagekin.index.base import INDEXES, index
from pagekin.index.costs import Cost, cost
from tests.small_webs import collection, from_edges, page, random_pairs


def test_costs_are_known_of_every_index_but_answers_and_grow_with_the_web(tmp_path):
    def web(name, pages):
        urls = [f"http://h.example/{number}" for number in range(pages)]
        return collection(tmp_path / name, *(page(url, *urls[:5], words="wax and honey") for url in urls))

    small, large = web("small.kin", 3), web("large.kin", 30)
    for name in INDEXES.keys() - {"answers", "vectors"}:
        less, more = cost(index(name), small), cost(index(name), large)
        assert 0 < less.seconds < more.seconds
        assert 0 < less.bytes < more.bytes
    assert cost(index("vectors"), small) == Cost(0, 0)
    assert cost(index("answers(method=integrated)"), small) is None


def test_links_alone_cost_little_in_indexes_of_words(tmp_path):
    """Ten thousand pages that nobody fetched: nothing is read of their names, and there is nothing to place them by."""
    pairs = [(f"http://h.example/{a}", f"http://h.example/{b}") for a, b in random_pairs(1, 10_000, 30_000)]
    store = from_edges(tmp_path / "links.kin", pairs)
    for name in ("inverted", "text"):
        assert cost(index(name), store).seconds < 1
        assert cost(index(name), store).bytes < 4e6
