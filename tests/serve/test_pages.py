"""The pages for people: they show what Python answers, escape what strangers wrote, and work without scripts."""

import re
import shutil
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagekin import Collection, Filters
from pagekin.answers.why import why
from pagekin.collection.store import Store
from pagekin.methods import REGISTRY, method
from pagekin.model import Capture
from pagekin.serve.rendering import STATIC
from pagekin.serve.style import STYLE
from tests.serve.blog import PAGE, ROOT, captures
from tests.serve.conftest import client
from tests.serve.hostile import NO_ADDRESSES, hostile
from tests.serve.hostile import PAGE as EVIL
from tests.small_webs import collection
from tests.small_webs import page as linking

HTML = {"accept": "text/html"}
ASKED = quote(PAGE, safe="")
PAGES = (
    "/", f"/page?url={ASKED}", f"/page?url={ASKED}&method=assisted&alpha=0.25", f"/map?url={ASKED}",
    f"/map?url={ASKED}&method=assisted&cut=0.3", "/search", "/search?q=bees+honey&alpha=0.4", "/compare",
    f"/compare?url={ASKED}&method=amsler&method=walk", "/collection", "/report", "/docs",
    "/panel", f"/panel?url={ASKED}&method=assisted",
)  # fmt: skip
LARGEST = 150_000  # bytes of a page with everything that it loads


@pytest.fixture(scope="module")
def evil(tmp_path_factory):
    path = tmp_path_factory.mktemp("evil") / "evil.kin"
    collection(path, *hostile())
    Collection(path).build(all=True)
    return client(path)


def parsed(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/html")
    return LexborHTMLParser(answer.text)


def listed(page):
    """The addresses of the results, best first."""
    return [row.attributes["data-key"] for row in page.css(".kin > li[data-key]")]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_answers_and_runs_only_our_scripts(ask, path):
    answer = ask.get(path)
    page = parsed(answer)
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert page.css_first("main h1") is not None
    assert page.css_first("a.skip").attributes["href"] == "#main"
    for node in page.css("script, link, img"):
        assert node.attributes.get("src", node.attributes.get("href")).startswith("/static/")
    for node in page.css("*"):
        assert "style" not in node.attributes
        assert not [name for name in node.attributes if name.startswith("on")]


@pytest.mark.parametrize("path", PAGES)
def test_every_field_has_a_name_for_screen_readers(ask, path):
    page = parsed(ask.get(path))
    labelled = {label.attributes.get("for") for label in page.css("label[for]")}
    for field in page.css("input:not([type=hidden]), select"):
        inside = field.parent.tag == "label"
        assert inside or field.attributes.get("id") in labelled, field.html
    ids = [node.attributes["id"] for node in page.css("[id]")]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", PAGES)
def test_a_page_with_all_that_it_loads_is_small(ask, path):
    answer = ask.get(path)
    loaded = {node.attributes.get("src") or node.attributes.get("href") for node in parsed(answer).css("script, link")}
    files = {STATIC / urlsplit(each).path.rpartition("/")[2] for each in loaded}
    files |= {STATIC / "flip.js"} if STATIC / "live.js" in files else set()
    assert len(answer.content) + sum(file.stat().st_size for file in files) < LARGEST


@pytest.mark.parametrize("method", sorted(REGISTRY))
def test_the_list_is_what_python_answers(ask, blog, method):
    shown = listed(parsed(ask.get(f"/page?url={ASKED}&method={method}")))
    assert shown == [row.url for row in Collection(blog, quick=True).related(PAGE, method=method)]


def test_alpha_and_filters_in_the_address_are_those_of_the_question(ask, blog):
    shown = parsed(ask.get(f"/page?url={ASKED}&method=assisted&alpha=0.1&unlinked=true&k=4"))
    expected = Collection(blog, quick=True).related(
        PAGE, method="assisted(alpha=0.1)", k=4, filters=Filters(unlinked=True)
    )
    assert listed(shown) == [row.url for row in expected] != []


def test_the_form_without_scripts_asks_the_same_and_is_shortened(ask):
    page = parsed(ask.get(f"/page?url={ASKED}&method=amsler&max_in=3"))
    form = page.css_first("form#ask")
    assert form.css_first("button") is not None
    names = [field.attributes["name"] for field in form.css("[name]")]
    assert {"url", "method", "amsler.direct", "amsler.max_in", "other_sites", "exclude_glob", "k", "more"} <= set(names)
    sent = "method=amsler&amsler.direct=false&amsler.max_in=&amsler.links=content&k=15&fetched=&per_host=&more="
    answer = ask.get(f"/page?url={ASKED}&{sent}")
    assert answer.status_code == 303
    place = urlsplit(answer.headers["location"])
    assert place.path == "/blog/page"
    assert parse_qs(place.query) == {"url": [PAGE], "method": ["amsler(direct=false)"]}


def test_the_slider_is_a_field_of_the_form_and_its_value_is_in_the_links(ask):
    page = parsed(ask.get(f"/page?url={ASKED}&method=assisted&alpha=0.25"))
    slider = page.css_first("form#ask input[type=range]")
    assert (slider.attributes["name"], slider.attributes["value"]) == ("alpha", "0.25")
    links = [node.attributes["href"] for node in page.css(".kin a.title, .kin a.ask, .dendrogram a, .tabs a")]
    about = [parse_qs(urlsplit(link).query) for link in links if "compare" not in link]
    assert all(each["alpha"] == ["0.25"] and each["method"] == ["assisted"] for each in about)
    drawn = {node.attributes["data-key"].removeprefix("tree ") for node in page.css(".dendrogram [data-key]")}
    assert drawn == {PAGE, *listed(page)}


def test_another_method_without_alpha_forgets_it(ask):
    answer = ask.get(f"/page?url={ASKED}&method=walk&alpha=0.25&assisted.measure=amsler&walk.restart=0.3")
    assert parse_qs(urlsplit(answer.headers["location"]).query) == {"url": [PAGE], "method": ["walk(restart=0.3)"]}


def test_why_opens_by_a_link_with_the_shell_s_sentences(ask, blog):
    page = parsed(ask.get(f"/page?url={ASKED}&method=co-citation"))
    assert page.css(".why") == []
    button = page.css_first(".kin a.ask")
    assert button.attributes["aria-expanded"] == "false"
    opened = parsed(ask.get(button.attributes["href"]))
    assert opened.css_first(".kin a.ask").attributes["aria-expanded"] == "true"
    said = [node.text().strip() for node in opened.css(".why li")]
    ranking = Collection(blog, quick=True).related(PAGE, method="co-citation", why=True)
    titles = {f"{ROOT}post{number}.html": f"{('bees', 'trains')[number % 2]} {number}" for number in range(12)}
    expected = why(Store(blog), [PAGE], ranking[0].url, method("co-citation")).sentences()
    for url in sorted(titles, key=len, reverse=True):
        expected = [sentence.replace(url, titles[url]) for sentence in expected]
    assert said == expected != []
    citing = opened.css_first(".why a").attributes["href"]
    assert parsed(ask.get(citing)).css_first("h1").text() in titles.values()
    closed = parsed(ask.get(opened.css_first(".kin a.ask").attributes["href"]))
    assert closed.css(".why") == []


def test_why_quotes_what_authors_wrote_as_text(tmp_path):
    root = "http://h.example/"
    pages = {
        "list": "See &lt;script&gt;alert(1)&lt;/script&gt; <a href=/wax>wax</a> and <a href=/hive>hives</a>",
        "wax": "Wax.",
        "hive": "Hives.",
    }
    collection(
        tmp_path / "s.kin",
        *(
            Capture(root + name, f"<title>{name}</title><p>{html}".encode(), "text/html", fetched=1, origin="test")
            for name, html in pages.items()
        ),
    )
    page = parsed(client(tmp_path / "s.kin").get(f"/page?url={root}wax&method=co-citation&why={root}hive"))
    (said,) = page.css(".said blockquote")
    assert said.text() == "See <script>alert(1)</script> wax and hives"
    assert [node.text() for node in said.css("b")] == ["wax", "hives"]
    assert not said.css("script")
    assert page.css_first(".said figcaption").text() == "list"


def test_the_part_that_a_script_asks_for_is_the_results_of_the_page(ask):
    for path in (f"/page?url={ASKED}&method=assisted", "/search?q=bees", f"/map?url={ASKED}"):
        whole, part = parsed(ask.get(path)), ask.get(f"{path}&part=1")
        assert "<main" not in part.text
        fresh = LexborHTMLParser(part.text).css_first("#results")
        assert fresh.html == whole.css_first("#results").html
        assert urlsplit(fresh.attributes["data-state"]).path.startswith("/blog/")


def test_several_pages_may_be_asked_about_together(ask, blog):
    other = f"{ROOT}post4.html"
    page = parsed(ask.get(f"/page?url={ASKED}&url={quote(other)}"))
    assert listed(page) == [row.url for row in Collection(blog, quick=True).related(PAGE, other)]
    assert len(page.css(".seeds li")) == 2
    assert quote(other, safe="") not in page.css(".seeds .drop")[1].attributes["href"]


def test_the_box_takes_an_address_a_title_or_words(ask):
    def leads(typed):
        place = urlsplit(ask.get("/go", params={"q": typed}).headers["location"])
        return place.path, parse_qs(place.query)

    assert leads("blog.example/post6.html") == ("/blog/page", {"url": [PAGE]})
    assert leads("Bees 6") == ("/blog/page", {"url": [PAGE]})
    assert leads("honey and wax") == ("/blog/search", {"q": ["honey and wax"]})
    assert leads("http://blog.example/nowhere") == ("/blog/page", {"url": ["http://blog.example/nowhere"]})
    assert leads("  ")[0] == "/blog/"


def test_home_shows_examples_that_answer(ask):
    page = parsed(ask.get("/"))
    examples = [node.attributes["href"] for node in page.css(".tiles a")]
    assert examples
    assert all(listed(parsed(ask.get(each))) for each in examples)


def test_search_shows_the_hits_of_python_and_what_they_lead_to(ask, blog):
    page = parsed(ask.get("/search?q=cedar4&alpha=0.6"))
    answer = Collection(blog, quick=True).search("cedar4", alpha=0.6)
    assert listed(page) == [hit.url for hit in answer] != []
    leading = [hit.leads_to["url"] for hit in answer if hit.leads_to]
    shown = [parse_qs(urlsplit(node.attributes["href"]).query)["url"][0] for node in page.css(".leads a")]
    assert shown == leading != []
    assert page.css_first("input[type=range]").attributes["value"] == "0.6"
    assert "cedar4" in [node.text() for node in page.css("mark")]


def test_search_without_clusters_counts_words_alone_and_says_so(tmp_path):
    path = tmp_path / "few.kin"
    collection(path, *captures())
    Collection(path).build(index="inverted")
    answer = client(path).get("/search?q=honey")
    assert listed(parsed(answer))
    assert "only the words of each page itself count" in answer.text


def test_the_map_shows_the_pages_of_the_method_at_places_that_alpha_does_not_change(ask, blog):
    def places(alpha):
        page = parsed(ask.get(f"/map?url={ASKED}&method=assisted&alpha={alpha}"))
        return {
            dot.attributes["data-key"]: tuple(dot.css_first("circle").attributes[name] for name in ("cx", "cy"))
            for dot in page.css(".dot")
        }

    found = Collection(blog, quick=True).related(PAGE, method="assisted(alpha=0.9)", k=30)
    one, other = places(0.9), places(0.2)
    assert set(one) == {PAGE, *(row.url for row in found)}
    assert one[PAGE] == other[PAGE]
    told = parsed(ask.get(f"/map?url={ASKED}")).css_first(".dot[data-why]").attributes["data-why"]
    assert "<li>" in ask.get(told).text


def test_the_tree_of_the_map_is_cut_where_the_slider_is(ask):
    def grouped(cut):
        page = parsed(ask.get(f"/map?url={ASKED}&method=assisted&cut={cut}"))
        return len(page.css(".dendrogram .group")), len(page.css(".dendrogram text[class]:not(.axis)"))

    assert grouped(1)[0] == 0
    assert grouped(0)[0] == grouped(0)[1]
    assert grouped("nonsense") == grouped(0.5)


def test_methods_stand_side_by_side(ask, blog):
    page = parsed(ask.get(f"/compare?url={ASKED}&method=amsler&method=walk"))
    lists = [[row.attributes["data-same"] for row in part.css("li")] for part in page.css(".compared section")]
    answer = Collection(blog, quick=True).compare(PAGE, ["amsler", "walk"])
    assert lists == [[each.url for each in row.results] for row in answer]
    both = set(lists[0]) & set(lists[1])
    assert {row.attributes["data-same"] for row in page.css(".compared .shared")} == both
    assert ask.get(f"/compare?url={ASKED}&method=amsler&method=walk&method=").status_code == 303
    assert len(parsed(ask.get(f"/compare?url={ASKED}")).css(".compared section")) == 3


def test_the_collection_page_names_what_is_missing_and_the_command(tmp_path, ask):
    assert "built and up to date" in ask.get("/collection").text
    path = tmp_path / "bare.kin"
    collection(path, *captures())
    page = parsed(client(path).get("/collection"))
    assert page.css_first(".note code").text() == f"pagekin build {path} --all"
    assert "block" in page.css_first(".note").text()
    assert "search" in page.css_first(".note").text()
    Collection(path).build(all=True)
    collection(path, linking("http://new.example/", PAGE))
    page = parsed(client(path).get("/collection"))
    assert page.css_first(".note code").text() == f"pagekin build {path}"  # which renews what exists


def test_the_report_lists_what_python_finds(ask, blog):
    page, made = parsed(ask.get("/report")), Collection(blog).report(k=10)
    assert len(page.css("main table tr")) == len(made) > 0
    assert [int(each.text().replace(",", "")) for each in page.css("dl.counts dd")] == list(made.found.values())


def test_results_can_be_taken_along(ask, blog):
    page = parsed(ask.get(f"/page?url={ASKED}&method=amsler&k=3"))
    data, table, notes, link = (node.attributes["href"] for node in page.css("[data-copies] a"))
    found = Collection(blog, quick=True).related(PAGE, method="amsler", k=3)
    assert ask.get(data).json() == found.as_dict()
    assert ask.get(table).text.splitlines()[1].startswith(f"1,{found[0].url},")
    assert ask.get(notes).text.splitlines()[0] == f"1. [{found[0].title}](<{found[0].url}>)"
    assert listed(parsed(ask.get(link))) == listed(page)


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/page?url=http://blog.example/post66.html", 404, "post6.html"),
        (f"/page?url={ASKED}&method=walkk", 400, "did you mean"),
        (f"/page?url={ASKED}&method=walk(restart=", 400, "cannot read"),
        (f"/page?url={ASKED}&method=assisted&alpha=7", 400, "alpha"),
        (f"/page?url={ASKED}&method=assisted&alpha=x", 400, "alpha"),
        (f"/page?url={ASKED}&k=0", 400, "at least 1"),
        (f"/page?url={ASKED}&method=companion(stop=/etc/passwd)", 400, "names a file"),
        (f"/page?url={ASKED}&method=assisted(measure=coupling)", 409, "pagekin build"),
        ("/search?q=bees&alpha=3", 400, "alpha"),
        (f"/compare?url={ASKED}&method=walk&method=nothing", 400, "unknown method"),
        (f"/map?url={ASKED}&method=nothing", 400, "unknown method"),
        ("/blog/nowhere", 404, "nothing at"),
        ("/other/page", 404, "unknown collection"),
    ],
)
def test_errors_are_pages_with_a_sentence_and_what_to_do(ask, path, status, said):
    answer = ask.get(path, headers=HTML)
    assert answer.status_code == status
    page = LexborHTMLParser(answer.text)
    assert page.css_first("main h1") is not None
    assert said in page.css_first("main").text().lower()
    assert "Traceback" not in answer.text
    part = ask.get(path + ("&" if "?" in path else "?") + "part=1", headers=HTML)
    assert part.status_code == status
    assert "<main" not in part.text


def test_a_collection_that_is_gone_is_a_page_too(tmp_path, blog):
    path = tmp_path / "gone.kin"
    shutil.copytree(blog, path)
    asked = client(path)
    assert asked.get("/").status_code == 200
    shutil.rmtree(path)
    answer = asked.get(f"/page?url={ASKED}")
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert "<h1>" in answer.text


def test_behind_a_proxy_every_link_has_its_path(blog):
    page = parsed(client(blog, root_path="/kin").get(f"/kin/page?url={ASKED}"))
    for node in page.css("[href], [src], [action]"):
        place = node.attributes.get("href") or node.attributes.get("src") or node.attributes.get("action")
        assert place.startswith(("/kin/", "#", "http://blog.example/")), place


# Text of strangers


@pytest.mark.parametrize(
    "path",
    [
        "/", f"/page?url={EVIL}&method=amsler&fetched=false", f"/page?url={EVIL}", f"/map?url={EVIL}&method=amsler",
        "/search?q=queen+%3Cscript%3E", f"/compare?url={EVIL}&method=amsler&method=co-citation", "/collection",
        f"/page?url={EVIL}&method=amsler&fetched=false&fold=false&why=http://evil.example/p1.html"
        "&why=http://evil.example/p2.html&why=javascript:window.ran%3D1",
        "/page?url=%3Cscript%3Ewindow.ran=1%3C/script%3E", "/search?q=%22%3E%3Cscript%3Ewindow.ran=1%3C/script%3E",
    ],
)  # fmt: skip
def test_what_strangers_wrote_stays_text(evil, path):
    answer = evil.get(path)
    page = LexborHTMLParser(answer.text)
    for node in page.css("*"):
        assert node.tag not in ("img", "iframe", "object", "embed")
        assert node.tag != "style" or (node.parent.tag == "head" and node.text() == STYLE)
        assert not [name for name in node.attributes if name.startswith("on") or name == "autofocus"]
        for name in ("href", "src", "action", "data-state", "data-why"):
            place = node.attributes.get(name) or "/"
            assert place.startswith(("/", "#", "http://evil.example/")), place
    assert all(node.attributes["src"].startswith("/static/") for node in page.css("script"))
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", answer.text)
    assert len(answer.text) < LARGEST
    assert "A" * 500 not in answer.text
    assert ">49" not in answer.text


def test_an_identifier_that_a_browser_would_run_is_no_link_of_its_own(evil):
    page = parsed(evil.get(f"/page?url={EVIL}&method=amsler&fetched=false&fold=false&k=20"))
    assert set(NO_ADDRESSES) <= set(listed(page))
    notes = evil.get(f"/page.md?url={EVIL}&method=amsler&fetched=false&fold=false&k=20").text
    assert not re.search(r"\]\((?!<http)", notes)
