"""How good `block` is beside `siblings` on real pages: WebKB's classes and PlanetMath's related pairs."""

import pytest

from pagekin.collection.store import Store
from pagekin.evaluate.experiment import evaluate
from pagekin.serve.build import build
from pagekin.serve.query import Collection


def figures(path, k, block, capsys, related=None):
    for _ in build(path, methods=[block]):
        pass
    rows = evaluate(path, related=related, methods=[block, "siblings"], k=k)["results"]
    with capsys.disabled():
        for row in rows:
            print(f"\n{row['method']}: " + ", ".join(f"{name} {row[name]:.4f}" for name in row if name != "method"))
    return rows


@pytest.mark.data
def test_block_beside_siblings_on_webkb_classes(data, tmp_path, capsys):
    """Printed, and kept from falling: `siblings` has the better precision there (0.145), its lists are longer."""
    Collection(tmp_path / "webkb.kin").add(data("webkb"), text=False)
    assert Store(tmp_path / "webkb.kin").size > 8_000
    block, _ = figures(tmp_path / "webkb.kin", 15, "block(scope=site)", capsys)
    assert block["P@15"] > 0.11


@pytest.mark.data
def test_block_beats_siblings_on_planetmath_pairs(data, tmp_path, capsys):
    folder = data("planetmath")
    Collection(tmp_path / "pm.kin").add(folder / "pages", base_url="http://planetmath.org/", text=False)
    block, siblings = figures(tmp_path / "pm.kin", 10, "block(scope=site)", capsys, folder / "related.tsv")
    assert block["nDCG@10"] > siblings["nDCG@10"]
