"""The crawler against a server on loopback that misbehaves on purpose."""

import gzip
import itertools
import ssl
import subprocess
import sys
import time

import pytest

from pagekin import Collection, demo
from pagekin.acquire.crawl import spider
from pagekin.acquire.crawl.addresses import resolutions
from pagekin.acquire.crawl.gate import LONG_HEADERS, TOO_MANY_HOPS
from pagekin.acquire.crawl.politeness import BROKEN, LATER, TOO_SLOW
from pagekin.acquire.crawl.robots import FORBIDDEN, UNREACHABLE, UNREADABLE
from pagekin.acquire.crawl.rules import NOT_HTML, OTHER_SITE, PRIVATE
from pagekin.acquire.crawl.settings import EVERYWHERE
from pagekin.acquire.crawl.spider import FOLLOWED_AT_ONCE
from pagekin.acquire.crawl.traps import TOO_MANY
from pagekin.acquire.http import CUT_OFF, TOO_LARGE
from pagekin.acquire.sources import open_sources
from pagekin.answers.crawl import crawl
from pagekin.collection.graph import same
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.model import Capture, Visit
from pagekin.url import page_id
from tests.debian import unpacked
from tests.loopback import HTML, Answer, Server, moved, page


def run(site, *urls, **options):
    defaults = {"private": EVERYWHERE, "rate": 0, "radius": 3, "timeout": 5.0}
    return crawl(site, urls, **defaults | options)


def fetched(site):
    """The addresses of the pages that are held."""
    pages = Store(site).graph.pages
    return {url for url, at in zip(pages["url"].to_pylist(), pages["fetched"].to_pylist(), strict=True) if at}


def links(site):
    """Every link of every page that is held: source, target, anchor, position, rel."""
    store = Store(site)
    urls = store.graph.pages["url"].to_pylist()
    names = ("source", "target", "anchor", "position", "rel")
    return {
        (urls[source], urls[target], *rest)
        for source, target, *rest in zip(*(store.graph.links[name].to_pylist() for name in names), strict=True)
    }


def aliases(site):
    return {(row["alias"], row["kind"]) for row in Store(site).graph.aliases.to_pylist()}


def site_of(pages):
    """Answers from a mapping of paths."""
    return lambda asked: found() if callable(found := pages.get(asked.path)) else found


def test_a_site_is_crawled_to_its_radius_and_no_further_and_never_twice(tmp_path):
    site = tmp_path / "a.kin"
    chain = {f"/{n}": page(f"/{n + 1}", "/", "/gone", "/pic", "http://other.example/", title=str(n)) for n in range(9)}
    chain |= {
        "/": page("/0", "/0#part", "mailto:jo@a.example", "http://a b/"),
        "/pic": Answer(b"\x89PNG", 200, {"Content-Type": "image/png"}),
    }
    with Server(site_of(chain)) as server:
        report = run(site, server.url, radius=3)
        assert fetched(site) == {server.url, *(f"{server.url}{n}" for n in range(3))}
        assert report.skipped == {"status 404": 1, "not HTML (image/*)": 1, OTHER_SITE: 1}
        assert report.broken_links == 1
        assert len(server.paths()) == len(set(server.paths())) == 6
        assert "pagekin" in server.log[0].headers["User-Agent"]
        again = run(site, server.url, radius=3)
        assert (again.pages, again.skipped) == (0, {})
        assert len(server.paths()) == 6  # nothing was asked, not even for what had failed
        run(site, server.url, radius=4)
        assert server.paths()[6:] == ["/3"]
        run(site, server.url, radius=9, max_pages=2)
        assert server.paths()[7:] == ["/4", "/5"]


def test_robots_txt_is_asked_first_and_never_disobeyed(tmp_path):
    pages = {
        "/robots.txt": Answer(b"User-agent: *\nDisallow: /private\nDisallow: /*.cgi$\nAllow: /private/open", 200),
        "/": page("/private/a", "/private/open", "/x.cgi", "/x.cgi?1", "/b"),
        "/private/open": page(), "/b": page("/private/c"), "/x.cgi?1": page(),
    }  # fmt: skip
    with Server(site_of(pages)) as server:
        report = run(tmp_path / "a.kin", server.url)
        assert server.log[0].path == "/robots.txt"
        assert sorted(server.paths()) == ["/", "/b", "/private/open", "/x.cgi?1"]
        assert report.skipped[FORBIDDEN] == 3


NOTHING = b"User-agent: *\nDisallow: /"


ROBOTS = {  # host → what it answers, and the paths that are then visited
    "garbage": (Answer(b"\xff\x00" * (5 << 20), 200), ["/"]),
    "none": (Answer(b"gone", 404), ["/"]),
    "broken": (Answer(b"broken", 500), []),
    "moved": (moved("/other.txt"), ["/other.txt"]),
    "circle": (moved("/robots.txt"), ["/"]),
    "packed": (Answer(gzip.compress(NOTHING), 200, {"Content-Encoding": "gzip"}), []),
    "charset": (Answer(NOTHING, 200, {"Content-Encoding": "utf-8"}), []),
    "lie": (Answer(NOTHING, 200, {"Content-Encoding": "gzip"}), []),
    "bomb": (Answer(gzip.compress(bytes(70 << 20)), 200, {"Content-Encoding": "gzip"}), []),
    "cut": (Answer(gzip.compress(b"User-agent: *\nAllow: /")[:-12], 200, {"Content-Encoding": "gzip"}), []),
    "headers": (Answer(NOTHING, 200, {"X-Long": "x" * 100_000}), []),
}


def test_robots_txt_of_all_kinds(tmp_path):
    pages = {"/other.txt": Answer(NOTHING, 200), "/": page()}

    def answer(asked):
        return ROBOTS[asked.host.partition(".")[0]][0] if asked.path == "/robots.txt" else pages.get(asked.path)

    starts = [f"http://{name}.example/" for name in ROBOTS]
    with Server(answer) as server:
        resolve = resolutions([f"*={server.address}:{server.port}"])
        report = run(tmp_path / "a.kin", *starts, resolve=resolve)
        asked = {
            name: [each.path for each in server.log if each.host == f"{name}.example" and each.path != "/robots.txt"]
            for name in ROBOTS
        }
    assert asked == {name: visited for name, (_, visited) in ROBOTS.items()}
    assert fetched(tmp_path / "a.kin") == {f"http://{name}.example/" for name in ROBOTS if "/" in asked[name]}
    assert {why.partition(":")[0] for why in report.skipped} <= {UNREACHABLE, UNREADABLE, FORBIDDEN}
    assert sum(report.skipped.values()) == len(ROBOTS) - report.pages


def test_never_two_requests_to_a_host_within_the_interval_nor_two_at_a_time(tmp_path):
    rate = 10
    paths = {f"/{n}": page() for n in range(8)}
    hosts = ["a.example", "b.example"]
    paths["/"] = page(*paths, *(f"http://{host}/" for host in hosts))

    def slowly(asked):
        if asked.host == "a.example":
            time.sleep(0.03)
        return paths.get(asked.path)

    with Server(slowly) as server:
        resolve = resolutions([f"*={server.address}:{server.port}"])
        run(tmp_path / "a.kin", "http://a.example/", "http://b.example/", rate=rate, resolve=resolve, across=True)
        for host in hosts:
            log = [asked for asked in server.log if asked.host == host]
            assert len(log) == 10  # robots.txt, the front page and eight more
            assert all(b.began - a.ended >= 1 / rate for a, b in itertools.pairwise(log))
        both = sorted(server.log, key=lambda asked: asked.began)
        assert any(a.host != b.host for a, b in itertools.pairwise(both[4:]))  # one host does not wait for the other


def test_a_crawl_delay_is_kept(tmp_path):
    robots = Answer(b"User-agent: pagekin\nCrawl-delay: 0.3", 200)
    with Server(site_of({"/robots.txt": robots, "/": page("/a"), "/a": page()})) as server:
        run(tmp_path / "a.kin", server.url)
        assert [asked.path for asked in server.log] == ["/robots.txt", "/", "/a"]
        assert server.log[2].began - server.log[1].ended >= 0.3


@pytest.mark.parametrize("delay", ["Crawl-delay: 1e9", "Crawl-delay: inf", f"Request-rate: 1/{'9' * 400}"])
def test_a_host_that_wants_years_between_requests_is_not_asked_at_all(tmp_path, delay):
    robots = Answer(f"User-agent: *\n{delay}".encode(), 200)
    with Server(site_of({"/robots.txt": robots, "/": page("/a"), "/a": page()})) as server:
        report = run(tmp_path / "a.kin", server.url, f"{server.url}a", sitemaps=True)
        assert [asked.path for asked in server.log] == ["/robots.txt"]
        assert report.skipped == {TOO_SLOW: 3}  # two pages, and the sitemap


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_waited_for(tmp_path, status):
    busy = iter([Answer(b"", status, {"Retry-After": "1"}), page()])
    with Server(site_of({"/": lambda: next(busy)})) as server:
        assert run(tmp_path / "a.kin", server.url).pages == 1
        first, second = (asked for asked in server.log if asked.path == "/")
        assert second.began - first.ended >= 1


def test_who_wants_to_be_left_alone_for_a_day_is(tmp_path):
    pages = {"/": page("/a", "/b"), "/a": Answer(b"", 429, {"Retry-After": "86400"}), "/b": page()}
    with Server(site_of(pages)) as server:
        report = run(tmp_path / "a.kin", server.url)
        assert server.paths() == ["/", "/a"]
        assert report.skipped == {"status 429": 1, LATER: 1}


def test_a_site_that_answers_500_to_everything_is_given_up(tmp_path):
    pages = {"/": page(*(f"/x{letter}" for letter in "abcdefghijklmnopqrst"))}
    with Server(
        lambda asked: pages.get(asked.path, Answer(b"", 500)) if asked.path != "/robots.txt" else None
    ) as server:
        report = run(tmp_path / "a.kin", server.url)
        assert report.pages == 1
        assert len(server.paths()) == 11
        assert report.skipped[BROKEN] + report.skipped["status 500"] == 20


def test_redirects_are_aliases_and_loops_end(tmp_path):
    site = tmp_path / "a.kin"
    pages = {
        "/": moved("/index.html", 301),  # the same address in canonical form
        "/index.html": page("/old", "/loop", "/far/0", "/odd", "/self"),
        "/old": moved("/new"), "/new": page(title="new"), "/loop": moved("/loop2"), "/loop2": moved("/loop"),
        "/odd": moved("http://["), "/self": moved("/self"),
    }  # fmt: skip

    def answers(asked):
        number = asked.path.removeprefix("/far/")
        return moved(f"/far/{int(number) + 1}") if number.isdigit() else pages.get(asked.path)

    with Server(answers) as server:
        report = run(site, server.url)
        assert fetched(site) == {server.url, f"{server.url}new"}
        assert (f"{server.url}old", "redirect") in aliases(site)
        assert report.skipped[TOO_MANY_HOPS] == 2
        assert report.skipped["redirect to a broken URL"] == 1
        assert len([path for path in server.paths() if path.startswith("/far")]) == 11
        store, before = Store(site), len(server.log)
        numbers = {store.url(page): page for page in range(store.size)}
        assert store.graph.folded[numbers[f"{server.url}old"]] == numbers[f"{server.url}new"]
        run(site, server.url)
        assert len(server.log) == before


def test_a_start_that_moved_to_another_site_is_followed_there(tmp_path):
    site = tmp_path / "a.kin"
    there = {"/": page("/x", "http://third.example/"), "/x": page()}
    with Server(
        lambda asked: moved("http://b.example/") if asked.host == "a.example" else there.get(asked.path)
    ) as server:
        resolve = resolutions([f"*={server.address}:{server.port}"])
        run(site, "http://a.example/", resolve=resolve, radius=0)
        assert fetched(site) == {"http://b.example/"}
        run(site, "http://a.example/", resolve=resolve)
        assert fetched(site) == {"http://b.example/", "http://b.example/x"}


def test_canonical_addresses_are_aliases_on_their_own_site_alone(tmp_path):
    site = tmp_path / "a.kin"
    pages = {
        "/": page("/p?sid=1", "/p?sid=2", "/q"),
        "/p": page(title="P"),
        "/p?sid=1": page(head='<link rel="canonical" href="/p">'),
        "/p?sid=2": page(head='<link rel="canonical" href="/p">'),
        "/q": page(head='<link rel="canonical" href="http://bank.example/">'),
    }
    with Server(site_of(pages)) as server:
        run(site, server.url)
        assert aliases(site) == {(f"{server.url}p?sid={n}", "canonical") for n in (1, 2)}
        assert f"{server.url}p" in fetched(site)  # nobody links to it: it was found by its other names


def test_nofollow_and_noindex(tmp_path):
    site = tmp_path / "a.kin"
    pages = {
        "/": b"<a href=/a rel='nofollow noopener'>a</a> <a href=/b>b</a> <a href=/d>d</a>",
        "/b": b"<meta name=robots content='noindex, nofollow'><p>words <a href=/c>c</a>",
        "/d": Answer(b"<p>words <a href=/e>e</a>", 200, {"Content-Type": HTML, "X-Robots-Tag": "none"}),
        "/a": page(), "/c": page(), "/e": page(),
    }  # fmt: skip
    with Server(site_of(pages)) as server:
        assert run(site, server.url).unindexed == 2
        assert sorted(server.paths()) == ["/", "/b", "/d"]
        store = Store(site)
        assert [store.text(page) for page in range(store.size) if store.url(page)[-1] in "bd"] == ["", ""]
        run(site, server.url)
        assert len(server.paths()) == 3


PRIVATE_TARGETS = ["http://127.0.0.1:{port}/", "http://169.254.169.254/latest/", "http://[::1]:{port}/", "http://10.0.0.1/",
                   "http://localhost:{port}/", "http://mapped.example/", "http://0x7f.1:{port}/",
                   "http://[::ffff:7f00:1]:{port}/"]  # fmt: skip


def test_redirects_and_links_to_private_addresses_are_refused(tmp_path):
    with Server(lambda asked: page(), "127.0.0.1") as victim:
        targets = [target.format(port=victim.port) for target in PRIVATE_TARGETS]
        pages = {f"/r{n}": moved(target) for n, target in enumerate(targets)}
        pages["/"] = page(*pages, *targets)
        with Server(site_of(pages), "127.0.0.2") as server:
            resolve = resolutions([f"mapped.example=127.0.0.1:{victim.port}"])
            options = {"across": True, "resolve": resolve, "private": ("127.0.0.2/32",)}
            report = run(tmp_path / "a.kin", server.url, **options)
            assert victim.log == []
            assert report.pages == 1
            assert report.skipped[PRIVATE] == len({*targets}) - 2 + 1  # 0x7f.1 and ::ffff are 127.0.0.1's other names
            run(tmp_path / "b.kin", server.url, **options | {"private": EVERYWHERE, "exclude": ("169.254", "10.0.0.1")})
            assert victim.log


def test_nothing_is_asked_of_loopback_unless_it_is_allowed(tmp_path):
    with Server(lambda asked: page()) as server:
        report = run(tmp_path / "a.kin", server.url, private=())
        assert server.log == []
        assert report.skipped == {PRIVATE: 1}
        assert not (tmp_path / "a.kin").exists()


def never_ending():
    yield b"<p>"
    while True:
        time.sleep(0.1)
        yield b"and "


def test_answers_that_are_no_pages(tmp_path):
    site = tmp_path / "a.kin"
    packed = gzip.compress(b"<p>" + b"a" * (70 << 20))
    pages = {
        "/bomb": Answer(packed, 200, {"Content-Type": HTML, "Content-Encoding": "gzip"}),
        "/huge": Answer(b"", 200, {"Content-Type": HTML, "Content-Length": str(100 << 20)}),
        "/flood": lambda: Answer((b"<p>" + b"a" * (1 << 18) for _ in range(80)), 200, {"Content-Type": HTML}),
        "/endless": lambda: Answer(never_ending(), 200, {"Content-Type": HTML}),
        "/short": Answer(b"<p>short", 200, {"Content-Type": HTML, "Content-Length": "100"}),
        "/empty": Answer(b"", 200, {"Content-Type": HTML}),
        "/coded": Answer(b"garbage", 200, {"Content-Type": HTML, "Content-Encoding": "br"}),
        "/video": lambda: Answer(never_ending(), 200, {"Content-Type": "video/mp4"}),
        "/cut": Answer(packed[:50_000], 200, {"Content-Type": HTML, "Content-Encoding": "gzip"}),
        "/headers": Answer(b"<p>a", 200, {"Content-Type": HTML, "X-Long": "x" * 100_000}),
        "/many": Answer(b"<p>a", 200, {"Content-Type": HTML, **{f"X-{n}": "x" * 900 for n in range(100)}}),
        "/latin": Answer("<title>Käse</title>".encode("latin-1"), 200, {"Content-Type": "text/html; charset=utf-8"}),
    }
    pages["/"] = page(*pages)
    with Server(site_of(pages)) as server:
        report = run(site, server.url, at_once=12, timeout=4.0, max_bytes=1 << 20)
        assert fetched(site) == {server.url, f"{server.url}latin"}
        assert report.skipped == {
            TOO_LARGE: 3, "no answer in time": 1, CUT_OFF: 2, "empty": 1, "wrong content encoding": 1,
            "not HTML (video/*)": 1, LONG_HEADERS: 2,
        }  # fmt: skip


def test_a_page_that_would_fill_memory_is_read_by_a_worker_and_its_links_are_followed_then(tmp_path, monkeypatch):
    large = b"<title>Large</title><a href=/a>a</a>" + b" " * FOLLOWED_AT_ONCE
    with Server(site_of({"/": large, "/a": page()})) as server:
        report = run(tmp_path / "a.kin", server.url)
        assert (report.pages, server.paths(), dict(report.skipped)) == (2, ["/", "/a"], {})
    monkeypatch.setattr(spider, "leads", None)  # the crawling process must not read it
    spider.Spider._follow(None, Visit(server.url, 0), [Capture(server.url, large)], None)


def test_hosts_that_are_not_there(tmp_path):
    pages = {"/": page("http://nowhere.invalid/", "http://nowhere.invalid/b", "http://closed.example/")}
    with Server(site_of(pages)) as server:
        resolve = resolutions([f"closed.example={server.address}:1"])
        report = run(tmp_path / "a.kin", server.url, across=True, resolve=resolve)
        assert report.pages == 1
        assert report.skipped["its host name has no address"] == 2
        assert sum(report.skipped.values()) == 3


def test_a_certificate_that_nobody_signed(tmp_path):
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=a.example", "-keyout",
         tmp_path / "k", "-out", tmp_path / "c", "-days", "2"], capture_output=True,
    )  # fmt: skip
    assert made.returncode == 0
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "c", tmp_path / "k")
    server = Server(lambda asked: page())
    server.server.socket = context.wrap_socket(server.server.socket, server_side=True)
    with server:
        report = run(tmp_path / "a.kin", f"https://{server.address}:{server.port}/")
        assert server.log == []
        assert report.skipped == {"its certificate cannot be trusted": 1}


def test_an_endless_calendar_ends(tmp_path):
    def answers(asked):
        day = asked.path.removeprefix("/day/")
        return page(*(f"/day/{int(day) + n}" for n in (1, 2, 3))) if day.isdigit() else page("/day/1")

    with Server(answers) as server:
        report = run(tmp_path / "a.kin", server.url, radius=1000, per_pattern=25)
        assert report.pages == 26
        assert report.skipped[TOO_MANY] > 0
        run(tmp_path / "a.kin", server.url, radius=1000, per_pattern=25)
        assert len(server.paths()) == 26


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


@pytest.mark.parametrize("name", ["links.csv", "links.tsv.gz"])
def test_pages_that_link_here_are_fetched_from_a_list(tmp_path, name):
    site, separator = tmp_path / "a.kin", b"," if "csv" in name else b"\t"
    rows = [b"source" + separator + b"target", b"http://b.example/1" + separator + b"http://a.example/"]
    rows += [
        b"http://c.example/2" + separator + b"http://b.example/1",
        b"http://x.example/" + separator + b"http://y.example/",
    ]
    text = b"\n".join(rows) + b"\n"
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    with Server(lambda asked: page("/more")) as server:
        resolve = resolutions([f"*={server.address}:{server.port}"])
        run(site, "http://a.example/", radius=1, resolve=resolve, backlinks=tmp_path / name)
        near = {"http://a.example/", "http://a.example/more", "http://b.example/1"}
        assert fetched(site) == near
        run(site, "http://a.example/", radius=2, resolve=resolve, backlinks=tmp_path / name)
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


def test_a_refresh_is_a_redirect_and_a_circle_of_them_ends(tmp_path):
    site = tmp_path / "a.kin"

    def to(url, seconds=0):
        return page("/nav", head=f'<meta http-equiv="Refresh" content="{seconds}; URL={url}">')

    pages = {"/": to("/home"), "/home": page("/old", "/a", "/slide"), "/old": to("/new"), "/new": page(title="new")}
    pages |= {"/a": to("/b"), "/b": to("/a"), "/slide": to("/slide2", 30), "/nav": page()}

    def answers(asked):
        number = asked.path.removeprefix("/far/")
        return to(f"/far/{int(number) + 1}") if number.isdigit() else pages.get(asked.path)

    with Server(answers) as server:
        report = run(site, server.url, f"{server.url}far/0", radius=1)
        assert fetched(site) == {f"{server.url}{name}" for name in ("home", "new", "slide")}
        some = {(server.url, "refresh"), (f"{server.url}old", "refresh"), (f"{server.url}a", "refresh")}
        assert some <= aliases(site)
        assert report.skipped == {TOO_MANY_HOPS: 1}
        assert len([path for path in server.paths() if path.startswith("/far")]) == 11
        before = len(server.log)
        run(site, server.url, radius=1)
        assert len(server.log) == before


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


def test_the_demo_web_crawled_is_the_demo_web_added_and_its_warc_is_too(tmp_path):
    web, truth = demo.pages(), demo.truth()

    def answers(asked):
        body = web.get(f"http://{asked.host}{asked.path}")
        return body and Answer(body, 200, {"Content-Type": "text/html"})

    crawled, added, read_back = (tmp_path / f"{name}.kin" for name in ("crawled", "added", "read-back"))
    demo.write(tmp_path / "web")
    from pagekin.acquire.sources import open_sources

    ingest(added, open_sources([tmp_path / "web"]), respect_noindex=True)
    with Server(answers) as server:
        hosts = {url.split("/")[2] for url in web}
        (tmp_path / "hosts.txt").write_text(
            "".join(f"{host}={server.address}:{server.port}\n" for host in sorted(hosts))
        )
        resolve = resolutions([str(tmp_path / "hosts.txt")])
        run(crawled, truth.homes[0], across=True, resolve=resolve, radius=9, warc=tmp_path / "warc")
    missed = {truth.spam, truth.isolated}
    assert fetched(crawled) == set(web) - missed
    assert links(crawled) == {link for link in links(added) if link[0] not in missed}
    text = {Store(path): None for path in (crawled, added)}
    of = [{store.url(page): (store.title(page), store.text(page)) for page in range(store.size)} for store in text]
    assert {url: said for url, said in of[0].items() if url in web} == {
        url: said for url, said in of[1].items() if url in web and url not in missed
    }
    ingest(read_back, open_sources([tmp_path / "warc"]), respect_noindex=True)
    graphs = [Store(path).graph for path in (crawled, read_back)]
    asked_in_vain = [graph.pages["status"].is_valid().to_pylist() for graph in graphs]
    assert sum(asked_in_vain[0]) - sum(asked_in_vain[1]) == 1  # a broken link: all that an archive does not bring back
    blank = [_without_status(graph) for graph in graphs]
    assert same(*blank)


def _without_status(graph):
    from dataclasses import replace

    import pyarrow as pa
    import pyarrow.compute as pc

    pages, unfetched = graph.pages, graph.pages["fetched"].is_null()
    for name in ("status", "content_type"):
        kind = pages[name].type.value_type if pa.types.is_dictionary(pages[name].type) else pages[name].type
        blank = pc.if_else(unfetched, pa.scalar(None, kind), pages[name].cast(kind))
        pages = pages.set_column(pages.column_names.index(name), name, blank)
    return replace(graph, pages=pages)


@pytest.mark.slow
def test_a_real_documentation_crawled_whole_is_the_folder_added(tmp_path):
    folder = unpacked("python3.11-doc", tmp_path) / "python3.11/html"
    types = {".html": HTML, ".txt": "text/plain", ".css": "text/css"}

    def answers(asked):
        file = folder / asked.path.lstrip("/").partition("?")[0]
        file = file / "index.html" if file.is_dir() else file
        kind = types.get(file.suffix, "application/octet-stream")
        if (packed := file.with_name(f"{file.name}.gz")).is_file():  # Debian packs the longest page
            return Answer(packed.read_bytes(), 200, {"Content-Type": kind, "Content-Encoding": "gzip"})
        return Answer(file.read_bytes(), 200, {"Content-Type": kind}) if file.is_file() else None

    from pagekin.acquire.sources import open_sources

    with Server(answers) as server:
        run(tmp_path / "crawled.kin", server.url, radius=99, at_once=4, timeout=60.0)
        ingest(tmp_path / "added.kin", open_sources([folder], base_url=server.url))
    crawled, added = (fetched(tmp_path / f"{name}.kin") for name in ("crawled", "added"))
    assert len(added) > 500
    reached = {target for source, target, *_ in links(tmp_path / "added.kin") if source in crawled}
    assert crawled == added & (reached | {server.url})  # whatever a link leads to
    assert len(crawled) > 0.9 * len(added)
    assert links(tmp_path / "crawled.kin") == {link for link in links(tmp_path / "added.kin") if link[0] in crawled}


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


def test_a_timeout_is_kept(tmp_path):
    def answers(asked):
        time.sleep(0 if asked.path == "/robots.txt" else 4)
        return page()

    with Server(answers) as server:
        began = time.monotonic()
        report = run(tmp_path / "a.kin", server.url, timeout=0.2)
        assert report.skipped == {"no answer in time": 1}
        asked = [each.began for each in server.log if each.path == "/"]
        assert len(asked) == 3 and asked[-1] - asked[0] < 4  # three tries, which took ten seconds each
        assert report.lost == {server.url: "no answer in time"}
        assert time.monotonic() > began


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


def test_a_host_that_refuses_connections_is_said_to(tmp_path):
    with Server(lambda asked: None) as server:
        url = server.url
    report = run(tmp_path / "a.kin", url)
    assert report.skipped == {f"{UNREACHABLE}: no connection (connection refused)": 1}


def test_a_private_address_is_told_how_to_be_allowed(tmp_path):
    with Server(lambda asked: page()) as server:
        report = run(tmp_path / "a.kin", server.url, private=())
        assert report.lines[-1] == "to fetch private and local addresses too, use allow_private"


def test_an_archive_needs_a_folder(tmp_path):
    (tmp_path / "x.warc").write_bytes(b"")
    with pytest.raises(UsageError, match=r"warc must name a folder, not the file .*x\.warc"):
        run(tmp_path / "a.kin", "http://a.example/", warc=tmp_path / "x.warc")


def test_add_of_a_web_address_says_crawl(tmp_path):
    with pytest.raises(
        UsageError, match=r'https://a\.example/b is a web address.* run: .*crawl\("https://a\.example/b"'
    ):
        Collection(tmp_path / "a.kin").add("https://a.example/b")


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


def test_what_a_sitemap_has_too_much_of_is_said(tmp_path, monkeypatch):
    from pagekin.acquire.crawl import sitemaps

    body = "<sitemapindex>" + "".join(f"<loc>http://a.example/{n}.xml</loc>" for n in range(sitemaps.MOST + 1))
    assert sitemaps.read(body.encode()).more
    assert not sitemaps.read(b"<urlset><loc>http://a.example/</loc>").more


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


def with_menu(title, *chosen):
    """A page with the site's menu, which has no name, and a sentence about each page that its author chose."""
    shown = "".join(f"<li><a href='/{n}'>Chapter {n}</a>" for n in ("", 1, 2))
    text = "".join(f"<p>There is much more about it in <a href='{url}'>the part on {url}</a>." for url in chosen)
    return f"<title>{title}</title><ul>{shown}</ul><h1>{title}</h1>{text}".encode()


def test_on_a_site_with_a_menu_a_radius_of_two_is_not_the_whole_site(tmp_path):
    """Every page links to the front page in its menu. In its text only `side` does, which nothing leads to."""
    pages = {f"/{n}": with_menu(f"Chapter {n}", f"/{n + 1}") for n in range(1, 30)}
    pages |= {"/": with_menu("Home"), "/side": with_menu("Side", "/", "/aside"), "/aside": with_menu("Aside", "/30")}
    with Server(site_of(pages)) as server:
        run(tmp_path / "a.kin", server.url, radius=2)
        assert fetched(tmp_path / "a.kin") == {server.url, *(f"{server.url}{n}" for n in (1, 2, 3))}
        run(tmp_path / "a.kin", f"{server.url}side", radius=0)
        run(tmp_path / "a.kin", server.url, radius=2)  # back to side, which is held, and on to what it names
        assert fetched(tmp_path / "a.kin") == {server.url, *(f"{server.url}{n}" for n in (1, 2, 3, "side", "aside"))}
        asked = len(server.paths())
        run(tmp_path / "a.kin", server.url, radius=2)
        assert len(server.paths()) == asked  # and that is all


def test_what_is_not_html_by_its_ending_is_asked_for_only_if_one_says_so(tmp_path):
    pdf = Answer(b"%PDF-1.4", 200, {"Content-Type": "application/pdf"})
    pages = {"/": page("/a.pdf", "/b.PNG?x=1", "/c"), "/c": page("/d.zip"), "/a.pdf": pdf, "/start.pdf": page("/c")}
    with Server(site_of(pages)) as server:
        report = run(tmp_path / "a.kin", server.url)
        assert sorted(server.paths()) == ["/", "/c"] and report.skipped == {NOT_HTML: 3}
        report = run(tmp_path / "a.kin", server.url, any_type=True)
        assert sorted(server.paths()[2:]) == ["/a.pdf", "/b.PNG?x=1", "/d.zip"]
        assert report.skipped == {"not HTML (application/*)": 1, "status 404": 2}
        run(tmp_path / "b.kin", f"{server.url}start.pdf")  # whoever names it wants it
        assert f"{server.url}start.pdf" in fetched(tmp_path / "b.kin")
