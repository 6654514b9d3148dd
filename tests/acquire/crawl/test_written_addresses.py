"""Addresses that have two spellings: each is fetched as it is written, and a difference is said."""

from pagekin.acquire.sources import open_sources
from pagekin.collection.ingest import ingest
from tests.acquire.crawl.crawled import fetched, run, site_of
from tests.loopback import Server, page


def test_an_address_is_fetched_as_it_is_written(tmp_path):
    """Some servers answer /docs/index.html, but not /docs/."""
    pages = {
        "/docs/index.html": page("more/index.html", "/robots/index.html"),
        "/docs/more/index.html": page(),
        "/robots/index.html": page(),
        "/robots.txt": b"User-agent: *\nDisallow: /robots/index.html",
    }
    with Server(site_of(pages)) as server:
        report = run(tmp_path / "a.kin", f"{server.url}docs/index.html", warc=tmp_path / "warc")
        assert fetched(tmp_path / "a.kin") == {f"{server.url}docs/", f"{server.url}docs/more/"}  # their names
        assert "/docs/" not in server.paths() and "/robots/index.html" not in server.paths()
        assert report.lost == {}
        assert ingest(tmp_path / "b.kin", open_sources([tmp_path / "warc"])).pages == 2
        assert fetched(tmp_path / "b.kin") == fetched(tmp_path / "a.kin")
        (index,) = (tmp_path / "warc").glob("*.cdxj")
        assert f'"url": "{server.url}docs/index.html"' in index.read_text()


def test_an_address_that_is_not_there_as_written_is_asked_for_in_its_canonical_form(tmp_path):
    with Server(site_of({"/": page("/a/index.html"), "/a/": page()})) as server:
        assert run(tmp_path / "a.kin", server.url).pages == 2
        assert [path for path in server.paths() if path.startswith("/a")] == ["/a/index.html", "/a/"]


def test_two_spellings_that_differ_are_said(tmp_path):
    """/docs/ is a list of files, /docs/index.html the page; /same/ is the same both ways."""
    pages = {
        "/": page("/docs/index.html", "/same/index.html"),
        "/docs/index.html": page("/docs/", "/same/", title="The page"),
        "/docs/": page("/docs/index.html", "/docs/other", title="Index of /docs/"),
        "/docs/other": page(), "/same/": page(title="Same"), "/same/index.html": page(title="Same"),
        "/gone/": page(title="Gone"),
    }  # fmt: skip
    with Server(site_of(pages)) as server:
        docs = f"{server.url}docs/"
        report = run(tmp_path / "a.kin", server.url)
        assert report.differing == ((f"{docs}index.html", docs, "is another page"),)
        assert f"{docs} is another page, but has the same canonical address as {docs}index.html, which was taken" in (
            report.lines
        )
        assert server.paths().count("/same/") == 1
        assert run(tmp_path / "a.kin", server.url).differing == ()  # nothing was fetched
        report = run(tmp_path / "b.kin", docs, f"{docs}index.html", radius=0)  # both were asked for
        assert report.differing == ((docs, f"{docs}index.html", "is another page"),)
        report = run(tmp_path / "c.kin", f"{server.url}gone/index.html", radius=0)
        assert report.differing == ((f"{server.url}gone/", f"{server.url}gone/index.html", "answers with status 404"),)
