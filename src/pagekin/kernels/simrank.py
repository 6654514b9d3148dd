"""SimRank (paper 4, Eq. 2–4): the whole matrix for small graphs, and one row of it in memory linear in the links.

With W the matrix of one step back along a link (W[i, k] = 1/|I(k)| for i in I(k)) and x_t(u) = W^t e_u the distribution
of a walk after t steps back from u, SimRank is

    s(u, v) = Σ_t C^t Σ_k x_t(u)[k] · D[k] · x_t(v)[k],     D[k] = 1 − the chance that two walks from k meet again

where a walk continues with probability √C at each step. So a row takes T steps out and T steps back, once D is known.
"""

import numpy as np
from numba import uint64, uintp

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit


@njit(cache=True, nogil=True)
def step_of_rows(first: int, last: int, start: Longs, citer: Ints, scores: Floats, half: Floats) -> None:
    """Rows [first, last) of Wᵀ·S: the mean of the rows of each page's citers."""
    n = start.size - 1
    for a in range(first, last):
        row = half[a]
        row[:] = 0.0
        for e in range(start[a], start[a + 1]):
            other = scores[citer[e]]
            for b in range(n):
                row[b] += other[b]
        row /= max(start[a + 1] - start[a], 1)


_TILE = 8  # rows that are mirrored together: so many numbers fill a cache line


@njit(cache=True, nogil=True)
def step_of_columns(first: int, last: int, start: Longs, citer: Ints, c: float, half: Floats, scores: Floats) -> float:
    """C·(Wᵀ·S)·W, which is symmetric, for pairs a > b with a in [first, last), and 1 on the diagonal, written over S;
    returns the largest change."""
    moved = 0.0
    for tile in range(first, last, _TILE):
        end = min(tile + _TILE, last)
        for a in range(tile, end):
            if start[a + 1] == start[a]:  # nobody links to it: 0 with all others from the start
                continue
            row = half[a]
            for b in range(a):
                total = 0.0
                for e in range(uintp(start[b]), uintp(start[b + 1])):
                    total += row[uintp(citer[e])]  # unsigned: saves numba's check for negative indexes
                value = c * total / max(start[b + 1] - start[b], 1)
                change = abs(value - scores[a, b])
                moved = change if change > moved else moved
                scores[a, b] = value
        for b in range(end):
            for a in range(max(tile, b + 1), end):
                scores[b, a] = scores[a, b]
    return moved


@njit(cache=True, nogil=True)
def walks_back(page: int, steps: int, start: Longs, citer: Ints) -> tuple[Longs, Ints, Floats]:
    """x_t(page) for t = 0 … steps: where a walk back along links may be after t steps, as pages and probabilities."""
    n = start.size - 1
    begins = np.zeros(steps + 2, np.int64)
    pages, chances = np.empty(1024, np.int32), np.empty(1024, np.float64)
    pages[0], chances[0], begins[1] = page, 1.0, 1
    now, reached = np.zeros(n, np.float64), np.empty(n, np.int32)
    for t in range(steps):
        found = 0
        for i in range(begins[t], begins[t + 1]):
            k = pages[i]
            share = chances[i] / max(start[k + 1] - start[k], 1)
            for e in range(start[k], start[k + 1]):
                q = citer[e]
                if now[q] == 0.0:
                    reached[found] = q
                    found += 1
                now[q] += share
        end = begins[t + 1]
        if end + found > pages.size:
            pages = np.append(pages, np.empty(end + found, np.int32))
            chances = np.append(chances, np.empty(end + found, np.float64))
        for q in reached[:found]:
            pages[end], chances[end] = q, now[q]
            now[q] = 0.0
            end += 1
        begins[t + 2] = end
    return begins, pages[: begins[-1]].copy(), chances[: begins[-1]].copy()


@njit(cache=True, nogil=True)
def row_of_scores(
    begins: Longs,
    pages: Ints,
    chances: Floats,
    diagonal: Floats,
    c: float,
    least: float,
    in_start: Longs,
    out_start: Longs,
    out: Ints,
) -> Floats:
    """Σ_t C^t (Wᵀ)^t D x_t, computed from the last step back (Horner), from the result of `walks_back`.

    A value under `least` is not carried on: a step takes means, so the total loss is under least / (1 − C).
    """
    n = in_start.size - 1
    found, stepped = np.zeros(n, np.float64), np.zeros(n, np.float64)
    here, there = np.empty(n, np.int32), np.empty(n, np.int32)
    size = 0
    for t in range(begins.size - 2, -1, -1):
        reached = 0
        for j in here[:size]:
            value = c * found[j]
            found[j] = 0.0
            if value < c * least:
                continue
            for e in range(out_start[j], out_start[j + 1]):
                v = out[e]
                if stepped[v] == 0.0:
                    there[reached] = v
                    reached += 1
                stepped[v] += value / (in_start[v + 1] - in_start[v])
        for i in range(begins[t], begins[t + 1]):
            v = pages[i]
            if stepped[v] == 0.0:
                there[reached] = v
                reached += 1
            stepped[v] += diagonal[v] * chances[i]
        found, stepped, here, there, size = stepped, found, there, here, reached
    return found


@njit(cache=True, nogil=True)
def _mixed(state: np.uint64) -> np.uint64:
    """The number that SplitMix64 (Steele et al. 2014) makes of a state, which the caller counts up."""
    z = uint64(state)
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, nogil=True)
def sampled_diagonal(
    begins: Longs,
    pages: Ints,
    chances: Floats,
    c: float,
    samples: int,
    otherwise: float,
    seed: int,
    start: Longs,
    citer: Ints,
) -> Floats:
    """D for the pages that a page's walks reach, sampled by pairs of walks, most where the walks spend most time.

    A page at which the walk spends w = Σ_t C^t x_t gets ⌈samples · w⌉ pairs, or none (and the value `otherwise`) if
    samples · w < 1. The first step needs no sampling: of |I(k)|² equally likely pairs, |I(k)| meet.
    """
    n = start.size - 1
    found, weight = np.full(n, otherwise), np.zeros(n, np.float64)
    for t in range(begins.size - 1):
        for i in range(begins[t], begins[t + 1]):
            weight[pages[i]] += c**t * chances[i]
    state = uint64(seed) * uint64(0xD1342543DE82EF95)
    low = uint64(0xFFFFFFFF)
    goes_on = uint64(int(c * 4294967296.0))
    for k in range(n):
        degree = start[k + 1] - start[k]
        if degree == 0:
            found[k] = 1.0
        elif degree == 1:
            found[k] = 1.0 - c
        elif weight[k] * samples >= 1.0:
            pairs, met = int(np.ceil(weight[k] * samples)), 0
            for _ in range(pairs):
                state += _GOLDEN
                z = _mixed(state)
                i = int(((z & low) * uint64(degree)) >> uint64(32))
                j = int(((z >> uint64(32)) * uint64(degree - 1)) >> uint64(32))
                one, other = citer[start[k] + i], citer[start[k] + j + (j >= i)]
                while True:
                    ones, others = start[one + 1] - start[one], start[other + 1] - start[other]
                    if ones == 0 or others == 0:
                        break
                    state += _GOLDEN
                    z = _mixed(state)
                    one = citer[start[one] + int(((z & low) * uint64(ones)) >> uint64(32))]
                    other = citer[start[other] + int(((z >> uint64(32)) * uint64(others)) >> uint64(32))]
                    if one == other:
                        met += 1
                        break
                    state += _GOLDEN
                    if (_mixed(state) & low) >= goes_on:
                        break
            found[k] = 1.0 - c / degree - c * (1.0 - 1.0 / degree) * c * met / pairs
    return found
