"""`add --sync` and `crawl --sync`: what is gone goes, what only cannot be seen stays, and too much is refused."""

import os
import shutil

import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.collection.sync import with_folders
from pagekin.errors import CollectionError, UsageError
from tests.loopback import Answer, Server, page
from tests.small_webs import collection
from tests.small_webs import page as captured

BASE = "http://blog.example/"
PAGES = 10


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "public" / "old").mkdir(parents=True)
    for n in range(PAGES):
        where = "old/" if n in (3, 4) else ""
        (tmp_path / "public" / f"{where}{n}.html").write_text(
            f'<title>{n}</title><p>words w{n}<a href="/{(n + 1) % PAGES}.html">next</a>'
        )
    return tmp_path / "public"


@pytest.fixture
def site(folder, tmp_path):
    Collection(tmp_path / "s.kin").add(folder, base_url=BASE)
    return tmp_path / "s.kin"


def held(path):
    store = Store(path)
    urls = store.graph.pages["url"].to_pylist()
    return {url for url, fetched in zip(urls, store.fetched, strict=True) if fetched}


def sync(site, folder, **options):
    return Collection(site).add(folder, base_url=BASE, sync=True, **options)


def test_a_deleted_file_takes_its_page_along_and_a_new_one_comes(site, folder):
    collection(site, captured("http://elsewhere.example/"))
    assert sync(site, folder).lines[-1] == "compared 10 pages that came from there before: none is gone"
    (folder / "7.html").unlink()
    (folder / "new.html").write_text("<title>new</title>")
    before = Collection(site).add(folder, base_url=BASE)
    assert (before.gone, BASE + "7.html" in held(site)) == (0, True)  # without --sync it stays
    report = sync(site, folder)
    assert (report.compared, report.gone) == (11, 1)
    assert report.lines[-1] == "removed 1 page that is gone"
    assert held(site) == {"http://elsewhere.example/", BASE + "new.html"} | {
        f"{BASE}{'old/' if n in (3, 4) else ''}{n}.html" for n in range(PAGES) if n != 7
    }
    assert sync(site, folder).gone == 0


def test_more_than_a_fifth_goes_only_with_a_yes(site, folder):
    for n in (0, 1):
        (folder / f"{n}.html").unlink()
    shutil.copytree(site, site.with_name("two.kin"))
    assert sync(site.with_name("two.kin"), folder).gone == 2  # exactly a fifth
    (folder / "2.html").unlink()
    with pytest.raises(
        CollectionError, match=r"3 of 10 pages would go, which is more than 20%: .*0\.html.*yes removes"
    ):
        sync(site, folder)
    assert len(held(site)) == PAGES
    assert sync(site, folder, yes=True).gone == 3


def test_another_file_with_the_same_address_is_read(site, folder, tmp_path):
    """The page of a file that is gone is removed first, or its later capture would win over the file that is there."""
    file = folder / "http:^^blog.example^5.html"
    file.write_text("<title>five again</title>")
    os.utime(file, (1000, 1000))
    (folder / "5.html").unlink()
    sync(site, folder)
    store = Store(site)
    found = dict(zip(store.graph.pages["url"].to_pylist(), store.graph.pages["title"].to_pylist(), strict=True))
    assert found[BASE + "5.html"] == "five again"


def test_what_cannot_be_read_is_not_gone(site, folder, monkeypatch):
    def refusing(path, onerror=None, **_):
        onerror(PermissionError(13, "Permission denied", str(path / "old")))
        return iter(())

    monkeypatch.setattr(os, "walk", refusing)
    with pytest.raises(CollectionError, match=r"cannot tell what is gone from .*old.*ermission"):
        with_folders(Store(site), [folder])


def test_a_name_that_is_no_text_is_not_gone(tmp_path):
    folder = tmp_path / "public"
    folder.mkdir()
    name = folder / os.fsdecode(b"caf\xe9.html")
    name.write_text("<title>coffee</title>")
    (folder / "a#1.html").write_text("<title>a</title>")
    site = tmp_path / "s.kin"
    Collection(site).add(folder, base_url=BASE)
    compared = with_folders(Store(site), [folder])
    assert (compared.held.size, compared.gone.size) == (2, 0)
    name.unlink()
    assert with_folders(Store(site), [folder]).gone.size == 1


def test_a_folder_beside_with_the_same_beginning_is_another(site, folder):
    beside = shutil.copytree(folder, folder.with_name("public2"))
    Collection(site).add(beside, base_url="http://two.example/")
    for n in range(5, 10):
        (beside / f"{n}.html").unlink()
    assert sync(site, folder).gone == 0


@pytest.mark.parametrize("paths", [(), ("links.csv",)])
def test_it_is_for_folders(tmp_path, paths):
    (tmp_path / "links.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    with pytest.raises(UsageError, match="compares a folder with the collection"):
        Collection(tmp_path / "s.kin").add(*(tmp_path / path for path in paths), sync=True)


def crawl(site, server, **options):
    options = {"radius": 3, "rate": 0, "allow_private": True} | options
    return Collection(site).crawl(server.url + "docs/", **options)


def test_a_crawl_drops_what_answers_that_it_is_gone(tmp_path):
    answers = {}

    def asked(request):
        return answers.get(request.path)

    names = [f"/docs/{n}" for n in range(9)]
    answers |= {name: page("/docs/", title=name) for name in names}
    answers |= {"/docs/": page(*names, "/other"), "/other": page("/docs/")}
    site = tmp_path / "s.kin"
    with Server(asked) as server:
        crawl(site, server)
        url = server.url.rstrip("/")
        assert len(held(site)) == 11
        # One is gone and no longer linked to, one is still linked to, one is broken, one not below the start.
        answers |= {"/docs/": page(*names[1:]), "/docs/2": Answer(b"", 500), "/docs/1": Answer(b"", 410)}
        del answers["/docs/0"], answers["/other"]
        assert crawl(site, server, sync=False, refresh_after="0").gone == 0
        assert url + "/docs/0" in held(site)
        report = crawl(site, server, sync=True)
        assert (report.gone, report.compared, report.refused) == (2, 10, None)
        assert held(site) == {url + name for name in ("/docs/", "/other", *names[2:])}
        store = Store(site)
        known = dict(zip(store.graph.pages["url"].to_pylist(), store.graph.pages["status"].to_pylist(), strict=True))
        assert known[url + "/docs/1"] == 410  # a broken link is worth knowing
        assert url + "/docs/0" not in known  # and this is none
        for name in names[2:6]:
            answers.pop(name, None)
        report = crawl(site, server, sync=True)
        assert report.gone == 0
        assert "pages would go" in report.refused
        assert len(held(site)) == 9
        assert crawl(site, server, sync=True, yes=True).gone == 4


def test_a_crawl_does_not_take_what_was_removed_for_good(tmp_path):
    names = [f"/{n}" for n in range(4)]
    answers = {name: page("/", "/0", title=name) for name in names} | {"/": page(*names)}
    site = tmp_path / "s.kin"
    with Server(lambda request: answers.get(request.path)) as server:
        options = {"radius": 3, "rate": 0, "allow_private": True}
        Collection(site).crawl(server.url, **options)
        Collection(site).remove(server.url + "0", for_good=True)
        del server.log[:]
        report = Collection(site).crawl(server.url, **options, refresh_after="0")
        assert "/0" not in server.paths()
        assert "/1" in server.paths()
        assert report.skipped["removed for good"] == 1
        assert any("removed for good" in line for line in report.lines)
        report = Collection(site).crawl(server.url + "0", **options)
        assert server.url + "0" not in held(site)
        assert report.skipped == {"removed for good": 1}
