"""The trials find what is planted; and a short run of them: every file with one flip, a few kills."""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pagekin.collection import sealed
from tests.small_webs import from_edges
from trials import cases, child, damage, kills, questions, touched
from trials.cases import CRASH, LOSS, NAMED, SAME, SCRUB, UNNAMED, UNTOUCHED, WRONG, Case, Trial, judged
from trials.content import Content, fingerprint, unnamed_losses
from trials.questions import Answer
from trials.touched import MARK, from_log

ROOT = Path(__file__).parents[2]
FILE = "index/graph.000001-0a1b2c3d/out.npy"
RIGHT = Answer(0, "1  0.5  A page\n")
# Newer Pythons warn of a fork in a process with threads; what these tests fork does nothing that could wait for one.
forks = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


@pytest.mark.parametrize(
    ("got", "kind"),
    [
        (RIGHT, SAME),
        (Answer(0, RIGHT.out, "a note on stderr\n"), SAME),
        (Answer(0, "1  0.7  A page\n"), WRONG),
        (Answer(0, RIGHT.out, wrote="other bytes"), WRONG),
        (Answer(1, "", f"pagekin: SITE/{FILE} is damaged; run: pagekin scrub SITE\n"), NAMED),
        (Answer(1, "", "pagekin: the index is damaged\n"), UNNAMED),
        (Answer(1, "", f"pagekin: {FILE}\npagekin: and more\n"), UNNAMED),
        (Answer(2, "", f"pagekin: {FILE} is not an option\n"), UNNAMED),
        (Answer(1, "", f"pagekin: {FILE}", crash="traceback: ValueError"), CRASH),
    ],
)
def test_what_an_answer_is(got, kind):
    assert judged(RIGHT, got, [FILE]) == kind


def test_a_loss_needs_a_line_that_names_part_and_table():
    before = Content({"pages": 3, "text": 3, "fetched": 3}, {"pages": 1, "text": 2, "fetched": 3})
    after = Content({"pages": 3, "text": 2, "fetched": 3}, {"pages": 1, "text": 9, "fetched": 3})
    assert unnamed_losses(before, before, [], ["000001-a"]) == []
    for said in ([], ["000001-a is damaged: text"], ["lost 1 row of text"], ["part 000001-a: lost 1 row of pages"]):
        assert unnamed_losses(before, after, said, ["000001-a"]) == [
            "1 of 3 rows of text are gone, and no line says so"
        ]
    assert unnamed_losses(before, after, ["part 000001-a: lost 1 of 3 rows of text"], ["000001-a"]) == []
    other = Content(before.rows, {"pages": 1, "text": 9, "fetched": 3})
    assert "rows of text are not what they were" in unnamed_losses(before, other, [], ["000001-a"])[0]


@pytest.fixture
def site(tmp_path):
    path = tmp_path / "a.kin"
    for file in (FILE, "index/graph.000001-0a1b2c3d/in.npy", "parts/000001-00000000/pages.parquet"):
        (path / file).parent.mkdir(parents=True, exist_ok=True)
        (path / file).write_bytes(bytes(range(100)) + file.encode())
    (path / "manifest.json").write_text('{"parts": [{"name": "000001-00000000"}]}')
    (path / "lock").touch()
    return path


def test_a_damage_is_of_the_copy_alone_and_can_be_repeated(site, tmp_path):
    held = {file: (site / file).read_bytes() for file in damage.files(site)}
    assert "lock" not in held
    ways = damage.damages(site, FILE, seed=1)
    assert ways == damage.damages(site, FILE, seed=1)
    assert ways != damage.damages(site, FILE, seed=2)
    assert {way.partition("-")[0] for way in ways} == {"flip", "cut", "gone", "swap"}
    for number, way in enumerate(ways):
        copy = damage.clone(site, tmp_path / f"{number}.kin")
        damaged = damage.inflict(copy, FILE, way)
        changed = {file for file in held if not (copy / file).exists() or (copy / file).read_bytes() != held[file]}
        assert changed == set(damaged)
    assert {file: (site / file).read_bytes() for file in held} == held
    with pytest.raises(ValueError, match="unknown damage 'burnt'"):
        damage.inflict(damage.clone(site, tmp_path / "b.kin"), FILE, "burnt")


def case(site, **flags):
    held = Content({"pages": 3}, {"pages": 1})
    trial = Trial("a.kin", site, {"info SITE": ""}, {"info SITE": RIGHT}, {"info SITE": RIGHT}, held, [], site, held)
    return Case(trial, FILE, "flip-7.0", ["info SITE"], flags.get("scrub", False), flags.get("build", False))


@pytest.mark.parametrize(
    ("planted", "kind"),
    [(Answer(0, "another page"), WRONG), (Answer(crash="killed by SIGSEGV"), CRASH), (Answer(1, err="no"), UNNAMED)],
)
def test_a_planted_fault_is_reported_with_the_way_to_repeat_it(site, monkeypatch, planted, kind):
    monkeypatch.setattr(cases, "answers", lambda site, asked, limit: [planted for _ in asked])
    found = cases.tried(case(site))
    assert found.counts == {kind: 1}
    assert found.faults[0].startswith(f"{kind.upper()}  a.kin index/graph.*/out.npy:flip-7.0  info SITE")


@pytest.mark.parametrize(
    ("said", "rows", "kind"),
    [
        ("part 000001-00000000 is damaged", 2, LOSS),
        ("part 000001-00000000: lost 1 row of pages", 2, None),
        ("Traceback", None, SCRUB),
    ],
)
def test_a_planted_loss_is_reported_unless_scrub_names_it(site, monkeypatch, said, rows, kind):
    held = child.Died("gone") if rows is None else Content({"pages": rows}, {"pages": 5})
    scrubs = iter([(0, "", said, ""), (0, "", "nothing to repair", "")])
    monkeypatch.setattr(cases, "answers", lambda site, asked, limit: [RIGHT for _ in asked])
    monkeypatch.setattr(child, "once", lambda work, item, limit=0: next(scrubs) if work is questions.run else held)
    found = cases.tried(case(site, scrub=True))
    assert [line.partition("  ")[0] for line in found.faults] == ([kind.upper()] if kind else [])


def test_a_repair_that_gives_the_same_bytes_under_other_names_is_known(site, tmp_path):
    def seal(folder, **content):
        sealed.write(folder / "manifest.json", {"parts": [], **content})

    graph = site / "index/graph.000001-0a1b2c3d"
    sealed.write(graph / "index.json", {"path": "index/graph.000001-0a1b2c3d"})
    seal(site, graph="index/graph.000001-0a1b2c3d", retired=[])
    again = damage.clone(site, tmp_path / "b.kin")
    shutil.copytree(graph, again / "index/graph.000001-99999999")
    sealed.write(again / "index/graph.000001-99999999/index.json", {"path": "index/graph.000001-99999999"})
    seal(again, graph="index/graph.000001-99999999", retired=["index/graph.000001-0a1b2c3d"])
    assert fingerprint(again) == fingerprint(site)
    held = (again / "index/graph.000001-99999999/index.json").read_text()
    damage.replace(
        again / "index/graph.000001-99999999/index.json", held.replace('"checksum": "', '"checksum": "0').encode()
    )
    assert fingerprint(again) != fingerprint(site)


def test_a_question_is_asked_if_it_touches_the_file_in_any_way(site, tmp_path):
    log = f"""1 openat(AT_FDCWD</home>, "{site}/manifest.json", O_RDONLY) = 3
1 newfstatat(AT_FDCWD</home>, "{MARK}0", 0x7ffd, 0) = -1 ENOENT
2 openat(AT_FDCWD</home>, "{site}/manifest.json", O_RDONLY|O_CLOEXEC) = 3<{site}/manifest.json>
2 newfstatat(AT_FDCWD</home>, "{site}/index", {{st_mode=S_IFDIR|0755}}, 0) = 0
2 newfstatat(AT_FDCWD</home>, "{site}/parts/000001-00000000/pages.parquet" <unfinished ...>
1 newfstatat(AT_FDCWD</home>, "{MARK}1", 0x7ffd, 0) = -1 ENOENT
3 openat(AT_FDCWD</home>, "{site}/index", O_RDONLY|O_DIRECTORY) = 3<{site}/index>
3 openat(AT_FDCWD</home>, "{site.parent}/a.kin.beside/manifest.json", O_RDONLY) = 3
"""
    found = from_log(log.splitlines(), site, damage.files(site))
    assert found == {
        0: {"manifest.json", "parts/000001-00000000/pages.parquet"},
        1: {FILE, "index/graph.000001-0a1b2c3d/in.npy"},
    }


def test_a_question_that_cannot_see_the_damage_is_counted_and_not_asked(site, monkeypatch):
    monkeypatch.setattr(cases, "answers", lambda site, asked, limit: [RIGHT for _ in asked])
    one = case(site)
    for seen, counts in (
        ({}, {SAME: 1}),
        ({"info SITE": {FILE}}, {SAME: 1}),
        ({"info SITE": {"x"}}, {UNTOUCHED: 1}),
    ):
        assert cases.tried(replace(one, trial=replace(one.trial, touched=seen))).counts == counts


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_what_the_system_sees(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("a", "b"), ("c", "b")])
    site, asked = store.path, [f"related SITE {store.url(0)} --method co-citation", "info SITE"]
    found = touched.touched(site, asked)
    graph = {file for file in damage.files(site) if "/graph." in file and not file.endswith("index.json")}
    assert found == {asked[0]: {"manifest.json", *graph}, asked[1]: set(damage.files(site))}


@forks
def test_a_crash_is_caught_and_the_rest_goes_on_in_a_new_child():
    def work(item):
        if item == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if item == "hang":
            time.sleep(60)
        while item == "spin":
            pass
        if item == "end":
            os._exit(3)
        return os.getpid() if item == "pid" else 1 // item

    assert child.once(work, "hang", limit=0.02) == child.Died("no answer within 0.4 s")
    assert child.once(work, "spin", limit=1) == child.Died("killed by SIGXCPU")
    got = child.each(work, [1, "crash", 0, "pid", "pid", "end", 1])
    assert got[0] == got[-1] == 1
    assert got[3] == got[4] != os.getpid()
    assert [result.why for result in got if isinstance(result, child.Died)] == [
        "killed by SIGSEGV",
        "traceback: ZeroDivisionError: integer division or modulo by zero",
        "the process ended with code 3",
    ]


def test_a_question_keeps_all_that_was_said(tmp_path):
    got = questions.answer(tmp_path / "none.kin", "info SITE")
    assert (got.code, got.out, got.crash) == (1, "", "")
    assert got.err.startswith("pagekin: there is no collection SITE")


def test_a_kill_that_loses_rows_is_reported(site, monkeypatch):
    work = kills.Work("add", site, ("add", "SITE"), 0.0, {"pages": {1, 2}}, {"pages": {1, 2, 3}})
    monkeypatch.setattr(kills, "completed", lambda argv, site: "")
    monkeypatch.setattr(kills, "held_rows", lambda site: {"pages": {1, 3}})
    problems = list(kills._problems(kills.Round(work, "1.0"), site, scrubs=False))
    assert problems == ["rows of pages are gone", "the same command again does not complete it"]


def test_a_removal_that_is_killed_halfway_is_reported(site, monkeypatch):
    old, new = {"pages": {1, 2, 3}}, {"pages": {3}}
    work = kills.Work("remove", site, ("remove", "SITE"), 0.0, {"pages": {3}}, new, old)
    monkeypatch.setattr(kills, "completed", lambda argv, site: "")
    incomplete = "the same command again does not complete it"
    for held, problems in (
        (old, [incomplete]),
        (new, []),
        ({"pages": {2, 3}}, ["it is neither the old state nor the new one", incomplete]),
    ):
        monkeypatch.setattr(kills, "held_rows", lambda site, held=held: held)
        assert list(kills._problems(kills.Round(work, "1.0"), site, scrubs=False)) == problems


def trials(*options):
    command = [sys.executable, "-m", "trials.faults", "--few", *options]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)


@pytest.mark.slow
def test_commands_killed_at_random_lose_nothing():
    done = trials("--only", "kills")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_flip_in_any_file_of_the_demo_is_noticed_and_repaired():
    done = trials("--rounds", "0")
    assert "173 files" in done.stdout
    assert done.returncode == 0, done.stdout + done.stderr
