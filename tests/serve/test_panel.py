"""The panel: the same list as everywhere, as a page and as JSON; what is wrong is a part of it."""

import re
import shutil
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagekin import Collection
from pagekin.methods import REGISTRY
from pagekin.serve.panel import FORMAT, bookmarklet
from pagekin.version import VERSION
from tests.serve.blog import PAGE, ROOT, captures
from tests.serve.conftest import client
from tests.serve.hostile import NO_ADDRESSES, hostile
from tests.serve.hostile import PAGE as EVIL
from tests.small_webs import collection, from_edges


def data(server, path="/panel.json", **given):
    answer = server.get(path, params=given)
    found = answer.json()
    assert (found["pagekin"], found["panel"]) == (VERSION, FORMAT)
    assert answer.headers["cache-control"] == "no-store"
    assert (found.get("problem") or {"status": 200})["status"] == answer.status_code
    return found


def shown(server, path="/panel", status=200, **given):
    answer = server.get(path, params=given)
    assert answer.status_code == status
    return LexborHTMLParser(answer.text)


def listed(page):
    return [row.attributes["data-key"] for row in page.css(".kin > li[data-key]")]


@pytest.mark.parametrize("method", ["fused", "assisted", "walk"])
def test_the_list_is_what_python_answers_on_the_page_and_in_json(ask, blog, method):
    expected = [row.url for row in Collection(blog, quick=True).related(PAGE, method=method)]
    found = data(ask, url=PAGE, method=method)
    assert [row["url"] for row in found["results"]] == expected != []
    assert listed(shown(ask, url=PAGE, method=method)) == expected
    assert found["page"] == {"url": PAGE, "title": "bees 6", "where": "blog.example/post6.html"}
    assert (found["method"], found["collection"], found["problem"]) == (method, "blog", None)
    assert {each["name"] for each in found["methods"]} == set(REGISTRY)
    assert all(row["why"] is None for row in found["results"])
    shares = [row["share"] for row in found["results"]]
    assert (shares[0], shares) == (1, sorted(shares, reverse=True))


def test_alpha_is_the_slider_s(ask, blog):
    found = data(ask, url=PAGE, method="assisted", alpha=0.1)
    expected = Collection(blog, quick=True).related(PAGE, method="assisted(alpha=0.1)")
    assert [row["url"] for row in found["results"]] == [row.url for row in expected]
    assert found["alpha"] == 0.1
    slider = shown(ask, url=PAGE, method="assisted", alpha=0.1).css_first("#alpha")
    assert (slider.attributes["name"], slider.attributes["value"]) == ("alpha", "0.1")
    assert data(ask, url=PAGE)["alpha"] is None
    assert shown(ask, url=PAGE).css_first("#alpha") is None


def test_why_is_the_same_in_json_as_on_the_page_and_its_links_stay_in_the_panel(ask):
    second = data(ask, url=PAGE, method="co-citation")["results"][1]["url"]
    found = data(ask, url=PAGE, method="co-citation", why=second)
    page = shown(ask, url=PAGE, method="co-citation", why=second)
    said = found["results"][1]["why"]
    assert ["".join(piece["text"] for piece in each) for each in said] == [node.text() for node in page.css(".why li")]
    assert said
    assert [row["why"] for row in found["results"] if row["url"] != second] == [None] * (len(found["results"]) - 1)
    assert {urlsplit(link.attributes["href"]).path for link in page.css(".why a")} == {"/blog/panel"}


def test_a_result_opens_in_a_window_of_its_own_and_its_kin_in_the_panel(ask):
    page = shown(ask, url=PAGE)
    first = page.css_first(".kin > li")
    title = first.css_first("a.title")
    assert title.attributes["href"] == first.attributes["data-key"]
    assert (title.attributes["target"], title.attributes["rel"]) == ("_blank", "noreferrer noopener")
    kin = urlsplit(first.css_first(".under a").attributes["href"])
    assert (kin.path, parse_qs(kin.query)) == ("/blog/panel", {"url": [first.attributes["data-key"]]})


def test_the_part_that_a_script_asks_for_is_the_results_of_the_page(ask):
    part = ask.get("/panel", params={"url": PAGE, "part": 1}).text
    assert "<main" not in part
    assert listed(LexborHTMLParser(part)) == listed(shown(ask, url=PAGE))


@pytest.mark.parametrize(
    "address",
    [
        f"{PAGE}#part", f"{PAGE}?", "HTTP://Blog.Example:80/post6.html", "https://blog.example/post6.html", f"{PAGE}/",
        "http://www.blog.example/post6.html", "http://user:secret@blog.example/%70ost6.html#x",
        "http://blog.example./post6.html",
    ],
)  # fmt: skip
def test_a_page_is_found_however_a_browser_spells_it(ask, address):
    assert data(ask, url=address)["page"]["url"] == PAGE
    assert shown(ask, url=address).css_first("h1").text() == "bees 6"


def test_another_query_is_another_page_and_the_nearest_is_named(ask):
    found = data(ask, url=f"{PAGE}?from=feed")
    assert found["problem"]["status"] == 404
    assert PAGE in [each["url"] for each in found["nearest"]]


def test_an_unknown_page_is_called_so_and_hosts_that_are_known_are_offered(ask):
    found = data(ask, url="http://nowhere.example/")
    assert found["problem"]["status"] == 404
    assert (found["page"], found["results"], found["nearest"]) == (None, [], [])  # none is on that host
    assert [(each["host"], each["pages"]) for each in found["hosts"]] == [("blog.example", 12)]
    assert found["methods"] != []
    page = shown(ask, url="http://nowhere.example/", status=404)
    assert page.css_first("[role=alert]").text().strip() == "This page is not in blog."
    assert "blog.example, 12 pages" in page.text()
    links = [urlsplit(link.attributes["href"]) for link in page.css(".ways a")]
    assert all(link.path == "/blog/panel" for link in links)
    entrance = parse_qs(links[-1].query)["url"][0]
    assert data(ask, url=entrance)["problem"] is None


@pytest.mark.parametrize("address", ["about:blank", "chrome://settings/", "javascript:window.ran=1", "a word"])
def test_what_is_no_web_page_is_called_so(ask, address):
    assert "It is no web page" in shown(ask, url=address, status=404).css_first("[role=alert]").text()


@pytest.mark.parametrize(
    ("given", "status", "said"),
    [
        ({"method": "cocit"}, 400, "unknown method 'cocit'"),
        ({"method": "assisted", "alpha": "7"}, 400, "alpha"),
        ({"method": "companion(stop=/etc/passwd)"}, 400, "names a file"),
        ({"k": "0"}, 400, "k must be at least 1"),
    ],
)
def test_a_wrong_choice_is_said_and_can_be_mended(ask, given, status, said):
    found = data(ask, url=PAGE, **given)
    assert found["problem"]["status"] == status
    assert said in found["problem"]["error"]
    assert {each["name"] for each in found["methods"]} == set(REGISTRY)
    page = shown(ask, status=status, url=PAGE, **given)
    assert said.lower() in page.css_first("[role=alert]").text().lower()
    assert page.css_first("#ask [name=url]").attributes["value"] == PAGE


def test_an_address_that_is_too_long_or_empty_is_refused_in_words(ask):
    assert "at most 4000 characters" in data(ask, url="x" * 4001)["problem"]["error"]
    assert "no page given" in data(ask, url="")["problem"]["error"]


def test_a_method_that_is_not_built_is_said_with_the_others_to_choose_from(tmp_path):
    collection(tmp_path / "new.kin", *captures())
    server = client(tmp_path / "new.kin")
    found = data(server, url=PAGE, method="assisted")
    assert found["problem"]["status"] == 409
    assert "pagekin build" in found["problem"]["hint"]
    ready = {each["name"] for each in found["methods"] if each["ready"]}
    assert "fused" in ready
    assert "assisted" not in ready
    assert data(server, url=PAGE)["results"] != []


def test_several_collections_answer_together_the_first_that_knows_the_page(blog, tmp_path):
    from_edges(tmp_path / "tiny.kin", [("http://a.example/", "http://b.example/"), ("http://a.example/", PAGE)])
    server = client(tmp_path / "tiny.kin", blog)
    assert data(server)["collections"] == ["tiny", "blog"]
    assert data(server, url=PAGE)["collection"] == "tiny"
    assert data(server, "/blog/panel.json", url=PAGE)["collection"] == "blog"
    only_here = f"{ROOT}post8.html"
    assert data(server, url=only_here)["collection"] == "blog"
    assert shown(server, url=only_here).css_first("form").attributes["action"] == "/blog/panel"
    unknown = data(server, url="http://nowhere.example/")
    assert {each["host"] for each in unknown["hosts"]} == {"a.example", "b.example", "blog.example"}
    shutil.rmtree(tmp_path / "tiny.kin")
    assert data(server, url=only_here)["collection"] == "blog"
    assert data(server, "/tiny/panel.json", url=only_here)["problem"]["status"] == 503


def test_without_a_page_it_says_what_is_here_and_how_to_have_it_beside_every_page(ask):
    assert data(ask) == {"pagekin": VERSION, "panel": FORMAT, "collections": ["blog"]}
    page = shown(ask)
    assert page.css_first("a.bookmarklet").attributes["href"] == bookmarklet("http://localhost/panel")
    (link,) = (each for each in shown(ask, "/").css("a") if each.text() == "Beside the page you read")
    assert link.attributes["href"] == "/blog/panel"


def test_the_bookmarklet_opens_a_window_and_touches_nothing_else():
    code = bookmarklet("https://kin.example/kin/panel").removeprefix("javascript:")
    assert re.findall(r"[A-Za-z_.]+(?=\()", code) == ["void", "open", "encodeURIComponent", "location.href.split"]
    assert "noopener" in code
    assert not re.search(r"document|cookie|HTML", code)
    assert "';alert" not in bookmarklet("http://a.example';alert(1)//")
    assert unquote(bookmarklet("http://[::1]:8420/panel")).count("http://[::1]:8420/panel?url=") == 1


def test_behind_a_proxy_the_bookmarklet_leads_to_where_it_is_shown(blog):
    answer = client(blog, root_path="/kin").get("/panel", headers={"host": "localhost:9999"})
    href = LexborHTMLParser(answer.text).css_first("a.bookmarklet").attributes["href"]
    assert "'http://localhost:9999/kin/panel?url='" in href


def test_text_of_strangers_is_cleaned_and_cut_and_only_pages_are_links(tmp_path):
    collection(tmp_path / "evil.kin", *hostile())
    server = client(tmp_path / "evil.kin")
    given = {"url": EVIL, "method": "amsler", "fetched": "false", "fold": "false", "k": 20}
    found = data(server, **given)
    assert len(found["results"]) >= 5
    assert max(len(row["title"]) for row in found["results"]) <= 160
    assert "\u202e" not in "".join(row["title"] for row in found["results"])
    page = shown(server, **given)
    assert {row["url"] for row in found["results"]} & set(NO_ADDRESSES)
    for link in page.css("a[href]"):
        assert link.attributes["href"].startswith(("http://", "/", "#"))
    assert len(page.css("script")) == 2
    assert page.css_first(".kin img, .kin script") is None
