"""Sorted rows side by side: each slice has all rows of its pages, and all slices together have all rows, in order."""

from itertools import pairwise
from random import Random

import pyarrow as pa
import pytest

from pagekin.collection.runs import PART, slices
from pagekin.collection.schema import TEXT


class Rows:
    """A run in memory."""

    def __init__(self, pages):
        self.rows = pa.table({"page": pages, "text": [f"{n}" for n in range(len(pages))], "part": [0] * len(pages)},
                             schema=TEXT.append(PART))  # fmt: skip

    def size(self, table):
        return self.rows.num_rows

    def batches(self, table, rows):
        for first in range(0, self.rows.num_rows, rows):
            yield self.rows.slice(first, rows)


@pytest.mark.parametrize("rows", [1, 2, 7, 1000])
@pytest.mark.parametrize("seed", range(8))
def test_slices(seed, rows):
    random = Random(seed)
    pages = [sorted(random.choices(range(random.choice([3, 40])), k=random.choice([0, 1, 30]))) for _ in range(4)]
    if seed == 0:
        pages[0] = [5] * 50  # one page with more rows than a slice should have
    found = list(slices(list(map(Rows, pages)), "text", rows))
    for each in range(4):
        whole = pa.concat_tables([TEXT.append(PART).empty_table(), *(some[each] for some in found)])
        assert whole["text"].to_pylist() == [f"{n}" for n in range(len(pages[each]))]
    seen = [{page for some in one for page in some["page"].to_pylist()} for one in found]
    assert all(max(before) < min(behind) for before, behind in pairwise(seen))
    if rows == 1 and seed:
        assert len(found) > 3 or sum(map(len, pages)) < 10


def test_no_runs_and_no_rows():
    assert list(slices([], "text", 5)) == []
    assert list(slices([Rows([])], "text", 5)) == []
