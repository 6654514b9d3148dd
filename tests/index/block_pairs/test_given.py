"""What sites give, split exactly, cut into whole pages and put together."""

import functools
import itertools
import operator
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin.index.block_pairs import given
from pagekin.index.block_pairs.given import GIVEN, HELD, _split, in_groups, pieces, read_held, write_held


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


@pytest.mark.parametrize(
    ("former", "fresh"),
    [
        ([[1, 1, 4], [], [6, 9]], [[0, 4], [5, 9, 12]]),
        ([[1], [2], [3]], [[1, 2, 3]]),
        ([[1, 5]], [[2], [3, 5, 5], [8]]),
        ([], [[1], [2]]),
        ([[1], [2]], []),
        ([[], []], [[]]),
    ],
)
def test_former_and_fresh_rows_are_in_the_order_of_pages(former, fresh):
    found = in_groups(*((rows(*pages) for pages in stream) for stream in (former, fresh)))
    found = [piece["page"].to_pylist() for piece in found if piece.num_rows]
    assert list(itertools.chain(*found)) == sorted(itertools.chain(*former, *fresh))
    assert all(one[-1] < other[0] for one, other in itertools.pairwise(found))


def test_former_and_fresh_rows_are_never_held_all_at_once():
    took = []

    def stream(name):
        for page in range(9):
            took.append(name)
            yield rows(page)

    for at, _ in enumerate(in_groups(stream("former"), stream("fresh")), 1):
        assert took.count("former") <= at + 1 and took.count("fresh") <= at + 1


@pytest.mark.parametrize("size", [1, 2, 100])
def test_blocks_add_up_over_sites_and_pieces(monkeypatch, tmp_path, size):
    monkeypatch.setattr(given, "HELD_ROWS", size)
    held = pa.table({"citing": [0, 1, 1], "target": [2, 2, 0], "blocks": [3, 4, 1]}).cast(HELD)
    (tmp_path / "folder").mkdir()
    for at in range(3):  # as Spark writes a table
        pq.write_table(held.slice(at, 1), tmp_path / "folder" / f"part-{at}.parquet")
    assert write_held(read_held(tmp_path / "folder"), tmp_path / "held.parquet", 4).tolist() == [1, 0, 7, 0]
    assert pa.concat_tables(read_held(tmp_path / "held.parquet")) == held
    assert pq.read_schema(tmp_path / "held.parquet") == HELD
