"""A collection that was written before links had roles: it opens, answers from all links, and is renewed by adding."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin import Collection
from pagekin.collection import graph as graphs
from pagekin.collection import manifest as manifests
from pagekin.collection import parts as part_files
from pagekin.collection import sealed
from pagekin.collection.files import all_known
from pagekin.collection.manifest import GRAPH
from pagekin.collection.roles import ROLES
from pagekin.collection.store import Store
from pagekin.collection.writer import write_description
from tests.small_webs import collection, edges

TABLES = ("compounds", "stretches")
COLUMNS = {"parser", "region", "stretch", "headings", "role"}
MENU = "<nav><a href=0.html>Start</a> <a href=1.html>Shop</a> <a href=2.html>About us</a></nav>"


def earlier(path):
    """Make a collection what the version before would have written: without the tables, columns and files of roles."""
    held = manifests.read(path)
    parts = []
    for part in held.parts:
        checksums = {}
        for table in part.checksums:
            file = path / part.path / f"{table}.parquet"
            if table in TABLES:
                file.unlink()
                continue
            rows = pq.read_table(file, partitioning=None)
            pq.write_table(rows.drop_columns([name for name in rows.column_names if name in COLUMNS]), file,
                           compression="zstd", write_page_checksum=True)  # fmt: skip
            checksums[table] = part_files.checksum(file)
        rows_of = {table: rows for table, rows in part.rows.items() if table not in TABLES}
        parts.append(replace(part, rows=rows_of, checksums=checksums, holds=(part_files.fingerprint(checksums),)))
        part_files.write_description(path, parts[-1], held)
    index = held.indexes[GRAPH]
    folder = path / index.path
    added = [*folder.glob("content_*"), folder / "boilerplate.arrow", folder / "role.npy", folder / "index.json"]
    for file in [*added, *(folder / f"{name}.npy" for name in graphs.STRETCH_FILES)]:
        file.unlink(missing_ok=True)
    for name in ("pages", "links"):
        table = pa.ipc.open_file(folder / f"{name}.arrow").read_all()
        table = table.drop_columns([column for column in table.column_names if column in COLUMNS])
        with pa.ipc.new_file(folder / f"{name}.arrow", table.schema) as file:
            file.write_table(table)
    index = replace(index, files=all_known(folder))
    write_description(path, GRAPH, index)
    manifests.write(path, replace(held, parts=tuple(parts), indexes={GRAPH: index}, format=2))


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "site"
    made.mkdir()
    for n in range(8):
        one, two = (n + 3) % 8, n * 3 % 8
        text = f"<p>In week {n} the bees liked <a href={one}.html>another</a> and <a href={two}.html>more</a>."
        (made / f"{n}.html").write_text(f"<title>Week {n}</title>{MENU}{text}")
    return made


@pytest.fixture
def old(tmp_path, folder):
    path = tmp_path / "s.kin"
    Collection(path).add(str(folder))
    collection(path, edges(("http://t.example/", "http://u.example/")))
    earlier(path)
    return path


def answers(path, method):
    site, store = Collection(path), Store(path)
    urls = [store.url(page) for page in range(store.size)]
    return {url: [(row.url, row.score) for row in site.related(url, method=method)] for url in urls}


def test_it_is_what_was_meant(old):
    assert sealed.read(old / "manifest.json")[0]["format"] == 2
    graph = old / Store(old).manifest.indexes[GRAPH].path
    assert not any(old.glob("parts/*/stretches.parquet")) and not (graph / "print.npy").exists()
    for file in old.glob("parts/*/*.parquet"):
        assert COLUMNS.isdisjoint(pq.read_schema(file).names)


def test_it_opens_and_answers_from_all_links(tmp_path, folder, old):
    new = tmp_path / "new.kin"
    Collection(new).add(str(folder))
    collection(new, edges(("http://t.example/", "http://u.example/")))
    assert answers(old, "amsler") == answers(old, "amsler(links=all)") == answers(new, "amsler(links=all)")
    assert answers(new, "amsler") != answers(new, "amsler(links=all)")
    store = Store(old)
    assert store.graph.content is store.graph.arrays and not store.graph.repeated.size
    assert set(store.graph.links["role"].to_pylist()) == {ROLES.index("content")}
    words = [rows.to_pylist() for rows in store.seeing().rows("terms")]
    assert words == [rows.to_pylist() for rows in store.rows("terms")]
    assert {row["headings"] for rows in words for row in rows} == {0}
    assert graphs.same(graphs.from_snapshot(store.snapshot()), graphs.from_snapshot(Store(old).snapshot()))


def test_build_and_scrub_work(old):
    Collection(old).build(index="inverted")
    assert Collection(old).search("bees", alpha=0).results
    assert Collection(old).scrub().done[0].startswith("nothing to repair")


def test_a_lost_graph_and_a_lost_manifest_are_made_again(old):
    before = answers(old, "amsler")
    (old / "manifest.json").unlink()
    for file in old.glob("index/*/out.npy"):
        file.write_bytes(b"")
    assert Collection(old).scrub().done
    assert answers(old, "amsler") == before


def test_adding_the_same_folder_renews_the_pages(tmp_path, folder, old):
    Collection(tmp_path / "new.kin").add(str(folder))
    collection(tmp_path / "new.kin", edges(("http://t.example/", "http://u.example/")))
    Collection(old).add(str(folder))
    renewed, new = Store(old), Store(tmp_path / "new.kin")
    assert set(renewed.graph.pages["parser"].drop_null().to_pylist()) == {1}
    assert graphs.same(renewed.graph, new.graph) and renewed.boilerplate.equals(new.boilerplate)
    assert answers(old, "amsler") == answers(tmp_path / "new.kin", "amsler")
    parts = renewed.manifest.parts
    Collection(old).add(str(folder))
    assert Store(old).manifest.parts == parts  # once is enough


def test_a_graph_with_roles_among_the_links_opens_as_before(tmp_path, folder):
    """As format 4 wrote it."""
    path = tmp_path / "s.kin"
    Collection(path).add(str(folder))
    held, before = manifests.read(path), Store(path).graph
    index = held.indexes[GRAPH]
    at = path / index.path
    table = pa.ipc.open_file(at / "links.arrow").read_all().append_column("role", pa.array(np.load(at / "role.npy")))
    with pa.ipc.new_file(at / "links.arrow", table.schema) as file:
        file.write_table(table)
    (at / "role.npy").unlink()
    (at / "index.json").unlink()
    index = replace(index, files=all_known(at))
    write_description(path, GRAPH, index)
    manifests.write(path, replace(held, indexes={GRAPH: index}, format=4))
    assert set(before.links["role"].to_pylist()) > {0}
    assert graphs.equal(Store(path).graph, graphs.from_snapshot(Store(path).snapshot()))
    collection(path, edges(("http://t.example/", "http://u.example/")))
    assert (path / Store(path).manifest.indexes[GRAPH].path / "role.npy").exists()
    assert sealed.read(path / "manifest.json")[0]["format"] == 5
