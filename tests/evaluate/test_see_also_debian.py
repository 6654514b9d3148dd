"""The "See also" sections of real documentation: found as a person finds them, and hidden from whoever is asked.

see_also_sections.toml has what a person saw, and says how it was labelled; so has see_also_sections_fresh.toml, of
packages that nobody had looked at before. With PAGEKIN_ALL=1 the large ones of those are asked for, too (250 MB).
"""

import os
import re
import shutil
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.collection.tabulate import digest
from pagekin.evaluate.see_also import hide
from pagekin.model import Capture
from pagekin.parse.html import parse
from pagekin.parse.see_also import without_see_also
from tests.debian import unpacked
from tests.gates import gates

pytestmark = [pytest.mark.data, pytest.mark.usefixtures("data")]

LABELLED = tomllib.loads((Path(__file__).parent / "see_also_sections.toml").read_text())
FRESH = tomllib.loads((Path(__file__).parent / "see_also_sections_fresh.toml").read_text())
IN_EVERY_RUN = "postgresql-doc-15"  # the others are asked for by `make gates`
SMALL = 1000 if os.environ.get("PAGEKIN_ALL") else 4  # megabytes of a package that a test may ask for
PRECISION, RECALL, LEAST = 0.98, 0.95, 200
DOCUMENTATIONS = {each["package"]: each["folder"] for each in LABELLED["known"]}
BASE = "http://docs.example/"
PAGES = 300  # of each documentation, to hide and compare; all of them would take minutes
WORD = re.compile(r"\w+")


def labelled_pages(each, folder):
    """The pages of a package as they were labelled: their captures, and the links of each section."""
    for name, (seen, *spans) in each["pages"].items():
        path = folder / each["folder"] / name
        body = path.read_bytes() if path.is_file() else b""
        if digest(body).startswith(seen):
            first_and_last = [map(int, span.split("-")) for span in spans]
            sections = {tuple(range(first, last + 1)) for first, last in first_and_last}
            yield Capture(f"{BASE}{name}", body, "text/html"), sections


@pytest.mark.slow
def test_sections_are_found_as_a_person_finds_them(tmp_path, capsys):
    """A package that Debian has mended since has other pages, so that some of the labels are lost with time."""
    total = measured(LABELLED, tmp_path, capsys, lambda page, links: {link.position for link in links})
    total += measured(
        FRESH, tmp_path, capsys, lambda page, links: {link.position for link in links if link.target != page}
    )
    if total["wanted"] < LEAST:
        pytest.skip(f"only {total['wanted']} of the labelled sections can be had from the distribution as they were")
    assert total["right"] / total["found"] >= PRECISION
    assert total["right"] / total["wanted"] >= RECALL


def measured(labelled, tmp_path, capsys, counting):
    """How many sections were wanted, found and right: those with the same links of the kind that counts."""
    total: Counter[str] = Counter()
    for kind, packages in labelled.items():
        count: Counter[str] = Counter()
        for each in packages:
            folder = tmp_path / f"{kind}-{each['package']}"
            if each.get("megabytes", 0) > SMALL:
                continue
            folder.mkdir()
            try:
                unpacked(each["package"], folder, (f"{each['folder']}/{name}" for name in each["pages"]))
            except pytest.skip.Exception:
                continue
            for page, sections in labelled_pages(each, folder):
                counts = counting(page.url, parse(page).links)
                seen = [{link.position for link in links} for links in without_see_also(page).sections]
                wanted, found = (
                    {frozenset(counts & set(links)) for links in each} - {frozenset()} for each in (sections, seen)
                )
                count.update(pages=1, wanted=len(wanted), found=len(found), right=len(wanted & found))
        with capsys.disabled():
            print(f"\n{kind}: {dict(count)}")
        total += count
    return total


@pytest.mark.parametrize("package", gates(DOCUMENTATIONS, IN_EVERY_RUN))
def test_the_hidden_truth_is_hidden(package, tmp_path):
    unpacked(package, tmp_path)
    folder = tmp_path / DOCUMENTATIONS[package]
    files = sorted(path for path in folder.rglob("*.html") if path.is_file() and not path.is_symlink())
    having = [at for at, path in enumerate(files) if re.search(rb"see also", path.read_bytes(), re.IGNORECASE)]
    first = max(having[len(having) // 2] - PAGES // 2, 0)  # neighbours, because they name each other
    for path in files[first : first + PAGES]:
        copy = tmp_path / "some" / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    Collection(tmp_path / "some.kin").add(tmp_path / "some", base_url=BASE)
    store = Store(tmp_path / "some.kin")
    seen, truth = hide(store, tmp_path / "seen.kin")
    assert len(truth.asked) > 5

    hidden = 0
    for page, url in enumerate(store.graph.pages["url"].to_pylist()):
        if store.graph.pages["fetched"][page].as_py() is None:
            continue
        body = Path(store.value("origin", page)).read_bytes()
        sections = without_see_also(Capture(url, body, "text/html")).sections
        links = Counter((link.target, link.anchor) for links in sections for link in links)
        now = seen.number(int(store.graph.ids[page]))
        assert _links(seen, now) == _links(store, page) - links  # every link of the sections, and no other
        before, after = (Counter(WORD.findall(text)) for text in (store.text(page), seen.text(now)))
        assert after <= before  # nothing new
        words = Counter(word for _, anchor in links.elements() for word in WORD.findall(anchor))
        assert words - Counter(WORD.findall(" ".join(_untexted(store, page)))) <= before - after
        if not sections:
            assert after == before
        hidden += sum(links.values())
    assert hidden > 10


def _links(store, page):
    rows = store.links_of(page).to_pylist()
    return Counter((store.url(row["target"]), row["anchor"]) for row in rows)


def _untexted(store, page):
    """Anchors that are no text of the page: the name of a picture, or of a link without words."""
    text = store.text(page)
    return [row["anchor"] for row in store.links_of(page).to_pylist() if row["anchor"] not in text]
