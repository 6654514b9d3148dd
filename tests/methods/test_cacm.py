"""Our counters against counts made in the 1970s: CACM says how often two documents are coupled or co-cited (`.X`)."""

from collections import Counter

import numpy as np
import pytest

from pagekin.answers.collection import Collection
from pagekin.graph.all_pairs import all_strongest
from pagekin.kernels.similarity import COUNT

KINDS = {"coupling": ("4", "out", "in", 0.975), "co-citation": ("6", "in", "out", 0.935)}


def declared(path, kind):
    """How often the file names each ordered pair of different documents as coupled or co-cited."""
    counts = Counter()
    for line in path.read_text("latin-1").splitlines():
        cells = line.split()
        if len(cells) == 3 and cells[1] == kind and cells[0] != cells[2] and all(cell.isdigit() for cell in cells):
            counts[cells[2], cells[0]] += 1
    return counts


@pytest.mark.data
@pytest.mark.parametrize("method", KINDS)
def test_counts_equal_cacm_s_own_to_the_documented_share(data, tmp_path, method):
    kind, near, far, floor = KINDS[method]
    file = data("cacm") / "cacm.all"
    collection = Collection(tmp_path / "cacm.kin")
    collection.add(file)
    store = collection.store
    sizes, pages, scores = all_strongest(store.arrays, near, far, COUNT, store.size)
    urls = store.graph.pages["url"].to_pylist()
    ours = {
        (urls[p], urls[q]): int(score)
        for p in np.flatnonzero(sizes).tolist()
        for q, score in zip(pages[p, : sizes[p]].tolist(), scores[p, : sizes[p]].tolist(), strict=True)
    }
    theirs = declared(file, kind)
    share = sum(ours.get(pair) == count for pair, count in theirs.items()) / len(theirs)
    print(f"CACM {method}: {share:.3f} of {len(theirs):,} declared counts are ours")
    assert share >= floor
