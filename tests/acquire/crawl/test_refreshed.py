"""Pages that are held are asked for again when they are old."""

from pagekin.acquire.crawl.settings import EVERYWHERE
from pagekin.answers.crawl import crawl
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.model import Capture
from pagekin.url import page_id
from tests.acquire.crawl.crawled import run
from tests.loopback import HTML, Answer, Server, page


def test_old_pages_are_asked_again_and_only_new_versions_sent(tmp_path):
    site = tmp_path / "a.kin"
    version = {"/": 1, "/a": 1}

    def answers(asked):
        if asked.path not in version:
            return None
        tag = f'"{version[asked.path]}"'
        if asked.headers.get("If-None-Match") == tag:
            return Answer(b"", 304, {"ETag": tag})
        found = page("/a", title=f"version {tag}")
        return Answer(
            found.body, 200, {"Content-Type": HTML, "ETag": tag, "Last-Modified": "Sat, 01 Jun 2024 12:00:00 GMT"}
        )

    with Server(answers) as server:
        run(site, server.url)
        run(site, server.url, refresh_after="30d")
        assert len(server.paths()) == 2
        version["/a"] = 2
        report = crawl(site, [server.url], private=EVERYWHERE, rate=0, refresh_after="0d")
        assert (report.pages, report.confirmed) == (1, 1)
        assert server.log[-1].headers["If-Modified-Since"] == "Sat, 01 Jun 2024 12:00:00 GMT"
        store = Store(site)
        titles = {store.url(page): store.title(page) for page in range(store.size)}
        assert titles == {server.url: 'version "1"', f"{server.url}a": 'version "2"'}


def test_a_page_that_has_not_changed_is_young_again(tmp_path):
    site = tmp_path / "a.kin"

    def answers(asked):
        if asked.path == "/":
            return Answer(b"", 304)
        return Answer(b"", 304) if asked.path == "/mute" else None  # it was not asked whether anything had changed

    with Server(answers) as server:
        body = b"<title>Old</title><p>words <a href=/mute>mute</a>"
        ingest(site, [[Capture(server.url, body, fetched=1_000_000, etag="1", last_modified="then")]])
        store = Store(site)
        before = store.graph.links.to_pylist(), store.text(store.number(page_id(server.url)))
        report = run(site, server.url, refresh_after="30d")
        assert (report.confirmed, report.pages, report.skipped) == (1, 0, {"status 304": 1})
        assert server.paths() == ["/", "/mute"]
        store = Store(site)
        assert (store.graph.links.to_pylist(), store.text(store.number(page_id(server.url)))) == before
        assert run(site, server.url, refresh_after="30d").confirmed == 0
        assert server.paths() == ["/", "/mute"]
