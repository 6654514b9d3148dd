"""Table 1 by hand: with headings as the truth, with a cut by hand, with other thresholds; and on hand-made lists."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.papers.segmented import Settings, ranges, table
from pagekin.evaluate.papers.tables import Options
from tests.evaluate.papers.test_tables import shell

# Two lists under headings, the second in two pieces; and a sentence with two links.
PAGE = """<title>Links</title><h2>Bees</h2><ul><li><a href=a>Hives</a><li><a href=b>Honey</a></ul>
<h2>Tides</h2><p><a href=c>Moon</a> <a href=d>Sea</a></p><hr><p><a href=e>Ebb</a> <a href=f>Flood</a></p>"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "list.html").write_text(PAGE)
    (tmp_path / "web" / "plain.html").write_text("<p><a href=x>No</a> <a href=y>heading</a>")
    Collection(tmp_path / "s.kin").add(tmp_path / "web", base_url="http://s.example/")
    return tmp_path


def figures(answer):
    return {row["cut"]: (row["blocks"], row["E-precision"], row["I-precision"]) for row in answer.results}


def test_headings_are_the_truth_without_a_file(site):
    answer = table(Store(site / "s.kin"), Options())
    assert figures(answer) == {
        "truth": (2, 1, 1), "before adjusting": (3, 1 / 3, 1), "after adjusting": (3, 1 / 3, 1),
        "and gathering": (3, 1 / 3, 1),
    }  # fmt: skip
    assert "1 pages have links under fewer than two headings" in answer.note and answer.about["pages"] == 1


def test_a_cut_by_hand(site, monkeypatch, capsys):
    (site / "cut.csv").write_text(
        "page,blocks\nhttp://s.example/list.html,0-1 2-3 4-5\nhttp://s.example/plain.html,0\nhttp://no.example/,0-4\n"
    )
    answer = table(Store(site / "s.kin"), Options(blocks=site / "cut.csv"))
    assert figures(answer)["after adjusting"] == (3, 1, 1) and figures(answer)["truth"][0] == 3
    assert "plain.html has 2 links, 1 were given" in answer.note and "no.example" in answer.note
    assert shell(monkeypatch, "evaluate", site / "s.kin", "--tables", "segmentation", "--blocks", site / "cut.csv") == 0
    assert "Table 1. How well 1 pages are cut" in capsys.readouterr().out
    (site / "none.csv").write_text("http://no.example/,0-4\n")
    with pytest.raises(PagekinError, match="no row page,blocks"):
        table(Store(site / "s.kin"), Options(blocks=site / "none.csv"))


def test_thresholds_change_what_is_joined(tmp_path):
    """Two paragraphs of links in plain sentences: mostly links only if a third of the words is enough (T1)."""
    (tmp_path / "web").mkdir()
    lines = "".join(f"<p>See also <a href=a{n}>one</a> and the <a href=b{n}>other page</a> too</p>" for n in range(2))
    (tmp_path / "web" / "a.html").write_text(f"<h1>A</h1>{lines}<h2>B</h2>{lines.replace('href=', 'href=z')}")
    Collection(tmp_path / "s.kin").add(tmp_path / "web", base_url="http://s.example/")
    store = Store(tmp_path / "s.kin")
    assert figures(table(store, Options()))["after adjusting"][:2] == (4, 0)
    joined = table(store, Options(settings=Settings(words=0.3)))
    # 3 of 8 words are in links; a heading between has no links and keeps the lists apart
    assert figures(joined)["after adjusting"][0] < 4 and joined.about["T1"] == 0.3
    apart = table(store, Options(settings=Settings(words=0.3, links=2)))
    assert figures(apart)["after adjusting"][:2] == (4, 0)


def test_ranges_without_a_gap():
    assert list(ranges("0-1 2 3-3")) == [0, 0, 1, 2]
    assert not any(list(ranges(wrong)) for wrong in ("", "1-2", "0-1 3", "0 0", "3-1", "0,1", "0-x"))


def test_links_from_tables_cannot_be_cut(tmp_path):
    (tmp_path / "links.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    Collection(tmp_path / "s.kin").add(tmp_path / "links.csv")
    with pytest.raises(PagekinError, match="came from tables rather than from HTML"):
        table(Store(tmp_path / "s.kin"), Options())


@pytest.mark.data
@pytest.mark.slow
def test_hand_made_lists(data, tmp_path):
    """The same figures as those of tests/evaluate/test_segmentation.py, which find headings in another way."""
    Collection(tmp_path / "s.kin").add(data("awesome-lists"))
    found = figures(table(Store(tmp_path / "s.kin"), Options()))
    assert found["after adjusting"][1] >= found["before adjusting"][1] + 0.10
    assert found["and gathering"][1] >= 0.70 and found["and gathering"][2] >= 0.98
