"""Paper 4's figures by hand on a tiny set, and on CiteSeer above their floors."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.errors import PagekinError, UsageError
from pagekin.evaluate.papers.tables import Options, tables
from tests.small_webs import of_words


def mean(answer, pages, method):
    [row] = [r for r in answer.results if (r["pages"], r["method"], r["N"]) == (pages, method, "mean")]
    return row


def test_measures_by_hand(tmp_path):
    # Co-citation relates a and b, which hub links to; hub itself has no label.
    of_words(tmp_path / "s.kin", {"a": "bee", "b": "bee", "c": "fig"}, [("hub", "a"), ("hub", "b"), ("hub", "c")])
    Collection(tmp_path / "s.kin").build(index="keywords")
    (tmp_path / "labels.csv").write_text("a,bees\nb,bees\nc,bees\nnobody,bees\n")
    answer = tables(Store(tmp_path / "s.kin"), "paper4", Options(tmp_path / "labels.csv"), tmp_path / "figure.svg")
    assert "nobody" in answer.note
    assert (tmp_path / "figure.svg").read_text().lstrip().startswith("<?xml")
    rows = {r["N"]: r for r in answer.results if (r["pages"], r["method"]) == ("all", "simrank")}
    assert rows[1]["precision"] == rows[1]["recall_n"] == 1
    assert (rows[4]["precision"], rows[4]["recall_n"], rows[4]["recall"]) == (1, 0.5, 1)
    assert rows[4]["F"] == pytest.approx(2 / 3)
    assert answer.about["answered by simrank"] == 3


def test_bad_input(tmp_path):
    of_words(tmp_path / "s.kin", {"a": "bee", "b": "bee"})
    Collection(tmp_path / "s.kin").build(index="keywords")
    with pytest.raises(UsageError, match="unknown tables 'paper9'"):
        tables(Store(tmp_path / "s.kin"), "paper9", Options())
    with pytest.raises(PagekinError, match="has no labels"):
        tables(Store(tmp_path / "s.kin"), "paper4", Options())
    (tmp_path / "labels.csv").write_text("x,bees\ny,bees\n")
    with pytest.raises(PagekinError, match="no row page,label for a page of"):
        tables(Store(tmp_path / "s.kin"), "paper4", Options(tmp_path / "labels.csv"))
    (tmp_path / "labels.csv").write_text("a,bees\nb,bees\n")
    with pytest.raises(PagekinError, match="figures are written as"):
        tables(Store(tmp_path / "s.kin"), "paper4", Options(tmp_path / "labels.csv"), tmp_path / "figure.nothing")


def test_of_many_pages_some_are_drawn_and_a_note_says_so(tmp_path):
    """All pages get the same measures here, so a mean over some is the mean over all, and only the counts differ."""
    words = {f"p{i}": f"bee{i % 3}" for i in range(30)}
    of_words(tmp_path / "s.kin", words, [("hub", name) for name in words])
    Collection(tmp_path / "s.kin").build(index="keywords")
    (tmp_path / "labels.csv").write_text("".join(f"{name},bees\n" for name in words))
    store, options = Store(tmp_path / "s.kin"), Options(tmp_path / "labels.csv")
    some, again, whole = (tables(store, text, options) for text in ["paper4(pages=7)"] * 2 + ["paper4(pages=none)"])
    assert "7 of the 30 pages with labels are asked about" in some.note
    assert (some.about["pages"], whole.about["pages"]) == (7, 30)
    assert "asked about" not in whole.note
    assert list(some.results) == list(again.results)
    for measure in ("precision", "recall_n", "recall", "F"):
        assert mean(some, "all", "co-citation")[measure] == pytest.approx(mean(whole, "all", "co-citation")[measure])
    assert tables(store, "paper4(pages=30)", options).note == whole.note
    with pytest.raises(UsageError, match="at least 1"):
        tables(store, "paper4(pages=0)", options)


def test_an_index_that_is_not_built_is_made_for_the_table(tmp_path):
    of_words(tmp_path / "s.kin", {"a": "bee", "b": "bee", "c": "fig"}, [("hub", "a"), ("hub", "b"), ("hub", "c")])
    (tmp_path / "labels.csv").write_text("a,bees\nb,bees\nc,bees\n")
    without = tables(Store(tmp_path / "s.kin"), "paper4", Options(tmp_path / "labels.csv"))
    assert not any(name.startswith("keywords") for name in Store(tmp_path / "s.kin").manifest.indexes)
    Collection(tmp_path / "s.kin").build(index="keywords")
    assert without.results == tables(Store(tmp_path / "s.kin"), "paper4", Options(tmp_path / "labels.csv")).results


@pytest.mark.slow
@pytest.mark.data
def test_citeseer(data, tmp_path):
    collection = Collection(tmp_path / "cite.kin")
    collection.add(data("citeseer"))
    Collection(collection.path).build(method=["integrated"])
    answer = tables(Store(collection.path), "paper4(pages=none)", Options())
    ours, theirs = (mean(answer, "all", name) for name in ("integrated", "simrank"))
    print("CiteSeer, all papers:", ours, theirs)
    assert ours["precision"] >= 0.60
    for measure, better in (("precision", 1.12), ("recall_n", 1.27), ("F", 1.26)):
        assert ours[measure] > better * theirs[measure]
    ours, theirs = (mean(answer, "answered by simrank", name) for name in ("integrated", "simrank"))
    print(f"CiteSeer, the {answer.about['answered by simrank']} papers that SimRank answers:", ours, theirs)
    for measure in ("precision", "recall_n", "recall", "F"):
        assert ours[measure] >= theirs[measure]
