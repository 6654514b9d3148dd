"""Queries and qrels in the forms they come in, and one-click judgements that nobody made."""

import pytest

from pagekin.errors import PagekinError
from pagekin.evaluate.judgements import one_click, read, read_qrels, read_queries
from tests.small_webs import from_edges


@pytest.fixture
def store(tmp_path):
    """1 and 2 link to 3; 2 links to much else, too."""
    return from_edges(tmp_path / "s.kin", [("1", "3"), ("2", "3"), *(("2", f"x{i}") for i in range(9)), ("3", "4")])


@pytest.fixture
def file(tmp_path):
    def written(text):
        path = tmp_path / "f"
        path.write_text(text)
        return path

    return written


def queries_of(path):
    found, notes = read_queries(path)
    assert notes == []
    return found


def test_queries_as_smart_records_topics_and_lines(file):
    assert queries_of(file(".I 1\n.W\n bees and\nhives\n.A\nSomebody\n.I 2\n.W\nwax\n")) == {
        "1": "bees and hives",
        "2": "wax",
    }
    assert read_queries(file("01\tbees and hives\nq2\twax\n\nno tab\nq2\tagain\n")) == (
        {"1": "bees and hives", "q2": "wax"},
        ["1 questions of f have no number or no words", "1 questions of f repeat a number; the first counts: q2"],
    )
    topics = (
        "<top>\n<num> Number: 051\n<title> Topic: honey\n bees\n<desc> Which?\n</top>\n<top><num>52<title>wax</top>"
    )
    assert read_queries(file(topics)) == ({"51": "honey bees", "52": "wax"}, [])
    with pytest.raises(PagekinError, match="expected SMART records"):
        read_queries(file("nothing here"))


@pytest.mark.parametrize(
    "rows",
    [
        "01 0003 0 0\n01 4  0 0\n2 1 0 0\n",  # SMART
        "1 0 3 1\n1 0 4 2\n2 0 1 1\n2 0 2 0\n",  # TREC
        "1 3\n1 4\n2 1\n",
    ],
)
def test_qrels_in_three_forms(store, file, rows):
    found, notes = read_qrels(store, file(rows))
    assert ({query: {store.url(page) for page in pages} for query, pages in found.items()}, notes) == (
        {"1": {"3", "4"}, "2": {"1"}}, []
    )  # fmt: skip
    grades = sorted(grade for pages in found.values() for grade in pages.values())
    assert grades == ([1, 1, 2] if "0 4 2" in rows else [1, 1, 1])


def test_what_cannot_be_read_is_said(store, file):
    _, notes = read_qrels(store, file("1 0 3 1\n1 0 nobody 1\n1 2 3 4 5\n1 0 4 x\n"))
    assert notes == [
        "1 judged pages are not in the collection: nobody",
        "2 rows of f could not be read (expected two or four columns, the last a whole number)",
    ]
    found, notes = read_qrels(store, file("1 0 3 1\n1 0 3 2\n1 0 4 -2\n"))
    assert [*found["1"].values()] == [2]
    assert notes == ["1 rows of f judge a page once more; the best grade counts"]


def test_questions_without_a_judged_page_are_not_asked(store, tmp_path):
    (tmp_path / "q").write_text("1\tbees\n2\twax\n")
    (tmp_path / "r").write_text("1 0 3 1\n9 0 3 1\n")
    found = read(store, tmp_path / "q", tmp_path / "r")
    assert (found.asked, found.words, found.kind) == (["1"], {"1": "bees"}, "queries")
    assert found.notes == (
        "1 of 2 questions have no relevant page and are left out",
        "1 judged questions are not in q and are left out: 9",
    )
    (tmp_path / "r").write_text("7 0 3 1\n")
    with pytest.raises(PagekinError, match="no question of"):
        read(store, tmp_path / "q", tmp_path / "r")


def test_one_click_counts_pages_of_few_links_that_lead_there(store):
    number = {store.url(page): page for page in range(store.size)}
    found = one_click(store, {"q": {number["3"]: 2}}, most_links=5)
    assert found == {"q": {number["3"]: 2, number["1"]: 1}}
