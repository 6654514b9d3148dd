"""The appendix's report for one page, by hand on a small web, and as `hits` and `hamming` answer."""

from itertools import pairwise

import pytest

from pagekin.answers.collection import Collection
from pagekin.answers.filters import Filters
from pagekin.collection.store import Store
from pagekin.errors import PagekinError, UnknownPageError
from pagekin.evaluate.papers.paper5 import Settings, table
from pagekin.evaluate.papers.tables import Options, tables
from tests.evaluate.papers.test_tables import shell

HUB, OTHER = "http://hub.example/", "http://hub.example/more"
LINKS = [
    (HUB, "http://a.example/1"), (HUB, "http://a.example/2"), (HUB, "http://b.example/"),
    (OTHER, "http://a.example/1"), (OTHER, "http://b.example/"), ("http://far.example/", HUB),
]  # fmt: skip


@pytest.fixture
def site(tmp_path):
    (tmp_path / "links.csv").write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in LINKS))
    Collection(tmp_path / "w.kin").add(tmp_path / "links.csv")
    return tmp_path


def rows(answer, name):
    return [row for row in answer.results if row["table"] == name]


def test_by_hand(site):
    answer = table(Store(site / "w.kin"), Options(page="http://b.example/"))
    [base] = rows(answer, "Base set")
    assert (base["pages"], base["links"], base["pendants"], base["rings"]) == (6, 6, 3, [1, 2, 3])
    assert (base["mean out-degree"], base["largest in-degree"]) == (2, 2)
    # b: cited by both hubs, cites none; a/1 has the very same links; a/2 is cited by one of them only.
    nearest = [(row["distance"], row["url"]) for row in rows(answer, "Hamming")]
    assert nearest[:2] == [(0, "http://a.example/1"), (1, "http://a.example/2")]
    assert [row["host"] for row in rows(answer, "Hosts")][:2] == ["a.example", "hub.example"]
    assert {row["weights"] for row in rows(answer, "Convergence")} == {"link, hub", "link", "hub", "none"}
    assert all(row["converged"] == "yes" for row in rows(answer, "Scores"))
    assert answer.query[0].url == "http://b.example/"


def test_lists_are_those_of_hits_and_picked_leaves_out_neighbours_of_one_host(site):
    found = Collection(site / "w.kin").related(
        "http://far.example/", method="hits(links=all, link_weights=false, hub_weights=none)", k=10,
        filters=Filters(picked=True, fetched=False),
    )  # fmt: skip
    answer = table(Store(site / "w.kin"), Options(page="http://far.example/"))
    told = [row for row in rows(answer, "Authorities (none)") if row["url"] != "http://far.example/"]
    assert [(row["url"], pytest.approx(row["score"])) for row in told] == [(page.url, page.score) for page in found]
    hubs = rows(answer, "Hubs (none)")  # the second page of hub.example comes right after the first
    assert [row["picked"] for row in hubs] == list(range(1, len(hubs) + 1))
    hosts = [row["url"].split("/")[2] for row in hubs]
    assert all(one != next_ for one, next_ in pairwise(hosts))


def test_the_page_with_most_in_links_is_asked_about_and_a_radius_can_be_given(site, monkeypatch, capsys):
    answer = table(Store(site / "w.kin"), Options())
    assert answer.about["page"] in ("http://a.example/1", "http://b.example/") and "most in-links" in answer.note
    near = table(Store(site / "w.kin"), Options(settings=Settings(radius=1)))
    assert rows(near, "Base set")[0]["pages"] == 3
    asked = ("evaluate", site / "w.kin", "--tables", "paper5(radius=1)", "--page", HUB)
    assert shell(monkeypatch, *asked, "--out", site / "f.svg") == 0
    assert "Authorities (link, hub). The best authorities" in capsys.readouterr().out
    assert "convergence" in (site / "f.svg").read_text()


def test_what_cannot_be_asked_is_said(site, tmp_path):
    store = Store(site / "w.kin")
    with pytest.raises(UnknownPageError):
        tables(store, "paper5", Options(page="http://nobody.example/"))
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "a.html").write_text("<p>no links")
    Collection(tmp_path / "a.kin").add(tmp_path / "alone", base_url="http://alone.example/")
    with pytest.raises(PagekinError, match="has an in-link"):
        tables(Store(tmp_path / "a.kin"), "paper5", Options())
    with pytest.raises(PagekinError, match="has no links"):
        tables(Store(tmp_path / "a.kin"), "paper5", Options(page="http://alone.example/a.html"))
