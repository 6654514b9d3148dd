"""Hubs and authorities around a page: all variants against a dense twin, bad input, and diversity on real pages."""

import numpy as np
import pytest

from pagekin.acquire.sources import open_sources
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.graph.base_set import base_set
from pagekin.methods import method
from pagekin.url import components
from tests.small_webs import from_edges, random_pairs

VARIANTS = [
    "hits", "hits(hub_weights=none)", "hits(link_weights=false)", "hits(link_weights=false, hub_weights=none)",
    "hits(hub_weights=inverse, damping=0.2)", "hits(damping=1)", "hits(authority_weights=log)",
    "hits(authority_weights=inverse, hub_weights=inverse)", "hits(distance_damping=0.3)", "hits(radius=1)",
    "hits(salsa=true)", "hits(salsa=true, link_weights=false, distance_damping=0.5)",
]  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    def url(page):
        return f"http://h{page % 5}.example/{'abc'[page % 3]}/{page}"

    pairs = [(url(s), url(t)) for s, t in random_pairs(6, 60, 240)]
    return from_edges(tmp_path_factory.mktemp("hits") / "s.kin", pairs)


def twin(store, asked, page):
    """The method of the paper as it reads, with whole matrices: authority and hub scores of the base set."""
    base = base_set(store.arrays, page, asked.radius)
    n = base.pages.size
    weight = np.zeros((n, n))
    for s, t in zip(base.source, base.target, strict=True):
        u, v = (components(store.url(int(base.pages[end]))) for end in (s, t))
        same = next((i for i, (a, b) in enumerate(zip(u, v, strict=False)) if a != b), min(len(u), len(v)))
        weight[s, t] = (0 if u == v else asked.damping**same) if asked.link_weights else 1
    out, into = (np.array([np.sum(ends == p) for p in range(n)]) for ends in (base.source, base.target))
    near = np.array([asked.distance_damping**d for d in base.distance])

    def node(kind, degree):
        functions = {"log": lambda d: (1 + np.log(d)) / d, "inverse": lambda d: 1 / d, "none": lambda d: 1.0}
        return np.array([functions[kind](d) if d else 0.0 for d in degree])

    to_authority = to_hub = weight
    alpha, kappa = near * node(asked.authority_weights, into), near * node(asked.hub_weights, out)
    if asked.salsa:
        to_authority = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)
        to_hub = weight / np.maximum(weight.sum(axis=0, keepdims=True), 1e-300)
        alpha = kappa = near
    authority = np.ones(n)
    for _ in range(4_000):
        hub = kappa * (to_hub @ authority)
        hub /= np.linalg.norm(hub)
        authority = alpha * (to_authority.T @ hub)
        authority /= np.linalg.norm(authority)
    return dict(zip(base.pages.tolist(), authority, strict=True)), dict(zip(base.pages.tolist(), hub, strict=True))


@pytest.mark.parametrize("written", VARIANTS)
def test_scores_equal_the_dense_twin(store, written):
    asked = method(written)
    for page in (0, 17, 33):
        by_hub = type(asked)(**{**vars(asked), "by": "hub"})
        for each, expected in zip((asked, by_hub), twin(store, asked, page), strict=True):
            found = each.related(store, page, 100)
            scores = dict(zip(found.pages.tolist(), found.scores.tolist(), strict=True))
            assert all(score > 0 for score in scores.values())
            for other in expected.keys() - {page}:
                assert scores.get(other, 0.0) == pytest.approx(expected[other], abs=1e-7)


def test_salsa_without_weights_is_the_in_degree_within_each_group(tmp_path):
    # As hub – authority: {h1, h2} – {a, b, c} with in-degrees 2, 1, 1, and a as a hub – {h1}.
    links = [("h1", "a"), ("h1", "b"), ("h2", "a"), ("h2", "c"), ("a", "h1")]
    store = from_edges(tmp_path / "s.kin", links)
    number = {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}
    _, found = method("hits(salsa=true, link_weights=false, radius=9)").scored(store, number["b"])
    share = found.authority / found.authority.sum()
    # Three of the four authorities are in the first group (Lempel and Moran's Proposition 6).
    expected = {"a": 3 / 4 * 2 / 4, "b": 3 / 4 / 4, "c": 3 / 4 / 4, "h1": 1 / 4}
    assert {url: share[number[url]] for url in expected} == pytest.approx(expected)


def test_why_has_hubs_links_and_the_base_set(tmp_path):
    pages = {name: f"http://{name}.example/" for name in ("hub", "list", "page", "other")}
    links = [("hub", "page", "P"), ("hub", "other", "O"), ("list", "other", "L"), ("page", "other", "to O")]
    store = from_edges(tmp_path / "s.kin", [(pages[s], pages[t], anchor) for s, t, anchor in links])
    number = {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}
    page, other = number[pages["page"]], number[pages["other"]]
    reasons = [reason.as_dict() for reason in method("hits").why(store, page, other)]
    assert [reason["kind"] for reason in reasons] == ["direct", "hub", "hub", "hub", "base-set"]
    assert reasons[0]["weight"] == 1.0
    assert reasons[1]["page"] == pages["hub"]
    assert reasons[1]["both"]
    assert reasons[1]["weights"] == [1.0, 1.0]
    assert reasons[1]["anchors"] == ["P", "O"]
    assert reasons[1]["hub_weight"] == pytest.approx((1 + np.log(2)) / 2)
    assert not reasons[2]["both"]
    assert reasons[2]["weights"][0] is None
    assert reasons[2]["of"] == 3
    last = reasons[-1]
    assert last["statistics"]["pages"] == 4
    assert last["statistics"]["pendants"] == 1
    assert last["distance"] == 1
    assert last["converged"]
    assert len(last["changes"][0]) == 2
    assert last["own_authority"] < last["authority"]
    by_hub = [reason.as_dict() for reason in method("hits(by=hub)").why(store, page, number[pages["hub"]])]
    assert [r["kind"] for r in by_hub] == ["direct", "authority", "authority", "base-set"]
    assert (by_hub[1]["page"], by_hub[1]["both"]) == (pages["other"], True)


def test_the_answer_says_its_base_set_and_that_it_converged(store):
    note = method("hits").related(store, 0, 5).note
    assert "base set of" in note
    assert "converged in" in note
    assert "own authority" in note


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("damping=1.5", "damping must be between 0 and 1, not 1.5"),
        ("damping=nan", "damping must be between 0 and 1, not nan"),
        ("distance_damping=0", "distance_damping must be greater than 0 and at most 1, not 0.0"),
        ("hub_weights=lag", "unknown value of hits\\(hub_weights\\) 'lag'; did you mean 'log'"),
        ("by=authorities", "did you mean 'authority'"),
        ("salsa=true, hub_weights=none", "salsa weights hubs and authorities itself"),
    ],
)
def test_settings_out_of_range_are_refused(setting, words):
    with pytest.raises(UsageError, match=words):
        method(f"hits({setting})")


def asked(tmp_path, links, page, written):
    store = from_edges(tmp_path / "s.kin", links)
    return method(written).related(store, store.graph.pages["url"].to_pylist().index(page), 10)


def test_a_huge_radius_is_the_component(tmp_path):
    assert asked(tmp_path, [(f"p{i}", f"p{i + 1}") for i in range(30)], "p0", "hits(radius=2147483647)").pages.size


def test_links_inside_one_url_weigh_nothing_and_it_says_so(tmp_path):
    links = [("http://a.example/x", "https://a.example/x"), ("https://a.example/x", "http://a.example/x/")]
    found = asked(tmp_path, links, "https://a.example/x", "hits")
    assert not found.pages.size
    assert found.note == "every link among the 3 pages around this one has weight 0; try link_weights=false"


def test_one_host_without_links_within_a_host(tmp_path):
    links = [("http://a.example/x", "http://a.example/y"), ("http://a.example/z", "http://a.example/y")]
    found = asked(tmp_path, links, "http://a.example/x", "hits(damping=0)")
    assert found.note.endswith("has weight 0; try damping=0.5 or link_weights=false")


def test_a_page_with_only_dangling_pages_around(tmp_path):
    links = [("http://hub.example/", f"http://t{i}.example/") for i in range(3)]
    found = asked(tmp_path, links, "http://hub.example/", "hits")
    assert found.scores.tolist() == pytest.approx([3**-0.5] * 3)
    found = asked(tmp_path, links, "http://hub.example/", "hits(by=hub)")
    assert found.note == (
        "none of the 3 other pages around this one is a hub: all links that count come from this page; try by=authority"
    )


def test_groups_that_tie_are_said(tmp_path):
    # p is a hub of two and an authority of two hubs, which link to nothing else.
    links = [("p", "a"), ("p", "b"), ("x", "p"), ("y", "p")]
    found = asked(tmp_path, links, "p", "hits(hub_weights=none)")
    assert "the largest eigenvalue is not simple" in found.note
    assert found.scores.tolist() == asked(tmp_path, links, "p", "hits(hub_weights=none)").scores.tolist()


def test_over_the_limit_what_is_left_out_is_said(tmp_path):
    links = [("p", f"c{i}") for i in range(20)] + [("c0", "c1")]
    found = asked(tmp_path, links, "p", "hits(max_pages=10)")
    assert "the base set is full at 10 pages: of those one link away, 11 are left out" in found.note


def test_not_converged_is_said(store, monkeypatch):
    from pagekin.graph import hubs as mutual

    real = mutual.hubs_and_authorities
    monkeypatch.setattr(mutual, "hubs_and_authorities", lambda *args: real(*args, most_steps=2))
    assert "NOT converged: after 2 steps" in method("hits(damping=0.77)").related(store, 3, 5).note


@pytest.mark.data
@pytest.mark.slow
def test_weights_give_more_hosts_than_plain_hits_on_webkb(data, tmp_path):
    """The paper's main claim (4.1.2.1), over 50 pages spread over the set."""
    ingest(tmp_path / "webkb.kin", open_sources([data("webkb")], "auto", None), text=False)
    store = Store(tmp_path / "webkb.kin")
    fetched = np.flatnonzero(np.diff(store.arrays.out_start))
    pages = fetched[np.linspace(0, fetched.size - 1, 50).astype(int)].tolist()
    hosts = {}
    for written in ("hits", "hits(link_weights=false, hub_weights=none)"):
        lists = [method(written).related(store, page, 20).pages.tolist() for page in pages]
        hosts[written] = np.mean([len({store.value("host", page) for page in found}) for found in lists])
    weighted, plain = hosts.values()
    print(f"hosts among 20 authorities, mean of 50 pages: {weighted:.2f} weighted, {plain:.2f} plain")
    assert weighted > plain * 1.2
