"""MinHash signatures of texts: short lists that agree as often as the texts resemble each other.

Of all shingles of a text (`kernels.shingles`), the least under each of several random orders is its signature; two
texts have the same entry with a probability equal to their resemblance |A ∩ B| / |A ∪ B| (Broder 1997).
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from pagekin.kernels import Longs
from pagekin.kernels.shingles import shingles

Bytes = npt.NDArray[np.uint8]
Hashes = npt.NDArray[np.uint64]

_A, _B, _C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
LARGEST = np.uint64(0xFFFFFFFFFFFFFFFF)


@njit(cache=True, nogil=True)
def _mixed(number: np.uint64) -> np.uint64:
    """A number that looks random (the end of splitmix64)."""
    number = (number ^ (number >> _30)) * _B
    number = (number ^ (number >> _27)) * _C
    return number ^ (number >> _31)


@njit(cache=True, nogil=True)
def signatures(text: Bytes, start: Longs, signed: Hashes) -> None:
    """Fill `signed`, a row for each text; a text without a shingle keeps the largest number throughout."""
    for row in range(start.size - 1):
        for shingle in shingles(text[start[row] : start[row + 1]]):
            key = _mixed(np.uint64(shingle))
            for at in range(signed.shape[1]):
                key += _A
                value = _mixed(key)
                if value < signed[row, at]:
                    signed[row, at] = value
