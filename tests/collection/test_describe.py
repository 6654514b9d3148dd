import os
from dataclasses import replace

import pyarrow as pa

from pagekin import Collection
from pagekin.collection.describe import describe
from pagekin.collection.store import Store
from tests.small_webs import collection, from_edges, page


def test_info_counts_what_is_there_while_a_writer_removes_files(tmp_path, monkeypatch):
    path = from_edges(tmp_path / "s.kin", [("a", "b")]).path
    before = Collection(path).info().bytes
    (path / "index" / "steps").mkdir()
    (path / "index" / "steps" / "x").write_bytes(b"x")
    look = os.scandir

    def vanishing(folder):
        if str(folder).endswith("steps"):
            raise FileNotFoundError(folder)
        return look(folder)

    monkeypatch.setattr(os, "scandir", vanishing)
    assert Collection(path).info().bytes == before


def site_with_a_menu(folder):
    (folder / "web").mkdir()
    for name in "abcd":
        links = "".join(f"<li><a href={other}.html>{other}</a>" for other in "abcd")
        page = f"<nav><a href=/>Start</a></nav><ul>{links}</ul><p>On <a href=/{name}{name}>bees</a> of {name}{name}"
        (folder / "web" / f"{name}.html").write_text(page)
    Collection(folder / "s.kin").add(folder / "web", base_url="http://s.example/")
    return folder / "s.kin"


def test_info_counts_links_by_role(tmp_path):
    info = Collection(site_with_a_menu(tmp_path)).info()
    assert info.roles == {"content": 4, "navigation": 4, "template": 16}
    assert sum(info.roles.values()) == info.links
    assert (info.unread, info.note) == (0, None)
    assert "roles: content 4, navigation 4, template 16" in info.lines


def test_info_says_how_to_renew_pages_that_an_earlier_version_read(tmp_path):
    store = Store(site_with_a_menu(tmp_path))
    pages = store.graph.pages
    before = pa.repeat(pa.scalar(None, pa.int16()), pages.num_rows)
    pages = pages.set_column(pages.column_names.index("parser"), "parser", before)
    store.graph = replace(store.graph, pages=pages)
    info = describe(store)
    assert info.unread == 4
    assert "4 fetched pages were read by an earlier version" in info.note
    assert "a.html and 3 other files" in info.note
    assert f'Collection("{store.path}").add("SOURCE")' in info.note


def test_info_says_what_each_index_takes_on_disk(tmp_path):
    site = Collection(
        collection(tmp_path / "s.kin", page("http://h.example/a", words="wax bees"), page("http://h.example/b")).path
    )
    site.build(index="inverted")
    info = site.info()
    manifest = Store(site.path).manifest
    on_disk = {
        name: sum(file.stat().st_size for file in (site.path / built.path).iterdir() if file.name != "index.json")
        for name, built in manifest.indexes.items()
    }
    assert info.index_bytes == on_disk
    assert set(on_disk) >= {"graph", "inverted"}
    assert list(info.index_bytes.values()) == sorted(on_disk.values(), reverse=True)
    (line,) = (line for line in info.lines if line.startswith("index bytes"))
    assert "kB" in line
