"""All tables in one report: what is there, what is left out and why, and that nothing in it comes from outside."""

import json
import re

import pytest

from pagekin.answers.collection import Collection
from pagekin.evaluate.papers.tables import TABLES
from pagekin.evaluate.papers.whole import SAID
from tests.evaluate.papers.test_tables import shell


@pytest.fixture
def site(tmp_path):
    (tmp_path / "web").mkdir()
    for name in "abcd":
        links = "".join(f"<li><a href={other}.html>To &lt;{other}&gt;</a>" for other in "abcd" if other != name)
        (tmp_path / "web" / f"{name}.html").write_text(
            f"<title>{name}</title><h1>One</h1><ul>{links}</ul><h2>Two</h2><a href=http://x.example/>X</a>"
        )
    (tmp_path / "labels.csv").write_text("".join(f"http://s.example/{name}.html,<b>{name > 'b'}\n" for name in "abcd"))
    kin = Collection(tmp_path / "s.kin")
    kin.add(tmp_path / "web", base_url="http://s.example/")
    kin.build(method=["block"])
    return tmp_path


def test_every_set_of_tables_has_something_said_about_it():
    assert set(SAID) == set(TABLES)


def test_a_report_has_each_table_or_the_reason_why_not(site, monkeypatch, capsys):
    asked = ("evaluate", site / "s.kin", "--labels", site / "labels.csv", "--tables", "all")
    assert shell(monkeypatch, *asked, "--out", site / "r.html") == 0
    said = capsys.readouterr()
    assert "wrote the report of all" in said.err and "paper2 is left out: the tables of paper 2 need" in said.out
    page = (site / "r.html").read_text()
    assert set(re.findall(r'<section id="([\w-]+)"', page)) == set(TABLES)
    assert "Left out: the tables of paper 2 need a file for --queries" in page
    assert "Left out: " not in page.partition('id="paper4"')[2]  # its index is made for it
    assert (
        page.count("<svg") == 5 and "<li>no labelled page is similar to another one by co-citation, so there is" in page
    )
    assert "<h3>Table 2. " in page and "<h3>Figure 10. " in page
    assert "&lt;b&gt;False" in page and "<b>False" not in page  # the labels are strangers' text
    assert not re.search(r"<(script|link|img|iframe)\b|@import|url\((?!#)", page)


def test_without_a_file_all_tables_are_printed_and_json_has_what_is_left_out(site, monkeypatch, capsys):
    asked = ("evaluate", site / "s.kin", "--labels", site / "labels.csv", "--tables", "all")
    assert shell(monkeypatch, *asked) == 0
    assert capsys.readouterr().out.startswith("paper1, Table 2. ")
    assert shell(monkeypatch, *asked, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert "left out" in answer["about"]["paper2"] and answer["about"]["segmentation"]["pages"] == 4
    assert {row["table"].partition(",")[0] for row in answer["results"]} == {
        "paper1", "paper3", "segmentation", "r-score", "paper4", "paper5",
    }  # fmt: skip


def test_one_paper_can_be_a_report_too_and_then_an_error_is_an_error(site, monkeypatch, capsys):
    asked = ("evaluate", site / "s.kin", "--tables")
    assert shell(monkeypatch, *asked, "paper5(radius=1)", "--out", site / "r.html") == 0
    page = (site / "r.html").read_text()
    assert page.count("<section") == 1 and "<title>s.kin: Paper 5: hubs" in page
    assert shell(monkeypatch, *asked, "paper1", "--out", site / "n.html") == 1
    assert "has no labels" in capsys.readouterr().err and not (site / "n.html").exists()
