"""The roots that addresses with a query string count for are pages of every state, however it came about."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin import Collection
from pagekin.collection import graph as graphs
from pagekin.collection.roots import root_of
from pagekin.url import page_id
from tests.small_webs import collection, edges, page

ROOTS = ["http://a.example/", "http://b.example/", "https://b.example/", "http://c.example:8080/"]


def expected(links):
    """The addresses of a web and, of those with a query string, the root: cut at the third slash."""
    urls = {url for link in links for url in link[:2]}
    return urls | {"/".join(url.split("/")[:3]) + "/" for url in urls if "?" in url and "://" in url}


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([f"{root}{n}" for root in ROOTS for n in range(3)]),
            st.sampled_from([root + rest for root in ROOTS for rest in ("", "x", "?q=1", "x?q=/2", "p.pdf?a")]),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_of_tables(tmp_path_factory, links):
    folder = tmp_path_factory.mktemp("roots")
    for some in (links[::2], links[1::2]):  # in two parts; the second is folded into the graph of the first
        store = collection(folder / "s.kin", edges(*some))
    assert set(store.graph.pages["url"].to_pylist()) == expected(links)
    assert graphs.same(store.graph, graphs.from_snapshot(store.snapshot()))


def test_one_that_is_known_stays_as_it_is(tmp_path):
    store = collection(tmp_path / "s.kin", page("http://a.example/", "http://a.example/?q"))
    assert store.size == 2
    assert store.fetched[store.number(page_id("http://a.example/"))]


def test_it_goes_when_nothing_leads_there_any_more(tmp_path):
    pages = page("http://a.example/", "http://x.example/?q=1"), page("http://b.example/", "http://b.example/2")
    collection(tmp_path / "s.kin", *pages)
    site = Collection(tmp_path / "s.kin")
    assert page_id("http://x.example/") in site.store.graph.ids
    site.remove("http://a.example/")
    assert set(site.store.graph.pages["url"].to_pylist()) == {"http://b.example/", "http://b.example/2"}


def test_the_root_of_an_address():
    assert root_of("https://a.example:8443/x?u=http://b.example/") == "https://a.example:8443/"
