"""Moving and copying: a collection answers the same from anywhere, and a copy that is not whole says so."""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pagekin import Collection, PagekinError
from pagekin.collection import parts as part_files
from pagekin.collection import sealed
from pagekin.collection.store import Store
from pagekin.collection.writer import Writer, writing
from pagekin.errors import CollectionError
from tests.gates import gates
from tests.small_webs import collection, edges, page

URL = "http://{}.example/".format
NAMES = "abcdefgh"
WORDS = ["bees", "honey", "wax", "hive", "queen", "drone", "swarm", "comb", "nectar", "pollen"]


def captures(shift: int, fetched: int = 1_000):
    for at, name in enumerate(NAMES):
        targets = [URL(NAMES[(at + step) % len(NAMES)]) for step in (1, 2, 3 + shift)]
        words = " ".join(WORDS[(at * 3 + i * (1 + shift)) % len(WORDS)] for i in range(6))
        yield page(URL(name), *targets, fetched=fetched, title=f"{name} {shift}", words=words)


QUESTIONS: dict[str, Callable[[Collection, Path], object]] = {
    "info": lambda site, _: site.info().as_dict() | {"collection": "", "bytes": ""},
    "related": lambda site, _: site.related(URL("a"), why=True).as_dict(),
    "assisted": lambda site, _: site.related(URL("a"), method="assisted").as_dict(),
    "block": lambda site, _: site.related(URL("a"), method="block", why=True).as_dict(),
    "integrated": lambda site, _: site.related(URL("a"), method="integrated", why=True).as_dict(),
    "search": lambda site, _: site.search("honey").as_dict(),
    "blocks": lambda site, _: site.blocks(URL("b")).as_dict(),
    "clusters": lambda site, _: site.clusters(URL("a")).as_dict(),
    "link clusters": lambda site, _: site.clusters(URL("a"), kind="fan-out").as_dict(),
    "mirrors": lambda site, _: site.mirrors().as_dict(),
    "bridges": lambda site, _: site.bridges().as_dict(),
    "compare": lambda site, _: site.compare(URL("a"), method=["amsler", "hits"]).as_dict(),
    "keywords": lambda site, _: site.keywords(URL("a")).as_dict(),
    "suggest": lambda site, _: site.suggest("honey").as_dict(),
    "export": lambda site, place: _exported(site, place / "exported.jsonl"),
}


def _exported(site: Collection, file: Path) -> str:
    site.export("pages", file)
    return file.read_text()


def plain(answer: object, path: Path) -> object:
    """An answer as JSON values; notes name commands, and these the collection."""
    return json.loads(json.dumps(answer, default=str).replace(str(path), "SITE"))


def answers(path: Path, place: Path, names=tuple(QUESTIONS)) -> dict[str, object]:
    """What a collection answers to every question: the answer, or the sentence that says why there is none."""
    site, said = Collection(path), {}
    for name in names:
        try:
            said[name] = plain(QUESTIONS[name](site, place), path)
        except PagekinError as error:
            said[name] = f"{type(error).__name__}: {str(error).replace(str(path), 'SITE')}"
    return said


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("copies") / "s.kin"
    collection(path, *captures(0), edges(("x", URL("a")), ("x", URL("b"))))
    Collection(path).build(all=True)
    return path


@pytest.fixture(scope="module")
def said(built, tmp_path_factory) -> dict[str, object]:
    said = answers(built, tmp_path_factory.mktemp("said"))
    assert not [name for name, answer in said.items() if isinstance(answer, str) and "Error" in answer[:30]]
    return said


# At rest


@pytest.mark.parametrize("how", [["cp", "-r"], ["cp", "-a"], ["mv"]])
def test_a_copy_answers_the_same(built, said, tmp_path, how):
    shutil.copytree(built, tmp_path / "here.kin")
    subprocess.run([*how, tmp_path / "here.kin", tmp_path / "there.kin"], check=True)
    if how == ["mv"]:
        assert not (tmp_path / "here.kin").exists()
    else:
        shutil.rmtree(tmp_path / "here.kin")
    assert answers(tmp_path / "there.kin", tmp_path) == said
    assert "nothing to repair" in str(Collection(tmp_path / "there.kin").scrub())


def test_no_file_of_a_collection_says_where_it_is(built):
    """Except where a page's bytes were, which is told, not looked up by name within the collection."""
    where = str(built.parent).encode()
    assert [file for file in built.rglob("*") if file.is_file() and where in file.read_bytes()] == []


def test_a_link_to_a_collection_answers_the_same(built, said, tmp_path):
    (tmp_path / "link.kin").symlink_to(built)
    assert answers(tmp_path / "link.kin", tmp_path) == said


def test_another_collection_at_the_same_path(built, said, tmp_path):
    """A program that goes on running sees what is there now, also where parts have the same names."""
    path = tmp_path / "s.kin"
    shutil.copytree(built, path)
    site = Collection(path)
    assert plain(site.search("honey").as_dict(), path) == said["search"]
    shutil.copytree(built, tmp_path / "other.kin")
    collection(tmp_path / "other.kin", *captures(1, fetched=2_000))
    Collection(tmp_path / "other.kin").build()
    expected = answers(tmp_path / "other.kin", tmp_path)
    path.rename(tmp_path / "old.kin")
    (tmp_path / "other.kin").rename(path)
    for name, ask in QUESTIONS.items():
        assert plain(ask(site, tmp_path), path) == expected[name]
    assert answers(path, tmp_path) == expected


def test_a_part_of_the_same_name_with_other_rows(tmp_path):
    """Restored from another copy, say: what was remembered of the file that was there before must not be used."""
    known = [collection(tmp_path / f"{name}.kin", *captures(shift)) for shift, name in enumerate("ab")]
    parts = [store.manifest.parts[0] for store in known]
    stores = [Collection(store.path) for store in known]
    before = [store.store.texts(range(store.store.size)) for store in stores]
    assert before[0] != before[1]
    # The second collection takes the place of the first, and so does its part.
    shutil.move(tmp_path / "b.kin" / parts[1].path, tmp_path / "b.kin" / parts[0].path)
    manifest = tmp_path / "b.kin" / "manifest.json"
    sealed.write(manifest, json.loads(json.dumps(sealed.read(manifest)[0]).replace(parts[1].name, parts[0].name)))
    shutil.rmtree(tmp_path / "a.kin")
    (tmp_path / "b.kin").rename(tmp_path / "a.kin")
    store = Store(tmp_path / "a.kin")
    assert store.texts(range(store.size)) == before[1]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter; pytest keeps its own for one user."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_a_read_only_copy_can_be_asked_but_not_written(built, said, open_folder):
    path = open_folder / "s.kin"
    shutil.copytree(built, path)
    subprocess.run(["chmod", "-R", "a-w", path], check=True)
    try:
        if os.geteuid():
            assert answers(path, open_folder) == said
            with pytest.raises(CollectionError, match=r"(?i)permission denied"), writing(path):
                pass
        else:  # root may write anywhere: ask as nobody
            ask_as_nobody(path, built, open_folder, said)
    finally:
        subprocess.run(["chmod", "-R", "u+w", path], check=True)


ASK = """
import json, os, sys
from pathlib import Path
sys.path[:0] = sys.argv[4:]
from tests.collection.test_copies import answers
path, place, original = map(Path, sys.argv[1:4])
answers(original, place)  # imports what it needs: Python itself may be root's alone
(place / "exported.jsonl").unlink()
os.setgid(65534), os.setuid(65534)
print(json.dumps(answers(path, place)))
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError
try:
    with writing(sys.argv[1]):
        print("written")
except CollectionError as error:
    print(error)
"""


def ask_as_nobody(path: Path, original: Path, folder: Path, said: dict[str, object]) -> None:
    place = folder / "place"
    place.mkdir()
    place.chmod(0o777)
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", ASK, path, place, original, root, root / "src"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    asked, refused = run.stdout.splitlines()
    assert json.loads(asked) == said
    assert "permission denied" in refused.lower()


# While a writer runs


@pytest.fixture(scope="module")
def moments(tmp_path_factory) -> list[Path]:
    """What is on disk before and after each commit, while pages are added, indexes built, and both again."""
    folder = tmp_path_factory.mktemp("moments")
    path, seen, commit = folder / "s.kin", [], Writer.commit

    def look() -> None:
        seen.append(folder / f"{len(seen):03}")
        shutil.copytree(path, seen[-1])

    def watched(writer: Writer, **changes: object) -> None:
        look()
        commit(writer, **changes)
        look()

    patch = pytest.MonkeyPatch()
    patch.setattr(Writer, "commit", watched)
    for shift in range(2):
        collection(path, *captures(shift, fetched=1_000 + shift), edges(("x", URL("a")), (f"y{shift}", URL("b"))))
        Collection(path).build(all=True)
    patch.undo()
    return [each for each in seen if Store(each).manifest.parts]


@pytest.fixture(scope="module")
def whole(moments, tmp_path_factory) -> dict[bytes, dict[str, object]]:
    """What each state answers, by its manifest."""
    place = tmp_path_factory.mktemp("place")
    states = {(each / "manifest.json").read_bytes(): each for each in moments}
    return {manifest: answers(path, place) for manifest, path in states.items()}


def copied(now: Iterator[Path], to: Path, order: Callable[[str], object], torn: bool) -> None:
    """Copy as `cp -r` does: list a folder, then copy what was listed. Every step sees the next moment of the disk."""

    def walk(inside: Path) -> None:
        (to / inside).mkdir()
        for name in sorted((each.name for each in (next(now) / inside).glob("*")), key=order):
            before, here = next(now) / inside / name, next(now) / inside / name
            if here.is_dir():
                walk(inside / name)
            elif here.exists():  # else cp says that it is gone, and goes on
                data = here.read_bytes()
                # A file that was being written when it was copied: the part of it that was there.
                (to / inside / name).write_bytes(data if before.exists() or not torn else data[: len(data) // 2])

    walk(Path())


def passing(moments: list[Path], seed: int) -> Iterator[Path]:
    """The moments, each for a random number of steps of the copier, some skipped; the last one forever."""
    rng = random.Random(seed)
    at = rng.randrange(len(moments))
    pace = rng.choice([0.02, 0.1, 0.3])
    while True:
        yield moments[at]
        if rng.random() < pace and at < len(moments) - 1:
            at = min(at + rng.choice([1, 1, 2, 5]), len(moments) - 1)


ORDERS: dict[str, Callable[[str], object]] = {
    "by name": lambda name: name,  # index, lock, manifest.json, parts
    "backwards": lambda name: [-ord(char) for char in name],
    "manifest first": lambda name: (name != "manifest.json", name),
    "manifest last": lambda name: (name == "manifest.json", name),
}
SAYS = ("missing", "damaged", "is not what", "cannot be read")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seed", gates(range(8), 0, 1))
def test_a_copy_taken_while_a_writer_runs_is_whole_or_says_what_is_missing(moments, whole, tmp_path, order, seed):
    path = tmp_path / "copy.kin"
    copied(passing(moments, seed), path, ORDERS[order], torn=seed % 2 == 1)
    expected = whole[(path / "manifest.json").read_bytes()]
    for name, answer in answers(path, tmp_path).items():
        if answer != expected[name]:
            assert isinstance(answer, str), (name, answer, expected[name])
            assert answer.startswith(("CollectionError: ", "NotBuiltError: ")), (name, answer)
            assert any(word in answer for word in SAYS), (name, answer)
            assert "run: " in answer, (name, answer)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "verb",
    [
        "add",
        "build",
        "scrub",
        "join",
    ],
)
def test_commands_that_write_to_such_a_copy(moments, whole, tmp_path, order, verb):
    for seed in (1, 4):
        path = tmp_path / f"copy{seed}.kin"
        copied(passing(moments, seed), path, ORDERS[order], torn=True)
        expected, lacks = whole[(path / "manifest.json").read_bytes()], lacking(path)
        site, report = Collection(path), None
        try:
            if verb == "add":
                table = tmp_path / "t.csv"
                table.write_text("source,target\nhttp://new.example/,http://a.example/\n")
                report = site.add(table)
            elif verb == "join":
                report = Collection(tmp_path / f"joined{seed}.kin").add(path)
            else:
                report = site.build() if verb == "build" else site.scrub()
        except PagekinError as error:
            assert lacks or "index/graph" in str(error), error
            assert any(word in str(error) for word in SAYS)
        if verb == "join":
            assert (report is None) == bool(lacks)
            assert (tmp_path / f"joined{seed}.kin").exists() == (report is not None)
        if verb == "scrub":
            assert report is not None
            assert not lacks or any(part in line for part in lacks for line in report.lines)
            assert isinstance(Collection(path).info().pages, int)
        elif not lacks and report is not None:
            now = answers(path if verb != "join" else tmp_path / f"joined{seed}.kin", tmp_path, ["blocks"])
            assert now == {"blocks": expected["blocks"]}


def lacking(path: Path) -> list[str]:
    """The parts that are not whole."""
    return [
        part.name
        for part in Store(path).manifest.parts
        for table, known in part.checksums.items()
        if not (file := path / part.path / f"{table}.parquet").exists() or part_files.checksum(file) != known
    ]


@pytest.mark.parametrize("where", ["graph.*/either.npy", "graph.*/pages.arrow", "similarity.*/*", "inverted.*/*"])
def test_a_file_that_was_copied_before_it_was_filled(built, said, tmp_path, where):
    """Of the right size, with zeros where nothing was written yet."""
    for at, file in enumerate(sorted((built / "index").glob(where))):
        path = tmp_path / f"{at}.kin"
        shutil.copytree(built, path)
        data = file.read_bytes()
        half = data[: len(data) // 2]
        (path / file.relative_to(built)).write_bytes(half + bytes(len(data) - len(half)))
        for name, answer in answers(path, tmp_path).items():
            assert answer == said[name] or (isinstance(answer, str) and any(word in answer for word in SAYS)), name
