"""Folders of HTML, in both forms."""

import gzip
import os
import pickle
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pagekin import Collection
from pagekin.acquire.folder import files_below, open_folder, recognises, walked
from pagekin.collection.store import Store
from pagekin.model import Capture, Item, Redirect, Skipped

BASE = "https://bees.example/docs/"


def write(root: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (1_000_000, 1_000_000))
    return root


def captures(items: object) -> list[Capture]:
    return [item for item in items if isinstance(item, Capture)]  # type: ignore[attr-defined]


def skipped(items: object) -> dict[str, str]:
    return {Path(item.where).name: item.why for item in items if isinstance(item, Skipped)}  # type: ignore[attr-defined]


def urls(root: Path, base: str | None = BASE) -> list[str]:
    return [page.url for page in captures(open_folder(root, base))]


HEADERS = (
    b"Date: Sunday, 01-Dec-96 19:26:46 GMT\r\nContent-type: text/html\r\nContent-Language: en\r\n"
    b'ETag: "7"\r\nLast-Modified: Thu, 23 May 1996 14:30:37 GMT\r\n\r\n'
)


def test_names_that_are_addresses(tmp_path: Path) -> None:
    name = "http:^^WWW.cs.example:80^%7Ejo^"
    write(tmp_path, {f"course/cornell/{name}": HEADERS + b"<p>Bees"})
    assert list(open_folder(tmp_path, None)) == [
        Capture(
            "http://www.cs.example/~jo/",
            b"<p>Bees",
            content_type="text/html",
            language="en",
            fetched=849468406,
            etag='"7"',
            last_modified="Thu, 23 May 1996 14:30:37 GMT",
            origin=str(tmp_path / "course/cornell" / name),
            label="course",
        )
    ]


def test_a_label_is_a_folder_below_the_one_given(tmp_path: Path) -> None:
    write(tmp_path, {"http:^^a.example^": b"<p>Bees", "course/http:^^b.example^": b"<p>Bees", "x/c.html": b"<p>Bees"})
    assert {page.url: page.label for page in captures(open_folder(tmp_path, BASE))} == {
        "http://a.example/": None,
        "http://b.example/": "course",
        "https://bees.example/docs/x/c.html": None,
    }


@pytest.mark.parametrize(
    ("content", "fetched"),
    [
        (HEADERS + b"<p>Bees", 849468406),
        (HEADERS.replace(b"Sunday, 01-Dec-96 19:26:46 GMT", b"Sun Dec  1 19:26:46 1996") + b"<p>Bees", 849468406),
        (HEADERS.replace(b"19:26:46", b"?") + b"<p>Bees", 1_000_000),
        (b"<p>Bees", 1_000_000),
    ],
)
def test_the_time_is_the_servers_or_else_the_files(tmp_path: Path, content: bytes, fetched: int) -> None:
    write(tmp_path, {"http:^^a.example^": content})
    assert [page.fetched for page in captures(open_folder(tmp_path, None))] == [fetched]


def test_a_redirect_as_webkb_has_it(tmp_path: Path) -> None:
    alert = b"WWW Alert:  Redirection response from server is not handled by this client\nLocation: /b/\r\n\r\n<p>Moved"
    write(tmp_path, {"http:^^a.example^b": alert})
    assert list(open_folder(tmp_path, None)) == [Redirect("http://a.example/b", "http://a.example/b/")]


def test_plain_files(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "index.html": b"Bees",
            "a/b c.HTM": b"<p>Bees",
            "a/100%?#.xhtml": b"<p>Bees",
            "ü.shtml": b"<p>Bees",
            "readme": b"<!doctype html><p>Bees",
        },
    )
    assert sorted(urls(tmp_path)) == [
        "https://bees.example/docs/",
        "https://bees.example/docs/%C3%BC.shtml",
        "https://bees.example/docs/a/100%25%3F%23.xhtml",
        "https://bees.example/docs/a/b%20c.HTM",
        "https://bees.example/docs/readme",
    ]
    first = captures(open_folder(tmp_path, BASE))[-3]
    assert (first.body, first.content_type, first.fetched, first.status) == (b"Bees", "text/html", 1_000_000, 200)


def test_without_a_base_url_pages_are_files(tmp_path: Path) -> None:
    write(tmp_path, {"a b.html": b"<p>Bees"})
    assert urls(tmp_path, None) == [(tmp_path / "a b.html").as_uri()]
    assert urls(tmp_path / "a b.html", None) == [(tmp_path / "a b.html").as_uri()]


def test_one_file(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"Bees", "page.bin": b"<html>Bees"})
    assert urls(tmp_path / "a.html") == [BASE + "a.html"]
    assert urls(tmp_path / "page.bin") == [BASE + "page.bin"]
    assert open_folder(tmp_path / "a.html", BASE).said == f"an HTML file at {BASE} (1 file)"


def test_what_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path,
        {
            "empty.html": b"",
            "blank.html": b" \n",
            "image.html": b"\x89PNG\0\0\0",
            "style.css": b"p {}",
            "notes": b"Bees",
            "large.html": b"x" * 5000,
            "http:^^": b"<p>Bees",
            "http:^^a.example^text": HEADERS.replace(b"text/html", b"text/plain") + b"Bees",
        },
    )
    monkeypatch.setattr("pagekin.acquire.folder.MAX_BYTES", 4999)
    assert skipped(open_folder(tmp_path, BASE)) == {
        "empty.html": "empty",
        "blank.html": "empty",
        "image.html": "not HTML",
        "style.css": "not HTML",
        "notes": "not HTML",
        "large.html": "larger than 64 MiB",
        "http:^^": "broken URL",
        "http:^^a.example^text": "not HTML (text/*)",
    }


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    write(tmp_path, {"b.html": b"<p>Bees"})
    (tmp_path / "a.html").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop.html").symlink_to(tmp_path / "loop.html")
    os.mkfifo(tmp_path / "pipe.html")
    folder = open_folder(tmp_path, BASE)
    assert skipped(folder) == {"a.html": "unreadable", "loop.html": "unreadable", "pipe.html": "unreadable"}
    (tmp_path / "b.html").unlink()  # between opening and reading
    assert skipped(folder)["b.html"] == "unreadable"


def test_hidden_files_and_linked_folders_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {"a/b.html": b"", ".git/c.html": b"", ".d.html": b""})
    (tmp_path / "a" / "up").symlink_to(tmp_path, target_is_directory=True)
    assert files_below(tmp_path) == [tmp_path / "a" / "b.html"]


def test_names_nobody_expects(tmp_path: Path) -> None:
    names = (b"\xff/a\nb\xfe.html", b"\xff/http:^^a.example^\xfe")
    write(tmp_path, {os.fsdecode(name): b"<p>Bees" for name in names})
    pages = captures(open_folder(tmp_path, BASE))
    assert [page.url for page in pages] == [BASE + "%FF/a%0Ab%FE.html", "http://a.example/%FE"]
    assert [page.label for page in pages] == [None, "\\xff"]
    for page in pages:
        assert page.origin is not None
        page.origin.encode()


def test_sites_that_leave_out_the_extension(tmp_path: Path) -> None:
    pages = {f"x/p{n}.html": b'<a href="/docs/x/p%d">next</a> <A HREF = p3>' % ((n + 1) % 9) for n in range(9)}
    write(tmp_path, {**pages, "index.html": b"<a href=x/p1#top>one</a>"})
    folder = open_folder(tmp_path, BASE)
    assert folder.said == f"a folder of HTML at {BASE} (10 files), addresses without .html as in its links"
    assert [page.url for page in captures(folder)] == [BASE, *(f"{BASE}x/p{n}" for n in range(9))]


def test_sites_that_do_not(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"<a href=b.html>b</a> <a href=b>b</a> <a href=index.html>up</a>", "b.html": b"<p>"})
    assert urls(tmp_path) == [BASE + "a.html", BASE + "b.html"]
    assert open_folder(tmp_path, BASE).said == f"a folder of HTML at {BASE} (2 files)"


def test_a_folder_can_be_sent_to_another_process(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"<p>Bees"})
    folder = open_folder(tmp_path, BASE)
    assert list(pickle.loads(pickle.dumps(folder))) == list(folder)


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("http:^^a.example^b.txt", b"", True),
        ("a.HTML", b"", True),
        ("a", b"<html>", True),
        ("a", b"Bees", False),
        ("a.txt", b"<html>", False),
    ],
)
def test_recognised(name: str, head: bytes, expected: bool) -> None:
    assert recognises(Path(name), head) is expected


def counted(items: list[Item]) -> Counter[str]:
    return Counter(item.why if isinstance(item, Skipped) else type(item).__name__ for item in items)


@pytest.mark.data
@pytest.mark.slow
def test_webkb(data: Callable[[str], Path]) -> None:
    root = data("webkb")
    items = list(open_folder(root, None))
    # 78 files begin with "WWW Alert: Redirection" and one more has a Location; 22 say that they are text/plain
    assert counted(items) == {"Capture": 8181, "Redirect": 79, "not HTML (text/*)": 22}
    pages = captures(items)
    assert {page.label for page in pages} == {"course", "department", "faculty", "other", "project", "staff", "student"}
    undated = sum(page.fetched >= 915_148_800 for page in pages)  # not of the nineties: the time of the file
    assert undated == 126
    assert sum(page.etag is not None for page in pages) == 44


@pytest.mark.data
def test_awesome_lists(data: Callable[[str], Path]) -> None:
    items = list(open_folder(data("awesome-lists"), None))
    assert counted(items) == {"Capture": 352}
    assert all(page.url.endswith(".example/") and page.label is None for page in captures(items))


@pytest.mark.slow
@pytest.mark.data
def test_planetmath(data: Callable[[str], Path]) -> None:
    folder = open_folder(data("planetmath") / "pages", "http://planetmath.org/")
    assert folder.bare
    assert counted(list(folder)) == {"Capture": 9254}
    assert folder.url(folder.files[0]) == "http://planetmath.org/00ispossibleandhasananswer"


def linked(tmp_path: Path) -> Path:
    """A folder with links of all kinds; a page elsewhere has a secret."""
    inside, elsewhere = tmp_path / "in", tmp_path / "elsewhere"
    write(inside, {"a.html": b"<p>Bees", "sub/b.html": b"<p>Hive"})
    write(elsewhere, {"secret.html": b"<p>Secret", "deep/more.html": b"<p>More"})
    (inside / "absolute.html").symlink_to(elsewhere / "secret.html")
    (inside / "relative.html").symlink_to("../elsewhere/secret.html")
    (inside / "folder").symlink_to(elsewhere, target_is_directory=True)
    (inside / "chain.html").symlink_to("relative.html")
    (inside / "sub" / "own.html").symlink_to(inside / "a.html")
    (inside / "sub" / "up").symlink_to("..", target_is_directory=True)
    (inside / "through.html").symlink_to("folder/secret.html")
    os.link(elsewhere / "secret.html", inside / "hard.html")
    return inside


def test_links_out_of_the_folder_are_left_out_and_named(tmp_path: Path) -> None:
    inside = linked(tmp_path)
    found = walked(inside)
    assert [path.relative_to(inside).as_posix() for path in found.files] == [
        "a.html", "hard.html", "sub/b.html", "sub/own.html",
    ]  # fmt: skip
    assert [path.name for path in found.outside] == [
        "absolute.html", "chain.html", "folder", "relative.html", "through.html",
    ]  # fmt: skip


def test_links_are_followed_on_request_and_circles_once(tmp_path: Path) -> None:
    inside = linked(tmp_path)
    (tmp_path / "elsewhere" / "back").symlink_to(inside, target_is_directory=True)
    found = walked(inside, follow=True)
    assert [path.relative_to(inside).as_posix() for path in found.files] == [
        "a.html", "absolute.html", "chain.html", "folder/deep/more.html", "folder/secret.html", "hard.html",
        "relative.html", "sub/b.html", "sub/own.html", "through.html",
    ]  # fmt: skip
    assert not found.outside


def test_a_folder_that_is_itself_a_link_is_a_folder(tmp_path: Path) -> None:
    inside = linked(tmp_path)
    (tmp_path / "link").symlink_to(inside, target_is_directory=True)
    assert len(walked(tmp_path / "link").files) == 4


@pytest.mark.parametrize("respect", [False, True])
def test_noindex_speaks_to_search_engines_on_the_web(tmp_path: Path, respect: bool) -> None:
    hidden = b"<meta name=robots content=noindex><title>Bees</title><p>Words of honey <a href=b.html>b</a>"
    write(tmp_path / "web", {"a.html": hidden, "b.html": b"<p>Others"})
    site = Collection(tmp_path / "s.kin")
    report = site.add(tmp_path / "web", base_url=BASE, respect_noindex=respect)
    assert report.unindexed == int(respect)
    assert ("left out the words of 1 page with noindex" in report.lines) is respect
    store = Store(tmp_path / "s.kin")
    (number,) = (each for each in range(store.size) if store.url(each) == f"{BASE}a.html")
    assert ("honey" in (store.text(number) or "")) is not respect
    assert site.info().links == 1


def test_pages_in_gzip(tmp_path: Path) -> None:
    page = b"<link rel=canonical href='https://bees.example/docs/a/%s'><a href=other.html>x</a>"
    files = {f"a/{name}.gz": gzip.compress(page % name.encode(), mtime=0) for name in ("index.html", "other.html")}
    write(tmp_path, files | {"b.html": b"<p>Bees", "b.html.gz": gzip.compress(b"<p>Bees", mtime=0)})
    found = list(open_folder(tmp_path, None, guessing=True))
    assert [capture.url for capture in captures(found)] == [BASE + path for path in ("a/", "a/other.html", "b.html")]
    assert captures(found)[0].body == page % b"index.html"
    assert skipped(found) == {"b.html.gz": "a packed copy of a page beside it"}
    assert recognises(tmp_path / "x.HTM.gz", b"")
    assert not recognises(tmp_path / "x.gz", b"")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"<p>not packed", "damaged gzip"),
        (gzip.compress(b"<p>Bees" * 1000, mtime=0)[:-30], "damaged gzip"),
        (gzip.compress(b"", mtime=0), "empty"),
    ],
)
def test_pages_in_broken_gzip(tmp_path: Path, content: bytes, why: str) -> None:
    write(tmp_path, {"a.html.gz": content, "b.html": b"<p>Bees"})
    assert skipped(open_folder(tmp_path, BASE)) == {"a.html.gz": why}


def test_a_page_that_unpacks_to_more_than_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"a.html.gz": gzip.compress(bytes(65 << 20), mtime=0), "b.html": b"<p>Bees"})
    assert skipped(open_folder(tmp_path, BASE)) == {"a.html.gz": "larger than 64 MiB"}
