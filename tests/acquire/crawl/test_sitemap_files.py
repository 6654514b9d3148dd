"""Sitemaps as the start of a crawl."""

import gzip

from pagekin.acquire.crawl.robots import FORBIDDEN
from pagekin.acquire.crawl.rules import OTHER_SITE
from tests.acquire.crawl.crawled import fetched, run, site_of
from tests.loopback import Answer, Server, moved, page


def test_sitemaps(tmp_path):
    site = tmp_path / "a.kin"
    listed = "<urlset><url><loc>{0}deep/{1}</loc></url><url><loc>http://else.example/</loc></url></urlset>"
    with Server(lambda asked: answers(asked)) as server:
        pages = {
            "/robots.txt": Answer(f"Sitemap: {server.url}index.xml".encode(), 200),
            "/index.xml": Answer(f"<sitemapindex><loc>{server.url}one.xml.gz</loc></sitemapindex>".encode()),
            "/one.xml.gz": Answer(gzip.compress(listed.format(server.url, 1).encode())),
            "/sitemap.xml": Answer(listed.format(server.url, 2).encode()),
            "/": page(), "/deep/1": page("/deeper"), "/deep/2": page(), "/deeper": page("/too-deep"),
        }  # fmt: skip
        answers = site_of(pages)
        report = run(site, server.url, radius=2, sitemaps=True)
        assert fetched(site) == {server.url, *(server.url + path for path in ("deep/1", "deep/2", "deeper"))}
        assert report.skipped[OTHER_SITE] == 1
        before = len(server.log)
        assert run(site, server.url, radius=2, sitemaps=True).pages == 0
        assert {asked.path for asked in server.log[before:]} == {
            "/robots.txt",
            "/index.xml",
            "/one.xml.gz",
            "/sitemap.xml",
        }


def test_a_sitemap_to_crawl_by(tmp_path):
    site = tmp_path / "a.kin"
    with Server(lambda asked: answers(asked)) as server:
        listed = "<urlset>" + "".join(f"<url><loc>{server.url}{n}</loc></url>" for n in range(3))
        pages = {
            "/moved.xml": moved("/index.xml", 301),
            "/index.xml": Answer(f"<sitemapindex><loc>{server.url}one.xml.gz</loc></sitemapindex>".encode()),
            "/one.xml.gz": Answer(gzip.compress(f"{listed}<loc>http://else.example/</loc></urlset>".encode())),
            "/feed.xml": Answer(b"<rss><link>x</link></rss>"),
            "/robots.txt": Answer(b"User-agent: *\nDisallow: /no.xml", 200),
            "/0": page("/far"), "/1": page(), "/2": page(), "/far": page("/further"), "/further": page(),
        }  # fmt: skip
        answers = site_of(pages)
        report = run(site, f"{server.url}moved.xml", radius=0)
        assert fetched(site) == {f"{server.url}{n}" for n in range(3)}
        assert report.skipped == {OTHER_SITE: 1}
        assert not report.lost
        assert run(site, f"{server.url}moved.xml", radius=0).pages == 0
        run(site, f"{server.url}moved.xml", radius=1)
        assert fetched(site) == {f"{server.url}{path}" for path in (0, 1, 2, "far")}  # what is listed is a start
        for name, why in {
            "feed.xml": "not a sitemap: there is no address in it",
            "none.xml": "status 404",
            "no.xml": FORBIDDEN,
        }.items():
            assert run(tmp_path / "b.kin", server.url + name).lost == {server.url + name: why}
        assert not (tmp_path / "b.kin").exists()
        run(tmp_path / "c.kin", f"{server.url}one.xml.gz", f"{server.url}far", radius=0, max_pages=2)
        assert len(fetched(tmp_path / "c.kin")) == 2
