"""Who may ask, what a browser may do with an answer, what is logged."""

import logging

import pytest

from tests.serve.blog import PAGE
from tests.serve.conftest import client


@pytest.mark.parametrize("host", ["localhost", "localhost:8420", "127.0.0.1:1", "[::1]:8420", "LOCALHOST"])
def test_a_name_of_loopback_is_answered(ask, host):
    assert ask.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "10.0.0.1", "", "127.0.0.1.evil.example"])
def test_another_name_is_refused_everywhere(ask, host):
    for path in ("/", "/healthz", "/api/info", "/static/x", "/nothing"):
        answer = ask.get(path, headers={"Host": host})
        assert answer.status_code == 421
        assert answer.json().keys() == {"error", "hint"}


def test_two_host_headers_are_refused(ask):
    assert ask.get("/healthz", headers=[("Host", "localhost"), ("Host", "localhost")]).status_code == 421


def test_further_names_and_on_all_interfaces_numbers_are_allowed(blog):
    server = client(blog, hosts=("Kin.example",), any_number=True)
    for host, status in (("kin.example", 200), ("10.0.0.1:8420", 200), ("[fe80::1]", 200), ("evil.example", 421)):
        assert server.get("/healthz", headers={"Host": host}).status_code == status


@pytest.mark.parametrize("path", ["/", "/api/info", "/api/related", "/nothing", "/docs", "/metrics"])
def test_every_answer_has_the_strict_policy(ask, path):
    headers = ask.get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_scripts_of_other_sites_may_ask_only_if_they_are_allowed(blog, ask):
    foreign = {"Origin": "https://a.example"}
    assert "access-control-allow-origin" not in ask.get("/api/info", headers=foreign).headers
    server = client(blog, origins=("https://a.example", "moz-extension://1234"))
    for origin in ("https://a.example", "moz-extension://1234"):
        assert server.get("/api/info", headers={"Origin": origin}).headers["access-control-allow-origin"] == origin
        wrong = server.get("/api/related", headers={"Origin": origin}, params={"url": "http://x.example/"})
        assert (wrong.status_code, wrong.headers["access-control-allow-origin"]) == (404, origin)
    other = server.get("/api/info", headers={"Origin": "https://b.example"})
    assert "access-control-allow-origin" not in other.headers


def test_the_log_leaves_out_what_was_asked_unless_it_is_told_to_keep_it(blog, caplog):
    with caplog.at_level(logging.INFO, "pagekin.access"):
        client(blog).get("/api/related", params={"url": PAGE})
        assert '"GET /api/related" 200' in caplog.text
        assert "post6" not in caplog.text
        client(blog, log_queries=True).get("/api/related", params={"url": PAGE})
        assert "post6" in caplog.text


def test_a_log_line_stays_one_line(blog, caplog):
    with caplog.at_level(logging.INFO, "pagekin.access"):
        client(blog).get("/a%0Ab%1B[31m")
    assert all("\n" not in record.getMessage() and "\x1b" not in record.getMessage() for record in caplog.records)


def test_an_error_that_nobody_foresaw_is_logged_and_answered_without_a_trace(blog, monkeypatch, caplog):
    def broken(*_):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("pagekin.serve.held.Held.info", broken)
    answer = client(blog).get("/api/info")
    assert answer.status_code == 503
    assert "secret" not in answer.text
    assert "ZeroDivisionError" in caplog.text
