"""Methods side by side: the figures by hand, the shell, and HTML that hostile titles cannot break."""

import json

import pytest

from pagekin.answers import compare
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.shell import main as cli
from tests.small_webs import collection, edges, from_edges, page

WEB = [(f"http://hub{i}.example/", f"http://{t}.example/") for i in "123" for t in "abc"]
WEB += [("http://a.example/", "http://b.example/"), ("http://m.example/", "http://b.example/")]
B = "http://b.example/"


@pytest.fixture
def site(tmp_path):
    from_edges(tmp_path / "s.kin", WEB)
    return tmp_path / "s.kin"


def test_without_methods_some_are_chosen_that_can_be_asked(site):
    found = [row.method for row in compare.compare(Store(site), B, [])]
    assert found == ["fused", "amsler", "siblings", "walk"]  # nothing is built


def test_figures_by_hand(site):
    answer = compare.compare(
        Store(site), B, ["co-citation(direct=false)", "coupling(direct=false)", "amsler"], k=3
    ).as_dict()
    first, second, _ = answer["results"]
    # The three hubs link to a and c as well; a links to b.
    linked = {row["url"]: row["linked"] for row in first["results"]}
    assert linked == {"http://a.example/": True, "http://c.example/": False}
    assert (first["hosts"], first["diversity"], first["novelty"]) == (2, 1.0, 0.5)
    # b links to nothing: no coupling, no shares, and the reason
    assert (second["results"], second["hosts"], second["diversity"], second["novelty"]) == ([], 0, None, None)
    assert second["note"]
    overlap = {tuple(row["methods"]): row for row in answer["overlap"]}
    assert len(overlap) == 3
    assert overlap["co-citation(direct=false)", "coupling(direct=false)"]["common"] == 0
    pair = overlap["co-citation(direct=false)", "amsler"]
    one, other = ({row["url"] for row in answer["results"][at]["results"]} for at in (0, 2))
    assert (pair["common"], pair["share"]) == (len(one & other), len(one & other) / len(one | other))
    assert first["alone"] == len(one - other)


def test_one_method_written_twice_is_one(site):
    with pytest.raises(UsageError, match="give two methods or more"):
        compare.compare(Store(site), B, ["hits", "hits()", "hits(radius=2)"]).as_dict()


def shell(monkeypatch, capsys, *arguments):
    monkeypatch.setattr("sys.argv", ["pagekin", "compare", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, err = capsys.readouterr()
    return ended.value.code or 0, out, err


def test_the_shell_prints_json_tables_and_rows(site, monkeypatch, capsys):
    asked = (site, B, "-m", "hits", "-m", "walk")
    code, out, _ = shell(monkeypatch, capsys, *asked, "--json")
    answer = json.loads(out)
    assert code == 0
    assert {"method", "results", "hosts"} <= answer["results"][0].keys()
    assert answer["overlap"][0]["methods"] == ["hits", "walk"]
    code, out, _ = shell(monkeypatch, capsys, *asked)
    assert code == 0
    assert "diversity" in out
    code, out, _ = shell(monkeypatch, capsys, *asked, "--format", "csv")
    assert out.startswith("method,rank,url,title,host,score,linked")
    assert out.count("\nwalk,") == len(answer["results"][1]["results"])


def test_mistakes_are_sentences(site, monkeypatch, capsys, tmp_path):
    assert shell(monkeypatch, capsys, site, B, "-m", "hits")[0] == 2
    assert shell(monkeypatch, capsys, site, B, "-m", "hits", "-m", "wolk")[0] == 2
    assert shell(monkeypatch, capsys, site, "http://no.example/", "-m", "hits", "-m", "walk")[0] == 1
    code, _, err = shell(monkeypatch, capsys, site, B, "-m", "hits", "-m", "walk", "--out", tmp_path / "x.pdf")
    assert code == 2
    assert "end the name with .html" in err


def test_html_shows_hostile_titles_as_text(tmp_path, monkeypatch, capsys):
    evil = "</title><script>alert(1)</script>\"'&"
    collection(
        tmp_path / "s.kin",
        page("http://a.example/", "http://b.example/", title=evil.replace("<", "&lt;")),
        page("http://b.example/", "http://a.example/", title=evil.replace("<", "&lt;")),
        edges(("http://a.example/", "javascript:alert(1)"), ("http://hub.example/", "http://b.example/")),
        edges(("http://hub.example/", "javascript:alert(1)")),
    )
    path = tmp_path / "c.html"
    asked = (tmp_path / "s.kin", B, "-m", "amsler", "-m", "walk", "--no-fetched", "--out", path)
    code, out, err = shell(monkeypatch, capsys, *asked)
    assert (code, out, err) == (0, "", f"wrote the comparison of 2 methods to {path}\n")
    html = path.read_text()
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "javascript:alert(1)" in html
    assert 'href="javascript' not in html
    assert 'href="http://hub.example/"' in html
