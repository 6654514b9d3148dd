"""A crawl from its beginning to its report: what the collection knows, what it gets, and what is said."""

import gzip
import subprocess
import sys

import pytest

from pagekin import Collection
from pagekin.acquire.crawl.addresses import resolutions
from pagekin.collection.ingest import ingest
from pagekin.errors import UsageError
from tests.acquire.crawl.crawled import fetched, run, site_of
from tests.loopback import Server, page


def test_pages_that_link_here_are_fetched_from_a_list(tmp_path):
    site = tmp_path / "a.kin"
    rows = ["source,target", "http://b.example/1,http://a.example/"]
    rows += ["http://c.example/2,http://b.example/1", "http://x.example/,http://y.example/"]
    text = "".join(f"{row}\n" for row in rows)
    (tmp_path / "links.csv").write_text(text)
    (tmp_path / "links.tsv.gz").write_bytes(gzip.compress(text.replace(",", "\t").encode()))
    with Server(lambda asked: page("/more")) as server:
        resolve = resolutions([f"*={server.address}:{server.port}"])
        run(site, "http://a.example/", radius=1, resolve=resolve, backlinks=tmp_path / "links.csv")
        near = {"http://a.example/", "http://a.example/more", "http://b.example/1"}
        assert fetched(site) == near
        run(site, "http://a.example/", radius=2, resolve=resolve, backlinks=tmp_path / "links.tsv.gz")
        assert fetched(site) == near | {"http://c.example/2"}  # and no more of b.example, which is another site


def test_in_links_of_the_collection_are_followed(tmp_path):
    site = tmp_path / "a.kin"
    from tests.small_webs import edges

    ingest(
        site, [[edges(("http://b.example/hub", "http://a.example/"), ("http://b.example/hub", "http://c.example/"))]]
    )
    with Server(lambda asked: page("http://c.example/")) as server:
        resolve = resolutions([f"*={server.address}:{server.port}"])
        run(site, "http://a.example/", radius=1, resolve=resolve, across=True)
        assert fetched(site) == {"http://a.example/", "http://b.example/hub", "http://c.example/"}


def test_how_many_wait_when_enough_pages_are_fetched_is_said(tmp_path):
    pages = {"/": page(*(f"/{n}" for n in range(10)))} | {f"/{n}": page() for n in range(10)}
    with Server(site_of(pages)) as server:
        report = run(tmp_path / "a.kin", server.url, max_pages=4)
        assert (report.pages, report.waiting) == (4, 7)
        assert report.lines[-1] == "max_pages was reached; 7 addresses still wait: run the same again to go on"
        report = run(tmp_path / "a.kin", server.url)
        assert (report.pages, report.waiting) == (7, 0)


def test_a_start_that_is_not_there(tmp_path):
    with Server(lambda asked: None) as server:
        report = run(tmp_path / "a.kin", f"{server.url}gone")
        assert report.lost == {f"{server.url}gone": "status 404"}
        command = [sys.executable, "-m", "pagekin", "crawl", tmp_path / "b.kin", f"{server.url}gone", "--allow-private"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1].endswith(f"{server.url}gone: status 404")


def test_a_site_drawn_by_scripts_is_said_to_be_one(tmp_path):
    frame = b"<title>App</title><div id=root>Loading</div><script src=/app.js></script><a href=/%d>next</a>"
    with Server(lambda asked: frame % len(asked.path) if asked.path != "/robots.txt" else None) as server:
        report = run(tmp_path / "a.kin", server.url)
        assert report.drawn == report.pages == 3
        assert report.lines[-1].startswith("3 of 3 pages have scripts and next to no text or links")
        assert f'a.kin").add("FOLDER", base_url="{server.url}")' in report.lines[-1]
    with Server(site_of({"/": page("/a", "/b", "/c"), "/a": frame % 1})) as server:
        report = run(tmp_path / "b.kin", server.url)
        assert (report.drawn, report.pages, report.advice) == (1, 2, None)


def test_an_archive_needs_a_folder(tmp_path):
    (tmp_path / "x.warc").write_bytes(b"")
    with pytest.raises(UsageError, match=r"warc must name a folder, not the file .*x\.warc"):
        run(tmp_path / "a.kin", "http://a.example/", warc=tmp_path / "x.warc")


def test_add_of_a_web_address_says_crawl(tmp_path):
    with pytest.raises(
        UsageError, match=r'https://a\.example/b is a web address.* run: .*crawl\("https://a\.example/b"'
    ):
        Collection(tmp_path / "a.kin").add("https://a.example/b")
