"""Joining: a collection of collections is the collection of all their sources, and a failed join changes nothing."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin import Collection
from pagekin.collection import manifest as manifests
from pagekin.collection import sealed
from pagekin.collection.compact import compact
from pagekin.collection.graph import same
from pagekin.collection.ingest import ingest
from pagekin.collection.join import Joined, join
from pagekin.collection.schema import SCHEMAS
from pagekin.collection.store import Store
from pagekin.collection.writer import Writer, writing
from pagekin.errors import CollectionError, UsageError
from pagekin.model import Missing, Redirect
from pagekin.parse.segmenters import segmenters
from tests.collection.test_snapshot import add, items, rows_told, told
from tests.small_webs import collection, edges, page

A, B, C, D = (f"http://{name}.example/" for name in "abcd")


def files(path: Path) -> dict[str, bytes]:
    """All that is in a folder, but for the lock."""
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.name != "lock"
    }


def counts(joined: Joined) -> tuple[int, int, int]:
    return joined.pages, joined.unchanged, joined.rows


@settings(max_examples=8, deadline=None)
@given(items, st.data())
def test_a_collection_of_collections_is_that_of_all_their_sources(history, data):
    with tempfile.TemporaryDirectory() as folder:
        plain, left, right, ways = (Path(folder) / f"{name}.kin" for name in ("plain", "left", "right", "ways"))
        sides = data.draw(st.lists(st.sampled_from(["left", "right", "both"]), min_size=8, max_size=8))
        for path, side in ((plain, None), (left, "left"), (right, "right")):
            with writing(path) as writer:
                for item, where in zip(history, sides, strict=False):
                    if side is None or where in (side, "both"):
                        add(writer, item)
                        step = data.draw(st.sampled_from(["", "", "fold", "compact"]))
                        if step:
                            writer.fold() if step == "fold" else compact(writer)
        held = [path for path in (left, right) if Store(path).manifest.parts]
        before = [files(path) for path in held]
        for order in (held, held[::-1]):
            shutil.rmtree(ways, ignore_errors=True)
            for path in order if data.draw(st.booleans()) else [order]:
                join(ways, path if isinstance(path, list) else [path])
            first, second = Store(plain), Store(ways)
            assert told(first) == told(second)
            assert same(first.graph, second.graph)
            for table in ("text", "terms", "blocks"):
                assert rows_told(first, table) == rows_told(second, table)
            for joined in join(ways, order):
                assert (joined.pages, joined.rows, joined.parts) == (0, 0, 0)
            assert Store(ways).manifest == second.manifest
        assert before == [files(path) for path in held]  # only read


def test_what_is_counted(tmp_path):
    collection(tmp_path / "all.kin", page(A, B, fetched=10), page(B, C, fetched=20))
    collection(tmp_path / "other.kin", page(A, B, fetched=10), page(B, fetched=5), page(C, A), edges((D, A), (D, B)))
    (joined,) = join(tmp_path / "all.kin", [tmp_path / "other.kin"])
    assert counts(joined) == (1, 2, 2)
    (again,) = join(tmp_path / "all.kin", [tmp_path / "other.kin"])
    assert (counts(again), again.parts) == ((0, 3, 0), 0)


def test_a_later_capture_of_the_other_is_new(tmp_path):
    collection(tmp_path / "all.kin", page(A, B, fetched=10))
    collection(tmp_path / "other.kin", page(A, C, fetched=20))
    assert counts(join(tmp_path / "all.kin", [tmp_path / "other.kin"])[0]) == (1, 0, 0)


def test_a_table_that_both_hold_is_taken_once_also_after_a_build(tmp_path):
    for name in ("all", "other"):
        collection(tmp_path / f"{name}.kin", edges((A, B), (B, C)))
        collection(tmp_path / f"{name}.kin", page(A, D) if name == "all" else page(C, D))
        Collection(tmp_path / f"{name}.kin").build(method="amsler")
    (joined,) = join(tmp_path / "all.kin", [tmp_path / "other.kin"])
    assert (joined.pages, joined.unchanged) == (1, 0)
    version = Store(tmp_path / "all.kin").manifest.version
    collection(tmp_path / "all.kin", edges((A, B), (B, C)))
    assert Store(tmp_path / "all.kin").manifest.version == version
    join(tmp_path / "other.kin", [tmp_path / "all.kin"])
    assert same(Store(tmp_path / "all.kin").graph, Store(tmp_path / "other.kin").graph)


def test_aliases_and_addresses_that_are_no_pages_come_along(tmp_path):
    moved = [Redirect("http://old.example/", A), Missing("http://gone.example/", 404)]
    collection(tmp_path / "all.kin", page(B, "http://old.example/"))
    collection(tmp_path / "other.kin", page(A), *moved)
    join(tmp_path / "all.kin", [tmp_path / "other.kin"])
    whole = collection(tmp_path / "whole.kin", page(B, "http://old.example/"), page(A), *moved)
    assert same(Store(tmp_path / "all.kin").graph, whole.graph)
    assert Store(tmp_path / "all.kin").graph.folded


def test_a_crawl_does_not_fetch_again_what_was_joined(tmp_path):
    collection(tmp_path / "other.kin", page(A, B))
    join(tmp_path / "all.kin", [tmp_path / "other.kin"])
    assert ingest(tmp_path / "all.kin", [[page(A, B)]]).unchanged == 1


# Settings


def test_a_new_collection_takes_over_the_settings(tmp_path):
    ingest(tmp_path / "other.kin", [[page("http://bees.github.io/", A)]], icann_only=True)
    join(tmp_path / "all.kin", [tmp_path / "other.kin"])
    assert Store(tmp_path / "all.kin").manifest.icann_only
    assert Store(tmp_path / "all.kin").manifest.segmenters == segmenters()


@pytest.mark.parametrize("icann_only", [False, True])
def test_sites_are_those_of_the_collection_that_is_added_to(tmp_path, icann_only):
    hosted = page("http://bees.github.io/", "http://wax.github.io/", A)
    ingest(tmp_path / "other.kin", [[hosted]], icann_only=not icann_only)
    for name in ("all", "whole"):
        ingest(tmp_path / f"{name}.kin", [[page(B, C)]], icann_only=icann_only)
    ingest(tmp_path / "whole.kin", [[hosted]])
    join(tmp_path / "all.kin", [tmp_path / "other.kin"])
    assert same(Store(tmp_path / "all.kin").graph, Store(tmp_path / "whole.kin").graph)
    assert "nothing to repair" in str(Collection(tmp_path / "all.kin").scrub())


def test_icann_only_is_for_new_collections(tmp_path):
    collection(tmp_path / "other.kin", page("http://bees.github.io/"))
    join(tmp_path / "new.kin", [tmp_path / "other.kin"], icann_only=True)
    assert Store(tmp_path / "new.kin").value("site", 0) == "github.io"
    collection(tmp_path / "old.kin", page(A))
    with pytest.raises(CollectionError, match="works only for a new collection"):
        join(tmp_path / "old.kin", [tmp_path / "other.kin"], icann_only=True)


HAN, KANA = "蜜蜂在花园里采集花蜜酿造蜂蜜", "養蜂家は蜂蜜を採取するために巣箱を開けた"
CUTS = [{"zh": "bigrams", "ja": "bigrams"}, {"zh": "jieba", "ja": "bigrams"}, {"zh": "jieba", "ja": "fugashi"}]


def cut(path: Path, how: dict[str, str], *captures, text: bool = True) -> Store:
    with writing(path, segmenters=how):
        pass
    ingest(path, [captures], text=text)
    return Store(path)


@pytest.mark.parametrize("mine", CUTS)
@pytest.mark.parametrize("theirs", CUTS)
def test_words_without_spaces_are_cut_again(tmp_path, mine, theirs):
    pytest.importorskip("jieba")
    pytest.importorskip("fugashi")
    pages = [
        page(A, B, words=HAN, title="蜜蜂"),
        page(B, words=KANA),
        page(C, words="bees and wax"),
        page(D, title=HAN),
    ]
    cut(tmp_path / "other.kin", theirs, *pages)
    cut(tmp_path / "all.kin", mine, page("http://e.example/"))
    whole = cut(tmp_path / "whole.kin", mine, *pages, page("http://e.example/"))
    (joined,) = join(tmp_path / "all.kin", [tmp_path / "other.kin"], text=False)
    assert joined.uncut == 0
    assert rows_told(Store(tmp_path / "all.kin"), "terms") == rows_told(whole, "terms")
    assert not rows_told(Store(tmp_path / "all.kin"), "text") & rows_told(whole, "text")


def test_without_text_words_stay_as_they_were_cut_and_the_report_says_so(tmp_path):
    pytest.importorskip("jieba")
    cut(tmp_path / "other.kin", CUTS[1], page(A, words=HAN), page(B, words=KANA), page(C, words="wax"), text=False)
    cut(tmp_path / "all.kin", CUTS[0], page(D))
    before = rows_told(Store(tmp_path / "other.kin"), "terms")
    report = Collection(tmp_path / "all.kin").add(tmp_path / "other.kin")
    assert report.joined[0].uncut == 1  # Japanese is cut in the same way by both
    assert "searches may miss words of 1 page from" in report.lines[1]
    assert before <= rows_told(Store(tmp_path / "all.kin"), "terms")


def test_no_text(tmp_path):
    collection(tmp_path / "other.kin", page(A, B, words="bees"))
    join(tmp_path / "all.kin", [tmp_path / "other.kin"], text=False)
    store = Store(tmp_path / "all.kin")
    assert rows_told(store, "text") == set()
    assert rows_told(store, "terms") == rows_told(Store(tmp_path / "other.kin"), "terms")
    assert join(tmp_path / "all.kin", [tmp_path / "other.kin"])[0].parts == 0


# What cannot be joined


def refused(path: Path, other: Path, match: str, error: type[Exception] = CollectionError) -> None:
    """The join is refused, and neither collection is changed, nor a new one made."""
    for target in (path, path.with_name("new.kin")):
        if error is UsageError and target != path:
            continue
        before, known = files(path), files(other) if other.exists() else {}
        with pytest.raises(error, match=match):
            join(target, [other])
        assert files(path) == before
        assert not other.exists() or files(other) == known
        assert not path.with_name("new.kin").exists()


@pytest.fixture
def two(tmp_path):
    collection(tmp_path / "all.kin", page(A, B), page(B, C))
    collection(tmp_path / "other.kin", page(C, D))
    collection(tmp_path / "other.kin", page(D, A))
    collection(tmp_path / "other.kin", edges((A, D)))
    return tmp_path / "all.kin", tmp_path / "other.kin"


def changed_manifest(path: Path, **changes: object) -> None:
    sealed.write(path / "manifest.json", sealed.read(path / "manifest.json")[0] | changes)


@pytest.mark.parametrize("part", [0, 1, 2])
@pytest.mark.parametrize("damage", ["missing", "cut short", "flipped", "another"])
def test_a_damaged_part(two, part, damage):
    path, other = two
    parts = Store(other).manifest.parts
    file = other / parts[part].path / "links.parquet"
    data = bytearray(file.read_bytes())
    if damage == "missing":
        file.unlink()
    elif damage == "another":
        shutil.copy(other / parts[part - 1].path / "links.parquet", file)
    else:
        data[len(data) // 2] ^= 1
        file.write_bytes(data if damage == "flipped" else data[:-9])
    refused(path, other, rf"{file} is (missing|damaged).*run: .*other.kin.*scrub")


def test_an_unreadable_manifest(two):
    path, other = two
    changed_manifest(other, canonical=0)
    refused(path, other, r"other.kin has addresses in an older canonical form .*run: .*other.kin.*scrub")
    changed_manifest(other, canonical=99)
    refused(path, other, r"other.kin has addresses in version 99 .* upgrade pagekin")
    changed_manifest(other, canonical=1, format=99)
    refused(path, other, r"other.kin has format 99, made by a newer pagekin")
    (other / "manifest.json").write_text("{")
    refused(path, other, r"manifest.json is damaged")
    (other / "manifest.json").unlink()
    refused(path, other, r"manifest.json")
    shutil.rmtree(other)
    refused(path, other, r"there is no collection .*other.kin")


def test_a_collection_in_an_older_form_takes_nothing(two):
    path, other = two
    changed_manifest(path, canonical=0)
    with pytest.raises(CollectionError, match=r"all.kin has addresses in an older canonical form"):
        join(path, [other])


def test_an_empty_collection(two):
    path, other = two
    shutil.rmtree(other)
    with writing(other):
        pass
    refused(path, other, "other.kin is empty")


@pytest.mark.parametrize("spelled", ["all.kin", "./all.kin", "sub/../all.kin", "link.kin", "parts.kin"])
def test_itself(two, monkeypatch, spelled):
    path, _ = two
    monkeypatch.chdir(path.parent)
    Path("sub").mkdir()
    Path("link.kin").symlink_to("all.kin")
    Path("parts.kin").mkdir()
    shutil.copy("all.kin/manifest.json", "parts.kin")
    Path("parts.kin/parts").symlink_to("../all.kin/parts")
    refused(path, Path(spelled), "is the collection that is added to", UsageError)


def test_inside_the_other(two):
    path, other = two
    with pytest.raises(UsageError, match=r"new.kin lies inside .*other.kin"):
        join(other / "new.kin", [other])
    assert not (other / "new.kin").exists()
    other.rename(path / "other.kin")  # odd, but harmless
    assert join(path, [path / "other.kin"])[0].pages == 2


def test_two_at_once_or_none(two, tmp_path):
    path, other = two
    collection(tmp_path / "third.kin", page("http://e.example/"))
    next((tmp_path / "third.kin").rglob("pages.parquet")).write_bytes(b"PAR1")
    before = files(path)
    with pytest.raises(CollectionError, match=r"third.kin"):
        join(path, [other, tmp_path / "third.kin"])
    assert files(path) == before


def test_a_locked_collection_is_read_but_not_written(two):
    path, other = two
    with writing(path), pytest.raises(CollectionError, match=r"another process is writing to .*all.kin"):
        join(path, [other])
    with writing(other):
        assert join(path, [other])[0].pages == 2


def test_a_read_only_collection_can_be_joined(two):
    path, other = two
    for each in (other, *other.rglob("*")):
        each.chmod(0o555 if each.is_dir() else 0o444)
    try:
        assert join(path, [other])[0].pages == 2
    finally:
        for each in (other, *other.rglob("*")):
            each.chmod(0o755)


# While the other is written, and after a kill


def after_reads(monkeypatch, other, number: int, change) -> None:
    """Have `change` happen before the given table of the other collection is read."""
    left, read = [number], Store.table

    def reading(store, *given):
        left[0] -= store.path == other
        if left[0] == 0:
            left[0] = -1
            change()
        return read(store, *given)

    monkeypatch.setattr(Store, "table", reading)


@pytest.mark.parametrize("number", [1, 2, 7, 8, 14])
def test_a_writer_that_removes_parts_meanwhile(two, monkeypatch, number):
    path, other = two
    late = "http://late.example/"

    def change():
        ingest(other, [[page(late, A)]])
        with writing(other) as writer:
            compact(writer)
            writer.commit()  # what compaction retired is removed now

    after_reads(monkeypatch, other, number, change)
    (joined,) = join(path, [other])
    whole = collection(
        path.with_name("whole.kin"), page(A, B), page(B, C), page(C, D), page(D, A), edges((A, D)), page(late, A)
    )
    assert same(Store(path).graph, whole.graph)
    assert joined.pages == 3
    needed = Store(path).manifest.paths()
    assert {f"parts/{each.name}" for each in (path / "parts").iterdir()} <= needed  # nothing is left of the first try


def test_a_writer_that_only_adds_does_not_disturb(two, monkeypatch):
    path, other = two
    after_reads(monkeypatch, other, 3, lambda: ingest(other, [[page("http://late.example/", A)]]))
    assert join(path, [other])[0].pages == 2
    assert join(path, [other])[0].pages == 1


def test_a_writer_that_never_rests(two, monkeypatch):
    path, other = two
    before, read = files(path), Store.table

    def restless(store, part, table):
        manifest = manifests.read(other)
        with writing(other) as writer:
            tables = {name: read(writer.store(), manifest.parts[0], name) for name in SCHEMAS}
            new = writer.new_part(tables, manifest.version, part.holds)
            writer.commit(parts=(new, *manifest.parts[1:]))
            writer.commit()
        return read(store, part, table)

    monkeypatch.setattr(Store, "table", restless)
    with pytest.raises(CollectionError, match=r"other.kin.* (is missing|has changed)"):
        join(path, [other])
    assert files(path) == before


JOIN = """
import sys
from pathlib import Path
from pagekin.collection.join import join
join(Path(sys.argv[1]), [Path(sys.argv[2])])
"""


def test_a_killed_join_leaves_what_was_there_and_can_be_repeated(tmp_path):
    path, other = tmp_path / "all.kin", tmp_path / "other.kin"
    collection(path, page(A, B))
    for at in range(12):
        collection(other, edges(*((f"p{at}-{i}", f"p{i}") for i in range(300))))
    whole = Store(other).manifest
    for delay in (0.0, 0.02, 0.05, 0.1, 0.2):
        there = len(list((path / "parts").iterdir()))
        running = subprocess.Popen([sys.executable, "-c", JOIN, path, other], env=os.environ)
        while running.poll() is None and len(list((path / "parts").iterdir())) <= there:
            time.sleep(0.005)
        time.sleep(delay)
        running.send_signal(signal.SIGKILL)
        assert running.wait() in (-signal.SIGKILL, 0)
        assert len(Store(path).manifest.parts) in (1, 13)  # none or all
        assert Store(path).size > 0
    join(path, [other])
    assert {print_ for part in Store(path).manifest.parts for print_ in part.holds} >= {
        print_ for part in whole.parts for print_ in part.holds
    }
    left = list((path / "parts").iterdir())
    assert {f"parts/{each.name}" for each in left} <= Store(path).manifest.paths()


def test_a_full_disk(two, monkeypatch):
    path, other = two
    before, write, left = files(path), Writer.new_part, [2]

    def writing_until_full(*given):
        left[0] -= 1
        if not left[0]:
            raise OSError(28, "No space left on device")
        return write(*given)

    monkeypatch.setattr(Writer, "new_part", writing_until_full)
    with pytest.raises(CollectionError, match=r"writing .*all.kin failed: the disk is full"):
        join(path, [other])
    assert files(path) == before


# The verb


def test_collections_and_files_together(two, tmp_path):
    path, other = two
    (tmp_path / "e.html").write_text("<p>Bees")
    said = []
    report = Collection(path).add(other, tmp_path / "e.html", base_url="http://e.example/", progress=said.append)
    assert (report.pages, report.unchanged, report.rows) == (3, 0, 1)
    assert report.lines == [
        f"added 2 pages and 1 row of tables from {other}; 0 were already in the collection",
        "added 1 page",
    ]
    assert "other.kin: a collection (3 parts)" in [each.text for each in said]
    assert report.as_dict()["joined"][0]["pages"] == 2
    assert Collection(path).add(other).lines == [f"added 0 pages from {other}; 2 were already in the collection"]


def test_a_collection_of_tables_that_is_held(tmp_path):
    collection(tmp_path / "other.kin", edges((A, B)))
    site = Collection(tmp_path / "all.kin")
    assert site.add(tmp_path / "other.kin").lines == [f"added 1 row of tables from {tmp_path / 'other.kin'}"]
    again = site.add(tmp_path / "other.kin")
    assert again.lines == [f"added nothing from {tmp_path / 'other.kin'}: all of it was already in the collection"]
    assert not again.nothing_read


def test_options_that_make_no_sense(two):
    path, other = two
    with pytest.raises(UsageError, match=r"other.kin is a collection; kind is for other paths"):
        Collection(path).add(other, kind="warc")
    with pytest.raises(UsageError, match=r"whose pages have addresses; leave out base_url"):
        Collection(path).add(other, base_url="http://e.example/")


def test_a_bad_path_beside_a_collection_is_found_before_anything_is_changed(two, tmp_path):
    path, other = two
    before = files(path)
    with pytest.raises(Exception, match=r"nowhere.warc cannot be read"):
        Collection(path).add(other, tmp_path / "nowhere.warc")
    assert files(path) == before
