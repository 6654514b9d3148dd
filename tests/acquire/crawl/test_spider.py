"""Which pages a crawl fetches, one after the other: links, redirects and other names of a page."""

from pagekin.acquire.crawl import spider
from pagekin.acquire.crawl.addresses import resolutions
from pagekin.acquire.crawl.gate import TOO_MANY_HOPS
from pagekin.acquire.crawl.rules import NOT_HTML, OTHER_SITE
from pagekin.acquire.crawl.spider import FOLLOWED_AT_ONCE
from pagekin.acquire.crawl.traps import TOO_MANY
from pagekin.collection.store import Store
from pagekin.model import Capture, Visit
from tests.acquire.crawl.crawled import aliases, fetched, run, site_of
from tests.loopback import HTML, Answer, Server, moved, page


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


def test_a_page_that_would_fill_memory_is_read_by_a_worker_and_its_links_are_followed_then(tmp_path, monkeypatch):
    large = b"<title>Large</title><a href=/a>a</a>" + b" " * FOLLOWED_AT_ONCE
    with Server(site_of({"/": large, "/a": page()})) as server:
        report = run(tmp_path / "a.kin", server.url)
        assert (report.pages, server.paths(), dict(report.skipped)) == (2, ["/", "/a"], {})
    monkeypatch.setattr(spider, "leads", None)  # the crawling process must not read it
    spider.Spider._follow(None, Visit(server.url, 0), [Capture(server.url, large)], None)


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
