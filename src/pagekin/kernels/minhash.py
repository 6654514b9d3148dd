"""MinHash signatures of texts: short lists whose entries agree as often as the texts resemble each other.

The signature of a text is its least shingle (`kernels.shingles`) under each of several random orders. Two texts agree
in an entry with a probability equal to their resemblance |A ∩ B| / |A ∪ B| (Broder 1997).
"""

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.shingles import shingles

Bytes = npt.NDArray[np.uint8]
Hashes = npt.NDArray[np.uint64]

_A, _B, _C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
LARGEST = np.uint64(0xFFFFFFFFFFFFFFFF)


@njit(cache=True, nogil=True)
def _mixed(number: np.uint64) -> np.uint64:
    """A pseudo-random number made from a number (the final steps of splitmix64)."""
    number = (number ^ (number >> _30)) * _B
    number = (number ^ (number >> _27)) * _C
    return number ^ (number >> _31)


@njit(cache=True, nogil=True)
def signatures(text: Bytes, start: Longs, signed: Hashes) -> None:
    """Fill `signed`, one row per text; in the row of a text without shingles all entries stay the largest number."""
    for row in range(start.size - 1):
        for shingle in shingles(text[start[row] : start[row + 1]]):
            key = _mixed(np.uint64(shingle))
            for at in range(signed.shape[1]):
                key += _A
                value = _mixed(key)
                if value < signed[row, at]:
                    signed[row, at] = value
