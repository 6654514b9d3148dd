"""Which vectors count: against a slow twin, whatever the history of adding, joining, compacting and repairing."""

import random
import shutil
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from pagekin import Collection
from pagekin.collection import compact as compaction
from pagekin.collection import manifest as manifests
from pagekin.collection import parts as part_files
from pagekin.collection import vectors
from pagekin.collection.schema import empty, table
from pagekin.collection.store import Store
from pagekin.collection.vectors import packed, standing
from pagekin.collection.writer import writing
from pagekin.model import Redirect
from pagekin.url import host, page_id, site
from tests.gates import gates
from tests.small_webs import collection, edges, page

URL = "http://h.example/{}".format
PAGES = 6


def put(path, rows):
    """Commit one part of rows (url, added, vector)."""
    made = [(url, added, *(each[0] for each in packed(np.array([vector], np.float32))), len(vector))
            for url, added, vector in rows]  # fmt: skip
    urls = sorted({url for url, *_ in made}, key=page_id)
    hosts = list(map(host, urls))
    addresses = {"id": list(map(page_id, urls)), "url": urls, "host": hosts, "site": list(map(site, hosts))}
    columns = zip(*sorted((page_id(url), added, length, print_, vector) for url, added, vector, print_, length in made),
                  strict=True)  # fmt: skip
    names = ("page", "added", "length", "print", "vector")
    columns = {name: list(values) for name, values in zip(names, columns, strict=True)}
    columns["added"] = pa.array(columns["added"], pa.int64())
    tables = empty() | {
        "pages": table("pages", addresses),
        "vectors": table("vectors", columns),
    }  # fmt: skip
    with writing(path) as writer:
        writer.add(tables)


def web(path):
    """Six pages, and an address that leads to the first."""
    pages = [page(URL(i), URL((i + 1) % PAGES), words=f"w{i} bee") for i in range(PAGES)]
    return collection(path, *pages, Redirect(URL("old"), URL(0)), edges((URL("table"), URL(0)))).path


def held(path):
    """url → vector, as they count."""
    store = Store(path)
    found = standing(store)
    rows = {}
    for places, numbers in vectors.numbers(store, found):
        rows |= {store.url(int(found.page[at])): tuple(row) for at, row in zip(places, numbers.tolist(), strict=True)}
    assert len(rows) == found.page.size
    assert all(len(row) == found.length for row in rows.values())
    return rows


def twin(rows):
    """The rule, in plain Python."""
    best = {}
    for url, added, vector in rows:
        meant = URL(0) if url == URL("old") else url
        print_ = packed(np.array([vector], np.float32))[1][0]
        key = (url == meant, added, print_)
        if meant not in best or key > best[meant][0]:
            best[meant] = key, tuple(float(np.float32(value)) for value in vector)
    if not best:
        return {}
    length = len(max(best.values(), key=lambda each: (each[0][1], len(each[1])))[1])
    return {url: vector for url, (_, vector) in best.items() if len(vector) == length}


def drawn(dice, length=None):
    names = [URL(i) for i in range(PAGES)] + [URL("old"), URL("table")]
    return [
        (url, dice.randrange(1, 6), [dice.random() for _ in range(length or dice.choice((2, 2, 3)))])
        for url in dice.sample(names, dice.randrange(1, 6))
    ]


@pytest.mark.parametrize("seed", gates(range(6), 0, 1))
def test_every_history_ends_in_what_the_rule_says(tmp_path, seed):
    dice = random.Random(seed)
    parts = [drawn(dice) for _ in range(4)]
    expected = twin([row for part in parts for row in part])
    forth, back, left, right = (web(tmp_path / f"{name}.kin") for name in ("forth", "back", "left", "right"))
    for at, rows in enumerate(parts):
        put(forth, rows)
        put(right if at % 2 else left, rows)
        if dice.random() < 0.5:
            compacted(forth)
    for rows in reversed(parts):
        put(back, rows)
    assert held(forth) == held(back) == expected
    Collection(left).add(right)
    assert held(left) == expected
    for path in (forth, back, left):
        compacted(path, dice.choice((None, 40)))
        assert held(path) == expected
        assert Collection(path).scrub().done[0].startswith("nothing to repair")
        (path / "manifest.json").unlink()
        assert "rebuilt" in Collection(path).scrub().done[0]
        assert held(path) == expected


def compacted(path, most=None):
    with writing(path) as writer:
        compaction.compact(writer, most or compaction.MOST_ROWS)


def test_compaction_keeps_each_vector_once_and_the_rest_of_the_page(tmp_path):
    path = web(tmp_path / "s.kin")
    for added in (1, 2, 3):
        put(path, [(URL(i), added, [added, i + 1.0]) for i in range(PAGES)])
    before = Collection(path).info()
    compacted(path)
    after = Collection(path).info()
    (part,) = Store(path).manifest.parts
    assert part.rows["vectors"] == PAGES
    assert held(path) == {URL(i): (3.0, i + 1.0) for i in range(PAGES)}
    assert (after.pages, after.fetched, after.links, after.with_text) == (
        before.pages, before.fetched, before.links, before.with_text,
    )  # fmt: skip


def test_vectors_stay_when_a_page_is_fetched_again(tmp_path):
    path = web(tmp_path / "s.kin")
    put(path, [(URL(1), 1, [1.0, 2.0])])
    compacted(path)
    collection(path, page(URL(1), fetched=9_000, words="other words"))
    assert held(path) == {URL(1): (1.0, 2.0)}
    compacted(path)
    assert held(path) == {URL(1): (1.0, 2.0)}


def test_damage_is_named_and_what_is_whole_is_kept(tmp_path):
    path = web(tmp_path / "s.kin")
    put(path, [(URL(i), 1, [1.0, i]) for i in range(PAGES)])
    before = Collection(path).info()
    part = Store(path).manifest.parts[-1]
    file = path / part.path / "vectors.parquet"
    for damaged in (file.read_bytes()[:-9] + b"\0" * 9, b""):
        copy = tmp_path / f"{len(damaged)}.kin"
        shutil.copytree(path, copy)
        (copy / part.path / "vectors.parquet").write_bytes(damaged)
        with pytest.raises(Exception, match=r"vectors\.parquet is damaged"):
            Collection(copy).info()
        said = Collection(copy).scrub().done
        assert any(f"part {part.name}: its table vectors is damaged" in line for line in said)
        after = Collection(copy).info()
        assert (after.pages, after.fetched, after.links) == (before.pages, before.fetched, before.links)
        assert Collection(copy).scrub().done[0].startswith("nothing to repair")
        assert len(held(copy)) == (PAGES if damaged else 0)
        assert any("to restore the vectors that are lost, add them again: vectors" in line for line in said) == (
            not damaged
        )
        assert not any("add its sources again" in line for line in said)


def test_rows_that_nobody_would_add_are_mended(tmp_path):
    path = web(tmp_path / "s.kin")
    put(path, [(URL(0), 1, [1.0, 2.0]), (URL(1), 1, [np.nan, 2.0]), (URL(2), 1, [0.0, 0.0])])
    (said,) = Collection(path).scrub().done
    assert said.endswith("2 vectors of the wrong length, of zeros, or not finite dropped")
    assert held(path) == {URL(0): (1.0, 2.0)}


def test_a_collection_without_vectors(tmp_path):
    path = web(tmp_path / "s.kin")
    assert held(path) == {}
    assert not vectors.has_vectors(Store(path))
    assert Collection(path).info().vectors == {}


def test_lengths_that_do_not_count_are_said(tmp_path):
    path, other = web(tmp_path / "s.kin"), web(tmp_path / "o.kin")
    put(path, [(URL(i), 1, [1.0, i]) for i in range(4)])
    put(other, [(URL(5), 2, [1.0, 2.0, 3.0])])
    report = Collection(path).add(other)
    assert "added 1 vector from" in " ".join(report.lines)
    assert "4 vectors of the collection have another length than the latest and do not count" in report.lines
    info = Collection(path).info()
    assert info.vectors == {"pages": 1, "length": 3}
    assert info.note == "the vectors of 4 further pages have another length and do not count"


def test_a_collection_of_the_format_before_opens_and_takes_vectors(tmp_path):
    path = web(tmp_path / "s.kin")
    state = manifests.read(path)
    parts = []
    for part in state.parts:
        parts.append(replace(part, rows={name: rows for name, rows in part.rows.items() if name != "vectors"}))
        part_files.write_description(path, parts[-1], state)
    manifests.write(path, replace(state, parts=tuple(parts), format=3))
    assert held(path) == {}
    assert Collection(path).scrub().done[0].startswith("nothing to repair")
    put(path, [(URL(1), 1, [1.0, 2.0])])
    (path / "manifest.json").unlink()
    assert "rebuilt" in Collection(path).scrub().done[0]
    compacted(path)
    assert held(path) == {URL(1): (1.0, 2.0)}
    assert manifests.read(path).format == 5
