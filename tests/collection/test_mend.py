import pyarrow as pa

from pagekin import Collection
from pagekin.collection.mend import mend
from pagekin.collection.schema import SCHEMAS, empty, table
from pagekin.collection.store import Store
from pagekin.collection.tabulate import tabulate
from pagekin.collection.writer import writing
from pagekin.model import Redirect
from pagekin.parse import parse
from pagekin.url import page_id
from tests.small_webs import collection, edges, page

A, B, C = (f"http://{name}.example/" for name in "abc")


def test_malformed_rows_are_mended_or_dropped(tmp_path):
    """A part as an older version, or a hand, might have written it."""
    tables = empty()
    number = {url: page_id(url) for url in (A, "http://d.example/", "http://e.example/")}
    tables["pages"] = table(
        "pages",
        {
            "id": [page_id("HTTP://D.example"), 12345, number[A], number[A]],
            "url": ["HTTP://D.example", "http://e.example/", A, A],
            "host": ["", "e.example", "wrong", "a.example"],
            "site": ["", "e.example", "wrong", "a.example"],
        },
    )
    tables["links"] = table(
        "links",
        {
            "source": [page_id("HTTP://D.example"), 12345, 999, number[A]],
            "target": [12345, number[A], number[A], number[A]],
            "position": [0, 0, 0, -1],
            "anchor": ["kept", "kept too", "of an unknown page", "negative"],
        },
    )
    tables["aliases"] = table("aliases", {"alias": ["http://x.example/"], "page": [4242], "kind": ["redirect"]})
    site = tmp_path / "s.kin"
    collection(site, page(A, B, words="bees and honey"), page(B, C))
    with writing(site) as writer:
        writer.add(tables)
    said = " / ".join(Collection(site).scrub().done)
    for words in (
        "1 addresses put into canonical form",
        "1 ids that did not match their address corrected",
        "1 hosts and sites that did not match their address corrected",
        "1 duplicate pages merged",
        "1 links of unknown pages dropped",
        "1 links with a negative position dropped",
        "1 aliases of unknown pages dropped",
    ):
        assert words in said
    store = Store(site)
    urls = store.graph.pages["url"].to_pylist()
    written = {(urls[row["source"]], urls[row["target"]], row["anchor"]) for row in store.graph.links.to_pylist()}
    assert {("http://d.example/", "http://e.example/", "kept"), ("http://e.example/", A, "kept too")} <= written
    assert [line[:17] for line in Collection(site).scrub().done] == ["nothing to repair"]


def test_mending_what_is_sound_changes_nothing():
    item = page(A, B, C, words="bees and honey")
    tables, _ = tabulate(
        pages=[(item, parse(item))], rows=[edges((B, C))], redirects=[Redirect("http://o.example/", A)]
    )
    mended, found = mend(tables)
    assert not found
    assert all(pa.Table.equals(mended[name].combine_chunks(), tables[name].combine_chunks()) for name in SCHEMAS)
