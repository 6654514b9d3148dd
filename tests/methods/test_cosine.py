"""Cosine against the formula, set by set."""

import math

import pytest

from pagekin.errors import UsageError
from pagekin.methods import method
from tests.small_webs import from_edges, random_pairs


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return from_edges(
        tmp_path_factory.mktemp("cosine") / "s.kin", [(f"p{s}", f"p{t}") for s, t in random_pairs(4, 60, 400)]
    )


def slow(store, page, max_out, min_in):
    graph = store.arrays
    citers = {p: set(graph.citers(p).tolist()) for p in range(store.size)}
    weight = {q: 1 / math.log(2 + len(citers[q])) for q in citers if graph.targets(q).size <= max_out}

    def total(pages):
        return sum(weight.get(q, 0) for q in sorted(pages))

    if len(citers[page]) < min_in:
        return {}
    return {
        p: total(citers[page] & citers[p]) / math.sqrt(total(citers[page]) * total(citers[p]))
        for p in citers
        if p != page and len(citers[p]) >= min_in and citers[page] & citers[p] & weight.keys()
    }


@pytest.mark.parametrize(("max_out", "min_in"), [(1_000, 4), (8, 4), (1_000, 1), (5, 2)])
def test_scores_are_those_of_the_formula(store, max_out, min_in):
    asked = method(f"cosine(max_out={max_out}, min_in={min_in})")
    answered = 0
    for page in range(store.size):
        found = asked.related(store, page, 100)
        scores = dict(zip(found.pages.tolist(), found.scores.tolist(), strict=True))
        assert scores == pytest.approx(slow(store, page, max_out, min_in), rel=1e-12)
        assert all(0 < score <= 1 + 1e-12 for score in scores.values())
        answered += bool(scores)
    assert answered > 10


def test_why_names_the_shared_citers_heaviest_first(store):
    asked = method("cosine")
    page = max(range(store.size), key=lambda p: store.arrays.citers(p).size)
    other = int(asked.related(store, page, 1).pages[0])
    reasons = [reason.as_dict() for reason in asked.why(store, page, other)]
    both = set(store.arrays.citers(page).tolist()) & set(store.arrays.citers(other).tolist())
    assert {r["page"] for r in reasons} <= {store.url(p) for p in both}
    assert reasons[0]["of"] == len(both)
    assert [r["weight"] for r in reasons] == sorted((r["weight"] for r in reasons), reverse=True)


def test_a_page_with_too_few_in_links_is_told_so(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("a", "b"), ("a", "c")])
    page = store.graph.pages["url"].to_pylist().index("b")
    found = method("cosine(min_in=4)").related(store, page, 5)
    assert found.note == (
        'too few in-links: this page has 1, and cosine needs 4; try cosine(min_in=1) or method="amsler"'
    )
    assert method("cosine").related(store, page, 5).scores.tolist() == pytest.approx([1.0])


@pytest.mark.parametrize("setting", ["max_out=0", "min_in=0"])
def test_limits_of_nothing_are_refused(setting):
    with pytest.raises(UsageError, match="must be at least 1, not 0"):
        method(f"cosine({setting})")
