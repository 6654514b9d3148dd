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


def test_queries_as_smart_records_and_as_lines(file):
    assert read_queries(file(".I 1\n.W\n bees and\nhives\n.A\nSomebody\n.I 2\n.W\nwax\n")) == {
        "1": "bees and hives",
        "2": "wax",
    }
    assert read_queries(file("01\tbees and hives\nq2\twax\n\nno tab\n")) == {"1": "bees and hives", "q2": "wax"}
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


def test_what_cannot_be_read_is_said(store, file):
    _, notes = read_qrels(store, file("1 0 3 1\n1 0 nobody 1\n1 2 3 4 5\n1 0 4 x\n"))
    assert notes == [
        "1 judged pages are not in the collection: nobody",
        "1 rows of f could not be read (expected two or four columns)",
    ]


def test_questions_without_a_judged_page_are_not_asked(store, tmp_path):
    (tmp_path / "q").write_text("1\tbees\n2\twax\n")
    (tmp_path / "r").write_text("1 0 3 1\n")
    found = read(store, tmp_path / "q", tmp_path / "r")
    assert (set(found.queries), found.notes) == ({"1"}, ("1 of 2 questions have no relevant page and are left out",))
    (tmp_path / "r").write_text("7 0 3 1\n")
    with pytest.raises(PagekinError, match="no question of"):
        read(store, tmp_path / "q", tmp_path / "r")


def test_one_click_counts_pages_of_few_links_that_lead_there(store):
    number = {store.url(page): page for page in range(store.size)}
    found = one_click(store, {"q": frozenset({number["3"]})}, most_links=5)
    assert found == {"q": frozenset({number["3"], number["1"]})}
