"""Figures 4, 6 and 7 as tables: the counts of `distributions` in classes, their shares, and the drawing."""

import json

import pytest

from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.papers.paper3 import plot, table
from pagekin.evaluate.papers.tables import Options
from tests.evaluate.papers.test_tables import shell
from tests.index.block_pairs.test_index import collection

SHELF = [("http://a.example/", "red"), ("http://b.example/", "blue")]


@pytest.fixture
def site(tmp_path):
    """Twelve pages of a site link to a and b side by side; another site has a page of 81 links, in one block."""
    links = [(f"http://site.example/{i}", 0, j, *link) for i in range(12) for j, link in enumerate(SHELF)]
    links += [("http://other.example/", 0, j, f"http://t{j}.example/", f"t{j}") for j in range(81)]
    collection(tmp_path / "s.kin", links)
    return tmp_path


def rows(answer, name):
    return [row for row in answer.results if row["table"] == name]


def test_every_count_is_there_once_and_shares_add_up(site):
    answer = table(Store(site / "s.kin"), Options())
    assert [(row["links"], row["blocks"], row["pages"]) for row in rows(answer, "Figure 4") if row["blocks"]] == [
        ("2", 12, 12),
        ("over 80", 1, 1),
    ]
    assert [(row["times"], row["links"]) for row in rows(answer, "Figure 6") if row["links"]] == [
        ("1", 81),
        ("over 9", 2),
    ]
    # Of the twelve equal pairs nine count, both ways; the block of 81 links gives none.
    assert [(row["similarity"], row["pairs"]) for row in rows(answer, "Figure 7") if row["pairs"]] == [("9", 2)]
    for row, column in (("Figure 4", "blocks"), ("Figure 4", "pages"), ("Figure 6", "links"), ("Figure 7", "pairs")):
        assert sum(each[f"share of {column}"] for each in rows(answer, row)) == pytest.approx(1)
    assert "7.69%" in answer.captions["Figure 4"] and "2.41%" in answer.captions["Figure 6"]


def test_from_the_shell_with_figures(site, monkeypatch, capsys):
    asked = ("evaluate", site / "s.kin", "--tables", "paper3")
    assert shell(monkeypatch, *asked, "--out", site / "f.svg") == 0
    said = capsys.readouterr()
    assert [line.split(".")[0] for line in said.out.splitlines() if line.startswith("Figure")] == [
        "Figure 4",
        "Figure 6",
        "Figure 7",
    ]
    assert "wrote the figures of paper3" in said.err
    drawn = (site / "f.svg").read_text()
    assert all(text in drawn for text in ("S = 80", "r = 9", "N = 10"))
    assert shell(monkeypatch, *asked, "--json") == 0
    assert json.loads(capsys.readouterr().out)["tables"] == "paper3"


def test_a_collection_without_links_has_empty_figures(tmp_path):
    store = collection(tmp_path / "s.kin", [])
    answer = table(store, Options())
    assert not any(row.get("blocks") or row.get("pairs") for row in answer.results)
    assert "there are no links" in answer.note
    with pytest.raises(PagekinError, match="nothing to draw"):
        plot(store, Options(), answer, tmp_path / "f.png")
