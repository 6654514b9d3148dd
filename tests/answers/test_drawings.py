"""Drawings of a hierarchy, read back: by an XML parser, by a Newick parser that is not ours, by SciPy."""

import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from itertools import pairwise

import dendropy
import numpy as np
import pytest
from rich.cells import cell_len
from scipy.cluster.hierarchy import cophenet, dendrogram, is_valid_linkage
from scipy.spatial.distance import squareform

from pagekin.answers.drawings import FILES, MOST_DRAWN, draw, in_terminal, newick, svg
from pagekin.cluster.flexible import Hierarchy, flexible
from pagekin.errors import PagekinError, UsageError
from pagekin.shell.output import clean

EXAMPLE = flexible(4, [0, 0, 0, 1], [1, 2, 3, 3], [0.5, 0.4, 0.3, 0.2])
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "</text><script>alert(1)</script>",
    "It's “quoted”, 'twice'; (a,b):1[c]",
    "bell\x07 escape\x1b[31mred\x1b]0;title\x07",
    "\u202eback to front\ufffe\x00",
    "two\nlines\tand a tab &amp; $x^2$ \\",
    "漢字 👩‍👩‍👧 " * 30,
    "",
    "]]>",
]


def made(n, alpha, seed=0):
    rng = np.random.default_rng(seed)
    pairs = {tuple(sorted(pair)) for pair in rng.integers(0, n, (3 * n, 2)).tolist() if pair[0] != pair[1]}
    a, b = np.array(sorted(pairs)).T
    return flexible(n, a, b, rng.choice([0.1, 0.2, 0.5, 0.9], a.size), alpha)


# The terminal


def test_the_paper_s_example_in_a_terminal():
    assert in_terminal(EXAMPLE, list("abcd"), 1, width=50).splitlines() == [
        "0.9   0.75  0.5      joins at",
        "┬─────┬─────┬───────",
        "┌──────────────────╴ 0.9     c",
        "└─────┬────────────╴ 0.75    d",
        "      └─────┬──────╴ 0.5     a",
        "            └──────╴ ▶       b",
    ]


def test_one_page_and_two_in_a_terminal():
    assert in_terminal(flexible(1, [], [], []), ["only"], 0, width=60).endswith("▶       only")
    assert len(in_terminal(flexible(2, [0], [1], [1.0]), ["one", "two"], 0, width=60).splitlines()) == 4


@pytest.mark.parametrize("alpha", [0.06, 0.5, 0.8])
@pytest.mark.parametrize("width", [40, 80, 200])
def test_two_thousand_pages_do_not_flood_a_terminal(alpha, width):
    drawn = in_terminal(made(2_000, alpha), [f"page {i} {'of many ' * 30}" for i in range(2_000)], 77, width)
    lines = drawn.splitlines()
    assert len(lines) <= 43
    assert max(map(cell_len, lines)) <= width
    assert sum("▶" in line for line in lines) == 1
    if width == 40:  # no room for the counts
        return
    counted = sum(int(n.replace(",", "")) for n in re.findall(r"… ([\d,]+) (?:more )?page", drawn))
    assert counted + sum("  page " in line for line in lines) == 2_000


def test_hostile_names_cannot_leave_their_line():
    hierarchy = made(len(HOSTILE), 0.5)
    lines = in_terminal(hierarchy, HOSTILE, 0, width=80).splitlines()
    assert len(lines) == 2 + len(HOSTILE)
    assert all(unicodedata.category(char) not in ("Cc", "Cs", "Cn") for line in lines for char in line)
    assert not any("\u202e" in line for line in lines)
    assert max(map(cell_len, lines)) <= 80


def test_every_line_of_the_tree_is_connected():
    """What a character says goes on to a side, its neighbour there says too."""
    from pagekin.answers.drawings import BOX, DOWN, LEFT, RIGHT, UP

    sides = {char: side for side, char in BOX.items()} | {" ": 0}
    for alpha in (0.06, 0.5, 1.0):
        lines = in_terminal(made(30, alpha), ["x"] * 30, 3, width=120).splitlines()[2:]
        grid = [[sides[char] for char in line[:48]] for line in lines]
        for y, row in enumerate(grid):
            for x, cell in enumerate(row[:-1]):
                assert bool(cell & RIGHT) == bool(row[x + 1] & LEFT)
                assert bool(cell & DOWN) == (y + 1 < len(grid) and bool(grid[y + 1][x] & UP))


# SVG


def drawn(hierarchy, names, query):
    return ET.fromstring(svg(hierarchy, names, query))


@pytest.mark.parametrize("alpha", [0.06, 0.5, 0.8])
def test_joins_stand_in_the_order_of_their_heights(alpha):
    """Each half of a join is a path M x y H x V y with the height as its tooltip."""
    found = []
    for path in drawn(made(60, alpha), [f"p{i}" for i in range(60)], 5).iter(f"{SVG}path"):
        begins, at = map(float, re.fullmatch(r"M([\d.]+) [\d.]+H([\d.]+)V[\d.]+", path.get("d")).groups())
        assert at <= begins  # the root is on the left
        found.append((float(path.find(f"{SVG}title").text.split(",")[0]), at))
    assert len(found) == 2 * 59
    found.sort()
    assert all(a[1] >= b[1] - 0.2 for a, b in pairwise(found))  # tooltips have six digits


def test_the_query_page_and_its_way_up_are_marked():
    root = drawn(EXAMPLE, list("abcd"), 1)
    assert [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "query"] == ["b"]
    assert [path.get("class") for path in root.iter(f"{SVG}path")].count("path") == 3


def test_pages_are_in_the_hierarchy_s_order_from_top_to_bottom():
    hierarchy = made(60, 0.5)
    texts = [
        t for t in drawn(hierarchy, [f"p{i}" for i in range(60)], 5).iter(f"{SVG}text") if t.get("class") != "axis"
    ]
    assert [text.text for text in texts] == [f"p{i}" for i in hierarchy.order().tolist()]
    places = [float(text.get("y")) for text in texts]
    assert places == sorted(set(places))


def test_hostile_names_are_text_in_svg():
    hierarchy = made(len(HOSTILE), 0.5)
    root = drawn(hierarchy, HOSTILE, 0)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        "svg", "title", "style", "rect", "text", "line", "path",
    }  # fmt: skip
    told = [text.find(f"{SVG}title").text for text in root.iter(f"{SVG}text") if text.get("class") != "axis"]
    assert sorted(told) == sorted(clean(name) or "(no name)" for name in HOSTILE)


# Newick


def read_back(text):
    tree = dendropy.Tree.get(data=text, schema="newick", preserve_underscores=True)
    names = [leaf.taxon.label for leaf in tree.leaf_node_iter()]
    apart = tree.phylogenetic_distance_matrix()
    taxa = {taxon.label: taxon for taxon in tree.taxon_namespace}
    return names, lambda a, b: apart.patristic_distance(taxa[a], taxa[b]) / 2


@pytest.mark.parametrize("alpha", [0.06, 0.5, 0.8])
def test_newick_gives_the_heights_back(alpha):
    hierarchy = made(50, alpha)
    urls = [f"http://a.example/p_{i}?q='{i}'&x=(1,2);[3]:4" for i in range(50)]
    names, height = read_back(newick(hierarchy, urls))
    assert names == [urls[page] for page in hierarchy.order().tolist()]
    expected = squareform(cophenet(hierarchy.merges))
    for i in range(50):
        for j in range(i):
            assert height(urls[i], urls[j]) == pytest.approx(expected[i, j], rel=1e-9)


def test_newick_of_one_page_two_pages_and_a_long_chain():
    assert newick(flexible(1, [], [], []), ["it's"]) == "'it''s';\n"
    assert newick(flexible(2, [0], [1], [0.25]), ["a", "b"]) == "('a':0.75,'b':0.75);\n"
    n = 2_000
    rows = [[0, 1, 0.5, 2]] + [[k, n + k - 2, 0.5 + k / n, k + 1] for k in range(2, n)]
    text = newick(Hierarchy(np.array(rows, float)), [f"p{i}" for i in range(n)])
    assert text.count("(") == text.count(")") == n - 1


# Files


def test_json_is_scipy_s_linkage(tmp_path):
    out = tmp_path / "d.json"
    hierarchy = made(40, 0.25)
    draw(hierarchy, [f"p{i}" for i in range(40)], 0, out)
    read = json.loads(out.read_text())
    merges = np.array(read["merges"], float)
    assert is_valid_linkage(merges) and (merges == hierarchy.merges).all()
    assert read["order"] == dendrogram(merges, no_plot=True)["leaves"]
    assert read["pages"] == [f"p{i}" for i in range(40)]


@pytest.mark.parametrize("ending", sorted(FILES))
@pytest.mark.parametrize(
    "hierarchy", [flexible(1, [], [], []), flexible(2, [0], [1], [1.0]), made(8, 0.8)], ids=lambda h: f"{h.size} pages"
)
def test_every_format_takes_few_pages_and_hostile_names(tmp_path, ending, hierarchy):
    out = tmp_path / f"d{ending}"
    said = draw(hierarchy, HOSTILE[: hierarchy.size], 0, out)
    assert said.startswith(f"wrote the dendrogram of {hierarchy.size} page") and out.stat().st_size > 10
    if ending == ".png":
        assert out.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_two_thousand_pages_fit_an_svg(tmp_path):
    out = tmp_path / "d.SVG"
    hierarchy, names = made(2_000, 0.5), [f"page {i}" for i in range(2_000)]
    assert "opens all" not in draw(hierarchy, names, 77, out, 2_000)
    assert sum(1 for text in ET.parse(out).iter(f"{SVG}text") if text.get("class") != "axis") == 2_000


def test_a_picture_has_few_rows_unless_more_are_asked_for_and_says_what_it_leaves_closed(tmp_path):
    out, names = tmp_path / "d.svg", [f"page {i}" for i in range(2_000)]
    assert "opens all" in draw(made(2_000, 0.5), names, 77, out)
    rows = [text for text in ET.parse(out).iter(f"{SVG}text") if text.get("class") != "axis"]
    assert len(rows) == MOST_DRAWN
    told = [int(count.replace(",", "")) for row in rows for count in re.findall(r"… ([\d,]+) ", row.text or "")]
    assert sum(told) + len(rows) - len(told) == 2_000
    assert [row.text for row in rows if row.get("class") == "query"] == ["page 77"]
    with pytest.raises(UsageError, match="at least 2"):
        draw(made(2_000, 0.5), names, 77, out, 1)


@pytest.mark.parametrize("name", ["d.pdf", "d"])
def test_an_unknown_ending_lists_those_there_are(tmp_path, name):
    with pytest.raises(UsageError, match=r"\.svg \.png \.nwk \.newick \.json"):
        draw(EXAMPLE, list("abcd"), 1, tmp_path / name)


def test_no_folder_to_write_to_is_said(tmp_path):
    with pytest.raises(PagekinError, match="create it first"):
        draw(EXAMPLE, list("abcd"), 1, tmp_path / "none" / "d.svg")
    with pytest.raises(ValueError, match="3 names for 4 pages"):
        draw(EXAMPLE, list("abc"), 1)
