"""Pages that are linked near to each other: against every pair of links, on lists longer than what is looked at."""

import itertools
import math
import random

import numpy as np
import pyarrow as pa
import pytest

from pagekin.collection.store import Store
from pagekin.graph.beside import REACH, beside
from pagekin.model import Redirect, Rows
from tests.small_webs import collection, page

URL = "http://h.example/{}".format


def of(store):
    return beside(store.arrays, store.all_links, store.graph.page_of)


def fewest_steps(row):
    """The steps from every page in a list of links to every other, the fewest."""
    found = {}
    for (i, one), (j, other) in itertools.permutations(enumerate(row), 2):
        found[one, other] = min(abs(i - j), found.get((one, other), len(row)))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_every_pair_of_links(tmp_path, seed):
    dice = random.Random(seed)
    lists = {p: [dice.randrange(25 + 40 * seed) for _ in range(dice.choice((0, 3, 150)))] for p in range(12)}
    store = collection(tmp_path / "s.kin", *(page(URL(p), *map(URL, row)) for p, row in lists.items()))
    number = {url: at for at, url in enumerate(store.graph.pages["url"].to_pylist())}
    made, expected, farthest = of(store), np.zeros((store.size, store.size)), 0
    total = np.zeros(store.size)
    for citer, row in lists.items():
        row = [number[URL(t)] for t in row if t != citer]
        row = [t for i, t in enumerate(row) if not i or row[i - 1] != t]
        weight = max(math.log(store.size / max(len(set(row)), 1)), 0)
        total[list(set(row))] += weight
        for (q, p), least in fewest_steps(row).items():
            if p != q and least <= REACH:
                expected[q, p] += weight / least
            if p != q:
                assert made.steps(number[URL(citer)], q, p) == (least if least <= REACH else None)
            farthest += least == REACH
    expected /= np.sqrt(np.maximum(np.outer(total, total), 1e-9))
    assert [made.scores(q) for q in range(store.size)] == [pytest.approx(row, rel=1e-5) for row in expected]
    assert expected.any() and (farthest or seed == 0)


def test_links_to_one_page_in_a_row_are_one_and_to_itself_are_none(tmp_path):
    row = ["a", "b", "b", "b", "hub", "c"]
    store = collection(tmp_path / "s.kin", page(URL("hub"), *map(URL, row)), page(URL("far")), page(URL("off")))
    at = store.graph.pages["url"].to_pylist().index
    found = of(store).scores(at(URL("a")))
    assert {name: found[at(URL(name))] for name in "bc"} == pytest.approx({"b": 1, "c": 1 / 2})
    assert found.nonzero()[0].size == 2


def test_links_of_an_alias_are_those_of_its_page(tmp_path):
    names = [f"p{i}" for i in range(12)]
    told = Rows(links=pa.table({"source": [URL("old")] * 3, "target": list(map(URL, ("p1", "p7", "p9")))}))
    pages = (page(URL(name), *(URL(names[(i * 5 + n) % 12]) for n in (1, 2, 4))) for i, name in enumerate(names))
    store = collection(tmp_path / "s.kin", *pages, Redirect(URL("old"), URL("p3"), "redirect"), told)
    at = store.graph.pages["url"].to_pylist().index
    assert store.graph.page_of[at(URL("old"))] == at(URL("p3")) and store.graph.link_start[at(URL("old"))] > 0
    made, row = of(store), {}
    for some in store.all_links():
        for source, target in zip(some["source"].to_pylist(), some["target"].to_pylist(), strict=True):
            citer = int(store.graph.page_of[source])
            row.setdefault(citer, []).extend([target] if target != citer else [])
    assert len(row[at(URL("p3"))]) == 6 and len(row) == 12
    for citer in range(store.size):
        assert made.target[made.start[citer] : made.start[citer + 1]].tolist() == row.get(citer, [])


def test_no_links(tmp_path):
    store = collection(tmp_path / "s.kin", page(URL("a")), page(URL("b")))
    assert not of(store).scores(0).any() and of(Store(store.path)).steps(0, 0, 1) is None
