"""What sites give, split exactly, cut into whole pages and put together."""

import functools
import itertools
import operator
from decimal import Decimal

import pyarrow as pa
import pytest

from pagekin.index.block_pairs import given
from pagekin.index.block_pairs.given import GIVEN, _split, blocks_of, in_groups, pieces


def rows(*pages):
    return pa.table([pages, pages, [0] * len(pages), [1] * len(pages), [2] * len(pages)], GIVEN.names).cast(GIVEN)


def test_decimals_are_split_exactly_also_large_ones():
    texts = ["0", "1.33333333333333333", "183.99999999999999999", "184.5", "123456789.00000000000000001"]
    whole, rest = _split(pa.array([Decimal(text) for text in texts], pa.decimal128(38, 17)))
    assert [Decimal(int(a)) + Decimal(int(b)) / 10**17 for a, b in zip(whole, rest, strict=True)] == [
        *map(Decimal, texts)
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_pieces_have_whole_pages(monkeypatch, size):
    monkeypatch.setattr(given, "GROUP_ROWS", size)
    pages = [1, 1, 1, 2, 5, 5, 7]
    found = [piece["page"].to_pylist() for piece in pieces(rows(*pages))]
    assert functools.reduce(operator.iadd, found, []) == pages
    assert all(one[-1] < other[0] for one, other in itertools.pairwise(found))


def test_former_and_fresh_rows_are_in_the_order_of_pages():
    former = [rows(1, 1, 4), rows(), rows(6, 9)]
    found = [piece["page"].to_pylist() for piece in in_groups(iter(former), rows(0, 4, 5, 9, 12))]
    assert found == [[0, 1, 1, 4, 4], [], [5, 6, 9, 9], [12]]


def test_blocks_add_up_over_sites():
    held = pa.table({"citing": [0, 1, 1], "target": [2, 2, 0], "blocks": [3, 4, 1]})
    assert blocks_of(held, 4).tolist() == [1, 0, 7, 0]
