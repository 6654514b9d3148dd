"""What a robots.txt says: Google's expectations, and what RFC 9309 asks of the answers around it."""

import codecs
import re

import pytest

from pagekin.acquire.crawl.robots import FORBIDDEN, MOST_BYTES, UNREACHABLE, understood

# Where we read otherwise than Google's parser does, and why it does not matter.
DEVIATIONS = {
    "correctness/non-ascii-paths-3": "an address that is not percent-encoded; ours are",
    "correctness/non-ascii-paths-5": "an address that is not percent-encoded; ours are",
    "correctness/non-ascii-paths-6": "%62 is b to protego, as in a canonical address, and not to Google",
    "correctness/user-agent-name-2": "asks as 'Foo Bar', which is no name by RFC 9309; ours is",
    "stress/327748-6": "whether robots.txt itself may be read",
    "stress/369883-6": "whether robots.txt itself may be read",
    "stress/369883-7": "asks as AB42bot, which is no name by RFC 9309; ours is",
    "stress/369883-8": "asks as AB42bot, which is no name by RFC 9309; ours is",
    "stress/369883-10": "whether robots.txt itself may be read",
    "stress/701159-4": "barbarbot* does not speak to barbarbot-prod by RFC 9309",
    "stress/860237-10": "whether robots.txt itself may be read",
}

STRING = r'((?:\s*"(?:[^"\\]|\\.)*")+)'


def unquoted(text: str) -> bytes:
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    return b"".join(codecs.escape_decode(part.encode())[0] for part in parts)


def expectations(folder):
    for file in sorted(folder.glob("*/*.textproto")):
        body, number = b"", 0
        for match in re.finditer(
            rf"(robotstxt|testurl|useragent|expected_outcome):(?:{STRING}|\s*(\w+))", file.read_text()
        ):
            name, quoted, word = match.groups()
            if name == "robotstxt":
                body = unquoted(quoted)
            elif name == "testurl":
                url = unquoted(quoted).decode()
            elif name == "useragent":
                agent = unquoted(quoted).decode()
            else:
                number += 1
                yield f"{file.parent.name}/{file.stem}-{number}", body, url, agent, word == "ALLOWED"


@pytest.mark.data
def test_google_s_expectations(data):
    wrong, count = [], 0
    for name, body, url, agent, allowed in expectations(data("conformance") / "google-robots-spec"):
        count += 1
        if (understood(200, body).against(url, agent) is None) != allowed:
            wrong.append(name)
    assert count == 400
    assert set(wrong) == set(DEVIATIONS)


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_without_a_robots_txt_everything_is_allowed(status):
    assert understood(status, b"User-agent: *\nDisallow: /").against("http://a.example/") is None


@pytest.mark.parametrize("status", [429, 500, 503])
def test_when_the_server_cannot_say_everything_is_forbidden(status):
    assert understood(status, b"").against("http://a.example/") == UNREACHABLE


def test_the_group_of_our_name_counts_and_its_delay_and_the_sitemaps():
    body = b"User-agent: *\nDisallow: /\n\nUser-agent: Pagekin/2.0 (+x)\nAllow: /\nCrawl-delay: 7\nSitemap: http://a.example/s.xml"
    robots = understood(200, body)
    assert (robots.against("http://a.example/x"), robots.delay) == (None, 7.0)
    assert robots.sitemaps == ("http://a.example/s.xml",)
    assert robots.against("http://a.example/x", "otherbot") == FORBIDDEN


def test_a_request_rate_is_a_delay():
    assert understood(200, b"User-agent: *\nRequest-rate: 1/10").delay == 10.0


@pytest.mark.parametrize("body", [b"\0\xff" * 100_000, b"<!doctype html><p>Not found", b"", b"Crawl-delay: soon"])
def test_garbage_allows_everything(body):
    assert understood(200, body).against("http://a.example/") is None


def test_of_ten_megabytes_the_first_half_counts():
    rules = b"User-agent: *\nDisallow: /secret\n"
    assert understood(200, rules + b"#" * (10 << 20)).against("http://a.example/secret") == FORBIDDEN
    assert understood(200, b"#" * MOST_BYTES + b"\n" + rules).against("http://a.example/secret") is None
