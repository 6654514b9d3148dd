"""Search as a user asks it: where results lead, and every odd question."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.errors import NotBuiltError, UsageError
from tests.small_webs import collection, from_edges, page

URL = "http://site.example/{}".format
ROWS = {"rank", "url", "title", "score", "snippet", "words", "mirrors", "translations", "leads_to"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A contents page, a page behind it of two clicks, and a long list that links to everything."""
    path = tmp_path_factory.mktemp("search") / "s.kin"
    collection(
        path,
        page(
            URL("shelf"),
            URL("hive"),
            URL("rails"),
            URL("more"),
            words="contents of the whole shelf",
            title="Contents",
        ),
        page(URL("more"), URL("shelf"), URL("queen"), words="further reading", title="More"),
        page(URL("hive"), URL("shelf"), words="a hive holds honey and wax, computer", title="Hive"),
        page(URL("queen"), URL("more"), words="the queen bee, and honey honey honey", title="Queen"),
        page(URL("rails"), URL("shelf"), words="rails carry trains", title="Rails"),
        page(URL("links"), *(URL(f"x{i}") for i in range(40)), URL("hive"), words="links", title="Links"),
        page(URL("x1"), URL("links"), words="one of them", title="X"),
    )
    Collection(path).build()
    return Collection(path)


def urls(answer):
    return [row["url"].rpartition("/")[2] for row in answer["results"]]


def test_own_words_at_nought_and_what_leads_there_above(site):
    assert set(urls(site.search("honey", alpha=0).as_dict())) == {"hive", "queen"}
    answer = site.search("honey", alpha=0.8, by="tf-idf").as_dict()
    rows = {row["url"]: row for row in answer["results"]}
    assert all(set(row) == ROWS for row in answer["results"])
    assert set(rows) == {URL(name) for name in ("hive", "queen", "shelf", "more", "rails")}
    assert rows[URL("queen")]["leads_to"] is None
    assert rows[URL("shelf")]["leads_to"] == {
        "url": URL("hive"), "title": "Hive", "anchor": "hive", "path": [URL("shelf"), URL("hive")],
        "seed": rows[URL("shelf")]["leads_to"]["seed"],
    }  # fmt: skip
    assert rows[URL("more")]["leads_to"]["path"] == [URL("more"), URL("queen")]
    assert rows[URL("rails")]["leads_to"]["url"] in (URL("hive"), URL("queen"))
    assert [row["rank"] for row in answer["results"]] == [1, 2, 3, 4, 5]
    assert urls(site.search("honey").as_dict())[:2] == ["queen", "hive"]
    assert answer["terms"] == ["honei"]
    assert answer["note"] is None


def test_a_way_of_two_clicks_is_found(site):
    rows = {row["url"]: row for row in site.search("bee", alpha=1).as_dict()["results"]}
    assert rows[URL("shelf")]["leads_to"]["path"] == [URL("shelf"), URL("more"), URL("queen")]
    assert rows[URL("shelf")]["leads_to"]["anchor"] == "more"


def test_a_long_list_of_links_is_in_no_cluster_with_what_it_links_to(site):
    assert "links" not in urls(site.search("honey", alpha=1).as_dict())


def test_snippets_show_the_words(site):
    row = site.search("honey wax", alpha=0).as_dict()["results"][0]
    assert (row["url"], row["words"]) == (URL("hive"), ["honey", "wax"])
    assert "honey and wax" in row["snippet"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "the question is empty"),
        (" \n\t", "the question is empty"),
        ("the of and", "too common or too short"),
        ("a b c ! ?", "too common or too short"),
        ("zzzz qqqq", "no page has any of these words"),
        ("密林 の 猫", "no page has any of these words"),
        ("\ud800 \x00 \u202e", "too common or too short"),
        ("x" * 100_000, "too common or too short"),
    ],
)
@pytest.mark.parametrize("alpha", [0, 0.8])
def test_questions_without_an_answer_say_why(site, words, says, alpha):
    answer = site.search(words, alpha=alpha).as_dict()
    assert answer["results"] == []
    assert says in answer["note"]


def test_a_question_of_ten_thousand_words(site):
    answer = site.search("honey " + " ".join(f"word{i}" for i in range(10_000))).as_dict()
    assert len(answer["results"]) == 5


def test_too_many_known_words_are_counted_and_said(tmp_path):
    many = " ".join(f"word{i}" for i in range(1_100))
    store = collection(tmp_path / "s.kin", page(URL("a"), words=many))
    Collection(store.path).build()
    assert (
        "the question has 1,100 different words, of which only the first 1,000 count"
        in Collection(store.path).search(many).as_dict()["note"]
    )


def test_function_words_are_left_out_and_no_others(site):
    answer = site.search("which computer has the trains", alpha=0).as_dict()
    assert set(urls(answer)) == {"hive", "rails"}
    assert answer["note"] == "left out as too common: “which”, “has”, “the”"


def test_a_word_said_twice_counts_more(site):
    once, twice = (site.search(words, alpha=0)[0].score for words in ("honey", "honey honey"))
    assert twice == pytest.approx(2 * once)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ('"queen bee"', ["queen"]),
        ("“Queen, BEE”", ["queen"]),
        ('"bee queen"', []),
        ('honey -"queen bee"', ["hive"]),
        ("honey -bee", ["hive"]),
        ("honey title:queen", ["queen"]),
        ("honey title:honey", []),
        ("honey site:site.example", ["queen", "hive"]),
        ("honey site:example", ["queen", "hive"]),
        ("honey site:other.example", []),
        ("honey -site:site.example", []),
        ("honey site:site.example/hi", ["hive"]),
        ("honey site:site.example/ive", []),
    ],
)
def test_conditions(site, words, found):
    answer = site.search(words, alpha=0).as_dict()
    assert urls(answer) == found
    assert bool(answer["note"]) == (not found)


def test_a_quotation_in_a_sentence_that_no_page_has_is_no_condition(site):
    answer = site.search('which "bee queen" has honey', alpha=0).as_dict()
    assert {"queen", "hive"} <= set(urls(answer))
    assert answer["note"].endswith("no page has “bee queen” as a phrase, so only the words count")


def test_copies_stand_under_a_result_not_beside_it(tmp_path):
    path, text = tmp_path / "s.kin", "honey is made by bees " * 40
    copies = [page(URL(name), words=text, title="Honey") for name in ("a", "b", "c")]
    collection(path, *copies, page(URL("d"), words="wax, and some honey", title="Wax"))
    Collection(path).build(["inverted"])
    hits = Collection(path).search("honey", alpha=0, k=2)
    assert len(hits) == 2
    assert {hits[0].url, *hits[0].mirrors} == {URL(name) for name in ("a", "b", "c")}
    assert (hits[1].url, hits[1].mirrors) == (URL("d"), ())


def test_lead_in_one_line(site):
    shelf = next(hit for hit in site.search("honey", alpha=1) if hit.url == URL("shelf"))
    assert shelf.lines()[-1] == f"one click: links to Hive as “hive”: {URL('hive')}"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"alpha": -0.1}, "alpha is -0.1; expected 0"),
        ({"alpha": 1.5}, "alpha is 1.5"),
        ({"alpha": float("nan")}, "alpha is nan"),
        ({"tau": -1}, "tau is -1"),
        ({"tau": -1, "alpha": 0}, "tau is -1"),
        ({"kind": "fan"}, "unknown kind of clusters 'fan'"),
        ({"by": "bm42"}, "did you mean 'bm25'"),
        ({"k": 0}, "k must be at least 1"),
    ],
)
def test_what_cannot_be_asked(site, settings, says):
    with pytest.raises(UsageError, match=says):
        site.search("honey", **settings).as_dict()


def test_alpha_nought_needs_no_clusters(tmp_path):
    store = collection(tmp_path / "s.kin", page(URL("a"), words="honey"))
    Collection(store.path).build(["inverted"])
    assert urls(Collection(store.path).search("honey", alpha=0).as_dict()) == ["a"]


def test_other_clusters_are_used_when_they_are_built(site):
    with pytest.raises(NotBuiltError, match=r"subrelevant\(kind=cyclic, tau=30\) is not built; run: Collection"):
        site.search("honey", kind="cyclic", tau=30).as_dict()
    Collection(site.path).build(["subrelevant(kind=cyclic, tau=30)"])
    again = Collection(site.path)
    assert again.search("honey", kind="cyclic", tau=30).as_dict()["clusters"] == "subrelevant(kind=cyclic, tau=30)"


def test_before_building_the_command_is_named(tmp_path):
    store = collection(tmp_path / "s.kin", page(URL("a"), words="honey"))
    with pytest.raises(NotBuiltError, match="inverted is not built; run: Collection"):
        Collection(store.path).search("honey", alpha=0).as_dict()


def test_a_stale_collection_answers_with_a_note(tmp_path):
    path = tmp_path / "s.kin"
    collection(path, page(URL("a"), URL("b"), words="honey"), page(URL("b"), URL("a"), words="wax"))
    Collection(path).build()
    collection(path, page(URL("c"), URL("a"), words="honey"), page("http://other.example/", words="honey"))
    answer = Collection(path).search("honey").as_dict()
    assert urls(answer) == ["a", "b"]
    assert "inverted was built before the latest pages" in answer["note"]
    assert "subrelevant was built before the latest pages" in answer["note"]
    Collection(path).build()
    answer = Collection(path).search("honey").as_dict()
    assert set(urls(answer)) == {"a", "b", "c", ""}
    assert answer["note"] is None


def test_without_text_or_without_links(tmp_path):
    from_edges(tmp_path / "links.kin", [(URL("a"), URL("b"))])
    collection(tmp_path / "words.kin", page(URL("a"), words="honey"), page(URL("b"), words="wax"))
    for name in ("links", "words"):
        Collection(tmp_path / f"{name}.kin").build()
    answer = Collection(tmp_path / "links.kin").search("honey").as_dict()
    assert (answer["results"], "no page in the collection has text" in answer["note"]) == ([], True)
    answer = Collection(tmp_path / "words.kin").search("honey").as_dict()
    assert urls(answer) == ["a"]
    assert "no links" in answer["note"]


def test_pages_without_words_are_no_results_though_they_lead_there(tmp_path):
    path = tmp_path / "s.kin"
    collection(path, page(URL("a"), URL("unfetched"), words="honey"))
    Collection(path).build()
    assert urls(Collection(path).search("honey", alpha=1).as_dict()) == ["a"]


def test_each_page_is_found_in_its_own_language(tmp_path):
    path = tmp_path / "s.kin"
    german = "Die Häuser und der Garten sind nicht von der Stadt, aber das ist auch für uns"
    english = "The houses and the garden are not of the city, but this is for us as well"
    collection(path, page(URL("de"), words=german), page(URL("en"), words=english), page(URL("en2"), words=english))
    Collection(path).build()
    site = Collection(path)
    assert urls(site.search("Haus Häuser", alpha=0).as_dict()) == ["de"]
    assert set(urls(site.search("house", alpha=0).as_dict())) == {"en", "en2"}
    assert site.search("the", alpha=0).as_dict()["results"] == []
