"""The truth that authors wrote under "See also": who names whom, and what is hidden from those who are asked."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.errors import PagekinError, UsageError
from pagekin.evaluate.see_also import hide
from tests.vector_files import vector_file

BASE = "http://bees.example/"
SITE = {
    "honey.html": "<p>Sweet, from the <a href='hive.html'>hive</a>.<h2>See also</h2>"
    "<ul><li><a href='wax.html'>Beeswax, melted</a><li><a href='hive.html#door'>The hive</a><li><a href='#top'>Top</a>"
    "<li><a href='honey.html?'>Itself</a><li><a href='http://out.example/'>Elsewhere</a></ul>",
    "wax.html": "<p>Soft.<dl><dt>See Also:<dd><a href='honey.html'>Nectar, ripened</a></dl>",
    "hive.html": "<p>A house.<p>See also <a href='http://out.example/house'>houses</a>.",
    "queen.html": "<p>See also <a href='hive.html'>hives</a>.",
    "index.html": "".join(f"<a href='{name}.html'>{name}</a> " for name in ("honey", "wax", "hive", "queen")),
}  # fmt: skip


def collected(tmp_path, pages):
    folder = tmp_path / "site"
    folder.mkdir()
    for name, html in pages.items():
        (folder / name).write_text(f"<title>{name.partition('.')[0]}</title>{html}")
    Collection(tmp_path / "site.kin").add(folder, base_url=BASE)
    return Store(tmp_path / "site.kin")


def named(store, truth):
    return {
        store.url(page).removeprefix(BASE): [store.url(other).removeprefix(BASE) for other, _ in truth.relevant(page)]
        for page in truth.asked
    }


@pytest.fixture
def bees(tmp_path):
    return collected(tmp_path, SITE)


def test_a_page_s_truth_is_the_other_fetched_pages_that_it_names(bees, tmp_path):
    seen, truth = hide(bees, tmp_path / "seen.kin")
    assert named(seen, truth) == {
        "honey.html": ["hive.html", "wax.html"], "wax.html": ["honey.html"], "queen.html": ["hive.html"],
    }  # fmt: skip
    assert truth.kind == "see-also"


def test_what_does_not_count_is_said_and_counted(bees, tmp_path):
    _, truth = hide(bees, tmp_path / "seen.kin")
    assert truth.hidden == "4 “See also” sections on 4 of 5 pages: their 7 links, and their words"
    assert truth.notes == (
        "2 of the hidden links lead to no page of the collection and do not count",
        "1 lead to the page that they are on and do not count",
        "1 pages have a “See also” section that names no page that counts, and are not asked about",
        "1 of the 4 pages named are also linked elsewhere on the page; those links stay",
        "1 pairs of pages name each other",
        f"of 1 pages nothing is left: {BASE}queen.html",
    )


def test_the_hidden_truth_is_hidden(bees, tmp_path):
    seen, _ = hide(bees, tmp_path / "seen.kin")
    urls = seen.graph.pages["url"].to_pylist()
    honey, wax, hive = (urls.index(f"{BASE}{name}.html") for name in ("honey", "wax", "hive"))
    assert seen.arrays.targets(honey).tolist() == [hive]  # the link in the text, not the one below "See also"
    assert seen.links_of(honey).num_rows == 1
    assert seen.arrays.targets(wax).tolist() == []
    assert [seen.text(page) for page in (honey, wax, hive)] == ["Sweet, from the hive.", "Soft.", "A house."]
    words = {row["surface"] for rows in seen.rows("terms") for row in rows.to_pylist()}
    assert words.isdisjoint({"Beeswax", "beeswax", "melted", "nectar", "Nectar", "ripened", "elsewhere", "houses"})


def test_the_collection_itself_is_not_changed(bees, tmp_path):
    before = {path: path.read_bytes() for path in bees.path.rglob("*") if path.is_file()}
    Collection(bees.path).evaluate(see_also=True, method="amsler")
    assert {path: path.read_bytes() for path in bees.path.rglob("*") if path.is_file()} == before


def test_an_evaluation_of_what_authors_wrote(bees):
    found = Collection(bees.path).evaluate(see_also=True, method=["amsler", "co-citation"])
    assert [row["method"] for row in found] == ["amsler", "co-citation"]
    assert (found.truth, found.questions) == ("see-also", 3)
    assert found.hidden.startswith("4 “See also” sections")
    assert "2 of 5 pages have no known answer" in found.note
    # co-citation by hand: the index names all pages, honey.html names the hive; so every page has the other three, and
    # all that authors named is among them.
    assert found[1]["R@15"] == 1


def test_bytes_that_are_gone_are_said(bees, tmp_path):
    (tmp_path / "site/wax.html").unlink()
    seen, truth = hide(bees, tmp_path / "seen.kin")
    assert named(seen, truth) == {"honey.html": ["hive.html"], "queen.html": ["hive.html"]}
    assert truth.notes[0].startswith("the bytes of 1 pages are gone, so they are left out")
    assert "3 of the hidden links lead to no page" in truth.notes[1]


@pytest.mark.parametrize(("pages", "why"), [
    ({"a.html": "<a href='b.html'>b</a>", "b.html": "b"}, "has no “See also” section, so there is nothing"),
    ({"a.html": "<p>See also <a href='http://out.example/'>out</a>"}, "has no “See also” link to another of its pages"),
    ({"a.html": "<h2>See also</h2><a href='a.html?'>me</a>"}, "has no “See also” link to another of its pages"),
])  # fmt: skip
def test_without_a_truth_there_is_nothing_to_evaluate(pages, why, tmp_path):
    store = collected(tmp_path, pages)
    with pytest.raises(PagekinError, match=why):
        Collection(store.path).evaluate(see_also=True)


def test_a_circle_of_pages_is_a_truth_like_any_other(tmp_path):
    ring = {f"{n}.html": f"<p>Page {n}</p><p>See also <a href='{(n + 1) % 3}.html'>next</a>." for n in range(3)}
    seen, truth = hide(collected(tmp_path, ring), tmp_path / "seen.kin")
    assert named(seen, truth) == {"0.html": ["1.html"], "1.html": ["2.html"], "2.html": ["0.html"]}
    assert truth.notes == ()


def test_two_truths_are_one_too_many(bees, tmp_path):
    (tmp_path / "pairs.csv").write_text("a,b\n")
    with pytest.raises(UsageError, match="related and see_also are 2 different truths"):
        Collection(bees.path).evaluate(see_also=True, related=tmp_path / "pairs.csv")
    with pytest.raises(UsageError, match=r"has its own truth and methods; leave out see_also"):
        Collection(bees.path).evaluate(see_also=True, tables="paper1")


def test_files_are_written_from_what_was_asked(bees, tmp_path):
    Collection(bees.path).evaluate(see_also=True, method="amsler", trec=tmp_path / "trec", out=tmp_path / "r.html")
    assert f"{BASE}wax.html 0 {BASE}honey.html 1" in (tmp_path / "trec/qrels.txt").read_text()
    report = (tmp_path / "r.html").read_text()
    assert "hidden" in report
    assert str(bees.path) in report
    assert "/pagekin-" not in report  # the temporary folder


def test_what_is_not_built_is_said_of_the_collection_itself(bees):
    found = Collection(bees.path).evaluate(see_also=True)
    assert "amsler" in [row["method"] for row in found]
    assert f"build {bees.path}" in found.note or f'Collection("{bees.path}").build' in found.note
    assert "/pagekin-" not in found.note


def test_a_page_that_a_tool_names_everywhere_does_not_count(tmp_path):
    pages = {f"{n}.html": f"<p>See also <a href='form.html'>f</a>, <a href='{n + 1}.html'>n</a>." for n in range(30)}
    seen, truth = hide(collected(tmp_path, {**pages, "form.html": "<p>Form"}), tmp_path / "seen.kin")
    assert named(seen, truth) == {f"{n}.html": [f"{n + 1}.html"] for n in range(29)}
    assert truth.notes[-1] == (
        "1 pages do not count: more than 10% of the pages name them, which authors would not: "
        "http://bees.example/form.html"
    )


def test_vectors_that_may_come_from_the_truth_are_left_out_and_said_to_be(bees, tmp_path):
    file = vector_file(tmp_path / "v.parquet", [(f"{BASE}{name}", [1.0, at]) for at, name in enumerate(SITE)])
    assert Collection(bees.path).add(vectors=file).vectors == len(SITE)
    found = Collection(bees.path).evaluate(see_also=True, method="fused")
    assert "vectors that were added are left out: they may come from the truth" in found.notes
