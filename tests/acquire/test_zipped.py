"""Zip files of sites and vaults, good ones and hostile ones."""

import gzip
import io
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagekin import Collection
from pagekin.acquire import zipped
from pagekin.acquire.origin import fetch, fetch_all
from pagekin.acquire.sources import open_sources
from pagekin.errors import SourceError
from pagekin.model import Capture, Skipped
from tests.acquire.test_sources import WARC

BASE = "https://bees.example/"
SITE = {
    "index.html": "<a href=a.html>A</a>",
    "a.html": "<p>Bees",
    "style.css": "p {}",
    "x/b.html": "<a href=../a.html>",
}
VAULT = {"vault/.obsidian/app.json": "{}", "vault/a.md": "[[b]]", "vault/notes/b.md": "[a](../a.md)"}


def packed(path: Path, files: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as out:
        for name, content in files.items():
            out.writestr(zipfile.ZipInfo(name, (2020, 1, 2, 3, 4, 6)), content, method)
    return path


def urls(items) -> list[str]:
    return [item.url for item in items if isinstance(item, Capture)]


def reasons(items) -> dict[str, str]:
    return {item.where.partition("!")[2]: item.why for item in items if isinstance(item, Skipped)}


def test_a_site(tmp_path):
    path = packed(tmp_path / "site.zip", SITE)
    (source,) = open_sources([path], base_url=BASE)
    assert (source.kind, source.said) == ("zip", f"site.zip: a zip file of a folder of HTML at {BASE} (3 files)")
    found = list(source)
    assert urls(found) == [BASE + "a.html", BASE, BASE + "x/b.html"]
    assert reasons(found) == {"style.css": "not a kind of file that pagekin reads"}
    page = found[1] if isinstance(found[1], Capture) else found[2]
    assert page.origin == f"{path}!a.html#0"
    assert page.fetched == 1577934246
    assert [item.origin for item in fetch_all([page.origin])] == [page.origin]
    assert urls(open_sources([path])[0])[0] == f"{path.as_uri()}/a.html"  # wherever it was unpacked


def test_a_vault_in_a_folder_of_its_own(tmp_path):
    path = packed(tmp_path / "vault.zip", VAULT)
    (source,) = open_sources([path], base_url=BASE)
    assert (
        source.said
        == f"vault.zip: a zip file of a folder of Markdown at {BASE} (2 files), addresses as Obsidian makes them"
    )
    found = [item for item in source if isinstance(item, Capture)]
    assert urls(found) == [BASE + "a", BASE + "notes/b"]
    assert found[1].origin == f"{path}!vault/notes/b.md#2={BASE}"
    assert [fetch(page.origin) for page in found] == found
    assert list(fetch_all(page.origin for page in found)) == found


def test_a_collection_from_a_zip_file(tmp_path):
    site = Collection(tmp_path / "s.kin")
    report = site.add(packed(tmp_path / "site.zip", SITE), base_url=BASE)
    assert report.pages == 3
    site.blocks(BASE, tmp_path / "out.html")
    removed = site.remove(BASE + "a.html")
    assert removed.sources == (str(tmp_path / "site.zip"),)


def test_archives_in_a_zip_file(tmp_path):
    assert urls(open_sources([packed(tmp_path / "x.zip", {"data/a.warc": WARC})])[0]) == ["http://a.example/"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../evil.html", zipped.OUT),
        ("/evil.html", zipped.OUT),
        ("a/../../evil.html", zipped.OUT),
        ("..\\evil.html", zipped.OUT),
        ("C:\\evil.html", zipped.OUT),
        ("a.html", zipped.TWICE),
        ("a.html/b.html", "broken zip file"),
        ("x" * 300 + ".html", "broken zip file"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_no_member_leaves_the_archive(tmp_path, name, why):
    path = tmp_path / "deep" / "site.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("a.html", "<p>Bees")
        member = zipfile.ZipInfo("x")
        member.filename = name
        out.writestr(member, "<p>evil")
    found = list(zipped.read(path, BASE))
    assert urls(found) == [BASE + "a.html"]
    assert list(reasons(found).values()) == [why]
    assert [file.name for file in tmp_path.rglob("*")] == ["deep", "site.zip"]


def test_symbolic_links_are_not_made(tmp_path):
    path = tmp_path / "site.zip"
    link = zipfile.ZipInfo("passwd.html")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as out:
        out.writestr(link, "/etc/passwd")
        out.writestr("a.html", "<p>Bees")
    found = list(zipped.read(path, BASE))
    assert (urls(found), reasons(found)) == ([BASE + "a.html"], {"passwd.html": zipped.LINK})


def test_bombs(tmp_path, monkeypatch):
    path = packed(tmp_path / "bomb.zip", {f"{n}.html": bytes(1 << 20) for n in range(20)})
    monkeypatch.setattr(zipped, "FREE_BYTES", 1 << 20)
    with pytest.raises(
        SourceError, match=r"bomb.zip unpacks to more than .*; if it is one, unpack it, and add the folder"
    ):
        list(zipped.read(path))
    with pytest.raises(SourceError, match="unpacks to more than"):
        list(open_sources([path])[0])
    monkeypatch.setattr(zipped, "MOST_MEMBERS", 10)
    with pytest.raises(SourceError, match="has 20 members, more than 10"):
        list(zipped.read(path))


def test_a_page_that_is_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(zipped, "MAX_BYTES", 1000)
    found = list(zipped.read(packed(tmp_path / "a.zip", {"a.html": "<p>" + "x" * 2000, "b.html": "<p>Bees"}), BASE))
    assert (urls(found), reasons(found)) == ([BASE + "b.html"], {"a.html": zipped.TOO_LARGE})


def test_what_is_no_site(tmp_path):
    with pytest.raises(SourceError, match=r"a.zip has no HTML and no Markdown in it \(1 members\)"):
        list(open_sources([packed(tmp_path / "a.zip", {"a.png": b"x"})])[0])
    (tmp_path / "b.zip").write_bytes(b"PK\x03\x04garbage")
    with pytest.raises(SourceError, match=r"b.zip is not a zip file that can be read"):
        list(open_sources([tmp_path / "b.zip"])[0])


def test_encrypted_members(tmp_path):
    path = packed(tmp_path / "a.zip", {"a.html": "<p>Bees", "b.html": "<p>Wax"})
    content = bytearray(path.read_bytes())
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    found = list(zipped.read(path, BASE))
    assert (urls(found), reasons(found)) == ([BASE + "b.html"], {"a.html": "encrypted"})


def test_a_zip_file_in_a_folder_is_named_and_not_read(tmp_path):
    packed(tmp_path / "download.zip", SITE)
    (source,) = open_sources([tmp_path])
    assert (source.kind, len(urls(source))) == ("zip", 3)  # there is nothing else
    (tmp_path / "a.html").write_text("<p>Bees")
    page, aside = open_sources([tmp_path])
    assert (page.kind, aside.kind, [item.why for item in aside]) == ("html", "other", ["a zip file beside other files"])
    assert [source.kind for source in open_sources([tmp_path], "zip")] == ["zip"]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 400), st.binary(max_size=20))
def test_any_damage_is_survived(tmp_path, at, garbage):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as out:
        out.writestr("a.html", "<p>Bees")
        out.writestr("b.html.gz", gzip.compress(b"<p>Wax", mtime=0))
    content = bytearray(stream.getvalue())
    content[at : at + len(garbage)] = garbage
    (tmp_path / "a.zip").write_bytes(content)
    try:
        assert all(isinstance(item, Capture | Skipped) for item in zipped.read(tmp_path / "a.zip", BASE))
    except SourceError as error:
        assert "a.zip" in str(error)
