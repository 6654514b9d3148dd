"""Completions against a twin that looks at every word of every entry, and by hand."""

import json
import random
import subprocess
import sys

import numpy as np
import pytest

from pagekin.answers.collection import Collection
from pagekin.errors import NotBuiltError, UsageError
from pagekin.index import completions
from pagekin.index.base import opened
from pagekin.index.completions import INSIDE, KEY, KINDS, STARTS, WEIGHT, Completions, begins, folded
from tests.small_webs import collection, page

URL = "http://site.example/{}".format
LONG = "an introduction to the write-ahead log and its checkpoints"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    path = tmp_path_factory.mktemp("completions") / "s.kin"
    pages = [
        page(URL("wal.html"), URL("log.html"), title="Write-Ahead Log", words="the log of the checkpoint"),
        page(URL("log.html"), URL("wal.html"), URL("Ueber.html"), title="Logging", words="every log ends"),
        page(URL("Ueber.html"), URL("log.html"), title="Über Straßen", words="Wege"),
        page(URL("long.html"), title=LONG, words="log file"),
        page(URL("other.html"), title=LONG[:-1], words="log file"),
        page(URL("sql.html"), title="sqlite3_prepare and PrepareStatement", words="prepare"),
        page(URL("cjk.html"), title="数据库 入门", words="word"),
        page(URL("hostile.html"), title="a\nb\x1b[31m\u202e " + "x" * 5_000, words="word"),
        page(URL("empty.html"), title=" "),
    ]
    collection(path, *pages)
    Collection(path).build(["completions"])
    return Collection(path)


def words(answer, kind=None):
    return [row.word for row in answer if kind is None or row.kind == kind]


def test_every_word_of_a_title_is_a_beginning(site):
    for typed in ("wri", "Write-A", "ahead", "LOG", "write-ahead l", "  write-ahead   log"):
        assert "Write-Ahead Log" in words(site.suggest(prefix=typed, k=50)), typed
    assert words(site.suggest(prefix="über str"), "title") == ["Über Straßen"]
    assert words(site.suggest(prefix="STRASS"), "title") == ["Über Straßen"]
    assert words(site.suggest(prefix="prep"), "title") == words(site.suggest(prefix="stat"), "title")
    assert words(site.suggest(prefix="据库"), "title") == ["数据库 入门"]
    assert not words(site.suggest(prefix="rite"), "title")  # the middle of a word


def test_longer_than_the_key_it_is_exact(site):
    assert len(LONG) > KEY
    assert words(site.suggest(prefix=LONG), "title") == [LONG]
    assert words(site.suggest(prefix=LONG[:-1]), "title") == [LONG, LONG[:-1]]
    assert site.suggest(prefix=LONG + "x").note


def test_a_page_is_there_once_and_by_its_title(site):
    rows = [row for row in site.suggest(prefix="log", k=50) if row.url == URL("log.html")]
    assert [(row.word, row.kind) for row in rows] == [("Logging", "title")]
    assert [row.word for row in site.suggest(prefix="http://www.site.example/ue", k=5)] == [URL("Ueber.html")]
    assert words(site.suggest(prefix="empt"), "address") == [URL("empty.html")]


def test_what_is_linked_more_often_comes_first(site):
    rows = site.suggest(prefix="http://site", k=3)
    assert rows[0].url == URL("log.html")
    assert rows[0].score == pytest.approx(WEIGHT["address"])


def test_equal_to_the_twin(site):
    store = site.store
    held = opened(store, Completions())
    shown = [
        row["text"].removeprefix("http://" if row["kind"] == KINDS.index("address") else "")
        for row in held.shown.to_pylist()
    ]
    raw = {}  # the score of each entry at its beginning
    for entry, score in zip(held.entry.tolist(), held.score.tolist(), strict=True):
        raw[entry] = max(raw.get(entry, 0.0), score)
    rng = random.Random(5)
    for _ in range(200):
        text = rng.choice(shown)
        cut = rng.choice(begins(text) or [0])
        typed = text[cut : cut + rng.randint(1, 30)]
        expected = {}
        for entry, written in enumerate(shown):
            starts = [0, *(at for at in begins(written)[:STARTS] if at)]
            fits = [at for at in starts if written[at:].casefold().startswith(folded(typed))]
            if fits:
                expected[entry] = raw[entry] * (1 if fits[0] == 0 else INSIDE)
        found = dict(held.starting(typed, 10_000))
        assert found == pytest.approx(expected, rel=1e-6), typed
        few = dict(held.starting(typed, 3))
        assert sorted(few.values()) == pytest.approx(sorted(expected.values())[-3:], rel=1e-6)


def test_the_best_of_many_are_found(tmp_path):
    """More pages begin alike than are looked at one by one."""
    path, rng = tmp_path / "s.kin", np.random.default_rng(1)
    pages = [URL(f"{n}.html") for n in range(900)]
    linked = {url: [pages[n] for n in rng.integers(0, 40, 5)] for url in pages}
    collection(path, *(page(url, *linked[url], title=f"Chapter {n}", words="text") for n, url in enumerate(pages)))
    Collection(path).build(["completions"])
    best = sorted(pages, key=lambda url: -len({by for by in pages if url in linked[by]}))
    assert {row.url for row in Collection(path).suggest(prefix="chap", k=5)} <= set(best[:8])


def test_bad_questions_are_answered_with_a_sentence(site, tmp_path):
    for wrong in ("", "  "):
        with pytest.raises(UsageError, match="empty"):
            site.suggest(prefix=wrong)
    with pytest.raises(UsageError, match="at least 1"):
        site.suggest(prefix="a", k=0)
    assert "goes on with 'zzz'" in site.suggest(prefix="zzz").note
    assert site.suggest(prefix="\ud800").note  # half of a pair, as a terminal may give
    collection(tmp_path / "new.kin", page(URL("a"), title="A"))
    with pytest.raises(NotBuiltError, match="completions"):
        Collection(tmp_path / "new.kin").suggest(prefix="a")


def test_on_the_shell(site):
    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "pagekin", "suggest", str(site.path), *arguments], capture_output=True, text=True
        )

    rows = json.loads(run("--prefix", "wri", "--json").stdout)["results"]
    assert {"word", "kind", "score", "url"} == rows[0].keys()
    assert rows == [row.as_dict() for row in site.suggest(prefix="wri")]
    assert run("--prefix", "wri", "log").returncode == 2
    assert run().returncode == 2


@pytest.mark.parametrize("memory", ["1KB", "3KB", "1GB"])
@pytest.mark.parametrize("size", [0, 1, KEY - 1, KEY, 700])
def test_places_are_in_order_however_many_are_sorted_at_once(monkeypatch, size, memory):
    """Of three letters, so that many keys are the same; the last ones are cut short by the end."""
    monkeypatch.setenv("PAGEKIN_MEMORY", memory)
    monkeypatch.setattr(completions, "PLACES_AT_ONCE", 64)
    monkeypatch.setattr(completions, "SAMPLE", 3)
    rng = np.random.default_rng(size)
    text = np.repeat(rng.integers(97, 100, size, np.uint8), 1 + 30 * (np.arange(size) % 50 == 0))[:size]
    begin = np.sort(rng.choice(size, size // 2, replace=False)).astype(np.int64)
    lots = list(completions.in_order(text, begin))
    found = [place for lot in lots for place in lot.tolist()]
    wanted = sorted(range(begin.size), key=lambda at: bytes(text[begin[at] : begin[at] + KEY]).ljust(KEY, b"\0"))
    assert found == wanted
    assert (len(lots) > 10) == (size == 700 and memory != "1GB")
