"""How good `block` is beside `siblings` on real pages: WebKB's classes and PlanetMath's related pairs."""

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.evaluate.experiment import evaluate
from pagekin.evaluate.truth import labels_of, read_pairs


def figures(path, k, blocks, capsys, related=None):
    Collection(path).build(method=blocks)
    store = Store(path)
    truth = read_pairs(store, related) if related else labels_of(store)
    rows = evaluate(store, truth, [*blocks, "siblings(links=all)"], k, fetched=False).results  # as in the paper
    with capsys.disabled():
        for row in rows:
            print(f"\n{row['method']}: " + ", ".join(f"{name} {row[name]:.4f}" for name in row if name != "method"))
    return rows


@pytest.mark.data
@pytest.mark.slow
def test_block_beats_siblings_on_webkb_classes(data, tmp_path, capsys):
    """Where lists of all students count, longer than the paper's 80 links; without them its own lists are too short."""
    Collection(tmp_path / "webkb.kin").add(data("webkb"), text=False)
    assert Store(tmp_path / "webkb.kin").size > 8_000
    methods = ["block(scope=site, max_links=200, links=all)", "block(scope=site, links=all)"]
    block, paper, siblings = figures(tmp_path / "webkb.kin", 15, methods, capsys)
    assert block["P@15"] > siblings["P@15"]
    assert block["nDCG@15"] > siblings["nDCG@15"]
    assert paper["P@15"] > 0.12
    assert paper["P@15"] / paper["answered"] > siblings["P@15"] / siblings["answered"]


@pytest.mark.data
@pytest.mark.slow
def test_block_beats_siblings_on_planetmath_pairs(data, tmp_path, capsys):
    folder = data("planetmath")
    Collection(tmp_path / "pm.kin").add(folder / "pages", base_url="http://planetmath.org/", text=False)
    block, siblings = figures(tmp_path / "pm.kin", 10, ["block(scope=site, links=all)"], capsys, folder / "related.tsv")
    assert block["nDCG@10"] > siblings["nDCG@10"]
