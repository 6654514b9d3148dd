"""The robots.txt of a host: asked for first, of all kinds, and obeyed."""

import gzip

from pagekin.acquire.crawl.addresses import resolutions
from pagekin.acquire.crawl.robots import FORBIDDEN, UNREACHABLE, UNREADABLE
from tests.acquire.crawl.crawled import fetched, run, site_of
from tests.loopback import Answer, Server, moved, page


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


def test_robots_txt_of_all_kinds(tmp_path):
    robots = {  # host → what it answers, and the paths that are then visited
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
    pages = {"/other.txt": Answer(NOTHING, 200), "/": page()}

    def answer(asked):
        return robots[asked.host.partition(".")[0]][0] if asked.path == "/robots.txt" else pages.get(asked.path)

    starts = [f"http://{name}.example/" for name in robots]
    with Server(answer) as server:
        resolve = resolutions([f"*={server.address}:{server.port}"])
        report = run(tmp_path / "a.kin", *starts, resolve=resolve)
        asked = {
            name: [each.path for each in server.log if each.host == f"{name}.example" and each.path != "/robots.txt"]
            for name in robots
        }
    assert asked == {name: visited for name, (_, visited) in robots.items()}
    assert fetched(tmp_path / "a.kin") == {f"http://{name}.example/" for name in robots if "/" in asked[name]}
    assert {why.partition(":")[0] for why in report.skipped} <= {UNREACHABLE, UNREADABLE, FORBIDDEN}
    assert sum(report.skipped.values()) == len(robots) - report.pages
