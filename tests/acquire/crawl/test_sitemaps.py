"""What a sitemap lists."""

import gzip
import re
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.acquire.crawl import sitemaps
from pagekin.acquire.crawl.sitemaps import MOST, Sitemap, read
from pagekin.url import canonical

PAGES = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="x">
<url><loc> http://a.example/one?x=1&amp;y=2
</loc><lastmod>2024-01-01</lastmod></url><url><loc><![CDATA[http://a.example/two]]></loc></url>
<url><loc>mailto:jo@a.example</loc></url><url><loc>http://a.example/one?x=1&amp;y=2</loc></url></urlset>"""


def test_pages():
    assert read(PAGES) == Sitemap(("http://a.example/one?x=1&y=2", "http://a.example/two"))
    assert read(gzip.compress(PAGES)) == read(PAGES)


def test_an_index():
    index = b"<sitemapindex><sitemap><loc>http://a.example/s1.xml.gz</loc></sitemap></sitemapindex>"
    assert read(index) == Sitemap(sitemaps=("http://a.example/s1.xml.gz",))


def test_plain_text():
    assert read(b"http://a.example/\nhttp://a.example/b\n").pages == ("http://a.example/", "http://a.example/b")


@pytest.mark.parametrize("body", [b"", b"\x1f\x8bbroken", b"<html>", b"\0" * 100])
def test_what_is_none_lists_nothing(body):
    assert read(body) == Sitemap()


def test_a_bomb_lists_nothing():
    assert read(gzip.compress(b"\0" * (65 << 20))) == Sitemap()


def test_entities_do_not_explode():
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'
    )
    assert read(bomb) == Sitemap()


def test_no_more_than_the_protocol_allows():
    many = b"".join(b"<loc>http://a.example/%d</loc>" % n for n in range(MOST + 10))
    for kind in (b"<urlset>", b"<sitemapindex>"):
        found = read(kind + many)
        assert len(found.pages + found.sitemaps) == MOST
        assert found.more
    assert not read(b"<urlset><loc>http://a.example/</loc>").more


OLD = re.compile(rb"<(?:\w+:)?loc\b[^>]*>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,4000})", re.IGNORECASE)
PIECES = [
    b"<loc>", b"</loc>", b"<loc ", b"<LOC\n", b"<s:loc a='b'>", b"<location>", b"<", b">", b"]]>", b"<![CDATA[",
    b"<![cdata[",
    b" ", b"\n", b"http://a.example/1", b"https://b.example/?x=1&y=2", b"&amp;z", b"&", b"&#38;", b"<url>",
    b"\xef\xbb\xbf",
    b"<sitemapindex>", b"<x:urlset xmlns:x='y'>", b"<!--", b"-->", b"\xff", b"<image:loc>", b"http://c.example/]",
]  # fmt: skip


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join))
def test_it_finds_what_the_regular_expression_for_it_finds(body):
    """The twin: one pattern that says what is wanted, in quadratic time; what is only white space is no address."""
    wanted = [found.strip() for found in OLD.findall(body)]
    assert [found.strip() for found in sitemaps._locations(body) if found.strip()] == [w for w in wanted if w]


class Steps(bytes):
    """A sitemap that counts how many of its bytes are looked at, by `find` and by the patterns."""

    looked_at = 0

    def find(self, what, start):
        end = super().find(what, start)
        self.looked_at += (len(self) if end < 0 else end) - start
        return end


@dataclass
class Counting:
    pattern: re.Pattern

    def search(self, body, at):
        found = self.pattern.search(body, at)
        body.looked_at += (found.end() if found else len(body)) - at
        return found

    def match(self, body, at):
        found = self.pattern.match(body, at)
        body.looked_at += found.end() - at
        return found


@pytest.mark.parametrize(
    "body",
    [
        b"<loc " * 60_000, b"<loc " * 60_000 + b"><", b"<loc>" * 60_000, b"<loc>" + b" " * 300_000 + b"<",
        (b"<loc>" + b" " * 200) * 1500, b"<loc><![CDATA[" * 20_000, b"<" * 300_000, b"<" + b"a" * 300_000,
        b"<loc>" + b"h" * 300_000, b"<loc>http://a.example/</loc>" * 10_000,
    ],
)  # fmt: skip
def test_no_byte_is_looked_at_twice(body, monkeypatch):
    for name in ("_OPENED", "_TEXT"):
        monkeypatch.setattr(sitemaps, name, Counting(getattr(sitemaps, name)))
    counted = Steps(body)
    for _ in sitemaps._locations(counted):
        pass
    assert counted.looked_at <= len(body)


def test_the_entities_of_html_are_not_those_of_xml():
    body = b"<urlset><loc>http://a.example/?a=1&copy=2&lt=3&amp;b&#38;c&#x26;d&nbsp;&quot;</loc></urlset>"
    assert read(body).pages == (canonical('http://a.example/?a=1&copy=2&lt=3&b&c&d&nbsp;"'),)
    assert sitemaps.unescaped("&#0;&#xD800;&#x110000;&#99999999999;") == "\ufffd\ufffd\ufffd&#99999999999;"


@pytest.mark.parametrize(
    ("body", "pages"),
    [
        (PAGES[:150], ("http://a.example/one?x=1&y=2",)),
        (b"\xef\xbb\xbf" + PAGES, read(PAGES).pages),
        (b"<urlset><url><loc>http://a.example/?a=1&b=2</loc>", ("http://a.example/?a=1&b=2",)),
        (b"<x:urlset xmlns:x='wrong'><x:url><x:loc>http://a.example/</x:loc>", ("http://a.example/",)),
        (b"<URLSET><LOC class='a'>http://a.example/", ("http://a.example/",)),
        (b"\xef\xbb\xbfhttp://a.example/\r\n\r\nhttp://a.example/b", ("http://a.example/b",)),
        (b"\n" * 100_000 + b"http://a.example/", ("http://a.example/",)),
    ],
    ids=["truncated", "mark", "ampersand", "namespace", "capitals", "text", "blank lines"],
)
def test_broken_ones_are_read(body, pages):
    assert read(body).pages[-len(pages) :] == pages
