"""Shingles, which tell whether two texts are the same except for a date, a counter or an address (Broder 1997).

A text's shingles are the hashes of every `WIDTH` words in a row, as an ascending set; the resemblance of two texts is
|A ∩ B| / |A ∪ B|.
"""

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Longs
from pagekin.kernels.compiling import njit

WIDTH = 4  # words in a shingle
_SPACE = 32  # this byte and those below separate words
_PRIME, _BASIS = np.int64(1099511628211), np.int64(-3750763034362895579)  # FNV-1a
Bytes = npt.NDArray[np.uint8]


@njit(cache=True, nogil=True)
def shingles(text: Bytes) -> Longs:
    """The shingles of a text, ascending; a text of fewer than `WIDTH` words has one, a text without words has none."""
    words = np.empty(text.size // 2 + 1, np.int64)
    count, value, inside = 0, _BASIS, False
    for byte in text:
        if byte > _SPACE:
            value = (value ^ np.int64(byte)) * _PRIME
            inside = True
        elif inside:
            words[count] = value
            count, value, inside = count + 1, _BASIS, False
    if inside:
        words[count] = value
        count += 1
    hashes = np.empty(max(count - WIDTH + 1, min(count, 1)), np.int64)
    for i in range(hashes.size):
        value = _BASIS
        for word in words[i : min(i + WIDTH, count)]:
            value = (value ^ word) * _PRIME
            value ^= value >> np.int64(29)
        hashes[i] = value
    return np.unique(hashes)


@njit(cache=True, nogil=True)
def resemble(a: Longs, b: Longs, least: float) -> bool:
    """Whether |A ∩ B| / |A ∪ B| ≥ least; stops as soon as too many differ. Empty sets resemble nothing."""
    if a.size == 0 or b.size == 0:
        return False
    # shared / (a + b - shared) ≥ least  ⇔  shared ≥ least (a + b) / (1 + least)
    needed = least * (a.size + b.size) / (1.0 + least) - 1e-9
    i, j, shared = 0, 0, 0
    while i < a.size and j < b.size and shared + min(a.size - i, b.size - j) >= needed:
        if a[i] == b[j]:
            shared += 1
            i += 1
            j += 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return shared >= needed
