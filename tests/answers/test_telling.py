"""Evidence a person reads: few lines, the most telling first, what all share said once, and nothing uncounted."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.answers.related import related
from pagekin.answers.sentences import by_title, sentence
from pagekin.answers.telling import BRIEF, brief_lines, every_line, shared, without
from pagekin.collection.store import Store
from pagekin.methods import REGISTRY, method
from pagekin.methods.evidence import MOST
from tests.small_webs import collection, edges, page

URL = "http://site.example/{}".format
CITERS = 25  # more than are listed


def cited(name: str, of: int = 1, **more: object) -> dict[str, object]:
    return {"kind": "cited-by", "page": URL(name), "title": name.title(), "anchors": ["x", "y"], "of": of, **more}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Pages a to f that 25 pages list, one of them nothing else; a and b link to each other and to a glossary."""
    listed = [URL(name) for name in "abcdef"]
    others = [[URL(f"far{n}-{m}") for m in range(n)] for n in range(CITERS)]
    hubs = [page(f"http://hub{n}.example/", *listed, *others[n], title=f"Hub {n}") for n in range(CITERS)]
    pair = [
        page(URL(one), URL(other), URL("glossary"), title=f"The {one}", words="bees and honey")
        for one, other in ("ab", "ba")
    ]
    path = tmp_path_factory.mktemp("telling") / "s.kin"
    collection(path, *hubs, *pair)
    Collection(path).build(all=True)
    return Store(path)


def test_a_result_has_at_most_three_lines_and_counts_the_rest():
    reasons = [
        {"kind": "direct", "from": "a", "to": "b", "anchors": [""]},
        *(cited(f"hub{n}", of=12) for n in range(10)),
    ]
    lines = brief_lines(reasons)
    assert len(lines) == BRIEF
    assert lines[0] == "a links to b"
    assert lines[-1].endswith("(and 10 more)")  # 1 + 12, less the three shown
    assert len(every_line(reasons)) == 1 + 10 + 1
    assert every_line(reasons)[-1] == "… and 2 more like this"


def test_the_first_of_each_kind_comes_before_the_second_of_any_and_menus_come_last():
    cites = {"kind": "cites", "page": URL("glossary"), "anchors": [], "of": 1}
    lines = brief_lines([cited("menu", of=3, role="navigation"), cited("one", of=3), cited("two", of=3), cites])
    assert [line.split()[0] for line in lines] == [URL("one"), "both", URL("two")]
    assert lines[-1].endswith("(and 1 more)")


def test_a_share_begins_the_line_of_its_first_reason():
    words = {"kind": "part", "part": "words", "share": 0.6, "words": ["bee"]}
    links = {"kind": "part", "part": "links", "share": 0.4}
    assert brief_lines([words, links, cited("one")]) == [
        "words 60%: bee", f"links 40%: {URL('one')} links to both as “x” and “y”",
    ]  # fmt: skip
    assert brief_lines([words, links]) == ["words 60%: bee", "links 40%"]
    assert brief_lines([]) == []


def test_what_all_results_share_is_said_once_and_no_longer_counted():
    results = [[cited("all", of=4), cited(f"own{n}", of=4)] for n in range(3)]
    assert [reason["page"] for reason in shared(results)] == [URL("all")]
    assert shared(results[:2]) == []  # two results are read faster than a sentence about both
    assert shared([*results, []]) == []
    left = without(results[0], shared(results))
    assert [(reason["page"], reason["of"]) for reason in left] == [(URL("own0"), 3)]


def test_pages_are_called_by_title_and_by_their_path_on_the_same_host():
    call = by_title(URL("a"), {URL("a"): "this page", URL("b"): "it"})
    direct = {"kind": "direct", "from": URL("a"), "to": URL("b"), "anchors": ["on"]}
    assert sentence(direct, call) == "this page links to it as “on”"
    assert sentence(cited("hub"), call) == "Hub (/hub) links to both as “x” and “y”"
    assert call("http://other.example/x?y=1", "Other") == "Other (http://other.example/x?y=1)"
    assert call("http://site.example", "Home") == "Home (/)"
    assert len(call(URL("long"), "word " * 100)) < 80
    assert "\x1b" not in call(URL("evil"), "\x1b[2J evil")


def test_the_page_with_fewest_links_is_the_first_reason(site):
    """Hub 0 links to the six pages alone, hub 24 to 24 others as well."""
    for name in ("co-citation", "siblings", "hamming", "amsler"):
        row = related(site, [URL("c")], 3, method(name), why=True)[0]
        titles = [reason.detail["title"] for reason in row.why if reason.kind == "cited-by"]
        assert titles == [f"Hub {n}" for n in range(MOST)], name


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_json_has_at_most_ten_reasons_of_a_kind_and_how_many_there_are(site, name):
    for row in Collection(site.path).related(URL("a"), k=5, method=name, why=True):
        kinds: dict[tuple[str, object], list[dict[str, object]]] = {}
        for reason in row.as_dict()["why"]:
            kinds.setdefault((reason["kind"], reason.get("links")), []).append(reason)
        assert all(len(same) <= MOST for same in kinds.values())
        assert all(reason.get("of", len(same)) >= len(same) for same in kinds.values() for reason in same)
        if row.url in map(URL, "bcdef") and ("cited-by", None) in kinds:
            assert kinds["cited-by", None][0]["of"] == CITERS


def test_a_table_says_once_what_all_share_and_why_all_every_line(site):
    ranking = related(site, [URL("c")], 3, method("co-citation"), why=True)
    said = ranking.shared_reasons()
    assert said[0] == "Hub 0 (http://hub0.example/) links to this page and to all of these"
    assert said[-1] == f"Hub 2 (http://hub2.example/) links to this page and to all of these (and {MOST - BRIEF} more)"
    assert all(len(ranking.reasons(at)) <= BRIEF for at in range(3))
    assert repr(ranking).count("Hub 0") == 1


def test_integrated_quotes_the_anchors_of_links_that_both_have(tmp_path):
    held = Collection(tmp_path / "s.kin")
    links = edges(*((URL(name), URL("glossary"), f"words of {name}") for name in "ab"))
    collection(tmp_path / "s.kin", links)
    held.build(all=True)
    row = held.related(URL("a"), method="link", why=True)[0]
    assert [reason.detail["anchors"] for reason in row.why if reason.kind == "linked-pages"] == [
        ["words of a", "words of b"]
    ]
