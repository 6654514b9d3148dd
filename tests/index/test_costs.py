"""What indexes cost, by counts."""

import pagekin.answers.build  # noqa: F401  all indexes
from pagekin.index.base import INDEXES, index
from pagekin.index.costs import Cost, cost
from tests.small_webs import collection, page


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
