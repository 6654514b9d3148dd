"""The page is written from the kept figures: every table that was measured is on it, in the order of the sets."""

import datetime
import json

import pytest

from leaderboard import blog, board
from leaderboard.__main__ import ask, main
from leaderboard.sets import SETS, Task, sampled
from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.evaluate.experiment import Evaluation
from pagekin.evaluate.truth import Labels
from pagekin.methods import REGISTRY


def test_the_page_in_the_docs_is_that_of_the_figures():
    assert board.PAGE.read_text(encoding="utf-8") == board.page(json.loads(board.RESULTS.read_text(encoding="utf-8")))


def test_figures_are_shown_best_first_and_baselines_in_italics():
    rows = [
        {"method": "amsler", board.MAIN: 0.5, "low": 0.4, "high": 0.6, "P@10": 1.0},
        {"method": "LSA cosine", board.MAIN: 0.25, "low": 0.0, "high": 0.5},
    ]
    assert board.table(rows).splitlines() == [
        "| method | nDCG@10 (95 %) | P@10 |",
        "| --- | --: | --: |",
        "| `amsler` | .500 (.400–.600) | 1.000 |",
        "| *LSA cosine* | .250 (.000–.500) |  |",
    ]


def test_how_much_better_the_default_is_stands_beside_the_others():
    figures = {"low": 0.0, "high": 1.0}
    rows = [
        {"method": "fused", board.MAIN: 0.5, **figures},
        {"method": "amsler", board.MAIN: 0.4, "behind": [0.1, 0.05, 0.15], **figures},
        {"method": "LSA cosine", board.MAIN: 0.55, "behind": [-0.05, -0.1, 0.0], **figures},
    ]
    assert board.table(rows).splitlines() == [
        "| method | nDCG@10 (95 %) | `fused` is better by (95 %) |",
        "| --- | --: | --: |",
        "| `fused` | .500 (.000–1.000) |  |",
        "| `amsler` | .400 (.000–1.000) | +.100 (+.050 to +.150) |",
        "| *LSA cosine* | .550 (.000–1.000) | −.050 (−.100 to +.000) |",
    ]
    gap = {"difference": -0.25, "low": -0.5, "high": 0.125}
    made = Evaluation(
        results=tuple({"method": name, board.MAIN: 0.5, **figures} for name in ("fused", "walk", "amsler")),
        differences=(
            {"method": "walk", "than": "fused", **gap},
            {"method": "fused", "than": "amsler", **gap},
            {"method": "walk", "than": "amsler", **gap},
        ),
    )
    found = {row["method"]: row.get("behind") for row in board.rows_of(made)}
    assert found == {"fused": None, "walk": [0.25, -0.125, 0.5], "amsler": [-0.25, -0.5, 0.125]}
    merged = board.merged({"rows": rows}, [{"method": "fused", board.MAIN: 0.6}], "now")
    assert not any("behind" in row for row in merged["rows"])
    merged = board.merged({"rows": rows}, [{"method": "amsler", board.MAIN: 0.6}], "now")
    assert [row["method"] for row in merged["rows"] if "behind" in row] == ["LSA cosine"]


def test_figures_with_all_links_stand_beside_those_with_content_links():
    figures = {"low": 0.0, "high": 1.0}
    rows = [
        {"method": "amsler", board.MAIN: 0.5, "P@10": 0.4, "RR": 0.9, **figures},
        {"method": "block(scope=site)", board.MAIN: 0.4, "P@10": 0.3, "RR": 0.8, **figures},
        {"method": "amsler(links=all)", board.MAIN: 0.25, "P@10": 0.2, "RR": 0.7, **figures},
    ]
    assert board.table(rows).splitlines() == [
        "| method | nDCG@10 (95 %) | nDCG@10, links=all | P@10 | P@10, links=all | RR |",
        "| --- | --: | --: | --: | --: | --: |",
        "| `amsler` | .500 (.000–1.000) | .250 | .400 | .200 | .900 |",
        "| `block(scope=site)` | .400 (.000–1.000) |  | .300 |  | .800 |",
    ]


def test_a_run_replaces_only_the_tables_of_what_it_measured(tmp_path, monkeypatch, capsys):
    """From the command to the page: the blog's table is new, with its date and command, and no other has changed."""
    results, written = tmp_path / "results.json", tmp_path / "page.md"
    results.write_bytes(board.RESULTS.read_bytes())
    monkeypatch.setattr(board, "RESULTS", results)
    monkeypatch.setattr(board, "PAGE", written)
    monkeypatch.setattr("leaderboard.__main__._methods", lambda task, truth: ["amsler", "amsler(links=all)"])
    monkeypatch.setattr("leaderboard.__main__._runs", lambda task, truth, folder: [])
    monkeypatch.setattr("leaderboard.sets.INDEXES", ["text"])
    assert main(["blog", "--questions", "20"]) == 0
    told = [line.partition(" took ")[0] for line in capsys.readouterr().err.splitlines()]
    assert told == ["b.kin: the indexes", "blog: amsler", "blog: amsler(links=all)"]
    before, after = json.loads(board.HERE.joinpath("results.json").read_text()), json.loads(results.read_text())
    assert {name: after[name] for name in after if name != "blog"} == {
        name: before[name] for name in before if name != "blog"
    }
    old, new = (_sections(text) for text in (board.page(before), written.read_text(encoding="utf-8")))
    assert {name for name in old if old[name] != new[name]} == {"blog"}
    assert list(old) == list(new)
    command = f"Measured {datetime.date.today():%Y-%m-%d} by `python -m leaderboard blog --questions 20`."
    assert "20 of 400 pages asked about" in new["blog"] and command in new["blog"]
    assert "| method | nDCG@10 (95 %) | nDCG@10, links=all | P@10 | P@10, links=all |" in new["blog"]
    assert new["blog"].count("\n| `") == 1


def test_a_run_of_one_method_replaces_its_rows_alone(tmp_path, monkeypatch):
    results, written = tmp_path / "results.json", tmp_path / "page.md"
    monkeypatch.setattr(board, "RESULTS", results)
    monkeypatch.setattr(board, "PAGE", written)
    monkeypatch.setattr("leaderboard.__main__._runs", lambda task, truth, folder: [])
    monkeypatch.setattr("leaderboard.sets.INDEXES", ["text"])
    (task,) = SETS["blog"](tmp_path)  # made once, measured three times
    monkeypatch.setitem(SETS, "blog", lambda folder: iter([task]))
    assert main(["blog", "--questions", "20", "--method", "siblings", "--method", "coupling"]) == 0
    before = json.loads(results.read_text())["blog"]
    assert {board.as_usual(row["method"]) for row in before["rows"]} == {"siblings", "coupling"}
    changed = [{**row, "nDCG@10": 0.5} for row in before["rows"]]
    results.write_text(json.dumps({"blog": {**before, "rows": changed}}))
    assert main(["blog", "--questions", "20", "--method", "coupling"]) == 0
    after = json.loads(results.read_text())["blog"]
    held = {row["method"]: row for row in after["rows"]}
    assert held["siblings"]["nDCG@10"] == held["siblings(links=all)"]["nDCG@10"] == 0.5
    assert [row for row in before["rows"] if "coupling" in row["method"]] == [
        held[row["method"]] for row in before["rows"] if "coupling" in row["method"]
    ]
    command = "python -m leaderboard blog --method coupling --questions 20"
    assert f"`coupling` again {datetime.date.today():%Y-%m-%d} by `{command}`." in written.read_text(encoding="utf-8")
    assert main(["blog", "--questions", "10", "--method", "coupling"]) == 0, "other questions: nothing to stand beside"
    assert {board.as_usual(row["method"]) for row in json.loads(results.read_text())["blog"]["rows"]} == {"coupling"}


def test_every_method_that_uses_links_is_measured_with_all_of_them_too(tmp_path, monkeypatch):
    (tmp_path / "blog").mkdir()
    topics = blog.write(tmp_path / "blog", posts=48)
    Collection(tmp_path / "b.kin").add(tmp_path / "blog", base_url=blog.BASE)
    Collection(tmp_path / "b.kin").build(all=True)
    store = Store(tmp_path / "b.kin")
    number = {store.url(page): page for page in range(store.size)}
    task = Task("blog", store, Labels({number[url]: frozenset([topic]) for url, topic in topics.items()}))
    monkeypatch.setattr("leaderboard.__main__._runs", lambda task, truth, folder: [])
    names = [row["method"] for row in ask(task, sampled(task.truth, 3), tmp_path)]
    usual = [name for name in names if board.as_usual(name) == name]
    assert [name.partition("(")[0] for name in usual] == list(REGISTRY)
    assert {board.as_usual(name) for name in names if name not in usual} == set(usual)


def _sections(page):
    return {text.partition("\n")[0]: text for text in page.split("\n## ")}


@pytest.mark.parametrize(("given", "said"), [
    (["blok"], "unknown set 'blok'; there are: blog, citeseer"),
    (["--questions", "-3"], "--questions must be at least 1, not -3"),
])  # fmt: skip
def test_what_cannot_be_measured(given, said, capsys):
    assert main(given) == 2
    assert said in capsys.readouterr().err


def test_every_set_says_what_it_is():
    assert all((make.__doc__ or "").strip().endswith(".") for make in SETS.values())
