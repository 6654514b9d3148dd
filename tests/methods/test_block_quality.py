"""How good `block` is beside `siblings` on real pages: WebKB's classes and PlanetMath's related pairs."""

import pytest

from pagekin.collection.store import Store
from pagekin.evaluate.experiment import evaluate
from pagekin.serve.build import build
from pagekin.serve.query import Collection

# Both figures depend on where a page's blocks end. While every page is one block they are printed, not gated; the
# gates are for pages whose links have their blocks.
SEGMENTED = False


def figures(path, k, block, capsys, related=None):
    for _ in build(path, methods=[block]):
        pass
    rows = evaluate(path, related=related, methods=[block, "siblings"], k=k)["results"]
    with capsys.disabled():
        for row in rows:
            print(f"\n{row['method']}: " + ", ".join(f"{name} {row[name]:.4f}" for name in row if name != "method"))
    return rows


@pytest.mark.data
def test_block_beats_siblings_on_webkb_classes(data, tmp_path, capsys):
    Collection(tmp_path / "webkb.kin").add(data("webkb"), text=False)
    assert Store(tmp_path / "webkb.kin").size > 8_000
    block, siblings = figures(tmp_path / "webkb.kin", 15, "block(scope=site)", capsys)
    if SEGMENTED:
        assert block["P@15"] > siblings["P@15"]


@pytest.mark.data
def test_block_beats_siblings_on_planetmath_pairs(data, tmp_path, capsys):
    folder = data("planetmath")
    Collection(tmp_path / "pm.kin").add(folder / "pages", base_url="http://planetmath.org/", text=False)
    block, siblings = figures(tmp_path / "pm.kin", 10, "block(scope=site)", capsys, folder / "related.tsv")
    if SEGMENTED:
        assert block["nDCG@10"] > siblings["nDCG@10"]
