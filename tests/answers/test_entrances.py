"""A way into each host: the largest first, by the front page or by the page that is linked most."""

from pagekin import Collection
from pagekin.answers.entrances import Entrance, entrances
from pagekin.collection.store import Store
from tests.small_webs import collection, from_edges, page


def test_hosts_by_fetched_pages_each_by_its_front_page_or_the_most_linked(tmp_path):
    store = collection(
        tmp_path / "s.kin",
        page("http://big.example/", "http://big.example/a", "http://deep.example/two", title="Big"),
        page("http://big.example/a", "http://deep.example/two", "http://only-linked.example/", title="A"),
        page("http://big.example/b", "http://deep.example/one", "http://only-linked.example/", title="B"),
        page("http://deep.example/one", "http://only-linked.example/", title="One"),
        page("http://deep.example/two", title="Two"),
        page("https://safe.example/", title="Safe"),
    )
    assert entrances(store, 5) == [
        Entrance("big.example", 3, "http://big.example/", "Big"),
        Entrance("deep.example", 2, "http://deep.example/two", "Two"),
        Entrance("safe.example", 1, "https://safe.example/", "Safe"),
    ]
    assert [each.host for each in entrances(store, 1)] == ["big.example"]


def test_where_nothing_was_fetched_every_page_counts_and_identifiers_are_on_no_host(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("http://a.example/x", "http://b.example/y"), ("10.1/1", "10.1/2")])
    assert [(each.host, each.url) for each in entrances(store, 5)] == [
        ("a.example", "http://a.example/x"),
        ("b.example", "http://b.example/y"),
    ]


def test_an_empty_collection_has_none(tmp_path):
    from_edges(tmp_path / "s.kin", [("http://a.example/", "http://b.example/")])
    Collection(tmp_path / "s.kin").remove(matching=["*"], and_links=True, yes=True)
    assert entrances(Store(tmp_path / "s.kin"), 5) == []
