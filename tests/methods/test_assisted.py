"""assisted: the paper's example, the slider, folded mirrors, and every question that has no answer."""

import itertools

import pytest

from pagekin.answers.clusters import clusters
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import NotBuiltError, UsageError
from pagekin.index.base import derive
from pagekin.index.mirrors.kin import relatives
from pagekin.methods import method
from tests.small_webs import collection, from_edges, page, random_pairs


def built(path, *indexes):
    with writing(path) as writer:
        for written in indexes:
            derive(writer, method(written).index)
    return Store(path)


def number(store, url):
    return store.graph.pages["url"].to_pylist().index(url)


def answer(store, written, url, k=200):
    found = method(written).related(store, number(store, url), k)
    return [store.url(p) for p in found.pages.tolist()], found


def places(store, asked, p, found):
    """What orders the results: score, height of the merge with the page, page."""
    heights = [asked.why(store, p, q)[0].detail["height"] for q in found.pages.tolist()]
    rows = zip(found.scores.tolist(), heights, found.pages.tolist(), strict=True)
    return [(-round(score, 10), round(height, 10), q) for score, height, q in rows]


@pytest.fixture(scope="module")
def topics(tmp_path_factory):
    path = tmp_path_factory.mktemp("assisted") / "s.kin"
    pairs = [(f"http://s{s}.example/", f"http://t{t}.example/") for s, t in random_pairs(11, 60, 400)]
    from_edges(path, [*pairs, ("http://lone.example/", "http://only.example/")])
    return built(
        path,
        "assisted",
        "assisted(measure=coupling)",
        "assisted(measure=amsler)",
        "assisted(level=host)",
        "assisted(delta=1)",
    )


def test_the_order_changes_with_alpha_and_everybody_in_the_component_is_there(topics):
    lists = [answer(topics, f"assisted(alpha={a})", "http://t3.example/")[0] for a in (0.06, 0.25, 0.5, 0.8)]
    assert all(set(lists[0]) == set(other) for other in lists)
    assert len({tuple(each) for each in lists}) > 1
    direct = set(
        topics.url(p) for p in method("co-citation").related(topics, number(topics, "http://t3.example/"), 99).pages
    )
    assert set(lists[0]) - direct  # pages without a similarity of their own


@pytest.mark.parametrize("measure", ["co-citation", "coupling", "amsler"])
def test_scores_are_of_the_distance_and_equal_ones_in_the_order_of_their_heights(topics, measure):
    for url in ("http://t3.example/", "http://s1.example/", "http://t10.example/"):
        asked, p = method(f"assisted(measure={measure})"), number(topics, url)
        found = asked.related(topics, p, 50)
        for q, score in zip(found.pages.tolist(), found.scores.tolist(), strict=True):
            last = asked.why(topics, p, q)[0]
            assert last.kind == "merge"
            assert score == pytest.approx(1 / (1 + last.detail["distance"]), abs=1e-11)
        keys = places(topics, asked, p, found)
        assert keys == sorted(keys)


def test_evidence_names_the_merges_and_what_the_measure_saw(topics):
    p = number(topics, "http://t3.example/")
    asked = method("assisted")
    kinds = {reason.kind for q in asked.related(topics, p, 15).pages.tolist() for reason in asked.why(topics, p, q)}
    assert {"merge", "cited-by"} <= kinds
    assert asked.why(topics, p, number(topics, "http://lone.example/")) == []


def test_a_page_with_nobody_like_it_gets_the_reason_and_what_to_try(topics):
    _, found = answer(topics, "assisted(delta=1)", "http://s1.example/")
    assert not found.pages.size
    assert "no other page has a similarity of" in found.note
    assert "assisted(measure=amsler)" in found.note


def test_two_pages_that_have_only_each_other(topics):
    listed, found = answer(topics, "assisted(measure=amsler)", "http://lone.example/")
    assert listed == ["http://only.example/"]
    assert found.scores.tolist() == [1.0]


def test_a_host_is_answered_as_a_whole(topics):
    listed, found = answer(topics, "assisted(level=host)", "http://t3.example/")
    assert listed
    assert found.note is None  # its only page stands for it


def test_hosts_of_several_pages(tmp_path):
    hubs = [f"http://hub{i}.example/" for i in range(3)]
    links = [(hub, f"http://{name}.example/{p}") for hub, p in itertools.product(hubs, "12") for name in "ab"]
    from_edges(tmp_path / "s.kin", [*links, (hubs[0], "http://a.example/")])
    store = built(tmp_path / "s.kin", "assisted(level=host)")
    listed, found = answer(store, "assisted(level=host)", "http://a.example/1")
    assert listed[0] == "http://b.example/1"
    assert found.note == ("the answer is for the host a.example as a whole; each other host is represented by one page")


def test_a_mirror_is_answered_for_its_first_page_and_folded_in_the_lists_of_others(tmp_path):
    text = " ".join(f"word{i}" for i in range(60))
    same = ["http://m1.example/", "http://m2.example/"]
    hubs = [page(f"http://h{i}.example/", *same, "http://other.example/", words=f"h{i}") for i in range(40)]
    pages = [page(url, title="copy", words=text) for url in same]
    collection(tmp_path / "s.kin", *hubs, *pages, page("http://other.example/", title="o", words="quite another text"))
    store = built(tmp_path / "s.kin", "assisted")
    first, second = sorted(same, key=lambda url: number(store, url))
    listed, _ = answer(store, "assisted", "http://other.example/")
    assert first in listed
    assert second not in listed
    assert relatives(store).mirrors(number(store, first)) == [number(store, second)]
    mine, found = answer(store, "assisted", second)
    assert mine == answer(store, "assisted", first)[0]
    assert found.note == f"this page is a mirror of {first}; the answer is for that page"


def test_a_list_that_max_candidates_cuts_says_so(tmp_path):
    from_edges(tmp_path / "s.kin", [("a", "b"), ("b", "c"), ("c", "d")])  # each alike to the next
    store = built(tmp_path / "s.kin", "assisted")
    for most, cut in ((2, True), (3, True), (4, False), (5, False)):
        listed, found = answer(store, f"assisted(max_candidates={most})", "a", k=1)
        assert listed == ["b"]
        assert (found.note is not None) == cut
    _, found = answer(store, "assisted(max_candidates=3)", "a")
    assert found.note == (
        "clustered with only the 2 pages nearest to it; more are around it, and they might change the order: "
        "raise max_candidates to include them, or leave it out"
    )
    assert clusters(store, "a", method("assisted(max_candidates=3)")).note == found.note


def test_a_page_that_came_after_the_index_says_so(tmp_path):
    from_edges(tmp_path / "s.kin", [("hub", "a"), ("hub", "b")])
    built(tmp_path / "s.kin", "assisted")
    store = from_edges(tmp_path / "s.kin", [("hub", "c")])
    _, found = answer(store, "assisted", "c")
    assert "this page is not in similarity; run: Collection" in found.note


def test_asking_before_building_names_the_command(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("hub", "a")])
    with pytest.raises(NotBuiltError, match=r"similarity\(measure=coupling\) is not built; run: Collection"):
        answer(store, "assisted(measure=coupling)", "a")


def test_a_cycle_and_equal_similarities_are_in_page_order(tmp_path):
    """On a directed cycle all similarities are equal, whichever measure, so that many pages tie."""
    n = 12
    from_edges(tmp_path / "s.kin", [(f"p{i}", f"p{(i + 1) % n}") for i in range(n)])
    store = built(tmp_path / "s.kin", "assisted", "assisted(measure=coupling)", "assisted(measure=amsler)")
    for measure in ("co-citation", "coupling", "amsler"):
        for alpha in (0.06, 0.5, 1):
            asked, p = method(f"assisted(measure={measure}, alpha={alpha})"), number(store, "p0")
            keys = places(store, asked, p, asked.related(store, p, n))
            assert len(keys) == n - 1
            assert keys == sorted(keys)
            assert len({(score, height) for score, height, _ in keys}) < n - 1


@pytest.mark.parametrize("alpha", ["0", "-1", "1.01", "nan"])
def test_an_alpha_that_cannot_be(alpha):
    with pytest.raises(UsageError, match="expected more than 0 and at most 1"):
        method(f"assisted(alpha={alpha})")


@pytest.mark.parametrize(
    "written, message",
    [
        ("assisted(measure=cocitation)", "unknown value of assisted.measure. 'cocitation'; did you mean 'co-citation'"),
        ("assisted(max_candidates=1)", "max_candidates must be at least 2, or none, not 1"),
        ("assisted(delta=2)", "delta is 2.0; expected 0 to 1"),
        ("assisted(level=domain)", "unknown value of assisted.level. 'domain'"),
    ],
)
def test_settings_that_cannot_be(written, message):
    with pytest.raises(UsageError, match=message):
        method(written)
