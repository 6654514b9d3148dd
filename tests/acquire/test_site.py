"""Where a folder stands on the web, and whether its links meet its pages."""

from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagekin import Collection
from pagekin.acquire.folder import Folder, open_folder
from pagekin.acquire.sources import open_sources
from pagekin.model import Capture, Redirect
from pagekin.parse.html import leads
from pagekin.url import host, join
from tests.debian import unpacked

POSTS = [f"posts/{name}.html" for name in ("bees", "hive", "queen", "honey", "wax", "smoke", "drone", "swarm")]
SITE = "https://blog.example/sub/"


def blog(root: Path, head: str = "", link: str = "/sub/{}", others: dict[str, str] | None = None) -> Path:
    """A small blog: each post links to all posts, as `link` says; `head` may name the page's path."""
    for path in ("index.html", *POSTS):
        links = " ".join(f'<a class=x href="{link.format(post)}">{post}</a>' for post in POSTS)
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        at = path.removesuffix("index.html")
        file.write_text(f"<!doctype html><title>{path}</title>{head.format(at)}<p>{links} <a href='/logo.png'>logo</a>")
    for path, text in (others or {}).items():
        (root / path).write_text(text)
    return root


def opened(root: Path, base: str | None = None) -> Folder:
    return open_folder(root, base, guessing=True)


def met(folder: Folder) -> float:
    """The share of the links to posts that lead to a page, counted by a parser of its own."""
    items = list(folder)
    known = {item.url for item in items if isinstance(item, Capture)}
    known |= {item.alias for item in items if isinstance(item, Redirect)}
    found = [
        join(page.url, node.attributes["href"] or "") in known
        for page in items
        if isinstance(page, Capture)
        for node in LexborHTMLParser(page.body.decode()).css("a.x")
    ]
    return sum(found) / len(found)


def sitemap(*paths: str) -> str:
    return "<urlset>" + "".join(f"<url><loc>{SITE}{path}</loc></url>" for path in paths) + "</urlset>"


def feed(*paths: str) -> str:
    items = "".join(f"<item><link>{SITE}{path}</link></item>" for path in paths)
    return f"<rss><channel><link>{SITE}</link>{items}</channel></rss>"


@pytest.mark.parametrize(
    ("head", "link", "others", "by"),
    [
        ("<link rel=canonical href=" + SITE + "{}>", "/sub/{}", {}, "rel=canonical"),
        ("<link href='" + SITE + "{}' rel='canonical'>", "{}", {}, "rel=canonical"),
        ('<meta property="og:url" content="' + SITE + '{}">', "/sub/{}", {}, "og:url"),
        ("", "/sub/{}", {"sitemap.xml": sitemap("", *POSTS)}, "its sitemap"),
        ("", "/sub/{}", {"feed.xml": feed(*POSTS)}, "its feed"),
        ("", SITE + "{}", {}, "its links"),
    ],
)
def test_the_base_url_is_found(tmp_path: Path, head: str, link: str, others: dict[str, str], by: str) -> None:
    link = "../" * (link == "{}") + link  # posts link to each other; from the front page this leads out
    folder = opened(blog(tmp_path, head, link, others))
    assert (folder.base, folder.by) == (SITE, by)
    assert folder.said.startswith(f"a folder of HTML at {SITE} (")
    assert folder.said.endswith(f" files), according to {by}")
    assert met(folder) >= 8 / 9
    assert folder.warning == ""


def test_an_address_without_extension_shows_where_the_folder_stands(tmp_path: Path) -> None:
    blog(tmp_path, link="/sub/{}")
    for path in ("index.html", *POSTS):
        text = (tmp_path / path).read_text().replace(".html", "")
        (tmp_path / path).write_text(
            f"<link rel=canonical href={SITE}{path.removesuffix('index.html').removesuffix('.html')}>{text}"
        )
    folder = opened(tmp_path)
    assert (folder.base, folder.bare, met(folder) > 0.8) == (SITE, True, True)


@pytest.mark.parametrize(
    ("head", "link"),
    [
        ("", "../{}"),  # nothing names a host
        ("<link rel=canonical href=https://blog.example/>", "../{}"),  # a template that names the front everywhere
        ("<link rel=canonical href=file:///usr/share/doc/blog/{}>", "../{}"),  # as Debian's Python documentation has it
        ("<link rel=canonical href='https://blog.example/?p={}'>", "../{}"),
        ("<a href=https://other.example/posts/bees.html></a>", "../{}"),  # another site has a page of this name
        (
            "".join(f"<a href=https://o.example/{post}></a><a href=https://o.example/{post}/more>" for post in POSTS),
            "../{}",
        ),
    ],
)
def test_what_is_not_clear_is_not_taken(tmp_path: Path, head: str, link: str) -> None:
    assert opened(blog(tmp_path, head, link)).base == tmp_path.as_uri() + "/"


def test_a_base_url_that_is_given_wins(tmp_path: Path) -> None:
    blog(tmp_path, "<link rel=canonical href=" + SITE + "{}>", "../{}")
    folder = opened(tmp_path, "http://staging.example/")
    assert folder.base == "http://staging.example/"
    assert "which" not in folder.said


@pytest.mark.parametrize(
    ("base", "proposed"), [("https://blog.example/", SITE), ("https://blog.example/su", SITE), (SITE, None)]
)
def test_a_base_url_that_misses_the_path_of_the_site(tmp_path: Path, base: str, proposed: str | None) -> None:
    folder = opened(blog(tmp_path), base)
    if proposed is None:
        assert folder.warning == ""
    else:
        expected = (
            f'only 0% of the links within the site lead to a page of it (72 were looked at); with base_url="{SITE}"'
        )
        assert folder.warning == f"{expected} it would be 100%"


def test_a_folder_at_the_root_given_a_path_too_much(tmp_path: Path) -> None:
    assert 'with base_url="https://blog.example/"' in opened(blog(tmp_path, link="/{}"), SITE).warning


def test_links_that_meet_nothing_are_said_in_the_report(tmp_path: Path) -> None:
    blog(tmp_path / "public")
    report = Collection(tmp_path / "s.kin").add(tmp_path / "public")
    assert report.lines[-1] == (
        "public: only 0% of the links within the site lead to a page of it (72 were looked at); "
        'with base_url="https://YOUR-SITE/sub/" it would be 100%'
    )
    blog(tmp_path / "gone", link="/elsewhere/{}/x")
    assert "is https://a.example/ its address?" in opened(tmp_path / "gone", "https://a.example/").warning


def test_a_folder_as_wget_writes_it(tmp_path: Path) -> None:
    blog(tmp_path / "www.bees.example" / "sub", link="/sub/{}")
    blog(tmp_path / "wax.example:8080", link="http://www.bees.example/sub/{}")
    folder = opened(tmp_path)
    assert folder.bases == {
        "wax.example:8080/": "https://wax.example:8080/",
        "www.bees.example/": "http://www.bees.example/",
    }
    assert folder.said == (
        "a folder of HTML at https://wax.example:8080/ and 1 other host (18 files), as wget -r writes them"
    )
    assert (met(folder), folder.warning) == (1, "")
    given = opened(tmp_path, "https://mirror.example/")
    assert given.base == "https://mirror.example/"
    assert "its folders have the names of hosts (wax.example:8080/, www.bees.example/)" in given.warning
    assert opened(tmp_path / "www.bees.example").base == "https://www.bees.example/"


def test_queries_that_wget_writes_into_names(tmp_path: Path) -> None:
    root = tmp_path / "bees.example"
    root.mkdir()

    def urls(*links: str) -> list[str]:
        for name in ("index.html", "index.html?page=2", "hive.html?id=7"):
            (root / name).write_text("<!doctype html>" + "".join(f"<a class=x href='{link}'>x</a>" for link in links))
        (source,) = open_sources([tmp_path])
        return [item.url.removeprefix("https://bees.example/") for item in source if isinstance(item, Capture)]

    assert urls("/?page=2", "hive.html?id=7") == ["hive.html?id=7", "", "?page=2"]
    assert urls("index.html%3Fpage=2", "hive.html%3Fid=7") == ["hive.html%3Fid=7", "", "index.html%3Fpage=2"]


def test_links_to_folders_without_the_slash(tmp_path: Path) -> None:
    for name in ("bees", "hive"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text("<a class=x href=/bees>x</a> <a class=x href=/hive>y</a>")
    folder = opened(tmp_path, "https://a.example/")
    assert met(folder) == 1
    (tmp_path / "web").mkdir()
    for name in ("bees", "hive"):
        (tmp_path / name).rename(tmp_path / "web" / name)
    site = Collection(tmp_path / "s.kin")
    site.add(tmp_path / "web", base_url="https://a.example/")
    assert site.info().links == 4
    assert {row.url for row in site.related("https://a.example/bees", method="amsler").results} == {
        "https://a.example/hive/"
    }


DEBIAN = {
    "postgresql-doc-15": "doc/postgresql-doc-15/html",
    "git-doc": "doc/git-doc",
    "debian-policy": "doc/debian-policy",
    "gimp-help-en": "gimp/2.0/help/en",
    "python3.11-doc": "doc/python3.11/html",
}


@pytest.mark.slow
@pytest.mark.parametrize("package", DEBIAN)
@pytest.mark.parametrize("base", [None, "https://docs.example/sub/"])
def test_documentation_of_debian_meets_itself(tmp_path: Path, package: str, base: str | None) -> None:
    root = unpacked(package, tmp_path).parent / DEBIAN[package]
    folder = opened(root, base)
    items = list(folder)
    known = {item.url for item in items if isinstance(item, Capture)}
    known |= {item.alias for item in items if isinstance(item, Redirect)}
    within = [
        link in known
        for page in items
        if isinstance(page, Capture)
        for link in leads(page)[0]
        if host(link) == host(folder.base)
    ]
    assert sum(within) >= 0.95 * len(within) > 0
    assert folder.warning == ""
