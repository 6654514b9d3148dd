"""Shingles of texts, and their MinHash signatures: short lists that agree as often as the texts resemble each other.

A shingle is a run of so many words (runs of bytes other than white space) of a text, as a 64-bit number. Of all
shingles of a text, the least under each of several random orders is its signature; two texts have the same entry with a
probability equal to their resemblance |A ∩ B| / |A ∪ B| (Broder 1997).
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from pagekin.kernels import Longs

Bytes = npt.NDArray[np.uint8]
Hashes = npt.NDArray[np.uint64]

_OFFSET, _FACTOR = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # FNV-1a, for the letters of a word
_A, _B, _C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
_SPACE = np.uint8(32)
LARGEST = np.uint64(0xFFFFFFFFFFFFFFFF)


@njit(cache=True, nogil=True)
def _mixed(number: np.uint64) -> np.uint64:
    """A number that looks random (the end of splitmix64)."""
    number = (number ^ (number >> _30)) * _B
    number = (number ^ (number >> _27)) * _C
    return number ^ (number >> _31)


@njit(cache=True, nogil=True)
def shingles(text: Bytes, width: int) -> Hashes:
    """The shingles of a UTF-8 text, in order, repeats and all; none where it has fewer words than one takes."""
    words = np.empty(text.size // 2 + 1, np.uint64)
    count, word, inside = 0, _OFFSET, False
    for letter in text:
        if letter <= _SPACE:
            if inside:
                words[count] = _mixed(word)
                count += 1
            word, inside = _OFFSET, False
        else:
            word = (word ^ np.uint64(letter)) * _FACTOR
            inside = True
    if inside:
        words[count] = _mixed(word)
        count += 1
    found = np.empty(max(count - width + 1, 0), np.uint64)
    for first in range(found.size):
        run = np.uint64(0)
        for at in range(first, first + width):
            run = run * _FACTOR + words[at]
        found[first] = _mixed(run)
    return found


@njit(cache=True, nogil=True)
def signatures(text: Bytes, start: Longs, width: int, size: int, signed: Hashes) -> None:
    """Fill `signed`, a row of `size` for each text; a text without a shingle keeps the largest number throughout."""
    for row in range(start.size - 1):
        for shingle in shingles(text[start[row] : start[row + 1]], width):
            key = shingle
            for at in range(size):
                key += _A
                value = _mixed(key)
                if value < signed[row, at]:
                    signed[row, at] = value
