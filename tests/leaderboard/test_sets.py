"""What a set asks is hidden from whoever is asked: classes, held-out lists, and the entries of indexes.

That "See also" sections are hidden is tested on every documentation in tests/evaluate/test_see_also_debian.py, that
the pairs of PlanetMath can be in tests/evaluate/test_hiding.py.
"""

import posixpath
import random
import shutil
import subprocess

import pytest

from leaderboard import sets
from pagekin.acquire.folder import open_folder
from pagekin.answers.collection import Collection
from pagekin.collection.schema import SCHEMAS
from pagekin.collection.store import Store
from pagekin.evaluate import index_entries
from pagekin.model import Capture
from pagekin.parse import parse
from pagekin.parse.index_entries import listing, without_entries
from pagekin.url import canonical, page_id
from tests.debian import unpacked
from tests.gates import gates

pytestmark = [pytest.mark.data, pytest.mark.usefixtures("data")]

FEW = 40  # files of each class of WebKB: all would take a minute
LISTS = 80  # awesome lists: all are a gate
MOST = 30  # pages of each pattern below
BASE = "http://docs.example/"
# Package → its folder, its indexes and some of the pages that they lead to.
INDEXED = {
    "python3.11-doc": ("python3.11/html", ("genindex-[AQZ]*.html", "py-modindex.html", "library/[a-c]*.html")),
    "postgresql-doc-15": (
        "postgresql-doc-15/html",
        ("bookindex.html", "reference-client.html", "app-*.html", "functions-*.html"),
    ),
    "python-pandas-doc": (
        "python-pandas-doc/html",
        ("genindex.html", "reference/[hs]*.html", "reference/api/pandas.Series.s*.html"),
    ),
}


@pytest.mark.parametrize("package", gates(sets.MANUALS, "postgresql-doc-15"))
def test_every_manual_is_where_its_package_has_it(package, tmp_path):
    """All pages are below the folder that is read; it may be a symbolic link. Only one file is unpacked."""
    unpacked(package, tmp_path, [f"usr/share/doc/{package}/copyright"])
    (archive,) = tmp_path.glob("*.deb")
    listed = subprocess.run(["dpkg-deb", "--contents", archive], capture_output=True, text=True, check=True).stdout
    names = [line.split(None, 5)[5] for line in listed.splitlines()]
    inside = f"./usr/share/{sets.MANUALS[package][0]}"
    to = [name.partition(" -> ")[2] for name in names if name.startswith(f"{inside} -> ")]
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(inside), to[0])) if to else inside.removeprefix("./")
    below = [name for name in names if name.removeprefix("./").startswith(f"{folder.removeprefix('./')}/")]
    assert sum(name.endswith(".html") for name in below) > 500


def test_a_package_whose_pages_moved_is_left_out_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(sets, "documentation", lambda package, folder: tmp_path)
    with pytest.raises(sets.MissingError, match="openjdk-17-doc has no folder usr/share/doc/openjdk-17-doc/api"):
        list(sets.SETS["openjdk-17-doc"](tmp_path))


def but_for_labels(store):
    """All tables of a collection, without what depends on when and from where it was read, and without labels."""
    aside = {"label", "origin", "fetched", "digest", "part", "seen", "version"}
    return {
        name: [
            store.table(part, name).select([each for each in SCHEMAS[name].names if each not in aside]).to_pylist()
            for part in store.manifest.parts
        ]
        for name in SCHEMAS
    }


@pytest.mark.slow
def test_methods_cannot_see_the_classes_of_citeseer(data, tmp_path):
    """With the classes shuffled, the collection is the same but for its labels."""
    shutil.copytree(data("citeseer"), tmp_path / "other", copy_function=shutil.copyfile)
    file = tmp_path / "other/citeseer.content"
    rows = [row.rpartition("\t") for row in file.read_text().splitlines()]
    classes = [row[2] for row in rows]
    random.Random(1).shuffle(classes)
    file.write_text("".join(f"{row[0]}\t{other}\n" for row, other in zip(rows, classes, strict=True)))
    for name, folder in (("one", data("citeseer")), ("two", tmp_path / "other")):
        Collection(tmp_path / f"{name}.kin").add(folder)
    one, two = Store(tmp_path / "one.kin"), Store(tmp_path / "two.kin")
    assert one.graph.pages["label"] != two.graph.pages["label"]
    assert but_for_labels(one) == but_for_labels(two)


def test_methods_cannot_see_the_classes_of_webkb(data, tmp_path):
    """With some pages in the folder of another class, the collection is the same but for its labels."""
    names = ["course", "faculty", "project", "student"]
    for at, name in enumerate(names):
        for number, path in enumerate(sorted(path for path in (data("webkb") / name).rglob("*") if path.is_file())):
            below = path.relative_to(data("webkb") / name)
            other = names[(at + 1) % len(names)] if number % 2 else name
            for copy in (tmp_path / "one" / name / below, tmp_path / "two" / other / below):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
            if number == FEW:
                break
    for name in ("one", "two"):
        Collection(tmp_path / f"{name}.kin").add(tmp_path / name)
    one, two = Store(tmp_path / "one.kin"), Store(tmp_path / "two.kin")
    assert one.graph.pages["label"] != two.graph.pages["label"]
    assert but_for_labels(one) == but_for_labels(two)


@pytest.mark.parametrize("most", [LISTS, pytest.param(None, marks=pytest.mark.slow)], ids=["some", "all"])
def test_the_awesome_lists_that_are_the_truth_are_not_read(most, data, tmp_path, monkeypatch):
    monkeypatch.setattr(sets, "_built", Store)
    folder = tmp_path / "awesome-lists"
    folder.mkdir()
    for path in sorted(data("awesome-lists").iterdir())[:most]:
        shutil.copyfile(path, folder / path.name)
    (task,) = sets.awesome_lists(tmp_path)
    lists = [item for item in open_folder(folder, None) if isinstance(item, Capture)]
    held_out = sorted(lists, key=lambda page: page.url)[:: sets.HELD_OUT]
    assert len(held_out) > (15 if most else 60) and len(task.truth.asked) > (50 if most else 500)
    for page in held_out:
        number = task.store.number(page_id(canonical(page.url) or page.url))
        if number is not None:  # another list links to it
            assert not task.store.fetched[number]
            assert task.store.arrays.targets(number).size == 0 and task.store.text(number) in (None, "")
    assert int(task.store.fetched.sum()) == len(lists) - len(held_out)


@pytest.mark.parametrize("package", gates(INDEXED))
def test_the_entries_that_are_questions_are_hidden(package, tmp_path):
    inside, patterns = INDEXED[package]
    unpacked(package, tmp_path, [f"usr/share/doc/{inside}/{pattern}" for pattern in patterns])
    folder = tmp_path / "usr/share/doc" / inside
    for path in [path for pattern in patterns for path in sorted(folder.glob(pattern))[:MOST]]:
        copy = tmp_path / "some" / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    Collection(tmp_path / "some.kin").add(tmp_path / "some", base_url=BASE)
    store = Store(tmp_path / "some.kin")
    seen, truth = index_entries.hide(store, tmp_path / "seen.kin")
    asked = set(truth.words.values())
    assert len(asked) > 20
    for page, url in enumerate(store.graph.pages["url"].to_pylist()):
        if not store.fetched[page]:
            continue
        capture = Capture(url, (tmp_path / "some" / url.removeprefix(BASE)).read_bytes(), "text/html")
        found, now = listing(capture), seen.number(int(store.graph.ids[page]))
        if now is None or not seen.fetched[now]:  # held out: no link of it and no word is left
            assert found.is_index or asked & {entry.wording for entry in found.entries}
            assert now is None or (seen.arrays.targets(now).size == 0 and not seen.text(now))
            continue
        assert not found.is_index
        left = without_entries(capture, dict.fromkeys(asked))
        assert not asked & {entry.wording for entry in listing(left).entries}
        assert seen.text(now) == parse(left).text
        assert {seen.url(int(other)) for other in seen.arrays.targets(now)} <= {
            link.target for link in parse(left).links
        }
    answers = {page for question in truth.asked for page, _ in truth.relevant(question)}
    assert all(seen.fetched[page] for page in answers)
