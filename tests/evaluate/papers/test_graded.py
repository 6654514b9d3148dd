"""R-scores by hand: graded pairs and labels, each method a column."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.papers.graded import table
from pagekin.evaluate.papers.tables import Options
from tests.evaluate.papers.test_tables import shell

METHODS = ("co-citation", "coupling")


@pytest.fixture
def site(tmp_path):
    """One page links to a, b and c: each is co-cited with the other two, in page order; none links anywhere."""
    (tmp_path / "links.csv").write_text("source,target\n" + "".join(f"hub,{page}\n" for page in "abc"))
    (tmp_path / "graded.csv").write_text("a,b,2\na,c,1\n")
    (tmp_path / "labels.csv").write_text("a,x\nb,x\nc,y\nhub,y\n")
    Collection(tmp_path / "s.kin").add(tmp_path / "links.csv")
    return tmp_path


def rows(answer, name):
    return [{key: row[key] for key in row if key != "table"} for row in answer.results if row["table"] == name]


def test_graded_pairs(site):
    answer = table(Store(site / "s.kin"), Options(related=site / "graded.csv", methods=METHODS, k=2))
    found = {row["R"]: row["co-citation"] for row in rows(answer, "Figure 10")}
    # Direct links count too, so the hub is on every list; the scores are of a (2 and 1), b (2) and c (1).
    assert set(found) == {1, 2} and found[2] == pytest.approx(
        sum(
            sum(
                {("a", "b"): 2, ("b", "a"): 2, ("a", "c"): 1, ("c", "a"): 1}.get((page, other.url), 0)
                for other in list_
            )
            / 2
            for page, list_ in (
                (page, Collection(site / "s.kin").related(page, method="co-citation", k=2)) for page in "abc"
            )
        )
        / 3
    )
    assert all(row["coupling"] <= row["co-citation"] for row in rows(answer, "Figure 10"))
    assert not rows(answer, "Figure 11") and answer.about["largest grade"] == 2


def test_labels_are_topics(site, monkeypatch, capsys):
    answer = table(Store(site / "s.kin"), Options(labels=site / "labels.csv", methods=METHODS, k=3))
    assert [(row["label"], row["pages"]) for row in rows(answer, "Figure 11")] == [("x", 2), ("y", 2)]
    last = rows(answer, "Figure 10")[-1]["co-citation"]
    assert last == pytest.approx(sum(row["co-citation"] * 2 for row in rows(answer, "Figure 11")) / 4)
    assert "an empty list scores 0" in answer.note and "the R-score is the precision" in answer.note
    asked = ("--labels", site / "labels.csv", "--tables", "r-score", "-m", "amsler", "--out", site / "f.svg")
    assert shell(monkeypatch, "evaluate", site / "s.kin", *asked) == 0
    assert "Figure 11. Average 15-score of each label" in capsys.readouterr().out
    assert "amsler" in (site / "f.svg").read_text()


def test_without_a_truth_it_says_what_to_give(site):
    with pytest.raises(PagekinError, match="has no labels"):
        table(Store(site / "s.kin"), Options())
