import numpy as np
import pytest

from pagekin.kernels import frozen
from pagekin.kernels.csr import kept_citers, rows_from_pairs, simplified, transposed, union_rows
from tests.small_webs import random_pairs


def rows(start, neighbour):
    return [neighbour[start[i] : start[i + 1]].tolist() for i in range(start.size - 1)]


def graph(seed, n=30, m=120):
    pairs = random_pairs(seed, n, m)
    source, target = (frozen(np.array(side, np.int32)) for side in zip(*pairs, strict=True))
    return pairs, map(frozen, rows_from_pairs(source, target, n))


@pytest.mark.parametrize("seed", range(20))
def test_rows_and_their_transpose_are_what_the_pairs_say(seed):
    pairs, (start, neighbour) = graph(seed)
    assert rows(start, neighbour) == [[t for s, t in pairs if s == i] for i in range(30)]
    back = transposed(start, neighbour)
    assert rows(*back) == [sorted(s for s, t in pairs if t == i) for i in range(30)]


@pytest.mark.parametrize("seed", range(20))
def test_simplified_rows_are_sets_without_the_page_itself(seed):
    pairs, (start, neighbour) = graph(seed)
    ascending = transposed(*map(frozen, transposed(start, neighbour)))
    out = simplified(*map(frozen, ascending))
    assert rows(*out) == [sorted({t for s, t in pairs if s == i and t != i}) for i in range(30)]
    inward = transposed(*map(frozen, out))
    either = union_rows(*map(frozen, (*out, *inward)))
    assert rows(*either) == [sorted(set(o) | set(i)) for o, i in zip(rows(*out), rows(*inward), strict=True)]


def test_no_pages_and_no_links():
    nothing = frozen(np.empty(0, np.int32))
    for n in (0, 3):
        start, neighbour = rows_from_pairs(nothing, nothing, n)
        assert start.tolist() == [0] * (n + 1)
        assert neighbour.size == 0


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("max_in", "max_out"), [(2, -1), (-1, 3), (2, 3), (0, -1), (-1, -1)])
def test_the_citers_kept_are_those_with_most_in_links(seed, max_in, max_out):
    _, (start, neighbour) = graph(seed, 20, 90)
    out = simplified(*map(frozen, transposed(*map(frozen, transposed(start, neighbour)))))
    in_start, in_ = transposed(*map(frozen, out))
    kept = kept_citers(0, in_start.size - 1, *map(frozen, (in_start, in_, out[0])), max_in, max_out)
    in_degree, out_degree = np.diff(in_start), np.diff(out[0])
    for p in range(20):
        citers = in_[in_start[p] : in_start[p + 1]].tolist()
        small = [q for q in citers if max_out < 0 or out_degree[q] <= max_out]
        best = sorted(small, key=lambda q: (-in_degree[q], q))
        want = sorted(best if max_in < 0 else best[:max_in])
        assert in_[in_start[p] : in_start[p + 1]][kept[in_start[p] : in_start[p + 1]]].tolist() == want
