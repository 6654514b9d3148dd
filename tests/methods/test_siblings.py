"""Traditional co-citation: the links around the link to a page, against a slow twin and by hand."""

import pytest

from pagekin.errors import UsageError
from pagekin.methods import method
from tests.small_webs import from_edges, random_pairs


def twin(store, page, around):
    """Dean & Henzinger, written out."""
    fold = store.graph.folded
    rows = [[fold.get(t, t) for t in store.links_of(p)["target"].to_pylist()] for p in range(store.size)]
    parents = {p for p in range(store.size) if page in rows[p] and p != page}
    found = set()
    for parent in parents:
        at = rows[parent].index(page)
        seen = {page, parent}
        for side in (rows[parent][:at][::-1], rows[parent][at + 1 :]):
            taken = 0
            for target in side:
                if target not in seen and taken < around // 2:
                    seen.add(target)
                    found.add(target)
                    taken += 1
    scores = {s: sum(page in rows[p] and s in rows[p] for p in parents if p != s) for s in found}
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


@pytest.mark.parametrize("around", [2, 8])
def test_the_twin_agrees(tmp_path, around):
    store = from_edges(tmp_path / "s.kin", [(f"p{s}", f"p{t}") for s, t in random_pairs(7, 30, 250)])
    for page in range(store.size):
        found = method(f"siblings(around={around})").related(store, page, 100)
        assert list(zip(found.pages.tolist(), found.scores.tolist(), strict=True)) == twin(store, page, around)


def test_only_the_nearest_links_are_siblings_and_all_parents_count(tmp_path):
    row = [("hub", name, name) for name in "abcdefghijkl"] + [("far", "f", "f"), ("far", "e", "e")]
    store = from_edges(tmp_path / "s.kin", row)
    number = {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}
    found = method("siblings").related(store, number["f"], 15)
    scores = {store.url(p): s for p, s in zip(found.pages.tolist(), found.scores.tolist(), strict=True)}
    assert scores == {"e": 2, **dict.fromkeys("bcdghij", 1)}
    reasons = [reason.as_dict() for reason in method("siblings").why(store, number["f"], number["e"])]
    assert {reason["page"] for reason in reasons} == {"hub", "far"}
    assert reasons[0]["anchors"] == ["f", "e"]
    assert reasons[0]["of"] == 2


def test_limits(tmp_path):
    store = from_edges(tmp_path / "s.kin", [(f"h{i}", t) for i in range(5) for t in ("a", f"b{i}")])
    number = {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}
    assert method("siblings").related(store, number["a"], 15).pages.size == 5
    assert method("siblings(max_parents=2)").related(store, number["a"], 15).pages.size == 2
    for wrong in ("around=3", "around=0", "max_parents=0"):
        with pytest.raises(UsageError):
            method(f"siblings({wrong})")
    assert "no page links" in method("siblings").related(store, number["h1"], 5).note
