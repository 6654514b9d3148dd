"""What a sitemap lists."""

import gzip

import pytest

from pagekin.acquire.crawl.sitemaps import MOST, Sitemap, read

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


@pytest.mark.parametrize("body", [b"", b"\x1f\x8bbroken", b"<html>", b"\0" * 100, gzip.compress(b"\0" * (65 << 20))])
def test_what_is_none_lists_nothing(body):
    assert read(body) == Sitemap()


def test_entities_do_not_explode():
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'
    )
    assert read(bomb) == Sitemap()


def test_no_more_than_the_protocol_allows():
    many = b"".join(b"<loc>http://a.example/%d</loc>" % n for n in range(MOST + 10))
    assert len(read(b"<urlset>" + many).pages) == MOST
