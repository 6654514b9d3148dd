"""What is whole of a damaged part stays, what is lost is named, and adding the sources again restores it."""

import errno
import json
import os
import resource
import shutil
from pathlib import Path

import pytest

from pagekin import Collection
from pagekin.collection import files, parts
from pagekin.collection import graph as graphs
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError
from tests.small_webs import collection, page

PAGES = [f"http://a.example/{i:03}" for i in range(60)]


def sources():
    return [page(url, *PAGES[i : i + 4], words=f"word{i} bee " * 9) for i, url in enumerate(PAGES)]


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "ROW_GROUP", 30)
    collection(tmp_path / "s.kin", *sources())
    shutil.copytree(tmp_path / "s.kin", tmp_path / "whole.kin")
    return tmp_path / "s.kin"


def flip(site, table, at=40):
    file = site / Store(site).manifest.parts[0].path / f"{table}.parquet"
    held = bytearray(file.read_bytes())
    held[at] ^= 1
    file.write_bytes(held)


def rows(site):
    store = Store(site)
    found = {name: sum(part.num_rows for part in store.rows(name)) for name in ("text", "blocks", "terms")}
    return found | {"pages": store.size, "links": store.graph.links.num_rows}


def scrub(site):
    return list(Collection(site).scrub().done)


def whole(site):
    return site.with_name("whole.kin")


@pytest.mark.parametrize("table", ["text", "blocks", "links", "terms"])
def test_one_bad_byte_loses_one_row_group_of_one_table_and_adding_again_restores_it(site, table):
    before = rows(site)
    flip(site, table)
    said = scrub(site)
    lost = {name: count - rows(site)[name] for name, count in before.items() if count != rows(site)[name]}
    group = parts.TEXT_GROUP if table == "text" else 30
    assert lost == {table: group}
    name = whole(site).joinpath(Store(whole(site)).manifest.parts[0].path).name
    assert any(f"part {name}: its table {table} is damaged: {group} of" in line and "are lost" in line for line in said)
    assert any("add its sources again" in line for line in said)
    assert [line[:17] for line in scrub(site)] == ["nothing to repair"]
    collection(site, *sources())
    assert rows(site) == before
    assert graphs.same(Store(site).graph, Store(whole(site)).graph)


def test_lost_pages_are_named_and_restored(site):
    flip(site, "pages")
    assert any("its table pages is damaged: 30 of" in line and "lost" in line for line in scrub(site))
    assert 0 < Store(site).size < 63
    collection(site, *sources())
    assert graphs.same(Store(site).graph, Store(whole(site)).graph)


def test_a_footer_is_not_needed_nor_the_end_of_a_file(site):
    links = rows(site)["links"]
    flip(site, "links", -20)
    said = scrub(site)
    assert any(f"its table links is damaged: all its {links} rows could be read" in line for line in said), said
    assert graphs.same(Store(site).graph, Store(whole(site)).graph)
    file = site / Store(site).manifest.parts[0].path / "text.parquet"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 3])
    assert any("its table text is damaged" in line and "rows are lost" in line for line in scrub(site))
    assert 0 < rows(site)["text"] < 60


def test_indexes_stay_good_if_every_row_could_be_read(site):
    Collection(site).build(index=["keywords"])
    before = Store(site).manifest
    flip(site, "terms", 0)
    scrub(site)
    after = Store(site)
    assert after.manifest.parts != before.parts
    assert (after.manifest.version, after.stale()) == (before.version, [])
    flip(site, "terms")
    scrub(site)
    assert Store(site).stale() == ["keywords"]


def test_a_whole_folder_that_is_gone_is_named(site):
    (part,) = Store(site).manifest.parts
    shutil.rmtree(site / part.path)
    assert sum("rows are lost" in line for line in scrub(site)) == len(part.checksums) > 4
    assert Store(site).size == 0
    collection(site, *sources())
    assert graphs.same(Store(site).graph, Store(whole(site)).graph)


@pytest.mark.parametrize("how", ["behind a link", "with somebody's file"])
def test_a_damaged_part_is_replaced_and_not_removed_where_it_may_be_somebody_s(site, how):
    folder = site / Store(site).manifest.parts[0].path
    if how == "behind a link":
        (site / "parts").rename(site.with_name("elsewhere"))
        (site / "parts").symlink_to(site.with_name("elsewhere"))
    else:
        (folder / "notes.txt").write_text("mine")
    flip(site, "links")
    held = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert any("rows are lost" in line for line in scrub(site))
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == held
    assert {file.name: file.read_bytes() for file in (site / "damaged" / folder.name).iterdir()} == held
    left = rows(site)
    (site / "manifest.json").unlink()  # it is found again, and changes nothing
    scrub(site)
    assert rows(site) == left
    assert "nothing to repair" in scrub(site)[0]


def test_a_block_that_the_disk_cannot_read_loses_its_row_group_alone(site, monkeypatch):
    """A failing disk gives no wrong bytes but an error, and scrub must get round it."""
    before, bad = rows(site), site / Store(site).manifest.parts[0].path / "text.parquet"
    flip(site, "text")  # so that its checksum differs, as it would if it could not be taken
    pread = os.pread

    def reading(descriptor, size, at):
        if at == 0 and os.path.samestat(os.fstat(descriptor), bad.stat()):
            raise OSError(errno.EIO, "Input/output error")
        return pread(descriptor, size, at)

    def at_once(path):
        if path == bad:
            raise OSError(errno.EIO, "Input/output error")
        return path.open("rb").read()

    monkeypatch.setattr(files, "BLOCK", 512)
    monkeypatch.setattr(os, "pread", reading)
    monkeypatch.setattr(Path, "read_bytes", at_once)
    held = bad.stat().st_size
    assert any(f"its table text is damaged: {parts.TEXT_GROUP} of 60 rows are lost" in line for line in scrub(site))
    assert rows(site) == before | {"text": 60 - parts.TEXT_GROUP}
    assert next((site / "damaged").glob("*/text.parquet")).stat().st_size == held


def test_a_disk_that_is_too_full_to_set_a_part_aside_is_told_in_plain_words(site):
    flip(site, "text")
    before = Store(site).manifest
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(CollectionError, match="failed: no file may be larger than 100 bytes; what was committed"):
            scrub(site)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert Store(site).manifest == before


def test_without_a_description_only_whole_tables_are_kept(site):
    flip(site, "links")
    (site / Store(site).manifest.parts[0].path / "part.json").unlink()
    assert any("its table links is damaged: 234 of 234 rows are lost" in line for line in scrub(site))
    assert rows(site)["text"] == 60


def test_a_description_that_lies_is_written_again(site):
    file = site / Store(site).manifest.parts[0].path / "part.json"
    held = file.read_text()
    found = json.loads(held)
    found["part"]["rows"]["links"] += 1
    file.write_text(json.dumps(found))
    assert any("descriptions that were missing or damaged were written again (1)" in line for line in scrub(site))
    assert json.loads(file.read_text()) == json.loads(held)


def test_a_damaged_part_is_not_compacted_and_not_lost_by_trying(site):
    collection(site, page("http://b.example/", PAGES[0]))
    flip(site, "terms")
    held = Store(site).manifest
    with pytest.raises(Exception, match=r"terms\.parquet is damaged: .*scrub"):
        Collection(site).build()
    assert Store(site).manifest == held


def test_a_page_that_lost_rows_is_fetched_again_by_a_crawl(site):
    from pagekin.collection.frontier import Frontier

    begin = {PAGES[0]: 0}
    links = [visit.url for visit in Frontier(site, 60).plan(begin, lambda url: True).visits]
    flip(site, "text")
    scrub(site)
    again = [visit.url for visit in Frontier(site, 60).plan(begin, lambda url: True).visits]
    assert len(set(again) - set(links)) == parts.TEXT_GROUP


def test_the_writer_keeps_the_order_of_parts(site):
    with writing(site) as writer:
        assert writer.describe() == []
