"""Every question over HTTP is answered as the shell answers it in JSON."""

import json

import pytest

from pagekin.shell import main as cli
from tests.serve.blog import PAGE, ROOT
from tests.serve.conftest import client


def shell(monkeypatch, capsys, *words):
    monkeypatch.setattr("sys.argv", ["pagekin", *map(str, words), "--json"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code
    return json.loads(capsys.readouterr().out)


QUESTIONS = {
    "related": ("related", {"url": PAGE}, [PAGE]),
    "of two": ("related", {"url": [PAGE, ROOT + "post8.html", "http://x.example/"], "k": 3},
               [PAGE, ROOT + "post8.html", "http://x.example/", "-k", 3]),
    "why": ("related", {"url": PAGE, "method": "co-citation", "why": "true"}, [PAGE, "-m", "co-citation", "--why"]),
    "assisted": ("related", {"url": PAGE, "method": "assisted(alpha=0.25)"}, [PAGE, "-m", "assisted(alpha=0.25)"]),
    "block": ("related", {"url": PAGE, "method": "block", "why": "1"}, [PAGE, "-m", "block", "--why"]),
    "classes": ("related", {"url": PAGE, "classes": "true"}, [PAGE, "--classes"]),
    "filters": ("related", {"url": PAGE, "per_host": 2, "picked": "true", "fold": "false", "fetched": "false",
                            "min_score": "0.001"},
                [PAGE, "--per-host", 2, "--picked", "--no-fold", "--no-fetched", "--min-score", 0.001]),
    "note on a flag": ("related", {"url": ROOT + "about.html", "method": "coupling"},
                       [ROOT + "about.html", "-m", "coupling"]),
    "other sites": ("related", {"url": PAGE, "other_sites": "true"}, [PAGE, "--other-sites"]),
    "search": ("search", {"q": "honey wax"}, ["honey", "wax"]),
    "search with alpha": ("search", {"q": "signal", "alpha": 0.8, "kind": "fan-in", "tau": 25, "k": 3},
                          ["signal", "--alpha", 0.8, "--kind", "fan-in", "--tau", 25, "-k", 3]),
    "search by tf-idf": ("search", {"q": "nectra", "by": "tf-idf"}, ["nectra", "--by", "tf-idf"]),
    "keywords": ("keywords", {"url": PAGE}, [PAGE]),
    "by relevance": ("keywords", {"url": PAGE, "by": "relevance", "k": 3}, [PAGE, "--by", "relevance", "-k", 3]),
    "suggest": ("suggest", {"word": "honey"}, ["honey"]),
    "suggest logical": ("suggest", {"word": ["honey", "wax"], "logical": "true", "support": 0.3},
                        ["honey", "wax", "--logical", "--support", 0.3]),
    "clusters": ("clusters", {"url": PAGE, "alpha": 0.25}, [PAGE, "--alpha", 0.25]),
    "link clusters": ("clusters", {"url": PAGE, "kind": "fan-in", "tau": 9}, [PAGE, "--kind", "fan-in", "--tau", 9]),
    "compare": ("compare", {"url": PAGE, "method": ["hits", "walk"]}, [PAGE, "-m", "hits", "-m", "walk"]),
    "blocks": ("blocks", {"url": PAGE}, [PAGE]),
    "info": ("info", {}, []),
}  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer_is_the_shell_s(ask, blog, name, monkeypatch, capsys):
    verb, parameters, words = QUESTIONS[name]
    answer = ask.get(f"/api/{verb}", params=parameters)
    assert answer.status_code == 200
    assert answer.json() == shell(monkeypatch, capsys, verb, blog, *words)


def test_notes_name_parameters_as_python_does_and_tables_name_flags(blog, monkeypatch, capsys):
    empty = ("related", blog, PAGE, "-m", "co-citation", "--other-sites", "--per-host", 1)
    note = shell(monkeypatch, capsys, "related", blog, ROOT + "post1.html", "-m", "companion")["note"]
    assert 'method="hits"' in note
    monkeypatch.setattr("sys.argv", ["pagekin", *map(str, ("related", blog, ROOT + "post1.html", "-m", "companion"))])
    with pytest.raises(SystemExit):
        cli.main()
    assert "--method hits" in capsys.readouterr().out
    assert shell(monkeypatch, capsys, *empty)["results"] == []


def test_a_form_s_empty_fields_count_as_not_given(ask):
    plain = ask.get("/api/related", params={"url": PAGE})
    form = ask.get(f"/api/related?url={PAGE}&url=&k=&method=&per_host=&why=&exclude_glob=")
    assert form.status_code == 200
    assert form.json() == plain.json()


def test_globs_leave_out_whole_addresses(ask):
    def found(*globs):
        rows = ask.get("/api/related", params={"url": PAGE, "exclude_glob": globs, "k": 50}).json()["results"]
        return {row["url"] for row in rows}

    everything = found()
    assert ROOT + "post8.html" in everything
    assert found("*/post8.html") == everything - {ROOT + "post8.html"}
    assert found("post8.html") == everything
    assert found("*/post8.html", "*post1?.html") == {
        url for url in everything if "post8." not in url and not url[:-5].endswith(("post10", "post11"))
    }


def test_a_page_says_who_links_to_it_and_where_it_links(ask):
    page = ask.get("/api/page", params={"url": PAGE}).json()
    assert page["title"] == "bees 6"
    assert [each["url"] for each in page["links_to"]][-2:] == [ROOT + "post8.html", ROOT + "post10.html"]
    assert {each["url"] for each in page["linked_from"]} == {ROOT + "post4.html", ROOT + "post2.html"}
    assert (page["out_links"], page["in_links"], page["fetched"]) == (5, 2, "1970-01-01T00:16:40Z")
    assert len(ask.get("/api/page", params={"url": PAGE, "k": 1}).json()["links_to"]) == 1


def test_suggestions_while_typing(ask):
    found = ask.get("/api/suggest", params={"prefix": "Be"}).json()
    assert {each["word"] for each in found["results"] if each["kind"] == "title"} == {
        f"bees {n}" for n in range(0, 12, 2)
    }
    assert "bees" in {each["word"] for each in found["results"] if each["kind"] == "word"}
    by_address = ask.get("/api/suggest", params={"prefix": "blog.example/post1", "k": 50}).json()["results"]
    assert [each["url"] for each in by_address] != []
    assert all("post1" in each["url"] for each in by_address)
    assert ask.get("/api/suggest", params={"prefix": "zzz"}).json()["note"]


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/api/related?url={page}&method=cocit", 400, "did you mean 'co-citation'?"),
        ("/api/related?url={page}&method=companion(stop=/etc/passwd)", 400, "leave stop out"),
        ("/api/compare?url={page}&method=hits&method=companion(stop=x)", 400, "leave stop out"),
        ("/api/map?url={page}&method=companion(stop=x)", 400, "leave stop out"),
        ("/api/clusters?url={page}&measure=companion(stop=x)", 400, "leave stop out"),
        ("/api/related?url={page}&k=0", 400, "k must be at least 1, not '0'"),
        ("/api/related?url={page}&k=1001", 400, "k must be at most 1000"),
        ("/api/related?url={page}&k=many", 400, "whole number"),
        ("/api/related?url={page}&k=" + "9" * 5000, 400, "k"),
        ("/api/related?url={page}&perhost=2", 400, "did you mean 'per_host'?"),
        ("/api/related?url={page}&exclude=x", 400, "did you mean 'exclude_glob'?"),
        ("/api/related?url={page}&min_score=nan", 400, "finite"),
        ("/api/related?url={page}&why=perhaps", 400, "true or false"),
        ("/api/related", 400, "no page given"),
        ("/api/related?url=" + "x" * 4001, 400, "at most 4000 characters"),
        ("/api/related?" + "url=a&" * 21, 400, "at most 20 times"),
        ("/api/related?url=http://nowhere.example/", 404, "not in the collection"),
        ("/api/related?url=http://blog.example/post99.html", 404, "http://blog.example/post9.html"),
        ("/api/page?url=http://blog.example/post99.html", 404, "http://blog.example/post9.html"),
        ("/api/page", 400, "url is missing"),
        ("/api/search?q=honey&alpha=2", 400, "alpha must be at most 1"),
        ("/api/search?q=honey&kind=fan", 400, "fan-out"),
        ("/api/search", 400, "q is missing"),
        ("/api/suggest", 400, "no word given"),
        ("/api/suggest?word=a&prefix=b", 400, "completes one text"),
        ("/api/clusters?url={page}&alpha=0", 400, "alpha must be more than 0"),
        ("/api/compare?url={page}&method=hits", 400, "two methods or more"),
        ("/api/nothing", 404, "/docs"),
        ("/other/api/related?url={page}", 404, "known: blog"),
    ],
)
def test_a_wrong_question_is_told_what_is_wrong_and_what_to_do(ask, path, status, said):
    answer = ask.get(path.format(page=PAGE))
    assert answer.status_code == status
    assert answer.json().keys() == {"error", "hint"}
    assert said in answer.json()["error"] + "; " + answer.json()["hint"]
    assert "Traceback" not in answer.text


def test_only_get_and_head_are_answered(ask):
    assert ask.request("POST", "/api/info").status_code == 405
    assert ask.request("POST", "/api/info").json()["error"]
    head = ask.head("/api/info")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == ask.get("/api/info").headers["etag"]


def test_what_is_not_built_is_a_conflict_with_the_command(tmp_path):
    from tests.serve.blog import captures
    from tests.small_webs import collection

    collection(tmp_path / "new.kin", *captures())
    answer = client(tmp_path / "new.kin").get("/api/related", params={"url": PAGE, "method": "block"})
    assert answer.status_code == 409
    assert ".build(" in answer.json()["hint"]


def test_an_answer_is_not_sent_twice(ask):
    first = ask.get("/api/related", params={"url": PAGE})
    tag = first.headers["etag"]
    again = ask.get("/api/related", params={"url": PAGE}, headers={"If-None-Match": f'"x", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    other = ask.get("/api/related", params={"url": PAGE, "k": 3}, headers={"If-None-Match": tag})
    assert other.status_code == 200
    assert other.headers["etag"] != tag


def test_long_answers_are_packed(ask):
    packed = ask.get("/api/related", params={"url": PAGE, "why": "true"}, headers={"Accept-Encoding": "gzip"})
    plain = ask.get("/api/related", params={"url": PAGE, "why": "true"}, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()


def test_titles_of_strangers_are_escaped_in_json(tmp_path):
    from tests.small_webs import collection, page

    collection(tmp_path / "odd.kin", page("http://a.example/", "http://b.example/", title="a\u202e<script>"))
    answer = client(tmp_path / "odd.kin").get("/api/page", params={"url": "http://a.example/"})
    assert "\u202e" not in answer.text
    assert answer.json()["title"] == "a\u202e<script>"
    assert answer.headers["content-type"] == "application/json"
