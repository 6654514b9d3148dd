"""What a robots.txt says: Google's expectations, and what RFC 9309 asks of the answers around it."""

import codecs
import gzip
import itertools
import re
import string
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from pagekin.acquire.crawl.politeness import LONGEST_PAUSE
from pagekin.acquire.crawl.robots import (
    FORBIDDEN,
    MOST_BYTES,
    MOST_ENTRIES,
    UNREACHABLE,
    UNREADABLE,
    entries,
    understood,
    unpacked,
)

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
    assert understood(status, b"").against("http://a.example/") == f"{UNREACHABLE}: status {status}"


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


RULES = b"# Robots of a.example\nUser-agent: *\nDisallow: /secret\n"
LATIN = RULES + "# Käse\n".encode("latin-1")


@pytest.mark.parametrize(
    "coding",
    ["utf-8", "us-ascii", "text", "7bit", "identity", "none", "gzip", "deflate", "br", "zstd", "x", "UTF-8, gzip"],
)
@pytest.mark.parametrize("body", [RULES, LATIN, b"Sitemap: x\n" + RULES])
def test_what_is_not_packed_as_it_says_is_read_as_it_is(body, coding):
    assert unpacked(body, coding) == body


@pytest.mark.parametrize(("coding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_what_is_packed_is_unpacked_and_what_cannot_be_is_no(coding, pack):
    rules = RULES + b"".join(b"Disallow: /%d\n" % (n * 7919) for n in range(500))
    packed = pack(rules)
    assert unpacked(packed, coding) == rules
    assert unpacked(packed[: len(packed) // 2], coding) is None
    assert unpacked(pack(rules)[:20] + b"\xff" * 50, coding) is None
    assert unpacked(pack(bytes(65 << 20)), coding) is None
    assert unpacked(packed, "br") is None
    assert understood(200, None).against("http://a.example/") == UNREADABLE


def test_names_times_rules_do_not_explode():
    names = [
        "".join(letters) for letters in itertools.islice(itertools.product(string.ascii_lowercase, repeat=3), 9_000)
    ]
    group = "".join(f"User-agent: {name}\n" for name in names)
    for between in ("", "Sitemap: http://a.example/\n", "user-agentx: x\n", "user agent b\n"):
        bomb = group.replace("\n", "\n" + between) + "Allow: /\n" * 9_000
        assert entries(bomb) > MOST_ENTRIES
        assert understood(200, bomb.encode()).against("http://a.example/") == UNREADABLE
    honest = "".join(f"User-agent: {name}\nDisallow: /\n\n" for name in names)
    assert entries(honest) == 2 * len(names)
    assert understood(200, honest.encode()).against("http://a.example/") is None


@pytest.mark.parametrize(
    ("said", "delay"),
    [
        ("Crawl-delay: 1e9", 1e9), ("Crawl-delay: 601", 601.0), ("Crawl-delay: nan", None), ("Crawl-delay: -5", None),
        ("Crawl-delay: 5 # polite", 5.0), ("Crawl-delay: ten", None), ("Crawl-delay: 1e", None),
        ("Request-rate: 0/10", None), ("Request-rate: 1/1h", 3600.0), ("Request-rate: -1/5", None),
    ],
)  # fmt: skip
def test_delays(said, delay):
    assert understood(200, f"User-agent: *\n{said}\n".encode()).delay == delay


@pytest.mark.parametrize(
    "said", ["Crawl-delay: inf", "crawl-delay: 1e999", "Crawl-delay: " + "9" * 400, "Request-rate: 1/" + "9" * 400]
)
def test_a_delay_beyond_all_numbers_is_too_long(said):
    assert understood(200, f"User-agent: *\n{said}\n".encode()).delay > LONGEST_PAUSE


LINES = [
    "User-agent: a", "User-agent: b", "user agent c", "useragent: d", "User-agent e: x", "User-agent", "User-agent:",
    "user",
    "Allow: /", "Disallow: /$", "Disallow:", "Allow /x/index.html", "Sitemap: x", "Host: y", "# User-agent: a", "z: 1",
    "",
    "User-agent: a*b", "Crawl-delay: 5", "Allow#: /", "user-agent #: f", " \u2028", "\tDISALLOW : /",
]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=60).map("\n".join))
def test_no_file_makes_more_entries_than_are_counted(text):
    made = sum(len(each._rules) for each in Protego.parse(text)._user_agents.values())
    assert made <= 6 * entries(text)  # a rule with $ makes two, index.html another; a name with * stands for two
