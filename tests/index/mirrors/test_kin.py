"""Copies as answers know them: at once by digest, from the index by text; short and unfetched pages have none."""

import pytest

from pagekin import Collection, Filters
from pagekin.index.mirrors import kin
from pagekin.model import Capture
from tests.small_webs import collection, edges

TEXT = " ".join(f"word{i}" for i in range(60))


def capture(url, text, links=""):
    return Capture(url, f"<p>{text}</p>{links}".encode(), "text/html", fetched=1, origin="x")


def web(path, texts):
    """Pages of these texts, all linked from three lists."""
    urls = [f"http://{name}.example/" for name in texts]
    lists = "".join(f"<a href='{url}'>{url}</a> " for url in urls)
    hubs = [capture(f"http://hub{i}.example/", f"list {i}", lists) for i in range(3)]
    collection(path, *hubs, *(capture(f"http://{name}.example/", text) for name, text in texts.items()))
    return Collection(path)


def mirrors(site, name):
    known = kin.relatives(site.store)
    page = site.store.graph.pages["url"].to_pylist().index(f"http://{name}.example/")
    return {site.store.url(other)[7:].partition(".")[0] for other in known.mirrors(page)}


def test_equal_bytes_are_found_at_once_and_texts_alike_by_build(tmp_path):
    site = web(
        tmp_path / "s.kin", {"a": TEXT, "b": TEXT, "c": f"{TEXT} more", "d": "short", "e": "short", "f": "", "g": ""}
    )
    assert [mirrors(site, name) for name in "abcdf"] == [{"b"}, {"a"}, set(), set(), set()]
    assert "for copies that differ a little, run:" in site.info().folded
    site.build(index="mirrors")
    assert [mirrors(site, name) for name in "abcdf"] == [{"b", "c"}, {"a", "c"}, {"a", "b"}, set(), set()]
    assert site.info().folded == "copies and translations"


def test_equal_citers_alone_make_no_mirrors(tmp_path):
    site = web(tmp_path / "s.kin", {"a": TEXT, "b": TEXT[::-1]})
    site.build(method="assisted")
    assert site.mirrors().results == ()
    assert len(site.related("http://a.example/", method="assisted")) == len(
        site.related("http://a.example/", method="assisted", filters=Filters(fold=False))
    )


def test_a_table_s_texts_are_no_mirrors(tmp_path):
    import pyarrow as pa

    from pagekin.model import Rows

    rows = Rows(pages=pa.table({"url": ["a", "b"], "text": [TEXT, TEXT]}), links=edges(("x", "a"), ("x", "b")).links)
    collection(tmp_path / "s.kin", rows)
    site = Collection(tmp_path / "s.kin")
    site.build(index="mirrors")
    assert not len(site.mirrors())
    assert "no page was fetched" in site.mirrors().note


@pytest.mark.parametrize("built", [False, True])
def test_a_copy_is_under_a_result_and_not_beside_it(tmp_path, built):
    site = web(tmp_path / "s.kin", {"a": TEXT, "b": TEXT, "x": "another", "y": "yet another"})
    if built:
        site.build(index="mirrors")
    found = site.related("http://x.example/", method="co-citation")
    (shown,) = [row for row in found if row.mirrors]
    assert {shown.url, *shown.mirrors} == {"http://a.example/", "http://b.example/"}
    assert len({row.url for row in found} & {"http://a.example/", "http://b.example/"}) == 1
    own = site.related("http://a.example/", method="co-citation")
    assert own.mirrors == ("http://b.example/",)
    assert "http://b.example/" not in [row.url for row in own]
    beside = site.related("http://a.example/", method="co-citation", filters=Filters(fold=False))
    assert "http://b.example/" in [row.url for row in beside]
    assert beside.mirrors == () == beside[0].mirrors


def test_a_folded_list_is_as_long_as_it_was_asked_to_be(tmp_path):
    texts = {f"copy{i}": TEXT for i in range(30)} | {f"other{i}": f"text {i}" for i in range(5)}
    site = web(tmp_path / "s.kin", {"seed": "seed"} | texts)
    found = site.related("http://seed.example/", method="co-citation(direct=false)", k=6)
    assert len(found) == 6
    assert sum(bool(row.mirrors) for row in found) == 1


def test_a_thousand_copies_are_one_group(tmp_path):
    site = web(tmp_path / "s.kin", {f"copy{i}": TEXT for i in range(1000)})
    site.build(index="mirrors")
    row = max(site.mirrors(), key=lambda each: len(each.urls))  # the lists of them are copies, too
    assert len(row.urls) == 1000
    assert row.citers == 1


def test_a_large_collection_without_the_index_folds_nothing_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(kin, "SMALL", 2)
    site = web(tmp_path / "s.kin", {"a": TEXT, "b": TEXT})
    assert kin.relatives(site.store) is None
    assert not len(site.mirrors())
    assert "neither copies nor translations" in site.mirrors().note
    assert "neither copies nor translations" in site.info().folded
    site.build(index="mirrors")
    assert len(site.mirrors()) == 1
    collection(tmp_path / "s.kin", capture("http://late.example/", "late"))  # the index is stale, and still answers
    assert len(site.mirrors()) == 1
    assert "among the pages of the last build" in site.mirrors().note


def test_without_text_it_says_why(tmp_path):
    (tmp_path / "web").mkdir()
    for name in "ab":
        (tmp_path / "web" / f"{name}.html").write_text(f"<p>{TEXT}")
    site = Collection(tmp_path / "s.kin")
    site.add(tmp_path / "web", base_url="http://a.example/", text=False)
    assert "no page has its text" in site.mirrors().note
