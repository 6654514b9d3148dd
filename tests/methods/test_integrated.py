"""`semantic`, `link` and `integrated` against the paper's equations, slowly; what they say when there is nothing."""

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.errors import NotBuiltError, UsageError
from pagekin.index.keywords import keywords_of
from pagekin.methods import ask, integrated, method
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


@pytest.mark.parametrize("name", ["link", "integrated", "integrated(alpha=0.9)"])
def test_with_few_pages_every_page_that_can_be_reached_is_a_candidate(web, name):
    store, _ = web
    asked, every = method(name), np.arange(store.size, dtype=np.int32)
    for page in range(store.size):
        scores = asked.exactly(store, page, every)
        found = asked.related(store, page, store.size)
        assert found.scores.tolist() == pytest.approx(scores[found.pages].tolist())
        assert not len(found.scores) or found.scores.max() == pytest.approx(np.delete(scores, page).max())


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
