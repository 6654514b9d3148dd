"""Requests on the wire: when a host is asked, and what becomes of answers that are no pages."""

import gzip
import itertools
import ssl
import subprocess
import time

from pagekin.acquire.crawl.addresses import resolutions
from pagekin.acquire.crawl.gate import LONG_HEADERS
from pagekin.acquire.crawl.politeness import BROKEN, LATER, TOO_SLOW
from pagekin.acquire.http import CUT_OFF, TOO_LARGE
from tests.acquire.crawl.crawled import fetched, run, site_of
from tests.loopback import HTML, Answer, Server, page


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


YEARS = {"long": "Crawl-delay: 1e9", "endless": "Crawl-delay: inf", "beyond": f"Request-rate: 1/{'9' * 400}"}


def test_a_host_that_wants_years_between_requests_is_not_asked_at_all(tmp_path):
    def answers(asked):
        if asked.path == "/robots.txt":
            return Answer(f"User-agent: *\n{YEARS[asked.host.partition('.')[0]]}".encode(), 200)
        return page()

    with Server(answers) as server:
        resolve = resolutions([f"*={server.address}:{server.port}"])
        starts = [f"http://{name}.example/{path}" for name in YEARS for path in ("", "a")]
        report = run(tmp_path / "a.kin", *starts, sitemaps=True, resolve=resolve)
        assert sorted((asked.host, asked.path) for asked in server.log) == [
            (f"{name}.example", "/robots.txt") for name in sorted(YEARS)
        ]
        assert report.skipped == {TOO_SLOW: 3 * len(YEARS)}  # two pages of each, and the sitemap


def test_retry_after_is_waited_for(tmp_path):
    busy = {f"{status}.example": iter([Answer(b"", status, {"Retry-After": "1"}), page()]) for status in (429, 503)}
    with Server(lambda asked: next(busy[asked.host]) if asked.path == "/" else None) as server:
        resolve = resolutions([f"*={server.address}:{server.port}"])
        assert run(tmp_path / "a.kin", *(f"http://{host}/" for host in busy), resolve=resolve).pages == 2
        for host in busy:
            first, second = (asked for asked in server.log if (asked.host, asked.path) == (host, "/"))
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
        report = run(site, server.url, at_once=12, timeout=2.0, max_bytes=1 << 20)
        assert fetched(site) == {server.url, f"{server.url}latin"}
        assert report.skipped == {
            TOO_LARGE: 3, "no answer in time": 1, CUT_OFF: 2, "empty": 1, "wrong content encoding": 1,
            "not HTML (video/*)": 1, LONG_HEADERS: 2,
        }  # fmt: skip


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
