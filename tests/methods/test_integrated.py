"""`semantic`, `link` and `integrated` against the paper's equations, slowly; what they say when there is nothing."""

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.errors import NotBuiltError, UsageError
from pagekin.index.keywords import keywords_of
from pagekin.methods import ask, integrated, link_sides, method
from tests.keyword_twin import Twin
from tests.small_webs import from_edges, of_words, random_pairs, random_words


def built(path, words, pairs=()):
    of_words(path, words, sorted(pairs))
    Collection(path).build(index=["keywords"])
    return Store(path)


@pytest.fixture(scope="module", params=range(2))
def web(request, tmp_path_factory):
    words = random_words(request.param, 18, 15, 6)
    pairs = {(f"p{s}", f"p{t}") for s, t in random_pairs(request.param, 18, 50) if s != t}
    store = built(tmp_path_factory.mktemp("web") / "s.kin", words, pairs)
    links = {page: {target for source, target in pairs if source == page} for page in words}
    return store, Twin({page: set(text.split()) for page, text in words.items()}, links)


@pytest.mark.parametrize("theta", [0, 0.4])
@pytest.mark.parametrize("alpha", [None, 0.3])
def test_links_and_both_equal_the_twin(web, theta, alpha):
    store, twin = web
    asked = integrated.LinkMethod(0.5, theta) if alpha is None else integrated.Integrated(0.5, theta, alpha=alpha)
    share, links = alpha or 0, twin.pruned(theta)
    every = np.arange(store.size, dtype=np.int32)
    urls = [store.url(p) for p in range(store.size)]
    table = np.array([asked.exactly(store, p, every) for p in range(store.size)])
    want = [[share * twin.sim_s(p, q) + (1 - share) * twin.sim_l(p, q, links) for q in urls] for p in urls]
    assert table == pytest.approx(np.array(want), abs=1e-12)
    assert table == pytest.approx(table.T, abs=1e-15)


class Dense:
    """Sim_s, Sim_l and Sim of all pairs of pages as whole matrices: no bound, no candidates, none of our kernels."""

    def __init__(self, has, links):
        n, both = has.shape[0], has.T @ has
        alone = np.diag(both)
        cells = [both, alone[:, None] - both, alone - both, n - alone[:, None] - alone + both]
        margins = [(a, b) for a in (alone[:, None], n - alone[:, None]) for b in (alone, n - alone)]
        information = np.zeros(both.shape)
        for cell, (one, other) in zip(cells, margins, strict=True):
            share, by_chance = cell / n, one * other / n**2
            information += np.where(share > 0, share * np.log(np.maximum(share, 1e-300) / by_chance), 0)
        apart = ~np.eye(both.shape[0], dtype=bool)

        def normal(table):
            low, high = table[apart].min(), table[apart].max()
            return (table - low) / (high - low)

        relevance = 0.5 * normal(both / n) + 0.5 * normal(information)
        np.fill_diagonal(relevance, 1)
        self.sim_s = mean_matrix(has, has, relevance)
        np.fill_diagonal(self.sim_s, 1)
        self.sim_l = sum(mean_matrix(side, side, self.sim_s) for side in (links, links.T)) / 2


def mean_matrix(rows, columns, alike):
    """The best-match mean of every row's set with every column's."""
    sizes = rows.sum(1)
    best = np.stack([alike[:, row > 0].max(1) if row.any() else np.zeros(alike.shape[0]) for row in columns], axis=1)
    sums = rows @ best
    either = np.maximum(sizes[:, None] + sizes, 1)
    return np.where((sizes[:, None] > 0) & (sizes > 0), (sums + sums.T) / either, 0)


PAGES = integrated.NEAREST + 300  # more than every number of candidates, so that a loss would be seen


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A web whose first twenty pages have more links, either way, than `TELLING` and `CANDIDATES`."""
    rng = np.random.default_rng(3)
    topic = rng.integers(0, 12, PAGES)
    zipf = 1 / np.arange(5, 365)
    words = {}
    for p in range(PAGES):
        common = rng.choice(360, 5, p=zipf / zipf.sum())
        words[f"p{p}"] = " ".join(sorted({f"w{w}x" for w in [*common, *(360 + topic[p] * 9 + rng.integers(0, 9, 4))]}))
    links = np.zeros((PAGES, PAGES))
    for p in range(PAGES):
        width = 350 if p < 20 else rng.integers(0, 25)
        own = np.flatnonzero(topic == topic[p])
        links[p, np.where(rng.random(width) < 0.6, rng.choice(own, width), rng.integers(0, PAGES, width))] = 1
        links[p, rng.integers(0, 20, 3)] = 1
    np.fill_diagonal(links, 0)
    store = built(
        tmp_path_factory.mktemp("large") / "s.kin", words, [(f"p{s}", f"p{t}") for s, t in np.argwhere(links)]
    )
    order = [int(store.url(p)[1:]) for p in range(store.size)]
    assert store.size == PAGES
    every = sorted({word for text in words.values() for word in text.split()})
    place = {word: at for at, word in enumerate(every)}
    has = np.zeros((PAGES, len(every)))
    for row, p in enumerate(order):
        has[row, [place[word] for word in words[f"p{p}"].split()]] = 1
    hubs = [order.index(p) for p in range(20)]
    return store, Dense(has, links[np.ix_(order, order)]), hubs


@pytest.mark.parametrize(("name", "share"), [("link", 0.0), ("integrated", 0.5), ("integrated(alpha=0.9)", 0.9)])
@pytest.mark.parametrize("k", [15, 250])
def test_lists_are_exact_for_pages_with_many_links_on_a_web_larger_than_any_number_of_candidates(large, name, share, k):
    store, dense, hubs = large
    degree = store.arrays.targets(hubs[0]).size + store.arrays.citers(hubs[0]).size
    assert degree > integrated.CANDIDATES > integrated.TELLING and store.size > integrated.NEAREST
    asked = method(name)
    for page in [*hubs[:6], *range(0, store.size, 400)]:
        scores = share * dense.sim_s[page] + (1 - share) * dense.sim_l[page]
        found = asked.related(store, page, k)
        assert found.note is None
        want = sorted((-float(f"{score:.12g}"), q) for q, score in enumerate(scores) if q != page and score > 0)[:k]
        assert found.scores.tolist() == pytest.approx([-score for score, _ in want], abs=1e-12)
        assert found.scores.tolist() == pytest.approx(scores[found.pages].tolist(), abs=1e-12)
        assert set(found.pages.tolist()) == {q for _, q in want}


@pytest.mark.parametrize("limit", ["MOST_WORK", "MOST_BOUNDS"])
def test_a_list_that_may_not_be_exact_says_so_also_when_it_is_looked_up(tmp_path, monkeypatch, limit):
    words = random_words(1, 18, 15, 6)
    pairs = {(f"p{s}", f"p{t}") for s, t in random_pairs(1, 18, 50) if s != t}
    store = built(tmp_path / "s.kin", words, pairs)
    page = max(range(store.size), key=lambda p: store.arrays.linked(p).size)
    asked = method("integrated")
    assert ask(asked, store, page, 3).note is None
    monkeypatch.setattr(link_sides, limit, 100)
    assert "this list may not be exact" in ask(asked, store, page, 3).note
    assert ask(method("semantic"), store, page, 3).note is None
    assert ask(method("integrated(alpha=1)"), store, page, 3).note is None
    Collection(tmp_path / "s.kin").build(method=["integrated"])
    kept = ask(asked, Store(tmp_path / "s.kin"), page, 3)
    assert "this list may not be exact" in kept.note and kept.pages.size == 3


def test_pages_are_scored_in_as_many_rounds_as_their_links_ask_for(web, monkeypatch):
    store, _ = web
    asked = method("link")
    whole = [asked.related(store, p, 5) for p in range(store.size)]
    monkeypatch.setattr(link_sides, "MOST_SCORED", 1)
    for page, want in enumerate(whole):
        found = asked.related(store, page, 5)
        assert (found.pages.tolist(), found.scores.tolist()) == (want.pages.tolist(), want.scores.tolist())


@pytest.mark.parametrize("name", ["link", "integrated", "integrated(alpha=0.9)", "link(theta=0.4)"])
def test_with_few_pages_every_page_with_a_score_is_found(web, name):
    store, _ = web
    asked, every = method(name), np.arange(store.size, dtype=np.int32)
    for page in range(store.size):
        scores = asked.exactly(store, page, every)
        found = asked.related(store, page, store.size)
        assert found.scores.tolist() == pytest.approx(scores[found.pages].tolist())
        assert sorted(found.pages.tolist()) == [p for p in np.flatnonzero(scores).tolist() if p != page]


@pytest.mark.parametrize(("one", "other"), [
    ("integrated(alpha=1)", "semantic"), ("integrated(alpha=0)", "link"), ("link(theta=0)", "link"),
])  # fmt: skip
def test_the_ends_of_the_scale(web, one, other):
    store, _ = web
    for page in range(store.size):
        a, b = (method(name).related(store, page, 5) for name in (one, other))
        both = set(a.pages.tolist()) & set(b.pages.tolist())
        pairs = (
            zip(a.pages.tolist(), a.scores.tolist(), strict=True),
            zip(b.pages.tolist(), b.scores.tolist(), strict=True),
        )
        first, second = map(dict, pairs)
        assert all(first[page] == pytest.approx(second[page]) for page in both)
        if other == "link":
            assert a.pages.tolist() == b.pages.tolist()


def test_two_pages_that_link_to_the_same_unfetched_page_match(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("a", "x"), ("b", "x")])
    Collection(tmp_path / "s.kin").build(method=["link"])
    store = Store(tmp_path / "s.kin")
    urls = [store.url(p) for p in range(store.size)]
    found = method("link").related(store, urls.index("a"), 5)
    assert [store.url(p) for p in found.pages] == ["b"]
    assert found.scores.tolist() == [0.5]
    assert "no page of this collection has keywords" in method("semantic").related(store, 0, 5).note


def test_why_names_words_and_linked_pages(tmp_path):
    words = {"a": "bee hive", "b": "bee honey", "c": "bee hive honey", "x": "train rail", "y": "train"}
    store = built(tmp_path / "s.kin", words, [("a", "c"), ("b", "c"), ("a", "x"), ("b", "y")])
    number = {store.url(p): p for p in range(store.size)}
    found = [reason.as_dict() for reason in method("integrated").why(store, number["a"], number["b"])]
    assert found[0] == {"kind": "keywords", "words": ["bee", "bee"], "relevance": 1.0, "of": 3}
    pairs = [reason for reason in found if reason["kind"] == "linked-pages"]
    assert pairs[0]["pages"] == ["c", "c"]
    assert pairs[0]["similarity"] == 1.0
    assert pairs[0]["links"] == "to"
    assert pairs[1]["pages"] == ["x", "y"]
    assert method("semantic").why(store, number["a"], number["x"])[0].kind == "keywords"


def test_pages_with_nothing_to_go_on_say_why(tmp_path):
    store = built(tmp_path / "s.kin", {"a": "bee hive", "b": "bee", "c": "", "d": "fig"}, [("a", "b")])
    number = {store.url(p): p for p in range(store.size)}
    assert "this page has no keywords" in method("semantic").related(store, number["c"], 5).note
    assert "no link leads to or from this page" in method("link").related(store, number["c"], 5).note
    assert "this page has no keywords" in method("integrated").related(store, number["c"], 5).note
    assert "similar to those of this one" in method("link").related(store, number["b"], 5).note


def test_one_page_and_a_word_on_every_page(tmp_path):
    alone = built(tmp_path / "one.kin", {"a": "bee hive"})
    assert method("semantic").related(alone, 0, 5).note
    common = built(tmp_path / "all.kin", {"a": "bee hive", "b": "bee", "c": "bee"})
    number = {common.url(p): p for p in range(common.size)}
    found = method("semantic").related(common, number["b"], 5)
    assert [common.url(p) for p in found.pages] == ["c", "a"]
    assert found.scores[0] == 1.0


def test_an_index_that_is_older_than_the_pages_answers_with_their_new_numbers(tmp_path):
    path = tmp_path / "s.kin"
    built(path, {"a": "bee hive", "b": "bee hive", "c": "fig"}, [("a", "c")])
    store = from_edges(path, [(f"new{i}", "a") for i in range(20)])
    number = {store.url(p): p for p in range(store.size)}
    assert [store.url(p) for p in method("semantic").related(store, number["a"], 1).pages] == ["b"]
    assert keywords_of(store).of(number["new3"]).size == 0


@pytest.mark.parametrize("written", [
    "integrated(alpha=1.1)", "integrated(alpha=-0.1)", "link(theta=2)", "link(theta=nan)", "semantic(support=-1)",
])  # fmt: skip
def test_a_value_out_of_range_is_refused(written):
    with pytest.raises(UsageError, match="must be from 0 to 1, not"):
        method(written)


def test_asking_before_building_names_the_command(tmp_path):
    store = of_words(tmp_path / "s.kin", {"a": "bee"})
    with pytest.raises(NotBuiltError, match=r'\.build\(index="keywords"\)'):
        ask(method("integrated"), store, 0, 5)


@pytest.mark.parametrize("beta", [0.0, 0.3, 1.0])
def test_beta_is_the_weight_of_r_l_alone(web, beta):
    """α of r_s and β of r_l are two numbers (Eq. 12 and 13)."""
    store, twin = web
    asked = integrated.LinkMethod(0.7, 0.4, logical_support=beta)
    links, urls = twin.pruned(0.4, beta), [store.url(p) for p in range(store.size)]
    every = np.arange(store.size, dtype=np.int32)
    table = np.array([asked.exactly(store, p, every) for p in range(store.size)])
    want = [[twin.sim_l(p, q, links, 0.7) for q in urls] for p in urls]
    assert table == pytest.approx(np.array(want), abs=1e-12)


def test_the_number_of_keywords_can_be_chosen_and_has_an_index_of_its_own(tmp_path):
    """Of the most frequent word alone a and b have nothing in common; of two each, they have."""
    of_words(tmp_path / "s.kin", {"a": "bee bee bee hive hive", "b": "wax wax wax hive hive", "c": "fig fig fig fig"})
    site = Collection(tmp_path / "s.kin")
    site.build(method=["semantic(keywords=1, support=1)", "semantic(keywords=2, support=1)"])
    store = Store(tmp_path / "s.kin")
    number = {store.url(p): p for p in range(store.size)}
    one, two = (method(f"semantic(keywords={k}, support=1)") for k in (1, 2))
    assert not ask(one, store, number["a"], 5).pages.size
    assert [store.url(p) for p in ask(two, store, number["a"], 5).pages] == ["b"]
    with pytest.raises(NotBuiltError, match="keywords"):
        ask(method("semantic(keywords=3)"), store, 0, 5)
    with pytest.raises(UsageError, match="at least 1, not 0"):
        method("link(keywords=0)")
