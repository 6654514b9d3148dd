"""What lists are like, by hand and against a slow twin."""

import numpy as np
import pytest

from pagekin.evaluate.truth import Relevance
from pagekin.evaluate.variety import variety
from pagekin.graph.topk import TopK
from tests.small_webs import from_edges, random_pairs


def lists_of(rows, k):
    made = TopK.empty(len(rows), k)
    for at, row in enumerate(rows):
        made.put(at, np.array(row, np.int32), np.ones(len(row)))
    return made


def test_by_hand(tmp_path):
    a, b, c, d = (f"http://{name}.example/" for name in "abcd")
    store = from_edges(tmp_path / "s.kin", [(a, b), (c, d), (b, f"{a}2")])
    number = {store.url(page): page for page in range(store.size)}
    truth = Relevance({number[a]: {number[b]: 1}, number[b]: {number[a]: 1}})
    at = {page: row for row, page in enumerate(truth.asked)}
    rows = [[], []]
    rows[at[number[a]]] = [number[b], number[f"{a}2"], number[c]]  # three hosts, one of them linked
    found = variety(store, lists_of(rows, 4), truth)
    assert found == {"judged": 1 / 3, "hosts": 3.0, "unlinked": 2 / 3, "unseen": 0.5, "hubs": 1 / 3}


def test_a_share_of_nothing_and_a_question_in_words(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("a", "b")])
    truth = Relevance({"q": {0: 1}}, words={"q": "bees"})
    none = {"judged": None, "hosts": None, "unlinked": None, "unseen": 1.0, "hubs": None}
    assert variety(store, lists_of([[]], 2), truth) == none
    found = variety(store, lists_of([[0, -1]], 2), truth)  # an identifier has no host; −1 is not in the collection
    assert found == {"judged": 0.5, "hosts": None, "unlinked": None, "unseen": 0.0, "hubs": 0.5}


@pytest.mark.parametrize("seed", range(5))
def test_as_the_slow_twin_counts(tmp_path, seed):
    rng = np.random.default_rng(seed)
    url = [f"http://h{i % 7}.example/{i}" for i in range(60)]
    store = from_edges(tmp_path / "s.kin", [(url[s], url[t]) for s, t in random_pairs(seed, 60, 300)])
    n = store.size
    truth = Relevance({int(p): {int(rng.integers(0, n)): 1} for p in rng.choice(n, 30, False)})
    rows = [rng.permutation(n)[: rng.integers(0, 9)].tolist() for _ in truth.asked]
    found = variety(store, lists_of(rows, 9), truth)
    results = [(page, other) for page, row in zip(truth.asked, rows, strict=True) for other in row]
    frequent = sorted(([other for _, other in results].count(page) for page in range(n)), reverse=True)
    assert found == pytest.approx({
        "judged": np.mean([other in truth.known for _, other in results]),
        "hosts": np.mean([len({store.value("host", other) for other in row}) for row in rows if row]),
        "unlinked": np.mean([other not in store.arrays.targets(page) for page, other in results]),
        "unseen": np.mean([page not in {other for _, other in results} for page in truth.known]),
        "hubs": frequent[0] / len(results),
    })  # fmt: skip
