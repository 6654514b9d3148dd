"""The terms of pages as rows, and scores of all pages for the terms of one."""

import math

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.similarity import in_order, keep

Singles = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.int8]
Table = npt.NDArray[np.float32]  # a row of numbers for each page


@njit(cache=True, nogil=True)
def scatter(
    page: Ints, term: Ints, count: Ints, title: Ints, fill: Longs, terms: Ints, counts: Ints, titles: Ints
) -> None:
    """Put rows (page, term, count, title) where `fill` says that each page's next one goes."""
    for e in range(page.size):
        at = fill[page[e]]
        terms[at], counts[at], titles[at] = term[e], count[e], title[e]
        fill[page[e]] = at + 1


@njit(cache=True, nogil=True)
def in_rows(start: Longs, term: Ints, count: Ints, title: Ints) -> Longs:
    """Sort each page's row by term, in place, and give a repeated term its largest counts; returns the new starts.

    The rows move together, so arrays may be longer than the last start afterwards.
    """
    made = np.zeros_like(start)
    size = 0
    for p in range(start.size - 1):
        first, last = start[p], start[p + 1]
        order = np.argsort(term[first:last], kind="mergesort")
        terms, counts, titles = term[first:last][order], count[first:last][order], title[first:last][order]
        for i in range(terms.size):
            if i and terms[i] == terms[i - 1]:
                count[size - 1] = max(count[size - 1], counts[i])
                title[size - 1] = max(title[size - 1], titles[i])
            else:
                term[size], count[size], title[size] = terms[i], counts[i], titles[i]
                size += 1
        made[p + 1] = size
    return made


@njit(cache=True, nogil=True)
def renamed(start: Longs, term: Ints, count: Ints, title: Ints, name: Ints) -> Longs:
    """Replace each term by its new name, in place, and drop those with none (-1); returns the new starts."""
    made = np.zeros_like(start)
    size = 0
    for p in range(start.size - 1):
        for e in range(start[p], start[p + 1]):
            t = name[term[e]]
            if t >= 0:
                term[size], count[size], title[size] = t, count[e], title[e]
                size += 1
        made[p + 1] = size
    return made


@njit(cache=True, nogil=True)
def turned(start: Longs, term: Ints, count: Ints, of_start: Longs, page: Ints, of_count: Ints) -> None:
    """Fill in, for each term, the pages that have it, ascending, and their counts."""
    fill = of_start[:-1].copy()
    for p in range(start.size - 1):
        for e in range(start[p], start[p + 1]):
            at = fill[term[e]]
            page[at], of_count[at] = p, count[e]
            fill[term[e]] = at + 1


@njit(cache=True, nogil=True)
def lengths(start: Longs, term: Ints, count: Ints, idf: Floats) -> Singles:
    """The Euclidean length of each page's tf-idf vector before it is divided by it."""
    found = np.zeros(start.size - 1, np.float32)
    for p in range(found.size):
        total = 0.0
        for e in range(start[p], start[p + 1]):
            x = (1.0 + math.log(count[e])) * idf[term[e]]
            total += x * x
        found[p] = math.sqrt(total)
    return found


@njit(cache=True, nogil=True)
def totals(start: Longs, count: Ints) -> Longs:
    """The sum of each row."""
    found = np.zeros(start.size - 1, np.int64)
    for p in range(found.size):
        for e in range(start[p], start[p + 1]):
            found[p] += count[e]
    return found


@njit(cache=True, nogil=True)
def add_damped(first: Longs, last: Longs, weight: Floats, page: Ints, count: Ints, score: Singles) -> None:
    """Add weight · (1 + ln tf) of each question term to the score of the pages that have it."""
    table = np.empty(1024)
    for tf in range(1, table.size):
        table[tf] = 1.0 + math.log(tf)
    for q in range(first.size):
        w = weight[q]
        for e in range(first[q], last[q]):
            tf = count[e]
            score[page[e]] += w * (table[tf] if tf < 1024 else 1.0 + math.log(tf))


@njit(cache=True, nogil=True)
def add_members(first: Longs, last: Longs, weight: Floats, page: Ints, score: Singles) -> None:
    """Add the weight of each row to the score of its members."""
    for q in range(first.size):
        w = weight[q]
        for e in range(first[q], last[q]):
            score[page[e]] += w


@njit(cache=True, nogil=True, fastmath=True)
def moments(score: Singles) -> tuple[float, float]:
    """Σ s and Σ s². `fastmath` lets the compiler add several numbers at a time, in the same order every time."""
    total, squares = 0.0, 0.0
    for p in range(score.size):
        s = float(score[p])
        total += s
        squares += s * s
    return total, squares


@njit(cache=True, nogil=True)
def leading(score: Singles, page: int, k: int) -> Ints:
    """The k pages with the largest positive scores, best first, without one page.

    A number of 32 bits has 7 digits: rounded to 12, by which results are ordered, it is what it was.
    """
    key_of, page_of, score_of = np.empty(k), np.empty(k, np.int32), np.empty(k)
    size, least = 0, 0.0
    for p in range(score.size):
        if score[p] > least and p != page:
            s = float(score[p])
            size = keep(key_of, page_of, score_of, size, s, p, s)
            least = key_of[0] if size == k else 0.0
    in_order(key_of, page_of, score_of, size)
    return page_of[:size].copy()


@njit(cache=True, nogil=True, fastmath=True)
def products(rows: Bytes, question: Singles, scale: Singles) -> Singles:
    """The product of each row, kept as small integers, with a question; `scale` makes a row what it stands for.

    `fastmath` lets the compiler sum in any order, and thereby eight numbers at a time: a page's own sum is the same
    every time.
    """
    found = np.empty(rows.shape[0], np.float32)
    for p in range(rows.shape[0]):
        total = np.float32(0)
        for j in range(question.size):
            total += np.float32(rows[p, j]) * question[j]
        found[p] = scale[p] * total
    return found


@njit(cache=True, nogil=True)
def smooth(
    first: int, last: int, start: Longs, linked: Ints, root: Singles, share: Singles, v: Table, y: Table, out: Table
) -> None:
    """Rows of (1 − a)·G·Y + a·V, where G = D^-½ (B + I) D^-½; `root` is D^-½ and `share` is a."""
    for p in range(first, last):
        out[p] = root[p] * y[p]
        for e in range(start[p], start[p + 1]):
            q = linked[e]
            for j in range(out.shape[1]):
                out[p, j] += root[q] * y[q, j]
        for j in range(out.shape[1]):
            out[p, j] = (1 - share[p]) * root[p] * out[p, j] + share[p] * v[p, j]
