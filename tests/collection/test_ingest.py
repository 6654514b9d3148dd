"""Adding: what is held is skipped, what is bad is counted, and a kill at any moment loses only what was in hand."""

import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pagekin.acquire import text
from pagekin.acquire.sources import open_sources
from pagekin.answers.add import added
from pagekin.collection import ingest as ingesting
from pagekin.collection import parts, workers
from pagekin.collection.graph import same
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError, PagekinError
from pagekin.model import Redirect, Skipped
from tests.small_webs import collection, edges, page

A, B, C = (f"http://{name}.example/" for name in "abc")


def test_the_same_again_changes_nothing(tmp_path):
    items = [page(A, B), page(B, C), edges((C, A)), Redirect("http://old.example/", A), Skipped("x", "empty")]
    first = collection(tmp_path / "s.kin", *items)
    version = first.manifest.version
    report = ingest(tmp_path / "s.kin", [items])
    assert (report.pages, report.unchanged, report.skipped["empty"]) == (0, 2, 1)
    assert Store(tmp_path / "s.kin").manifest.version == version


def test_a_later_fetch_supersedes_and_an_earlier_one_does_not(tmp_path):
    store = collection(tmp_path / "s.kin", page(A, B, fetched=10, title="honey"))
    store = collection(tmp_path / "s.kin", page(A, C, fetched=20, title="wax"))
    store = collection(tmp_path / "s.kin", page(A, B, fetched=15, title="between"))
    number = store.graph.pages["url"].to_pylist().index(A)
    assert store.title(number) == "wax"
    assert [store.url(int(p)) for p in store.arrays.targets(number)] == [C]
    assert "wax" in {row["surface"] for rows in store.rows("terms") for row in rows.to_pylist()}
    assert "honey" not in {row["surface"] for rows in store.rows("terms") for row in rows.to_pylist()}


def test_one_source_with_a_page_twice(tmp_path):
    store = collection(tmp_path / "s.kin", page(A, B, fetched=1), page(A, C, fetched=2), page(A, B, fetched=1))
    number = store.graph.pages["url"].to_pylist().index(A)
    assert [store.url(int(p)) for p in store.arrays.targets(number)] == [C]


def test_a_fetched_page_supersedes_its_table_rows(tmp_path):
    store = collection(tmp_path / "s.kin", edges((A, B), (B, C)), page(A, C))
    urls = store.graph.pages["url"].to_pylist()
    assert [urls[t] for t in store.arrays.targets(urls.index(A)).tolist()] == [C]
    assert [urls[t] for t in store.arrays.targets(urls.index(B)).tolist()] == [C]


def test_redirects_are_folded_into_the_graph_and_kept_as_written(tmp_path):
    old, older = "http://old.example/", "http://older.example/"
    store = collection(tmp_path / "s.kin", edges((B, older), (C, old)), page(A), Redirect(older, old), Redirect(old, A))
    urls = store.graph.pages["url"].to_pylist()
    assert sorted(urls[q] for q in store.arrays.citers(urls.index(A)).tolist()) == [B, C]
    assert store.arrays.citers(urls.index(old)).size == 0
    written = {(urls[row["source"]], urls[row["target"]]) for row in store.graph.links.to_pylist()}
    assert written == {(B, older), (C, old)}
    assert store.anchor(urls.index(B), urls.index(A)) == ""


def test_an_address_that_led_to_two_places_is_held_after_the_first_time(tmp_path):
    moves = [page(A, B), Redirect("http://old.example/", A), Redirect("http://old.example/", B)]
    version = collection(tmp_path / "s.kin", *moves).manifest.version
    assert collection(tmp_path / "s.kin", *moves).manifest.version == version


def test_redirects_in_a_circle_stay_as_they_are(tmp_path):
    store = collection(tmp_path / "s.kin", edges((A, B), (A, C)), Redirect(B, C), Redirect(C, B))
    assert store.graph.folded == {}


def test_of_two_addresses_with_one_id_the_smaller_stays(tmp_path, monkeypatch):
    import pagekin.collection.tabulate as tabulating

    taken = {A: 7, B: 7}
    real = tabulating.page_id
    monkeypatch.setattr(tabulating, "page_id", lambda url: taken.get(url, real(url)))
    monkeypatch.setattr(ingesting, "page_id", lambda url: taken.get(url, real(url)))
    for name, items in (("ab", [page(A, C), page(B, C)]), ("ba", [page(B, C), page(A, C)])):
        together = ingest(tmp_path / f"{name}.kin", [items])
        assert together.skipped["its id belongs to another address"] == 1
        for item in items:  # one at a time: each is whole in itself, and the snapshot decides
            ingest(tmp_path / f"{name}-apart.kin", [[item]])
        for path in (tmp_path / f"{name}.kin", tmp_path / f"{name}-apart.kin"):
            store = Store(path)
            assert sorted(store.graph.pages["url"].to_pylist()) == [A, C]
            assert store.arrays.links == 1


def test_a_disk_that_fills_leaves_the_parts_committed_so_far(tmp_path, monkeypatch):
    real, calls = parts.write, []

    def full(*arguments, **named):
        calls.append(1)
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        return real(*arguments, **named)

    monkeypatch.setattr(workers, "CHUNK_PAGES", 1)
    monkeypatch.setattr(parts, "write", full)
    pages = [page(f"http://a.example/{i}", A) for i in range(5)]
    with pytest.raises(
        CollectionError,
        match=r"the disk is full \(.* free for .*s\.kin\); what was committed before is safe; make room and run",
    ):
        ingest(tmp_path / "s.kin", [pages], part_pages=1)
    assert Store(tmp_path / "s.kin").graph.pages["fetched"].null_count == 1
    monkeypatch.setattr(parts, "write", real)
    report = ingest(tmp_path / "s.kin", [pages])
    assert (report.pages, report.unchanged) == (3, 2)


def test_rows_are_not_held_in_memory_so_any_number_is_taken(tmp_path, monkeypatch):
    """A small archive may unpack to many rows: they go to disk part by part."""
    (tmp_path / "links.csv.gz").write_bytes(gzip.compress(b"source,target\n" + f"{A},{B}\n".encode() * 40_000))
    monkeypatch.setenv("PAGEKIN_MEMORY", "4MB")
    monkeypatch.setattr(text, "BLOCK", 1 << 16)
    monkeypatch.setattr(ingesting, "PART_ROWS", 10_000)
    (source,) = open_sources([tmp_path / "links.csv.gz"])
    report = ingest(tmp_path / "s.kin", [source])
    assert report.rows == 40_000 and not report.skipped
    store = Store(tmp_path / "s.kin")
    assert len(store.manifest.parts) == 4 and store.graph.links.num_rows == 1


def test_too_little_memory_is_an_error_that_names_the_least(tmp_path, monkeypatch):
    monkeypatch.setenv("PAGEKIN_MEMORY", "1MB")
    with pytest.raises(
        PagekinError, match=r"1\.0 MB of memory are too little .* set .* PAGEKIN_MEMORY to \d+MB at least"
    ) as said:
        collection(tmp_path / "s.kin", edges((A, B)))
    least = re.search(r"PAGEKIN_MEMORY to (\S+)", str(said.value))[1]
    monkeypatch.setenv("PAGEKIN_MEMORY", least)
    assert collection(tmp_path / "s.kin", edges((A, B))).arrays.links == 1


def test_nothing_read_leaves_no_collection(tmp_path):
    report = ingest(tmp_path / "s.kin", [[Skipped("a", "empty")]])
    assert added(report).nothing_read
    assert not (tmp_path / "s.kin").exists()


def test_one_writer_at_a_time(tmp_path):
    collection(tmp_path / "s.kin", page(A, B))
    with writing(tmp_path / "s.kin"), pytest.raises(CollectionError, match="another process is writing"):
        ingest(tmp_path / "s.kin", [[page(C, A)]])


SCRIPT = """
import sys
from tests.small_webs import page, edges
from pagekin.collection import ingest as ingesting
from pagekin.collection import workers
workers.CHUNK_PAGES = 3
url = [f"http://h{i % 5}.example/{i}" for i in range(60)]
pages = [page(url[i], *url[: i % 6], words="bees " * i) for i in range(60)]
tables = [edges((f"http://t.example/{i}", url[1]), ("http://t.example/", url[i])) for i in range(6)]
ingesting.ingest(sys.argv[1], [pages[:30], tables, pages[30:]], part_pages=6)
print("done", flush=True)
"""


@pytest.mark.slow
def test_kill_at_any_moment_then_the_same_again(tmp_path):
    """kill -9 at random moments: what is there opens and is a whole state; the same call at last completes it.

    A few kills; `make faults` has many.
    """
    script = tmp_path / "add.py"
    script.write_text(SCRIPT)
    root = Path(__file__).parents[2]

    def start(path):
        command = [sys.executable, str(script), str(path)]
        return subprocess.Popen(command, cwd=root, env=os.environ | {"PYTHONPATH": str(root)}, stdout=subprocess.PIPE)

    began = time.monotonic()
    whole = start(tmp_path / "whole.kin")
    assert whole.communicate()[0] == b"done\n"
    took = time.monotonic() - began
    want = Store(tmp_path / "whole.kin")
    chance, killed, states = random.Random(2), 0, set()
    for round_ in range(3):
        path = tmp_path / f"{round_}.kin"
        # Waiting for a number of parts to appear, then a moment more, puts the kills all over the run.
        parts_wanted, moment = chance.randrange(0, 14), chance.random() * 0.02
        process = start(path)
        while (
            process.poll() is None and len(list(path.glob("parts/*"))) < parts_wanted and time.monotonic() - began < 600
        ):
            time.sleep(0.001)
        time.sleep(moment if parts_wanted else moment * 50 * took)
        process.kill()
        process.communicate()
        killed += process.returncode != 0
        if path.exists():
            listed = json.loads((path / "manifest.json").read_text())["parts"]
            store = Store(path)
            states.add(len(listed))
            assert store.size == store.graph.pages.num_rows
            assert sum(part["rows"]["pages"] for part in listed) >= store.size
            for part in store.manifest.parts:
                for name, known in part.checksums.items():
                    assert parts.checksum(path / part.path / f"{name}.parquet") == known
        again = start(path)
        assert again.communicate()[0] == b"done\n"
        assert same(Store(path).graph, want.graph)
        shutil.rmtree(path)
    assert killed >= 2, "the kills must come before the end"
    assert len(states) >= 2, "and at different moments"
