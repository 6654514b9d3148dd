"""One collection at the root, several under their names; what is asked about the server itself."""

import re
import shutil

import pytest

from tests.serve.blog import PAGE, captures
from tests.serve.conftest import client
from tests.small_webs import collection, from_edges


@pytest.fixture
def other(tmp_path):
    from_edges(tmp_path / "tiny.kin", [("http://a.example/", "http://b.example/")])
    return tmp_path / "tiny.kin"


def test_one_collection_is_at_the_root_and_under_its_name(ask):
    at_root, named = (ask.get(f"{prefix}/api/related", params={"url": PAGE}) for prefix in ("", "/blog"))
    assert at_root.status_code == named.status_code == 200
    assert at_root.content == named.content
    assert ask.get("/blog/").status_code == ask.get("/").status_code == 200


def test_several_collections_are_under_their_names_only(blog, other):
    both = client(blog, other)
    assert both.get("/blog/api/info").json()["pages"] == 15
    assert both.get("/tiny/api/info").json()["pages"] == 2
    missing = both.get("/tinny/api/info")
    assert (missing.status_code, missing.json()["hint"]) == (404, "did you mean 'tiny'? known: blog, tiny")
    assert both.get("/api/info").status_code == 404
    assert re.findall(r'href="(/\w+/)"', both.get("/").text) == ["/blog/", "/tiny/"]
    paths = both.get("/openapi.json").json()["paths"]
    assert {"/blog/api/related", "/tiny/api/related"} <= paths.keys()


def test_behind_a_proxy_addresses_have_its_path(blog):
    behind = client(blog, root_path="/kin")
    for prefix in ("", "/kin"):  # a proxy may cut the path off, or leave it
        assert behind.get(f"{prefix}/api/info").status_code == 200
        assert 'action="/kin/' in behind.get(f"{prefix}/").text
    assert behind.get("/openapi.json").json()["servers"] == [{"url": "/kin"}]
    assert behind.get("/kin/other/api/info").json()["error"] == "unknown collection 'other'"


def test_health_is_that_of_at_least_one_collection(blog, tmp_path):
    collection(tmp_path / "gone.kin", *captures())
    both = client(blog, tmp_path / "gone.kin")
    assert both.get("/healthz").json() == {"status": "ok", "collections": {"blog": "ok", "gone": "ok"}}
    shutil.rmtree(tmp_path / "gone.kin")
    health = both.get("/healthz")
    assert health.status_code == 200
    assert "there is no collection" in health.json()["collections"]["gone"]
    alone = client(tmp_path / "gone.kin")
    assert alone.get("/healthz").status_code == 503


def test_a_collection_that_is_gone_or_damaged_is_unavailable_and_served_again_when_it_is_back(tmp_path):
    path = tmp_path / "site.kin"
    collection(path, *captures())
    server = client(path)
    question = {"url": PAGE, "method": "amsler"}
    whole = server.get("/api/related", params=question)
    assert whole.status_code == 200
    path.rename(tmp_path / "away")
    gone = server.get("/api/related", params=question)
    assert (gone.status_code, gone.json()["error"]) == (503, f"there is no collection {path}")
    assert int(gone.headers["retry-after"]) > 0
    assert server.get("/").status_code == 503
    (tmp_path / "away").rename(path)
    assert server.get("/api/related", params=question).json() == whole.json()
    (path / "manifest.json").write_text("{")
    damaged = server.get("/api/related", params=question)
    assert (damaged.status_code, "scrub" in damaged.json()["hint"]) == (503, True)


def test_the_metrics_count_requests_by_route_and_status(blog):
    server = client(blog)
    for url in (PAGE, PAGE, "http://nowhere.example/"):
        server.get("/api/related", params={"url": url})
    server.get("/blog/api/info")
    text = server.get("/metrics").text
    assert 'pagekin_requests_total{route="/blog/api/info",status="200"} 1\n' in text
    assert 'pagekin_requests_total{route="/api/related",status="200"} 2\n' in text
    assert 'pagekin_requests_total{route="/api/related",status="404"} 1\n' in text
    assert 'pagekin_request_seconds_count{route="/api/related"} 3\n' in text
    assert 'pagekin_collection_up{collection="blog"} 1\n' in text
    assert all(re.fullmatch(r"# (HELP|TYPE) .+|[a-z_]+(\{[^}]*\})? [0-9.e+-]+", line) for line in text.splitlines())


def test_the_docs_page_lists_every_question_and_parameter(ask):
    page = ask.get("/docs").text
    document = ask.get("/openapi.json").json()
    for path, operations in document["paths"].items():
        assert f"<code>{path}</code>" in page
        for each in operations["get"].get("parameters", []):
            assert f"<code>{each['name']}</code>" in page
    assert "<script" not in page
    assert "src=" not in page
