"""The method `block`: scope, evidence, empty answers, mirrors, and the paper's poor cases on the demo web."""

import shutil
from functools import cache
from math import log

import numpy as np
import pytest

from pagekin import demo
from pagekin.answers.collection import Collection
from pagekin.answers.filters import Filters
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.errors import NotBuiltError
from pagekin.index.block_pairs.evidence import pairs_between
from pagekin.methods import method
from pagekin.methods.block import usual_scope
from pagekin.methods.evidence import MOST
from pagekin.model import Capture
from tests.gates import gates
from tests.index.block_pairs.test_index import collection, random_blocks
from tests.methods.block_twin import Twin, random_web
from tests.small_webs import from_edges, page


def built(path, *methods):
    Collection(path).build(method=methods)
    return Store(path)


def numbers(store):
    return {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}


ADDED_UP = ["block(scope=web)", "block(scope=site, weight=pagerank)", "block(scope=site, max_repeats=2)"]


@pytest.fixture(scope="module")
def random_blocks_web(tmp_path_factory):
    path = tmp_path_factory.mktemp("block") / "s.kin"
    collection(path, random_blocks(5))
    return built(path, *ADDED_UP)


@pytest.mark.parametrize("written", ADDED_UP)
def test_the_evidence_adds_up_to_the_score(random_blocks_web, written):
    store, asked = random_blocks_web, method(written)
    twin = Twin(store, asked.index)
    compared = 0
    for one in range(0, store.size, 3):
        found = asked.related(store, one, 5)
        for other, score in zip(found.pages.tolist(), found.scores.tolist(), strict=True):
            pairs = pairs_between(store, asked.index, one, other)
            # Of a site every pair has its share: with what the twin says it gives, the whole is known.
            expected = twin.why(one, other)
            whole = sum(twin.given(expected).values())
            assert sum({pair.site: pair.share for pair in pairs}.values()) == pytest.approx(1)
            # Whatever the number of blocks is, the score is the whole of what sites give, damped by it.
            assert whole / score - 1 == pytest.approx(_log_of_blocks(store, twin, other), abs=1e-9)
            reasons = asked.why(store, one, other)
            assert {"page", "block", "anchors", "gap", "site", "share"} <= reasons[0].detail.keys()
            assert all(0 < reason.detail["share"] <= 1 + 1e-12 for reason in reasons)
            compared += 1
    assert compared > 20


def _log_of_blocks(store, twin, other):
    site = store.graph.pages["site"].to_pylist()
    return log(
        sum(
            other in held and (twin.rule.scope == "site" or site[citer] != site[other])
            for citer in range(store.size)
            for _, held in twin.blocks(citer)
        )
    )


WITH_TWIN = [
    "block(scope=web)",
    "block(scope=site)",
    "block(scope=web, max_links=6, max_repeats=1, max_site=1.5, near=1)",
    "block(scope=site, max_links=4, max_repeats=2, near=2)",
    "block(scope=site, max_repeats=3, weight=pagerank, dynamic=keep)",
    "block(scope=web, weight=hub, mirrors=keep, near=0)",
]


ALL, FEW = 2_000, 5  # citing pages that are read; where more cite a page, those that cite both
# With few, every pair is a question of its own: each rule asks them on one of the two webs.
ASKED = [(seed, written, ALL) for seed in (1, 2) for written in WITH_TWIN]
ASKED += [(1 + at % 2, written, FEW) for at, written in enumerate(WITH_TWIN)]
IN_EVERY_RUN = ASKED[: len(WITH_TWIN)] + ASKED[-2:]  # each rule once, and with few


@pytest.fixture(scope="module")
def random_store(tmp_path_factory):
    """A random web by its seed, each made once."""

    @cache
    def made(seed):
        path = tmp_path_factory.mktemp("twin") / "s.kin"
        random_web(path, seed)
        return built(path, *WITH_TWIN)

    return made


@pytest.mark.parametrize("asked", gates(ASKED, *IN_EVERY_RUN))
def test_the_evidence_is_the_twin_s(random_store, asked, monkeypatch):
    seed, written, most = asked
    store, asked = Store(random_store(seed).path), method(written)
    monkeypatch.setattr("pagekin.index.block_pairs.evidence.MOST_CITERS", most)
    twin, compared, long = Twin(store, asked.index), 0, 0
    cited = np.argsort(-np.diff(store.arrays.in_start), kind="stable")[:6].tolist()
    for one in cited:
        for other in [*asked.related(store, one, 15).pages.tolist()[:6], *cited[:4]]:
            if one == other:
                continue
            expected = twin.why(one, other, most)
            found = [reason.detail for reason in asked.why(store, one, other)]
            shares = [each.pop("share") for each in expected[:MOST]]
            assert [each.pop("share") for each in found] == pytest.approx(shares, rel=1e-12)
            assert found == expected[:MOST]  # scores to the last digit
            compared, long = compared + bool(found), long + (len(expected) > MOST)
    assert compared > 20
    assert long or most == FEW or asked.max_links < 80


def _answer(store, asked, page):
    found = asked.related(store, page, 15)
    return found.pages, found.scores


def test_what_a_navigation_bar_repeats_is_not_everybody_s_kin(tmp_path):
    """The bar is another on each page: it has the next and the previous one too."""
    site = "http://docs.example/"
    links = [
        (f"{site}{i}", 0, at, f"{site}{target}", anchor)
        for i in range(1, 31)
        for at, (target, anchor) in enumerate(
            [("index", "Index"), ("home", "Home"), (i + 1, "next"), (i - 1, "previous")]
        )
    ]
    end = [("index", "General index"), ("glossary", "Glossary"), ("home", "HOME")]
    links += [(f"{site}30", 1, 4 + at, f"{site}{target}", anchor) for at, (target, anchor) in enumerate(end)]
    collection(tmp_path / "s.kin", links)
    store = built(tmp_path / "s.kin", "block")
    number, asked = numbers(store), method("block")
    assert repr(asked.chosen_for(store)) == "block(scope=site)"

    def kin(name):
        found = asked.related(store, number[f"{site}{name}"], 15).pages.tolist()
        assert all(asked.why(store, number[f"{site}{name}"], other) for other in found)
        return {store.url(page).removeprefix(site) for page in found}

    assert [kin(i) for i in range(2, 29)] == [{str(i - 2), str(i + 2)} for i in range(2, 29)]
    assert kin("home") == {"index"}  # what the bar repeats goes together, r times
    assert kin("index") == {"home", "glossary"}  # by another name, where somebody put them side by side
    (reason,) = asked.why(store, number[f"{site}index"], number[f"{site}glossary"])
    assert reason.detail["anchors"] == ["General index", "Glossary"]
    scores = dict(zip(*(each.tolist() for each in _answer(store, asked, number[f"{site}home"])), strict=True))
    assert scores[number[f"{site}index"]] == pytest.approx(9 / (1 + log(31)))


def test_a_citing_page_with_a_query_string_is_evidence(tmp_path):
    hubs = [page(f"http://h{i}.example/?list=1", "http://a.example/", "http://b.example/") for i in range(3)]
    ingest(tmp_path / "s.kin", [[*hubs, *(page(f"http://h{i}.example/") for i in range(3))]])
    store = built(tmp_path / "s.kin", "block")
    a, b = (numbers(store)[f"http://{name}.example/"] for name in "ab")
    assert method("block").related(store, a, 5).pages.tolist() == [b]
    assert len(method("block").why(store, a, b)) == 3


def test_a_single_site_under_scope_web_is_empty_with_the_reason_and_the_other_scope(tmp_path):
    pages = [page(f"http://one.example/{i}", "/a", "/b", "/c") for i in range(2)]
    ingest(tmp_path / "s.kin", [pages])
    store = built(tmp_path / "s.kin", "block(scope=web)", "block")
    assert usual_scope(store) == "site"
    a = numbers(store)["http://one.example/a"]
    found = method("block(scope=web)").related(store, a, 5)
    assert not found.pages.size
    assert "block(scope=site)" in found.note
    assert method("block").related(store, a, 5).pages.size == 2
    answer = Collection(store.path).related("http://one.example/a", method="block")
    assert answer.method == "block(scope=site)"


@pytest.fixture(scope="module")
def outgrown_once(tmp_path_factory):
    path = tmp_path_factory.mktemp("outgrown") / "s.kin"
    ingest(path, [[page(f"http://one.example/{i}", "/a", "/b", "/c") for i in range(2)]])
    Collection(path).build(method="block")
    ingest(path, [[page(f"http://h{i}.example/", "http://x.example/", "http://y.example/") for i in range(9)]])
    assert usual_scope(Store(path)) == "web"
    return path


@pytest.fixture
def outgrown(outgrown_once, tmp_path):
    """A collection of one site, built, to which other sites were added, so that its usual scope is another now."""
    return Collection(shutil.copytree(outgrown_once, tmp_path / "s.kin"))


A = "http://one.example/a"
INSTEAD = "block(scope=site) answers instead of block(scope=web), which suits the collection but is not built"


def test_an_index_of_the_former_scope_answers_and_is_said_to_be_stale(outgrown):
    found = outgrown.related(A, method="block", why=True)
    assert {row.url for row in found} == {"http://one.example/b", "http://one.example/c"}
    assert all(row.why for row in found)
    assert found.method == "block(scope=site)"
    assert INSTEAD in found.note
    assert "block-pairs(scope=site) was built before the latest pages were added; run: " in found.note
    (block, _) = outgrown.compare(A, method=["block", "co-citation"])
    assert (block.method, block.note) == (found.method, found.note)


def test_what_is_exported_and_evaluated_says_so_too(outgrown, tmp_path):
    done = outgrown.export("related", tmp_path / "r.csv", method="block", filters=Filters(fetched=False))
    assert done.rows
    assert INSTEAD in done.lines[1]
    assert INSTEAD in outgrown.export("related", tmp_path / "r", method="block").note
    (tmp_path / "pairs.csv").write_text(f"{A},http://one.example/b\n")
    measured = outgrown.evaluate(related=tmp_path / "pairs.csv", method="block")
    assert [row["method"] for row in measured] == ["block(scope=site)"]
    assert INSTEAD in measured.note


def test_a_scope_that_was_given_is_not_replaced(outgrown):
    with pytest.raises(NotBuiltError, match="block-pairs is not built"):
        outgrown.related(A, method="block(scope=web)")
    with pytest.raises(NotBuiltError, match=r"block-pairs\(near=4\) is not built"):
        outgrown.related(A, method="block(near=4)")


def test_build_makes_the_scope_that_suits_now_and_renews_the_other(outgrown):
    made = {each.name for each in outgrown.build().made}
    assert {"block-pairs", "block-pairs(scope=site)"} <= made
    found = outgrown.related("http://x.example/", method="block")
    assert (found.method, found.note) == ("block(scope=web)", None)
    assert [row.url for row in found] == ["http://y.example/"]
    assert outgrown.related(A, method="block(scope=site)").note is None


def test_a_fresh_index_of_the_other_scope_answers_with_a_note(tmp_path):
    ingest(tmp_path / "s.kin", [[page(f"http://one.example/{i}", "/a", "/b") for i in range(2)]])
    site = Collection(tmp_path / "s.kin")
    site.build(index="block-pairs(scope=web)")
    assert "block(scope=web) answers instead of block(scope=site), which" in site.related(A, method="block").note


def test_the_usual_scope(tmp_path):
    assert usual_scope(from_edges(tmp_path / "ids.kin", [("p1", "p2"), ("p3", "p2")])) == "site"
    assert (
        usual_scope(from_edges(tmp_path / "a.kin", [(f"http://{n}.example/", "http://x.example/") for n in "abc"]))
        == "web"
    )
    half = [
        page("http://a.example/1"),
        page("http://a.example/2"),
        page("http://b.example/"),
        page("http://c.example/"),
    ]
    ingest(tmp_path / "half.kin", [half])
    assert usual_scope(Store(tmp_path / "half.kin")) == "web"


def test_asking_before_building_names_the_command(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("a", "b"), ("a", "c")])
    with pytest.raises(NotBuiltError, match=r"block-pairs\(scope=site\) is not built; run: Collection"):
        method("block").related(store, 0, 5)
    assert repr(method("block").chosen_for(store)) == "block(scope=site)"


def test_a_cut_list_says_so(tmp_path):
    edges = [(f"http://h{h}.example/", f"http://t{t}.example/", f"t{t}") for h in range(2) for t in range(20)]
    from_edges(tmp_path / "s.kin", edges)
    store = built(tmp_path / "s.kin", "block")
    one = numbers(store)["http://t3.example/"]
    assert method("block").related(store, one, 15).note is None
    assert "block(keep=40)" in method("block").related(store, one, 40).note


TEXT = " ".join(f"word{i}" for i in range(200))


def test_mirrors_are_one_page_and_a_question_about_one_is_answered_for_the_first(tmp_path):
    def copy(url):
        return Capture(url, f"<title>t</title><p>{TEXT}".encode(), "text/html", fetched=1_000, origin="x")

    hubs = [
        page(f"http://h{i}.example/", "http://m1.example/", "http://m2.example/", "http://o.example/") for i in range(3)
    ]
    ingest(tmp_path / "s.kin", [[*hubs, copy("http://m1.example/"), copy("http://m2.example/")]])
    store = built(tmp_path / "s.kin", "block", "block(mirrors=keep)")
    number = numbers(store)
    first, second = sorted(number[f"http://m{i}.example/"] for i in (1, 2))
    other = number["http://o.example/"]
    assert method("block").related(store, other, 5).pages.tolist() == [first]
    assert method("block").related(store, first, 5).pages.tolist() == [other]
    found = method("block").related(store, second, 5)
    assert found.pages.tolist() == [other]
    assert "answered for" in found.note
    assert method("block").why(store, second, other)
    assert sorted(method("block(mirrors=keep)").related(store, other, 5).pages.tolist()) == [first, second]


@pytest.fixture(scope="module")
def demo_web(tmp_path_factory):
    """The demo web as its pages are parsed, and what is planted in it."""
    folder = tmp_path_factory.mktemp("demo")
    demo.write(folder / "web")
    Collection(folder / "demo.kin").add(folder / "web")
    return built(folder / "demo.kin", "block"), demo.truth()


def test_the_copyright_link_at_every_page_s_foot_is_nobody_s_kin(demo_web):
    store, truth = demo_web
    number, block = numbers(store), method("block")
    feet = {number[url] for url in (*truth.template_links.values(), truth.licence)}
    for article in sorted(truth.core):
        assert not feet & set(block.related(store, number[article], 15).pages.tolist())
    asked = [page for page in range(store.size) if page not in feet]
    assert sum(block.related(store, page, 1).pages.size for page in asked) > 100
    assert not feet & {best for page in asked for best in block.related(store, page, 1).pages.tolist()}
    by_siblings = {best for page in asked for best in method("siblings").related(store, page, 1).pages.tolist()}
    assert feet & by_siblings  # the poor case that the method avoids is there


def test_two_topics_side_by_side_are_kept_apart(demo_web):
    store, truth = demo_web
    number = numbers(store)
    topic = {number[url]: of for url, of in truth.topics.items()}
    right = wrong = 0
    for article in sorted(truth.core):
        found = method("block").related(store, number[article], 5).pages.tolist()
        right += sum(topic.get(other) == truth.topics[article] for other in found)
        wrong += sum(topic.get(other, truth.topics[article]) != truth.topics[article] for other in found)
    assert right > 10 * wrong  # one list in four has a link planted that does not belong there
    assert right > 3 * len(truth.core)


def test_two_columns_of_one_page_are_not_paired_across(tmp_path):
    """The page by itself, so that no other can say what it does not."""
    truth = demo.truth()
    ingest(tmp_path / "s.kin", [[Capture(truth.beside, demo.pages()[truth.beside], "text/html", fetched=1_000)]])
    store = built(tmp_path / "s.kin", "block(scope=web)")
    number = numbers(store)
    columns = [{number[url] for url in held} for _, held in truth.blocks[truth.beside]]
    assert len(columns) == 4
    across = 0
    for column in columns:
        for one in column:
            found = set(method("block(scope=web)").related(store, one, 15).pages.tolist())
            assert found and found <= column
            across += len(set(method("siblings").related(store, one, 15).pages.tolist()) - column)
    assert across > 10  # where positions alone count, the end of one column and the top of the next are neighbours
