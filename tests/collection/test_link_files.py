"""Link arrays written piece by piece are those made in memory at once."""

from dataclasses import fields

import numpy as np
import pyarrow as pa
import pytest

from pagekin.collection.array_files import load
from pagekin.collection.link_files import LinkFiles
from pagekin.collection.roles import CONTENT
from pagekin.graph.links import LinkArrays, link_arrays

PAGES = 40


@pytest.mark.parametrize("block", [1, 5, 1 << 20])
@pytest.mark.parametrize("aliases", [0, 15])
@pytest.mark.parametrize("links", [0, 1, 300])
def test_as_in_memory(tmp_path, monkeypatch, links, aliases, block):
    monkeypatch.setattr("pagekin.collection.repeats.BLOCK", block)
    monkeypatch.setattr("pagekin.collection.row_files.memory", lambda: 100 * block)
    dice = np.random.default_rng(links + aliases)
    source = np.sort(dice.integers(PAGES, size=links)).astype(np.int32)
    target = dice.integers(PAGES, size=links).astype(np.int32)
    role = dice.integers(3, size=links).astype(np.uint8)
    page_of = np.arange(PAGES, dtype=np.int32)
    page_of[dice.permutation(PAGES)[:aliases]] = np.flatnonzero(page_of % 7 == 0)[0]
    start = np.searchsorted(source, np.arange(PAGES + 1))
    files = LinkFiles(pa.table({"source": source, "target": target}), start, page_of if aliases else None)
    for prefix, chosen in (("", np.ones(links, bool)), ("content_", role == CONTENT)):
        files.write(tmp_path, prefix, role if prefix else None)
        expected = link_arrays(page_of[source[chosen]], page_of[target[chosen]], PAGES)
        for item in fields(LinkArrays):
            found = load(tmp_path / f"{prefix}{item.name.rstrip('_')}.npy")
            assert found.dtype == getattr(expected, item.name).dtype
            assert found.tolist() == getattr(expected, item.name).tolist()
