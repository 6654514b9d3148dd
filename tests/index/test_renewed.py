"""Indexes made from former ones: whatever was added, changed, removed and built before, they are those of one build.

The twin is another collection of the same content, added at once and built once. An address that only a former version
of a page linked to stays known, so the twin is told of those.
"""

import json
import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pagekin.answers.build  # noqa: F401  all indexes
from pagekin import Collection
from pagekin.collection.ingest import ingest
from pagekin.collection.roots import root_of
from pagekin.collection.seen import seen_by
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.index import gathered
from pagekin.index.base import INDEXES, derive, index
from pagekin.index.block_pairs import given as block_given
from pagekin.index.block_pairs import index as block_index
from pagekin.index.similarity import graph as similarity_graph
from pagekin.index.similarity import kept as similarity_kept
from pagekin.model import Capture, Redirect, Rows

SITES, PAGES = 4, 28
WORDS = [f"{a}{b}o" for a in ("bam", "fer", "gil", "lun", "mat") for b in ("ab", "ad", "of", "ug", "il", "am")]
# Every index, and settings that count otherwise; those that others need come first.
QUICK = [
    "mirrors", "inverted", "inverted(links=all, words=all)", "completions", "subrelevant", "text", "vectors",
    "keywords",
    "similarity", "similarity(measure=amsler, delta=0.05, links=all)",
    "similarity(measure=coupling, max_in=3, max_out=4)",
    "similarity(chop_below=3, mirrors=paper)", "similarity(level=host)", "hierarchy", "answers(method=integrated)",
]  # fmt: skip
BY_BLOCKS = [
    "mirrors", "block-pairs(max_repeats=2, max_site=1.5, keep=4)", "block-pairs(scope=site, max_repeats=2, links=all)",
]  # fmt: skip
NAMES = QUICK + BY_BLOCKS[1:]
# What is there only for the next build: in the order, or by the parts, of this one.
FOR_THE_NEXT = {"words.arrows", "words.npy", "words.json", "prints.npy", "given.parquet", "held.parquet"}
FOR_THE_NEXT |= {"kept.json", "index.json", "spare_start.npy", "spare.npy", "spare_bits.npy"}


@pytest.fixture(autouse=True)
def always(monkeypatch):
    """Reuse however much has changed, and in pieces: else webs as small as these would be made from nothing."""
    for module in (block_index, similarity_graph):
        monkeypatch.setattr(module, "MOST_ANEW", 1.0)
    monkeypatch.setattr(similarity_graph, "LOW", 0.5)
    monkeypatch.setattr(block_given, "GROUP_ROWS", 7)
    monkeypatch.setattr(block_given, "HELD_ROWS", 5)
    monkeypatch.setattr(block_index, "BATCH_PAIRS", 60)
    monkeypatch.setattr(gathered, "LINKS_AT_ONCE", 40)


def url(number):
    return f"http://www.s{number % SITES}.example/p{number}{'.html' if number % 5 else '?q=1'}"


def capture(number, version):
    """A version of a page: its words and links are its own, a menu and a line are those of its site, if it has them."""
    dice = np.random.default_rng([number, version])
    here = number % SITES
    menu = [here, here + SITES, here + 2 * SITES] if (number + version) % 3 else []
    chosen = (PAGES * dice.random(8) ** 2).astype(int).tolist()
    copied = number if version % 4 else number % 3  # a page may become the copy of another
    text = " ".join(np.random.default_rng(copied).choice(WORDS, 40).tolist())

    def items(pages):
        names = (f"{WORDS[page % 7]} {WORDS[(page * version) % 30]}" for page in pages)
        return "".join(f'<li><a href="{url(page)}">{name}</a>' for page, name in zip(pages, names, strict=True))

    html = (
        f"<html lang=en><title>{WORDS[number % 30]} the {version % 3}</title><ul>{items(menu)}</ul>"
        f"<p>Made by the makers of site {here}.</p><p>{text}</p><h2>{WORDS[version % 30]}</h2>"
        f"<ul>{items(chosen[:5])}</ul><p>x</p><ol>{items(chosen[5:])}</ol>"
    )
    return Capture(url(number), html.encode(), "text/html; charset=utf-8", fetched=1_000 + version, origin="test")


def told():
    """What a table says of pages that were never fetched, and an address that leads to another."""
    links = {"source": ["t", "t", "u"], "target": [url(0), "u", url(1)], "anchor": ["bamabo", "", "ferado"]}
    terms = {"url": ["t", "u"], "term": ["ferado", "bamabo"], "surface": ["Ferado", "bamabo"]}
    terms |= {"body": [2, 1], "title": [0, 1]}
    return [
        Rows(pa.table(links), pa.table({"url": ["t", "u"], "title": ["T", ""]}), pa.table(terms)),
        Redirect("http://old.example/p0", url(0)),
        Redirect(url(9), url(3)),  # an alias, until the page is fetched
    ]


# A page that is removed takes the redirects to it along, which `told` does not tell again: these pages stay.
REMOVABLE = [number for number in range(PAGES) if number not in (0, 3, 9)]


def addresses(path):
    return set(Store(path).graph.pages["url"].to_pylist())


def named_by(number, version):
    """The addresses that a version of a page leads to, and the roots of their hosts."""
    found = set(re.findall('href="([^"]*)"', capture(number, version).body.decode()))
    return found | {root_of(each) for each in found if "?" in each}


def built(path, names):
    with writing(path) as writer:
        writer.fold()
        return {name: derive(writer, index(name)) for name in names if index(name).is_for(writer.store())}


def content(path):
    """All that the indexes hold, file by file."""
    found = {}
    for name, held in Store(path).manifest.indexes.items():
        if name != "graph":
            files = (file for file in sorted((path / held.path).iterdir()) if file.name not in FOR_THE_NEXT)
            found |= {(name, file.name): file.read_bytes() for file in files}
    found.pop(("hierarchy", "about.json"), None)  # the checksums of the similarity graph, with what it keeps
    return found


changes = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(st.integers(0, PAGES - 1), min_size=1, max_size=6), st.integers(1, 9)),
        st.tuples(st.just("remove"), st.lists(st.sampled_from(REMOVABLE), min_size=1, max_size=2), st.just(0)),
        st.tuples(st.just("build"), st.just([]), st.just(0)),
        st.tuples(st.just("compact"), st.just([]), st.just(0)),
    ),
    min_size=2,
    max_size=5,
)


@given(changes, st.booleans())
@settings(max_examples=4, deadline=None)
def test_any_history_ends_in_the_indexes_of_one_build(tmp_path_factory, history, tables):
    same_in_the_end(tmp_path_factory.mktemp("history"), history, tables, QUICK)


@given(changes, st.booleans())
@settings(max_examples=3, deadline=None)
def test_and_in_the_block_pairs_of_one_build(tmp_path_factory, history, tables):
    same_in_the_end(tmp_path_factory.mktemp("history"), history, tables, BY_BLOCKS)


def same_in_the_end(folder, history, tables, names):
    grown, held = folder / "grown.kin", {number: 1 for number in range(0, PAGES, 2)}
    named = {target for item in held.items() for target in named_by(*item)}
    ingest(grown, [[capture(*item) for item in held.items()], told() if tables else []])
    built(grown, names)
    for what, pages, version in history:
        if what == "add":
            ingest(grown, [[capture(page, version) for page in pages]])
            held |= {page: max(held.get(page, 0), version) for page in pages}
            named |= {target for page in pages for target in named_by(page, version)}
        elif what == "remove" and (there := [page for page in pages if page in held]) and len(held) > len(set(there)):
            Collection(grown).remove(*(url(page) for page in there), yes=True)
            held = {page: version for page, version in held.items() if page not in there}
        elif what == "compact":
            Collection(grown).build(["graph"])
        elif what == "build":
            built(grown, names)
    built(grown, names)
    once = folder / "once.kin"
    ingest(once, [[capture(*item) for item in held.items()], told() if tables else []])
    left = addresses(grown) - addresses(once)
    assert left <= named
    ingest(once, [[Rows(pages=pa.table({"url": sorted(left), "title": [""] * len(left)}))]] if left else [])
    built(once, names)
    assert np.array_equal(Store(grown).graph.ids, Store(once).graph.ids)
    found, expected = content(grown), content(once)
    assert found.keys() == expected.keys()
    assert [key for key in expected if found[key] != expected[key]] == []


def test_every_index_is_in_the_histories():
    assert {name.partition("(")[0] for name in NAMES} == set(INDEXES)


REUSING = ["mirrors", "inverted", "similarity", "block-pairs"]


@pytest.fixture
def path(tmp_path):
    ingest(tmp_path / "s.kin", [[capture(number, 1) for number in range(PAGES - 4)], told()])
    built(tmp_path / "s.kin", REUSING)
    return tmp_path / "s.kin"


def test_what_was_reused_is_said_and_it_is_all_if_nothing_has_changed(path):
    said = built(path, REUSING)
    for name in REUSING[1:]:
        assert "; reused 100.0 % of the " in said[name]
    ingest(path, [[capture(PAGES - 1, 2)]])
    said = built(path, REUSING)
    shares = {name: float(said[name].partition("reused ")[2].partition(" ")[0]) for name in REUSING[1:]}
    assert 0 < min(shares.values()) <= max(shares.values()) < 100
    assert "reused" not in said["mirrors"]


def test_a_template_that_comes_into_being_changes_pages_that_were_there(tmp_path):
    """Two pages of a site share a menu, which is their authors' choice; with a third one it is the site's."""

    def page(number):
        menu = "".join(f'<li><a href="http://w{to}.example/">{WORDS[to]}</a>' for to in range(3))
        html = f"<html lang=en><title>{WORDS[number]}</title><ul>{menu}</ul><p>{' '.join(WORDS[number::3])} only here."
        return Capture(f"http://m.example/{number}", html.encode(), "text/html", fetched=1, origin="test")

    grown, once, names = tmp_path / "grown.kin", tmp_path / "once.kin", REUSING
    ingest(grown, [[page(0), page(1)]])
    built(grown, names)
    before = content(grown)
    ingest(grown, [[page(2), page(3)]])
    built(grown, names)
    ingest(once, [[page(number) for number in range(4)]])
    built(once, names)
    found, expected = content(grown), content(once)
    assert {key: found[key] == expected[key] for key in expected} == dict.fromkeys(expected, True)
    assert len(found["block-pairs", "related.npy"]) < len(before["block-pairs", "related.npy"])  # they were content


@pytest.mark.parametrize("name", REUSING[1:])
def test_a_former_index_that_is_damaged_or_of_another_form_is_not_used(path, name):
    folder = path / Store(path).manifest.indexes[name].path
    before = content(path)
    kept = next(folder / file for file in ("words.arrows", "given.parquet", "near.npy") if (folder / file).exists())
    kept.write_bytes(kept.read_bytes()[:-9] + b"otherwise")
    with writing(path) as writer:
        assert "reused" not in derive(writer, index(name))
    assert content(path) == before
    wanted, store, empty = index(name), Store(path), path / "empty"
    empty.mkdir()
    (path / "new").mkdir()
    assert wanted.renew(seen_by(wanted, store), path / "new", empty) is None  # as another version leaves it
    assert list((path / "new").iterdir()) == []


def test_words_that_another_reader_read_are_read_again(path):
    folder = path / Store(path).manifest.indexes["inverted"].path
    about = json.loads((folder / "words.json").read_text())
    (folder / "words.json").write_text(json.dumps(about | {"read_by": about["read_by"] | {"pagekin": "0.0.9"}}))
    wanted = index("inverted")
    (path / "new").mkdir()
    assert wanted.renew(seen_by(wanted, Store(path)), path / "new", folder) is None


@pytest.mark.parametrize("name", ["similarity", "block-pairs"])
def test_where_much_has_changed_it_is_made_from_nothing(path, name, monkeypatch):
    for module in (block_index, similarity_graph):
        monkeypatch.setattr(module, "MOST_ANEW", similarity_kept.MOST_ANEW)
    ingest(path, [[capture(number, 3) for number in range(PAGES)]])
    with writing(path) as writer:
        writer.fold()
        derive(writer, index("mirrors"))
        assert "reused" not in derive(writer, index(name))


def test_a_threshold_that_falls_below_what_was_kept_looks_at_all_pairs(path, monkeypatch):
    monkeypatch.setattr(similarity_graph, "LOW", 1.0)
    Collection(path).build(drop=["similarity"])
    said = set()
    for version in range(2, 8):
        ingest(path, [[capture(number, version) for number in range(version, PAGES, 5)]])
        with writing(path) as writer:
            writer.fold()
            derive(writer, index("mirrors"))
            said.add("reused" in derive(writer, index("similarity")))
    assert said == {True, False}


def test_folders_hold_nothing_else(path):
    """What is kept is in files of our kinds, which are removed with the index, and so with the pages."""
    store = Store(path)
    kinds = {".npy", ".json", ".parquet", ".arrow", ".arrows"}
    folders = [path / held.path for held in store.manifest.indexes.values()]
    assert all({file.suffix for file in folder.iterdir()} <= kinds for folder in folders)
