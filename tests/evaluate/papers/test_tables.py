"""The tables of the papers from the shell: printed, as JSON, with figures, and what is said of wrong questions."""

import json
from importlib import import_module

import pytest

from pagekin.answers.collection import Collection
from pagekin.errors import UsageError
from pagekin.evaluate.papers.tables import TABLES, Options, tables
from pagekin.shell import main as cli


@pytest.fixture
def site(tmp_path):
    (tmp_path / "links.csv").write_text(
        "source,target\n"
        + "".join(f"http://q{q}.example/,http://p{p}.example/\n" for q in range(3) for p in range(6) if p % 3 != q)
    )
    (tmp_path / "labels.csv").write_text("".join(f"http://p{p}.example/,{'ab'[p % 2]}\n" for p in range(6)))
    Collection(tmp_path / "w.kin").add(tmp_path / "links.csv")
    return tmp_path


def shell(monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["pagekin", *map(str, words)])
    try:
        cli.main()
    except SystemExit as ended:
        return ended.code or 0
    return 0


def test_every_table_is_printed_under_its_caption(site, monkeypatch, capsys):
    asked = ("evaluate", site / "w.kin", "--labels", site / "labels.csv", "--tables", "paper1")
    assert shell(monkeypatch, *asked) == 0
    printed = capsys.readouterr().out
    assert [line.split(".")[0] for line in printed.splitlines() if line.startswith("Table ")] == [
        f"Table {number}" for number in range(2, 9)
    ]
    assert shell(monkeypatch, *asked, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["about"]["categories"] == ["a", "b"] and {row["table"] for row in answer["results"]} == set("2345678")
    assert shell(monkeypatch, *asked, "--format", "jsonl") == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == answer["results"]


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_figures_go_to_a_file(site, monkeypatch, capsys, ending):
    asked = ("--labels", site / "labels.csv", "--tables", "paper1", "--out", site / f"f.{ending}")
    assert shell(monkeypatch, "evaluate", site / "w.kin", *asked) == 0
    assert "wrote the figures of paper1" in capsys.readouterr().err and (site / f"f.{ending}").stat().st_size > 1_000


@pytest.mark.parametrize(
    "wrong, said",
    [
        (("--tables", "paper9"), "known: all, paper1"),
        (("--tables", "all", "--out", "f.svg"), "one report, .html"),
        (("--tables", "paper4", "--page", "http://p0.example/"), "leave out --page"),
        (("--page", "http://p0.example/"), "--page needs --tables paper5"),
        (("--tables", "segmentation(words=2)"), "words (T1) must be between 0 and 1"),
        (("--tables", "paper5(radius=0)"), "radius must be at least 1"),
        (("--tables", "paper1(radius=2)"), "parameter of paper1"),
        (("--tables", "paper1", "--out", "f.doc"), ".svg .png .pdf"),
        (("--one-click", "f"), "--tables"),
        (("--tables", "paper1", "--method", "amsler"), "leave out --method"),
    ],
)
def test_a_wrong_question_exits_with_2_and_says_what_is_right(site, monkeypatch, capsys, wrong, said):
    assert shell(monkeypatch, "evaluate", site / "w.kin", "--labels", site / "labels.csv", *wrong) == 2
    assert said in capsys.readouterr().err


def test_every_paper_has_both_functions():
    papers = map(import_module, TABLES.values())
    assert all(callable(paper.table) and callable(paper.plot) for paper in papers)
    with pytest.raises(UsageError, match="did you mean 'paper1'"):
        tables("none.kin", "papr1", Options())
