"""Workers: a page that costs too much or crashes is skipped and named, and workers never outlive their parent."""

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pagekin.collection import ingest as ingesting
from pagekin.collection import workers
from pagekin.collection.graph import same
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.collection.workers import Chunk, ParseSettings, make_tables
from pagekin.errors import CollectionError
from pagekin.model import Capture
from pagekin.parse.words import Analyser
from tests.small_webs import collection, edges, page

REAL = workers.make_tables
A, B, C = (f"http://{name}.example/" for name in "abc")


@pytest.mark.slow  # of a large page it is the same, in every run: below
def test_a_page_that_kills_the_parser_is_skipped_and_the_rest_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "FEW_PAGES", 0)
    monkeypatch.setattr(workers, "make_tables", _dies_on_b)
    report = ingest(tmp_path / "s.kin", [[page(A, C), page(B, C), page(C, A)]])
    assert report.skipped == {"it crashed the parser": 1}
    assert report.examples["it crashed the parser"] == [B]
    assert report.pages == 2


def test_no_page_is_blamed_if_every_worker_dies(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "FEW_PAGES", 0)
    monkeypatch.setattr(workers, "make_tables", _dies)
    with pytest.raises(CollectionError, match="there is not enough memory"):
        ingest(tmp_path / "s.kin", [[page(A, C), page(B, C)]])


def _dies(work, settings, guarded=False):
    os._exit(1)


def _dies_on_b(work, settings, guarded=False):
    if B in getattr(work, "captures", ()):
        os.kill(os.getpid(), signal.SIGKILL)
    return REAL(work, settings, guarded)


def large(url, *targets):
    """A page that goes to a worker for its size."""
    return page(url, *targets, words="bees " * (workers.LARGE_PAGE // 5 + 1))


def test_a_large_page_that_kills_the_parser_does_not_end_a_small_add(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "make_tables", _dies_on_b)
    report = ingest(tmp_path / "s.kin", [[page(A, C), large(B, C), large(C, A)]])
    assert report.skipped == {"it crashed the parser": 1}
    assert report.examples["it crashed the parser"] == [B]
    assert report.pages == 2


def _parsing(how, work, settings, guarded):
    """Tables, where parsing page B does something else; as pages are parsed in turn, the others must not suffer."""
    real = workers.parse
    workers.parse = lambda capture, *rest: how() if capture.url == B else real(capture, *rest)
    try:
        return REAL(work, settings, guarded)
    finally:
        workers.parse = real


def _spins(work, settings, guarded=False):
    def spin():
        while True:
            pass

    return _parsing(spin, work, settings, guarded)


def _computes(work, settings, guarded=False):
    return _parsing(lambda: 3 ** (1 << 40), work, settings, guarded)  # in C, and no signal is heard


def _hoards(work, settings, guarded=False):
    return _parsing(lambda: bytearray(8 << 30), work, settings, guarded)


def _hoards_bit_by_bit(work, settings, guarded=False):
    def hoard():
        held = []
        while True:
            held += [b"x" * 100 for _ in range(10_000)]

    return _parsing(hoard, work, settings, guarded)


@pytest.mark.parametrize(
    ("does", "why"),
    [
        pytest.param(_spins, "it took too long", marks=pytest.mark.slow),  # _computes is harder to stop
        (_computes, "it took too long"),
        (_hoards, "it needed too much memory"),
        pytest.param(_hoards_bit_by_bit, "it needed too much memory", marks=pytest.mark.slow),
    ],
)
def test_a_page_over_its_budget_is_skipped_and_the_rest_goes_on(does, why, tmp_path, monkeypatch):
    monkeypatch.setattr(ingesting, "PAGE_SECONDS", 60 if "memory" in why else 1)
    monkeypatch.setattr(ingesting, "PAGE_MEMORY", 200 << 20)
    monkeypatch.setattr(workers, "FEW_PAGES", 0)
    monkeypatch.setattr(workers, "make_tables", does)
    report = ingest(tmp_path / "s.kin", [[page(A, C), page(B, C), page(C, A)]])
    assert (dict(report.skipped), report.examples) == ({why: 1}, {why: [B]})
    assert report.pages == 2
    assert sorted(Store(tmp_path / "s.kin").graph.pages["url"].to_pylist()) == [A, C]


def test_parsing_leaves_no_cycles_so_that_none_need_be_looked_for():
    """Else a chunk of pages would keep them all in memory."""
    everything = b"""<html lang=en><meta name=description content=d><link rel=canonical href=/c><base href=/b/>
        <style>.a{color:red}</style><h1 class=a>One</h1><nav><ul><li><a href=x>x</a><li><a href=y>y</a></ul></nav>
        <table><tr><td><a href="mailto:z">z</a><td><img alt=i></table><svg><title>t</title></svg>
        os.path caf\xe9 CamelCase"""
    work = Chunk({A: Capture(A, everything), B: Capture(B, b"<p>\xe3\x81\x82" * 100)})
    settings = ParseSettings(Analyser(), False, True)
    make_tables(work, settings)
    gc.collect()
    with workers.uncollected():
        assert not gc.isenabled()
        for capture in work.captures.values():
            workers.parse(capture, settings.analyser)
        assert gc.collect() == 0
    assert gc.isenabled()


def test_small_pages_start_no_worker(tmp_path, monkeypatch):
    monkeypatch.setattr(workers.Workers, "_submit", None)
    assert ingest(tmp_path / "s.kin", [[page(A, C), page(B, C)]]).pages == 2


def test_rows_are_made_into_tables_while_the_next_are_read_and_no_more_than_one_part_waits():
    read, parts = [], [[edges((f"http://a.example/{n}", "http://b.example/"))] for n in range(4)]

    def reading():
        for number, part in enumerate(parts):
            read.append(number)
            yield part

    with workers.Workers(ParseSettings(Analyser(), False, True)) as working:
        for number, (work, made) in enumerate(working.tables(reading())):
            assert work is parts[number]
            assert f"http://a.example/{number}" in made.tables["pages"]["url"].to_pylist()
            assert read[-1] == min(number + 1, 3)


def test_what_goes_wrong_with_rows_beside_the_reader_is_raised(tmp_path, monkeypatch):
    def full(**_):
        raise MemoryError("no room")

    monkeypatch.setattr(workers, "tabulate", full)
    with pytest.raises(CollectionError, match="memory"):
        ingest(tmp_path / "s.kin", [[edges(("http://a.example/", "http://b.example/"))]])
    assert not (tmp_path / "s.kin").exists()


def test_workers_and_one_process_give_the_same(tmp_path, monkeypatch):
    pages = [
        page(f"http://h{i % 7}.example/{i}", *(f"http://h{j % 7}.example/{j}" for j in range(i % 9))) for i in range(60)
    ]
    monkeypatch.setattr(workers, "CHUNK_PAGES", 10)
    here = collection(tmp_path / "here.kin", *pages)
    monkeypatch.setattr(workers, "FEW_PAGES", 0)
    there = collection(tmp_path / "there.kin", *pages)
    assert same(here.graph, there.graph)


ENDLESS = """
import sys, time
from pathlib import Path
from pagekin.collection.ingest import ingest
from pagekin.collection.workers import FEW_PAGES
from pagekin.model import Capture

def pages():
    for number in range(FEW_PAGES + 1_000):
        yield Capture(f"http://a.example/{number}", b"<p>words</p>", fetched=1)
    print("working", flush=True)
    time.sleep(600)

ingest(Path(sys.argv[1]), [pages()])
"""


def test_workers_end_with_the_process_that_they_work_for(tmp_path):
    main = subprocess.Popen(
        [sys.executable, "-c", ENDLESS, tmp_path / "s.kin"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert main.stdout.readline() == "working\n"
    children = Path(f"/proc/{main.pid}/task/{main.pid}/children").read_text().split()
    assert len(children) >= 2
    main.kill()
    main.wait()
    main.stdout.close()
    gone = time.monotonic() + 60
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < gone, "workers outlive their parent"
        time.sleep(0.1)
