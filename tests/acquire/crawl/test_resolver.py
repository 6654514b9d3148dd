"""Where a crawl connects: to no private address unless it is allowed, and to no host that is not there."""

from pagekin.acquire.crawl.addresses import resolutions
from pagekin.acquire.crawl.robots import UNREACHABLE
from pagekin.acquire.crawl.rules import PRIVATE
from pagekin.acquire.crawl.settings import EVERYWHERE
from tests.acquire.crawl.crawled import run, site_of
from tests.loopback import Server, moved, page

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


def test_nothing_is_asked_of_loopback_unless_it_is_allowed_and_how_is_said(tmp_path):
    with Server(lambda asked: page()) as server:
        report = run(tmp_path / "a.kin", server.url, private=())
        assert server.log == []
        assert report.skipped == {PRIVATE: 1}
        assert report.lines[-1] == "to fetch private and local addresses too, use allow_private"
        assert not (tmp_path / "a.kin").exists()


def test_hosts_that_are_not_there(tmp_path):
    pages = {"/": page("http://nowhere.invalid/", "http://nowhere.invalid/b", "http://closed.example/")}
    with Server(site_of(pages)) as server:
        resolve = resolutions([f"closed.example={server.address}:1"])
        report = run(tmp_path / "a.kin", server.url, across=True, resolve=resolve)
        assert report.pages == 1
        assert report.skipped["its host name has no address"] == 2
        assert report.skipped[f"{UNREACHABLE}: no connection (connection refused)"] == 1
        assert sum(report.skipped.values()) == 3
