from itertools import groupby, pairwise

import pytest

from pagekin import Collection, Filters
from pagekin.answers.filters import Sieve
from pagekin.errors import CollectionError, UnknownPageError, UsageError
from tests.small_webs import collection as made
from tests.small_webs import edges, from_edges

URL = "http://{}.example/".format
WEB = [(URL(f"hub{i}"), URL(t)) for i in "123" for t in "abc"] + [
    (URL(f"hub{i}"), URL(t)) for i in "456" for t in "xyz"
]
WEB += [(URL("m"), URL("b")), (URL("m"), URL("x")), (URL("a"), URL("b")), (URL("b"), URL("a"))]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    path = tmp_path_factory.mktemp("query") / "s.kin"
    from_edges(path, WEB)
    return Collection(path)


def urls(ranking):
    return [result.url for result in ranking]


def test_one_page(site):
    found = site.related(URL("b"), method="co-citation")
    assert urls(found)[:2] == [URL("a"), URL("c")]
    assert [result.rank for result in found] == list(range(1, len(found) + 1))
    assert found.results[0].linked
    assert not found.results[1].linked
    assert found.results[0].why is None
    assert found.query == ((URL("b"), ""),)
    assert found.method == "co-citation"


def test_several_pages_are_merged_by_reciprocal_rank_and_left_out(site):
    found = site.related(URL("b"), URL("x"), URL("nowhere"), method="co-citation(direct=false)", why=True)
    assert found.unknown == (URL("nowhere"),)
    assert not {URL("b"), URL("x")} & set(urls(found))
    # y and z are 1st and 2nd (or 2nd and 1st) of x, a and c of b: each pair scores alike
    assert {round(result.score, 12) for result in found.results[:4]} <= {round(1 / 61, 12), round(1 / 62, 12)}
    assert {reason.detail["seed"] for result in found for reason in result.why} == {URL("b"), URL("x")}


def test_the_same_page_twice_is_one_seed(site):
    assert site.related(URL("b"), "b.example").query == ((URL("b"), ""),)


@pytest.mark.parametrize(
    ("filters", "left_out"),
    [
        (Filters(unlinked=True), "a"),
        (Filters(exclude=("//a[.]",)), "a"),
        (Filters(exclude=("//hub", "//c")), "c"),
        (Filters(min_score=0.5), "c"),
    ],
)
def test_filters_leave_out(site, filters, left_out):
    found = site.related(URL("b"), method="co-citation", filters=filters)
    assert URL(left_out) not in urls(found)
    assert len(found)
    assert [result.rank for result in found] == list(range(1, len(found) + 1))


def test_more_than_there_are(site):
    assert len(site.related(URL("b"), k=10**20)) < 13


def test_a_list_that_filters_thin_out_is_filled_from_further_down(site):
    found = site.related(URL("b"), k=2, method="co-citation", filters=Filters(exclude=("//a[.]", "//c[.]")))
    assert len(found) == 2


def test_filters_that_leave_nothing_say_so(site):
    found = site.related(URL("b"), filters=Filters(min_score=2))
    assert not len(found)
    assert "the filters left out" in found.note


def test_seeds_that_have_only_each_other_do_not_blame_the_filters(tmp_path):
    from_edges(tmp_path / "s.kin", [("a", "b"), ("b", "a")])
    found = Collection(tmp_path / "s.kin").related("a", "b")
    assert not len(found)
    assert found.note == "these pages are related to each other, and to no other page"


def test_identifiers_have_no_host_to_be_filtered_by(tmp_path):
    from_edges(tmp_path / "s.kin", [("survey", paper) for paper in "abcd"])
    site = Collection(tmp_path / "s.kin")
    for filters in (Filters(per_host=1), Filters(picked=True), Filters(other_sites=True)):
        assert len(site.related("a", method="co-citation(direct=false)", filters=filters)) == 3


def test_hosts_and_sites(tmp_path):
    pages = [f"http://{host}/{i}" for host in ("www.a.example", "wiki.a.example", "b.example") for i in range(3)]
    from_edges(tmp_path / "s.kin", [(f"http://hub{i}.example/", page) for i in range(2) for page in pages])
    site = Collection(tmp_path / "s.kin")

    def hosts(**filters):
        found = site.related(pages[0], method="co-citation(direct=false)", filters=Filters(**filters))
        return [result.host for result in found]

    assert set(hosts(other_sites=True)) == {"b.example"}
    assert sorted(hosts(per_host=1)) == ["b.example", "wiki.a.example", "www.a.example"]
    picked = hosts(picked=True)
    assert all(one != next_ for one, next_ in pairwise(picked))
    assert picked == [host for host, _ in groupby(hosts())]  # of each run its first: paper 5's "picked"


def test_an_identifier_between_two_pages_of_a_host_keeps_them_apart(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("x", page) for page in ("http://a.example/1", "http://a.example/2", "id")])
    number = {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}
    sieve = Sieve(store, Filters(picked=True), [])
    order = ["http://a.example/1", "id", "http://a.example/2", "http://a.example/1"]
    assert [sieve.lets_pass(number[url], 1.0) for url in order] == [True, True, True, False]


@pytest.mark.parametrize(
    "ask",
    [
        lambda site: site.related(URL("b"), k=0),
        lambda site: site.related(),
        lambda site: site.related(URL("b"), method="none"),
        lambda site: site.related(URL("b"), filters=Filters(per_host=0)),
        lambda site: site.related(URL("b"), filters=Filters(min_score=float("nan"))),
        lambda site: site.related(URL("b"), method="amsler(max_in=99999999999999999999)"),
        lambda site: site.related(URL("b"), method="amsler(direct=true, direct=false)"),
        lambda site: site.related(URL("b"), filters=Filters(exclude=("(",))),
    ],
)
def test_wrong_questions_are_usage_errors(site, ask):
    with pytest.raises(UsageError):
        ask(site)


def test_no_known_page_and_no_collection(site, tmp_path):
    with pytest.raises(UnknownPageError) as caught:
        site.related(URL("bb"))
    assert caught.value.asked == (URL("bb"),)
    assert URL("b") in caught.value.nearest
    with pytest.raises(CollectionError, match="there is no collection"):
        Collection(tmp_path / "none.kin").related(URL("a"))


def test_what_some_of_several_seeds_say_is_said_with_their_names(tmp_path):
    from_edges(tmp_path / "s.kin", [("hub", "a"), ("hub", "b"), ("alone", "alone")])
    found = Collection(tmp_path / "s.kin").related("a", "alone")
    assert set(urls(found)) == {"b", "hub"}
    assert found.note.startswith("alone: no link leads to or from this page")
    both = Collection(tmp_path / "s.kin").related("alone", method="hits")
    assert both.note.startswith("no link leads to or from this page")


def test_an_empty_list_says_why(tmp_path):
    made(tmp_path / "s.kin", edges(("alone", "alone"), ("a", "b")))
    found = Collection(tmp_path / "s.kin").related("alone")
    assert not len(found)
    assert found.note.startswith("no link leads to or from this page")


def test_a_visit_weighs_its_newest_pages_most_and_leaves_out_what_was_seen(tmp_path):
    """The formula by hand: 0.8^i / (60 + rank), over the lists of all pages seen."""
    links = [(f"hub{h}", f"p{p}") for h in range(12) for p in range(30) if (h * 7 + p * p) % 5 < 2]
    from_edges(tmp_path / "s.kin", links)
    site = Collection(tmp_path / "s.kin")
    visit = ["p3", "p9", "p4", "p9"]  # newest last; p9 counts where it was seen last
    found = site.related(history=visit, method="co-citation", k=40)
    lists = {url: [row.url for row in site.related(url, method="co-citation", k=200)] for url in visit}
    total = {}
    for i, url in enumerate(["p9", "p4", "p3"]):
        for rank, other in enumerate(lists[url], 1):
            total[other] = total.get(other, 0) + 0.8**i / (60 + rank)
    expected = {url: score for url, score in total.items() if url not in visit}
    assert {row.url: row.score for row in found} == pytest.approx(dict(sorted(expected.items())[:]), abs=1e-12)
    assert [page.url for page in found.query] == ["p9", "p4", "p3"]
    assert not set(visit) & {row.url for row in found}
    one = site.related(history=["p9"], method="co-citation")
    assert [row.url for row in one] == lists["p9"][:15]


def test_a_long_visit_says_how_much_of_it_counts_and_no_page_of_it_is_a_result(tmp_path):
    from_edges(tmp_path / "s.kin", [("hub", f"p{p}") for p in range(60)])
    found = Collection(tmp_path / "s.kin").related(history=[f"p{p}" for p in range(30)], method="co-citation", k=60)
    assert "the 20 newest pages of the visit count, of 30" in found.note
    assert {row.url for row in found} == {"hub", *(f"p{p}" for p in range(30, 60))}
