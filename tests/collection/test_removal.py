"""Removed pages are in no file; what is left is what a collection without them would be; a kill leaves old or new."""

import os
import random
import shutil

import numpy as np
import pytest

from pagekin import Collection
from pagekin.collection import graph as graphs
from pagekin.collection import manifest, removal
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.collection.vectors import standing
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError, PagekinError, UnknownPageError, UsageError
from pagekin.model import Missing, Redirect, Rows
from tests.every_byte import files_with
from tests.small_webs import collection, edges, page
from tests.vector_files import vector_file

URL = "http://h.example/{}".format
WORD, TITLE, ANCHOR = "zanzibarwort", "quaggatitel", "okapianker"


@pytest.fixture
def site(made, tmp_path):
    return shutil.copytree(made, tmp_path / "s.kin")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Pages in a ring, of which the second has words, a title and an anchor of its own; in three parts, all built."""
    tmp_path = tmp_path_factory.mktemp("made")
    path = tmp_path / "s.kin"
    collection(path, *(page(URL(n), URL((n + 1) % 6), words=f"bee w{n % 2} honey") for n in range(6)))
    planted = page(URL(1), URL(ANCHOR), URL(0), words=f"the {WORD} and bees", title=TITLE, fetched=2_000)
    collection(path, planted, Redirect(URL("old"), URL(1)), Missing(URL("missing"), 404))
    collection(path, edges((URL("table"), URL(2), "named"), (URL(1), URL(3), WORD)))
    Collection(path).add(vectors=vector_file(tmp_path / "v.parquet", [(URL(n), [1.0, n, 0.5]) for n in range(6)]))
    Collection(path).build(all=True)
    return path


def urls(path):
    return set(Store(path).graph.pages["url"].to_pylist())


def fetched(path):
    store = Store(path)
    return {url for url, held in zip(store.graph.pages["url"].to_pylist(), store.fetched, strict=True) if held}


def test_nothing_of_theirs_is_in_any_file(site):
    collection(site, page(URL(1), URL(ANCHOR), words=f"{WORD} again", title=TITLE, fetched=3_000))
    set_aside(site)
    Collection(site).build(index=["keywords"])
    collection(site, page(URL(5), URL(0), fetched=9_000))  # so that a graph is retired
    (site / "spool").mkdir()
    (site / "spool" / "pagekin-1.warc").write_bytes(WORD.encode())
    found = files_with(site, WORD) | files_with(site, TITLE)
    [retired] = manifest.read(site).retired
    for where in ("parts/", "index/inverted", "index/keywords", "damaged/", "spool/", retired):
        assert any(file.startswith(where) for file in found), where
    done = Collection(site).remove(URL(1))
    for word in (WORD, TITLE, ANCHOR):
        assert files_with(site, word) == set()
    assert not (site / "damaged").exists()
    assert not (site / "spool").exists()
    held = manifest.read(site)
    assert held.indexes.keys() == {"graph"}
    assert held.retired == ()
    on_disk = {f"{kind}/{each.name}" for kind in ("parts", "index") for each in (site / kind).iterdir()}
    assert on_disk == held.paths()
    assert done.urls == (URL(1),)
    assert (done.others, done.linked, done.mentioned) == (1, 1, 1)
    assert set(done.indexes) > {"inverted", "keywords", "similarity", "vectors"}
    assert done.sources == ("test",)
    assert any("damaged/" in note for note in done.notes)
    assert standing(Store(site)).page.size == 5
    assert Collection(site).scrub().done[0].startswith("nothing to repair")


def set_aside(site):
    """Have scrub set a damaged part aside, of which it can read every row."""
    part = manifest.read(site).parts[0]
    file = site / part.path / "text.parquet"
    data = bytearray(file.read_bytes())
    data[-6] ^= 1
    file.write_bytes(data)
    Collection(site).scrub()


def test_what_others_say_of_them_stays_unless_it_is_to_go(site):
    Collection(site).remove(URL(1))
    assert URL(1) in urls(site) - fetched(site)
    assert URL("old") not in urls(site)
    assert Store(site).anchor(*map(Store(site).number, ids(URL(0), URL(1)))) == "1"
    nothing = Collection(site).remove(URL(1))
    assert nothing.urls == ()
    assert "link there" in nothing.lines[-1]
    Collection(site).remove(URL(1), and_links=True)
    assert URL(1) not in urls(site)
    assert Collection(site).blocks(URL(0)).results == ()
    assert files_with(site, URL(1)) == set()


def ids(*given):
    from pagekin.url import page_id

    return [page_id(url) for url in given]


def test_blocks_count_the_links_that_are_left(tmp_path):
    path = collection(tmp_path / "s.kin", page(URL(0), URL(1), URL(2), URL(3)), page(URL(1))).path
    [before] = Store(path).rows_of(Store(path).number(ids(URL(0))[0]), "blocks")
    Collection(path).remove(URL(1), and_links=True)
    [after] = Store(path).rows_of(Store(path).number(ids(URL(0))[0]), "blocks")
    assert (before["links"].to_pylist(), after["links"].to_pylist()) == ([3], [2])


@pytest.mark.parametrize("seed", range(8))
def test_what_is_left_is_what_a_collection_without_them_is(tmp_path, seed):
    dice = random.Random(seed)
    history = [list(_items(dice)) for _ in range(dice.randint(1, 5))]
    path = tmp_path / "s.kin"
    for items in history:
        ingest(path, [items])
    if dice.random() < 0.5:
        Collection(path).build(index=["graph"])
    gone = set(dice.sample([URL(n) for n in range(12)], dice.randint(1, 4)))
    store = Store(path)
    numbers = sorted({found.page for url in gone if (found := removal.find(store, url))})
    numbers = [n for n in numbers if removal._own(store)[n]]
    every = {store.url(n) for n in removal.addresses(store, np.array(numbers, np.int32)).tolist()}
    with writing(path) as writer:
        removal.remove(writer, np.array(numbers, np.int32))
    twin = tmp_path / "t.kin"
    with writing(twin):
        pass
    for items in history:
        ingest(twin, [[each for item in items if (each := _without(item, every)) is not None]])
    assert live(path) == live(twin)
    assert links(path) == links(twin)
    assert fetched(path) == fetched(twin)
    assert content(path) == content(twin)


def live(path):
    """The rows of pages that were fetched, link, or are linked to: not those that only a superseded capture names."""
    graph = Store(path).graph
    named = {*graph.links["source"].to_pylist(), *graph.links["target"].to_pylist()}
    rows = graph.pages.drop_columns("part").to_pylist()
    return [row for number, row in enumerate(rows) if number in named or row["fetched"]], graph.aliases.to_pylist()


def links(path):
    store = Store(path)
    names = store.graph.pages["url"].to_pylist()
    return sorted(
        (names[row.pop("source")], names[row.pop("target")], *row.items()) for row in store.graph.links.to_pylist()
    )


def _items(dice):
    for _ in range(dice.randint(1, 6)):
        targets = [URL(dice.randrange(20)) for _ in range(dice.randrange(4))]
        number = dice.randrange(12)
        match dice.randrange(4):
            case 0:
                yield edges(*((URL(dice.randrange(12)), target, dice.choice("ab")) for target in targets))
            case 1 if number > 7:  # never one that is fetched, which would not be folded
                yield Redirect(URL(f"r{number}"), URL(number))
            case _:
                yield page(URL(number), *targets, words=f"w{number}", fetched=dice.randrange(5))


def _without(item, gone):
    match item:
        case Redirect():
            return None if item.alias in gone else item
        case Rows():
            rows = item.links.to_pylist()
            kept = [(row["source"], row["target"], row["anchor"]) for row in rows if row["source"] not in gone]
            return edges(*kept) if kept else None
    return None if item.url in gone else item


def content(path):
    """The rows of the other tables, by address."""
    store = Store(path)
    name = dict(zip(store.graph.ids.tolist(), store.graph.pages["url"].to_pylist(), strict=True))
    return {
        table: sorted(
            (name[row.pop("page")], *map(str, row.values())) for rows in store.rows(table) for row in rows.to_pylist()
        )
        for table in ("text", "blocks", "terms", "compounds", "stretches")
    }


def test_adding_them_again_brings_them_back(tmp_path):
    items = [page(URL(1), URL(2), words="bee"), page(URL(2)), edges((URL("t"), URL(1), "one"), (URL("u"), URL(2)))]
    path = collection(tmp_path / "s.kin", *items).path
    whole = Store(path).graph
    before = content(path)
    Collection(path).remove(URL(1), URL("t"), yes=True)
    assert URL("t") not in urls(path)
    collection(path, *items)
    assert graphs.same(Store(path).graph, whole)
    assert content(path) == before


def test_a_pattern_is_about_the_whole_address(site):
    assert Collection(site).remove(matching="http://h.example/[2-4]", dry_run=True).urls == tuple(map(URL, (2, 3, 4)))
    assert Collection(site).remove(matching="*/?", dry_run=True).urls == tuple(map(URL, range(6)))
    with pytest.raises(CollectionError, match="whole address"):
        Collection(site).remove(matching="h.example")
    assert len(fetched(site)) == 6
    assert Collection(site).remove(matching="*", yes=True).done
    assert urls(site) == set()
    assert Collection(site).info().pages == 0
    collection(site, page(URL(1)))
    assert fetched(site) == {URL(1)}


def test_nothing_goes_without_consent(site):
    seen = []
    with pytest.raises(UsageError, match="2 pages would go; to remove them: yes=True"):
        Collection(site).remove(matching="*/[12]")
    report = Collection(site).remove(matching="*/[12]", agree=lambda plan: bool(seen.append(plan)))
    assert not report.done
    assert report.lines[-1] == "nothing was removed"
    assert seen[0].plan[0] == "2 pages go, with 1 other address of theirs:"
    assert len(fetched(site)) == 6


@pytest.mark.parametrize("given", [{}, {"matching": "*", "urls": (URL(1),)}])
def test_pages_are_named_in_one_way(site, given):
    with pytest.raises(UsageError, match="either by their addresses or by a pattern"):
        Collection(site).remove(*given.get("urls", ()), matching=given.get("matching"))


def test_an_unknown_page_is_answered_with_the_nearest(site):
    with pytest.raises(UnknownPageError, match=r"not in the collection: http://h.example/table1; .*h.example/table"):
        Collection(site).remove(URL("table1"), URL(1))
    assert URL(1) in fetched(site)


def test_an_alias_names_its_page(site):
    report = Collection(site).remove(URL("old"))
    assert report.urls == (URL(1),)
    assert "leads to" in report.notes[0]
    assert URL("old") not in urls(site)


def test_a_page_that_was_asked_for_in_vain_goes_with_the_last_link_to_it(tmp_path):
    path = collection(tmp_path / "s.kin", page(URL(1), URL("gone"), URL(2)), page(URL(2), URL("other"))).path
    collection(path, Missing(URL("gone"), 404), Missing(URL("other"), 404))
    Collection(path).remove(URL(1))
    assert urls(path) == {URL(2), URL("other")}


def test_one_that_is_open_elsewhere_reads_the_new_state(site):
    reader = Collection(site)
    old = reader.store  # opened, and nothing read yet
    assert reader.related(URL(0), k=3).results
    Collection(site).remove(URL(1), and_links=True)
    assert URL(1) not in {row.url for row in reader.related(URL(0), k=9)}
    assert reader.store is not old
    unread = Store(site, old.manifest)
    with pytest.raises(CollectionError, match="has changed since it was opened"):
        unread.texts([0])


def test_for_good_they_are_not_taken_again(site, tmp_path):
    copy = tmp_path / "copy.kin"
    shutil.copytree(site, copy)
    report = Collection(site).remove(URL(1), for_good=True)
    assert report.barred == 2
    assert files_with(site, URL("old")) == set()
    assert Collection(site).info().barred == 2
    intake = ingest(
        site,
        [[page(URL(1), words=WORD), page(URL(7)), Missing(URL(1), 404), edges((URL(1), URL(2)), (URL(8), URL(1)))]],
    )
    assert intake.skipped == {"removed for good": 3}
    assert fetched(site) == {URL(n) for n in (0, 2, 3, 4, 5, 7)}
    joined = Collection(site).add(copy)
    assert joined.joined[0].barred >= 1
    assert any("removed for good" in line for line in joined.lines)
    assert URL(1) not in fetched(site)
    assert files_with(site, WORD) == set()
    vectors = Collection(site).add(vectors=vector_file(tmp_path / "w.parquet", [(URL(1), [1, 2, 3])]))
    assert vectors.skipped == {"removed for good": 1}
    Collection(site).build()
    Collection(site).remove(URL(2), for_good=True)
    assert Collection(site).info().barred == 3
    (site / "manifest.json").unlink()
    Collection(site).scrub()
    assert Collection(site).info().barred == 3


def test_a_damaged_list_of_what_is_barred_is_named(site):
    Collection(site).remove(URL(1), for_good=True)
    file = site / manifest.read(site).indexes["barred"].path / "hashes.json"
    file.write_text(file.read_text().replace("a", "b"))
    with pytest.raises(CollectionError, match=r"hashes\.json"):
        collection(site, page(URL(9)))
    said = Collection(site).scrub().done
    assert any("removed for good was damaged" in line and "lost" in line for line in said)
    collection(site, page(URL(9)))


MOMENTS = 4


def test_a_kill_leaves_the_old_state_or_the_new_and_the_same_again_completes_it(site, tmp_path):
    """Some call that changes the disk is the last one: those around each new manifest, and others at random."""
    set_aside(site)
    calls = _remove_in_child(shutil.copytree(site, tmp_path / "whole.kin"), 0)
    commits = [number for number, call in enumerate(calls, 1) if call.endswith("manifest.json")]
    assert len(commits) == 2  # the pages are gone; the graph is written
    near = {number + by for number in commits for by in (-1, 0, 1, 2)}
    some = random.Random(7).sample(range(1, len(calls) + 1), MOMENTS)
    outcomes = set()
    for last in sorted(near | set(some)):
        copy = shutil.copytree(site, tmp_path / f"{last}.kin")
        _remove_in_child(copy, last)
        old = URL(1) in fetched(copy)
        assert old == (last <= commits[0]), (last, commits)
        outcomes.add(old)
        Collection(copy).remove(URL(1))
        assert files_with(copy, WORD) == set(), last
        assert fetched(copy) == {URL(n) for n in (0, 2, 3, 4, 5)}
    assert outcomes == {True, False}


def _remove_in_child(path, last):
    """Remove in a fork that ends without a word at one of its calls that change the disk; returns what these were."""
    log = path.with_suffix(".log")
    child = os.fork()
    if child == 0:
        done = []

        def counted(real):
            def call(*args, **kwargs):
                done.append(str(args[-1]))
                if len(done) == last:
                    os._exit(9)
                return real(*args, **kwargs)

            return call

        for name in ("replace", "rename", "unlink", "rmdir", "mkdir", "fsync"):
            setattr(os, name, counted(getattr(os, name)))
        try:
            Collection(path).remove(URL(1))
            log.write_text("\n".join(done))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return log.read_text().splitlines() if log.exists() else []


def test_what_cannot_be_removed_is_named(site):
    part = next((site / "parts").iterdir())
    part.joinpath("notes.odt").write_text("somebody's")
    with pytest.raises(CollectionError, match=f"{part.name} could not be removed: it holds other files"):
        Collection(site).remove(URL(1))
    part.joinpath("notes.odt").unlink()
    assert Collection(site).remove(URL(1)).finished == 1
    assert files_with(site, WORD) == set()


def test_what_was_removed_for_good_may_be_taken_again(site):
    with pytest.raises(PagekinError, match="nothing was removed for good from"):
        Collection(site).remove(URL(1), take_again=True)
    said = Collection(site).remove(URL(1), for_good=True).lines
    assert any("will not be taken again; to allow one: " in line and "take_again=True" in line for line in said)
    Collection(site).remove(URL(2), for_good=True)
    with pytest.raises(UsageError, match="only their hashes are kept"):
        Collection(site).remove(take_again=True)
    for others in ({"for_good": True}, {"matching": "*"}, {"dry_run": True}):
        with pytest.raises(UsageError, match="takes addresses, and no other option"):
            Collection(site).remove(URL(1), take_again=True, **others)
    with pytest.raises(PagekinError, match=r"not among the 3 addresses that were removed for good: .*nowhere"):
        Collection(site).remove("http://nowhere.example/", take_again=True)
    report = Collection(site).remove(URL(1).replace("http:", "https:"), "http://nowhere.example/", take_again=True)
    assert report.again == (URL(1),)
    assert report.lines == [
        "not among the 3 addresses that were removed for good: http://nowhere.example/",
        f"{URL(1)} may be taken again: add or crawl it",
    ]
    assert Collection(site).info().barred == 2
    assert ingest(site, [[page(URL(1), words=WORD)]]).pages == 1
    assert ingest(site, [[page(URL(2), words=WORD)]]).skipped == {"removed for good": 1}
    Collection(site).remove(URL(2), URL("old"), take_again=True)
    assert Collection(site).info().barred == 0
    assert ingest(site, [[page(URL(2), words=WORD)]]).pages == 1
    assert Collection(site).scrub().lines
