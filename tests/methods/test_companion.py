"""Companion on a web small enough to draw, and its weights against a slow count."""

import numpy as np
import pytest

from pagekin.errors import UsageError
from pagekin.methods import method
from pagekin.methods.companion import Companion
from tests.small_webs import from_edges


def web(tmp_path, links):
    store = from_edges(tmp_path / "s.kin", [(f"http://{s}/", f"http://{t}/") for s, t in links])
    return store, {url[7:-1]: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}


LISTS = [(f"list{i}.example", f"{page}.example") for i in "12" for page in ("before", "page", "after")]


def test_the_vicinity_is_the_links_near_the_page_and_the_children_s_parents(tmp_path):
    long = [("long.example", f"t{i:02}.example") for i in range(10)]
    long[5:5] = [("long.example", "page.example")]
    links = [
        *LISTS,
        *long,
        ("page.example", "child.example"),
        ("friend.example", "child.example"),
        ("far.example", "t00.example"),
    ]
    store, number = web(tmp_path, links)
    names = {place: name.removesuffix(".example") for name, place in number.items()}
    found = {names[page] for page in Companion().vicinity(store, number["page.example"]).tolist()}
    near = {f"t{i:02}" for i in range(1, 9)}  # four before and four after
    assert found == near | {"list1", "list2", "long", "before", "after", "page", "child", "friend"}
    found = {
        names[page] for page in Companion(around=2, max_parents=1).vicinity(store, number["page.example"]).tolist()
    }
    assert len(found & {"list1", "list2", "long"}) == 1
    assert len(found) <= 7


def test_links_within_a_host_weigh_nothing_and_those_of_one_host_share(tmp_path):
    links = [
        ("h.example/1", "page.example"), ("h.example/1", "a.example/x"), ("h.example/2", "page.example"),
        ("h.example/2", "a.example/x"), ("h.example/2", "a.example/y"), ("g.example", "page.example"),
        ("g.example", "b.example"), ("page.example", "page.example/sub"),
    ]  # fmt: skip
    store, number = web(tmp_path, links)
    scored, merged = Companion()._vicinity_scored(store, number["page.example"])
    web_ = scored.web
    name = {place: url for url, place in number.items()}
    ends = [(name[int(web_.pages[s])], name[int(web_.pages[t])]) for s, t in zip(web_.source, web_.target, strict=True)]
    weights = dict(zip(ends, zip(web_.to_authority.tolist(), web_.to_hub.tolist(), strict=True), strict=True))
    assert merged == 0
    assert ("page.example", "page.example/sub") not in weights
    assert weights["h.example/1", "page.example"] == (0.5, 1.0)  # two links of h.example to the page
    assert weights["g.example", "page.example"] == (1.0, 1.0)
    assert weights["h.example/2", "a.example/x"] == (0.5, 0.5)  # two links of that page to a.example
    assert weights["h.example/2", "a.example/y"] == (1.0, 0.5)


def test_near_duplicates_count_once(tmp_path):
    """Ten mirrors of one list would outvote another list."""
    many = [f"t{i:02}.example" for i in range(12)]
    mirrors = [(f"mirror{i}.example", target) for i in range(10) for target in ["page.example", *many]]
    store, number = web(tmp_path, [*mirrors, ("other.example", "page.example"), ("other.example", "best.example")])
    found = method("companion").related(store, number["page.example"], 20)
    assert "(9 near-duplicates merged)" in found.note
    assert number["best.example"] in found.pages.tolist()
    reasons = [r.as_dict() for r in method("companion").why(store, number["page.example"], number["t00.example"])]
    assert [r["kind"] for r in reasons] == ["hub"]
    assert reasons[0]["of"] == 1


def test_a_stop_list_is_ignored(tmp_path):
    store, number = web(tmp_path, LISTS)
    stop = tmp_path / "stop.txt"
    stop.write_text("http://before.example/\nhttp://unknown.example/\n")
    found = method(f"companion(stop={stop})").related(store, number["page.example"], 20)
    assert number["before.example"] not in found.pages.tolist()
    assert number["after.example"] in found.pages.tolist()
    with pytest.raises(UsageError, match=r"cannot read the stop list '.*none.txt'"):
        method(f"companion(stop={tmp_path}/none.txt)").related(store, number["page.example"], 20)


def test_one_host_is_told_why_there_is_nothing(tmp_path):
    store, number = web(tmp_path, [("a.example/1", "a.example/2"), ("a.example/3", "a.example/2")])
    found = method("companion").related(store, number["a.example/2"], 20)
    assert found.note.startswith("all pages are on one host")
    far = [("a.example/1", "a.example/2"), ("a.example/3", "a.example/2"), ("b.example/1", "b.example/2")]
    store, number = web(tmp_path / "two", far)
    found = method("companion").related(store, number["a.example/2"], 20)
    assert found.note.startswith("no link leads from one host to another among the 3 pages around this one")
    assert np.isfinite(found.scores).all()


@pytest.mark.parametrize("setting", ["max_parents=0", "around=1"])
def test_settings_out_of_range_are_refused(setting):
    with pytest.raises(UsageError, match="must be at least"):
        method(f"companion({setting})")
