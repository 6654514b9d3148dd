"""The "See also" sections of real documentation: found as a person finds them, and hidden from whoever is asked.

see_also_sections.toml has what a person saw, and says how it was labelled.
"""

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
from pagekin.parse.see_also import without_see_also
from tests.debian import unpacked

pytestmark = [pytest.mark.data, pytest.mark.usefixtures("data")]

LABELLED = tomllib.loads((Path(__file__).parent / "see_also_sections.toml").read_text())
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


def test_sections_are_found_as_a_person_finds_them(tmp_path, capsys):
    total: Counter[str] = Counter()
    for kind, packages in LABELLED.items():
        count: Counter[str] = Counter()
        for each in packages:
            folder = tmp_path / f"{kind}-{each['package']}"
            folder.mkdir()
            try:
                unpacked(each["package"], folder)
            except pytest.skip.Exception:
                continue
            for page, wanted in labelled_pages(each, folder):
                found = {tuple(link.position for link in links) for links in without_see_also(page).sections if links}
                count.update(pages=1, wanted=len(wanted), found=len(found), right=len(wanted & found))
        with capsys.disabled():
            print(f"\n{kind}: {dict(count)}")
        total += count
    if total["wanted"] < LEAST:
        pytest.skip(f"only {total['wanted']} of the labelled sections can be had from the distribution as they were")
    assert total["right"] / total["found"] >= PRECISION
    assert total["right"] / total["wanted"] >= RECALL


@pytest.mark.parametrize("package", DOCUMENTATIONS)
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
