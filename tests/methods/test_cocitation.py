"""Co-citation, coupling and Amsler on a web small enough to count by hand, and CACM's own counts."""

import pytest

from pagekin.methods import method
from tests.small_webs import from_edges

HUBS = [(f"hub{i}", page, f"about {page}") for i in "123" for page in "abc"]
WEB = [*HUBS, ("m", "b"), ("m", "x"), ("a", "b", "to b"), ("b", "a", "to a"), ("a", "ref"), ("c", "ref")]


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    store = from_edges(tmp_path_factory.mktemp("web") / "s.kin", WEB)
    return store, {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}


def scores(web, name, page):
    store, number = web
    found = method(name).related(store, number[page], 50)
    return {store.url(p): s for p, s in zip(found.pages.tolist(), found.scores.tolist(), strict=True)}


def test_equation_4_by_hand(web):
    # I(a) = {hub1, hub2, hub3, b}, I(b) = {hub1, hub2, hub3, m, a}, links both ways
    assert scores(web, "co-citation", "b")["a"] == (3 + 2) / 6
    # I(c) = {hub1, hub2, hub3}, no link: union {hub1, hub2, hub3, m, a} and b, c
    assert scores(web, "co-citation", "b")["c"] == 3 / 7
    # b and hub1: nothing shared, one link; I(hub1) = {}, so the union is I(b) ∪ {b, hub1}, and hub1 is in I(b)
    assert scores(web, "co-citation", "b")["hub1"] == 1 / 6
    # O(a) = {b, ref}, O(c) = {ref}: 1 / |{b, ref, a, c}|
    assert scores(web, "coupling", "a")["c"] == 1 / 4
    # C(a) = {hub1, hub2, hub3, b, ref}, C(c) = {hub1, hub2, hub3, ref}: 4 / |{…} ∪ {a, c}|
    assert scores(web, "amsler", "a")["c"] == 4 / 7


def test_equations_1_to_3_by_hand(web):
    assert scores(web, "co-citation(direct=false)", "b")["a"] == 3 / 6
    assert scores(web, "coupling(direct=false)", "a")["c"] == 1 / 2
    assert scores(web, "amsler(direct=false)", "a")["c"] == 4 / 5
    assert "hub1" not in scores(web, "co-citation(direct=false)", "b")


def test_limits_drop_portals_and_citers(web):
    # The hubs have three links: I(b) = {m, a} is left, I(a) = {b}, I(x) = {m}, I(ref) = {a, c}.
    assert scores(web, "co-citation(max_out=2)", "b") == {"a": 2 / 3, "m": 1 / 3, "x": 1 / 4, "ref": 1 / 5}
    # a (4 in-links) is b's best known citer, b is a's; the others are not kept
    assert scores(web, "co-citation(max_in=1)", "b")["a"] == 2 / 2


def test_why_names_the_pages_and_their_anchors(web):
    store, number = web
    found = [reason.as_dict() for reason in method("co-citation").why(store, number["b"], number["a"])]
    assert {"kind": "direct", "from": "b", "to": "a", "anchors": ["to a"]} in found
    assert {"kind": "direct", "from": "a", "to": "b", "anchors": ["to b"]} in found
    hub = {"kind": "cited-by", "page": "hub1", "title": "", "anchors": ["about b", "about a"], "of": 3}
    assert hub in found
    assert len(found) == 5
    shared = [reason.as_dict() for reason in method("coupling").why(store, number["a"], number["c"])]
    assert shared == [{"kind": "cites", "page": "ref", "title": "", "anchors": ["", ""], "of": 1}]
    both = method("amsler").why(store, number["b"], number["ref"])
    assert [(r.kind, r.detail["page"]) for r in both] == [("cited-by", "a"), ("walk", "a")]
    assert both[1].detail["path"] == ["b", "a", "ref"]


def test_evidence_is_capped_but_counted(tmp_path):
    store = from_edges(tmp_path / "s.kin", [(f"h{i:03}", page) for i in range(40) for page in "ab"])
    number = {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}
    found = method("co-citation(direct=false)").why(store, number["a"], number["b"])
    assert len(found) == 10
    assert found[0].detail["of"] == 40


def test_a_page_without_neighbours_of_the_kind_says_which_way_to_look(web):
    store, number = web
    found = method("co-citation(direct=false)").related(store, number["hub1"], 5)
    assert (
        found.note == "no other page is linked to by a page that links to this one; "
        'try method="amsler", which follows links both ways'
    )
