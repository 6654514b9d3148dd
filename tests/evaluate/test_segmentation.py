"""E- and I-precision by hand, and the gates: 352 hand-made lists, and twice thirty pages of WebKB cut by hand."""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagekin.acquire.folder import open_folder
from pagekin.evaluate.segmentation import HEADINGS, Precision, classes, precision_of, sizes
from pagekin.model import ALONE, Capture
from pagekin.parse import blocks
from pagekin.parse.blocks import Section, adjusted
from pagekin.parse.html import elements
from pagekin.url import join

Data = Callable[[str], Path]
Page = tuple[Capture, list[int]]


def test_precision_by_hand() -> None:
    truth = [0, 0, 0, 1, 1, 2, 3, 3]
    assert precision_of(truth, truth) == Precision(4, 4, 4)
    assert precision_of([ALONE] * 8, truth) == Precision(0, 0, 0)
    assert precision_of([0] * 8, truth) == Precision(1, 0, 0)
    found = precision_of([0, 0, ALONE, 1, 1, 2, 2, 2], truth)  # part of one, one whole, one that joins two
    assert (found, found.e_precision, found.i_precision) == (Precision(3, 1, 2), 1 / 3, 2 / 3)
    assert found + found == Precision(6, 2, 4)
    assert Precision().e_precision == Precision().i_precision == 0
    with pytest.raises(ValueError, match="8 links"):
        precision_of(truth, truth[:3])


def capture_of(file: Path) -> Capture:
    (item,) = open_folder(file, None)
    assert isinstance(item, Capture)
    return item


def cuts(capture: Capture) -> tuple[list[int], list[int]]:
    """A page's cut by scanning alone and the program's, from one walk; its words are not wanted here.

    Before adjusting, as in the paper's Table 1, a section of one link is a block; it is adjusting that drops it.
    """
    scanned: list[int] = []

    def noting(found: Iterable[Section]) -> Iterator[Section]:
        sections = list(found)
        scanned.extend(number for number, section in enumerate(sections) for _ in section.links)
        return adjusted(sections)

    with patch.object(blocks, "adjusted", noting):
        links = elements(capture).links
    return scanned, [link.block for _, link in links]


def under_headings(capture: Capture) -> list[int]:
    """The truth about a hand-made list: links under one heading are one block."""
    tree = LexborHTMLParser(capture.body.decode("utf-8", "replace"))
    heading, found = 0, []
    for node in tree.css(",".join((*HEADINGS, "a"))):
        if node.tag in HEADINGS:
            heading += 1
            continue
        reference = (node.attributes.get("href") or "").strip()
        if reference and reference[0] != "#" and join(capture.url, reference) is not None:
            found.append(heading)
    return found


def compare(pages: list[Page], title: str) -> tuple[Precision, Precision]:
    before, after, final = Precision(), Precision(), []
    for capture, truth in pages:
        scanned, cut = cuts(capture)
        before += precision_of(scanned, truth)
        after += precision_of(cut, truth)
        final.append(cut)
    for name, found in (("scanning", before), ("adjusted", after)):
        print(f"\n{title}, {name}: {found.blocks} blocks, E {found.e_precision:.3f}, I {found.i_precision:.3f}", end="")
    print(f"\n{title}, links a block: {classes(sizes(final))}")
    return before, after


@pytest.mark.data
@pytest.mark.slow
def test_hand_made_lists(data: Data) -> None:
    captures = [capture_of(file) for file in sorted(data("awesome-lists").iterdir())]
    before, after = compare([(capture, under_headings(capture)) for capture in captures], "hand-made lists")
    assert after.i_precision >= 0.98
    assert after.e_precision >= 0.70
    assert after.e_precision >= before.e_precision + 0.10


def by_hand(folder: Path, file: str) -> Iterator[Page]:
    for page in tomllib.loads((Path(__file__).parent / file).read_text())["page"]:
        truth: list[int] = []
        for number, block in enumerate(page["blocks"].split()):
            first, _, last = block.partition("-")
            truth += [number] * (int(last or first) - int(first) + 1)
        yield capture_of(folder / page["file"]), truth


@pytest.mark.data
def test_pages_of_1996(data: Data) -> None:
    pages = list(by_hand(data("webkb"), "webkb_blocks.toml"))
    assert len(pages) == 30
    before, after = compare(pages, "WebKB")
    assert after.i_precision >= 0.93
    assert after.e_precision > 0.297
    assert after.e_precision > before.e_precision


@pytest.mark.data
def test_pages_of_1996_that_no_rule_was_made_for(data: Data) -> None:
    seen = {capture.url for capture, _ in by_hand(data("webkb"), "webkb_blocks.toml")}
    pages = list(by_hand(data("webkb"), "webkb_blocks_fresh.toml"))
    assert len({capture.url for capture, _ in pages} - seen) == 30
    before, after = compare(pages, "WebKB, fresh")
    assert after.i_precision >= 0.95
    assert after.e_precision >= 0.65
    assert after.e_precision > before.e_precision
