"""`evaluate` from Python and the shell: every kind of truth, hidden links, files in and out, wrong questions."""

import csv
import io
import json

import pytest

from pagekin import Collection
from pagekin.errors import NotBuiltError, PagekinError, UsageError
from tests.answers.test_collection import URL, web
from tests.evaluate.test_hiding import bytes_of
from tests.shell.test_main import shell  # noqa: F401

PAIRS = [("bee", "hive"), ("hive", "wax"), ("train", "rail"), ("rail", "engine")]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evaluate")
    found = Collection(web(folder / "s.kin"))
    found.build(all=True)
    (folder / "related.csv").write_text("".join(f"{URL(a)},{URL(b)}\n" for a, b in PAIRS))
    (folder / "labels.csv").write_text(
        "".join(f"{URL(n)},{'b' if n in 'bee hive wax' else 't'}\n" for pair in PAIRS for n in pair)
    )
    (folder / "queries").write_text("1\thoney and bees\n2\ttrains\n3\tnothing\n")
    (folder / "qrels").write_text(f"1 0 {URL('bee')} 2\n1 0 {URL('wax')} 1\n2 0 {URL('rail')} 1\n")
    return found


@pytest.fixture
def files(site):
    return site.path.parent


def test_the_kinds_of_truth(site, files):
    related = site.evaluate(related=files / "related.csv", method="amsler", k=5)
    assert (related.truth, related.questions, related.file) == ("related", 6, str(files / "related.csv"))
    labels = site.evaluate(labels=files / "labels.csv", method=["amsler", "walk"], k=5)
    assert (labels.truth, labels.questions, len(labels)) == ("labels", 6, 2)
    words = site.evaluate(queries=files / "queries", qrels=files / "qrels", k=5)
    assert (words.truth, words.questions) == ("queries", 2)
    assert [row["method"] for row in words] == ["search", "search(alpha=0.0)", "search(by=tf-idf)"]
    assert "1 of 3 questions have no relevant page" in words.note
    assert all(row["unlinked"] is None and row["answered"] == 1 for row in words)
    one = site.evaluate(queries=files / "queries", qrels=files / "qrels", method="search(by=tf-idf)", k=5)
    assert one.results == words.results[2:]


def test_hidden_links_are_not_seen_and_the_collection_is_not_changed(site, files):
    before = bytes_of(site.path)
    plain = site.evaluate(related=files / "related.csv", method=["amsler", "block", "assisted"], k=5)
    hidden = site.evaluate(related=files / "related.csv", method=["amsler", "block", "assisted"], k=5, hide="related")
    assert bytes_of(site.path) == before
    assert hidden.hidden.startswith("8 links between pages that") and plain.hidden is None
    assert "4 of 4 pairs are linked" in plain.note and "pairs are linked" not in (hidden.note or "")
    assert [row["method"] for row in hidden] == [row["method"] for row in plain]
    # bee and hive are linked both ways: without these links they share the pages that list them, and wax
    assert hidden[0]["nDCG@5"] < plain[0]["nDCG@5"]
    # what is new to a reader is judged by the links there are
    assert hidden[0]["unlinked"] <= plain[0]["unlinked"] + 0.2


def test_without_a_method_a_hidden_evaluation_measures_what_is_built(site, files, tmp_path):
    hidden = site.evaluate(related=files / "related.csv", k=3, hide="related")
    plain = site.evaluate(related=files / "related.csv", k=3)
    assert [row["method"] for row in hidden] == [row["method"] for row in plain]
    fresh = Collection(web(tmp_path / "fresh.kin"))
    left = fresh.evaluate(related=files / "related.csv", k=3, hide="related")
    assert "assisted is left out" in left.note
    assert str(fresh.path) in left.note and "/pagekin-" not in left.note  # not the path of the copy, which is gone


def test_our_run_measured_as_one_from_elsewhere_has_the_same_figures(site, files, tmp_path):
    first = site.evaluate(related=files / "related.csv", method="amsler", k=5, trec=tmp_path / "trec")
    assert sorted(file.name for file in (tmp_path / "trec").iterdir()) == ["amsler.run", "qrels.txt"]
    again = site.evaluate(
        related=files / "related.csv", method="walk", k=5, compare_with=tmp_path / "trec" / "amsler.run", hide="related"
    )
    assert [row["method"] for row in again] == ["walk", "amsler.run"]
    assert {**again[1], "method": "amsler"} == first[0]
    assert "amsler.run was made elsewhere: nobody knows whether it has seen what was hidden here" in again.note
    as_truth = site.evaluate(queries=files / "queries", qrels=files / "qrels", k=5, trec=tmp_path / "words")
    assert (tmp_path / "words" / "qrels.txt").read_text().splitlines() == (files / "qrels").read_text().splitlines()
    assert "search-by=tf-idf.run" in {file.name for file in (tmp_path / "words").iterdir()} and len(as_truth) == 3


def test_the_report_and_the_figures(site, files, tmp_path):
    asked = {"related": files / "related.csv", "method": ["amsler", "walk"], "k": 5}
    site.evaluate(**asked, out=tmp_path / "r.html", hide="related")
    text = (tmp_path / "r.html").read_text()
    assert "Evaluation of s.kin" in text and "8 links between pages" in text
    site.evaluate(**asked, out=tmp_path / "r.svg")
    assert (tmp_path / "r.svg").read_text().startswith("<?xml")
    with pytest.raises(PagekinError, match="there is no folder"):
        site.evaluate(**asked, out=tmp_path / "none" / "r.html")
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"labels": "l", "related": "r"}, "labels and related are 2 different truths"),
        ({"labels": "l", "related": "r", "qrels": "q"}, "are 3 different truths"),
        ({"qrels": "q"}, "qrels needs queries: the questions in words"),
        ({"queries": "q"}, "queries needs qrels: the pages that answer them"),
        ({"one_click": "q"}, 'one_click needs tables="paper2"'),
        ({"related": "r", "hide": "links"}, "unknown value of hide 'links'"),
        ({"labels": "l", "hide": "related"}, "give that"),
        ({"related": "r", "out": "r.doc"}, ".html is a report, .svg .png .pdf are its figures; not 'r.doc'"),
        ({"tables": "paper1", "related": "r", "trec": "t"}, "leave out related and trec"),
    ],
)
def test_wrong_questions(site, asked, said):
    with pytest.raises(UsageError) as error:
        site.evaluate(**asked)
    assert said in str(error.value)


def test_a_named_method_that_is_not_built_is_an_error(files, tmp_path):
    fresh = Collection(web(tmp_path / "fresh.kin"))
    with pytest.raises(NotBuiltError):
        fresh.evaluate(related=files / "related.csv", method="block")
    # but a hidden evaluation makes its own indexes
    assert len(fresh.evaluate(related=files / "related.csv", method="block", hide="related", k=3)) == 1


def test_the_shell(shell, site, files, tmp_path):  # noqa: F811
    words = ("evaluate", site.path, "--related", files / "related.csv", "-m", "amsler", "-m", "walk", "-k", "5")
    code, out, err = shell(*words, "--out", tmp_path / "r.html", "--trec", tmp_path / "t", "--hide", "related")
    assert code == 0
    assert "Right answers: 6 pages asked about, 5 results each" in out
    assert "hidden: 8 links between" in out and "note: 5 of 11 pages have no known answer" in out
    assert f"wrote the report to {tmp_path / 'r.html'}" in err
    answer = json.loads(shell(*words, "--json")[1])
    assert list(answer) == [
        "query", "truth", "file", "questions", "k", "hidden", "differences", "note", "results",
    ]  # fmt: skip
    assert answer == json.loads(
        json.dumps(site.evaluate(related=files / "related.csv", method=["amsler", "walk"], k=5).as_dict())
    ) | {"note": answer["note"]}
    rows = list(csv.DictReader(io.StringIO(shell(*words, "--format", "csv")[1])))
    assert [row["method"] for row in rows] == ["amsler", "walk"] and float(rows[0]["nDCG@5"]) == answer["results"][0][
        "nDCG@5"
    ]
    rows = list(csv.DictReader(io.StringIO(shell(*words, "--by-query", "--format", "csv")[1])))
    assert len(rows) == 12 and rows[0]["title"].startswith("The ")
    assert shell(*words, "--by-query", "--tables", "paper1")[0] == 2
