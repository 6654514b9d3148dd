"""Fingerprints of 64 bits: of texts, of numbers together, and sums of them by group."""

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Longs
from pagekin.kernels.compiling import njit

Prints = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]

_BASIS, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_STEP, _FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@njit(cache=True, nogil=True)
def mix(value: np.uint64) -> np.uint64:
    """The finaliser of splitmix64 (Steele et al. 2014): every bit of the value moves half of the bits."""
    value = (value ^ (value >> np.uint64(30))) * _FIRST
    value = (value ^ (value >> np.uint64(27))) * _SECOND
    return value ^ (value >> np.uint64(31))


@njit(cache=True, nogil=True)
def of_texts(start: Longs, letters: Bytes) -> Prints:
    """The print of each text (FNV-1a, Fowler, Noll and Vo; mixed once); text i is letters[start[i] : start[i + 1]]."""
    found = np.empty(start.size - 1, np.uint64)
    for i in range(found.size):
        value = _BASIS
        for at in range(start[i], start[i + 1]):
            value = (value ^ np.uint64(letters[at])) * _PRIME
        found[i] = mix(value)
    return found


@njit(cache=True, nogil=True)
def joined(prints: Prints, values: Prints) -> None:
    """Make every print one of itself and a further number, in place; the order of joining counts."""
    for i in range(prints.size):
        prints[i] = mix((prints[i] ^ values[i]) * _STEP + _STEP)


@njit(cache=True, nogil=True)
def added(group: Longs, prints: Prints, sums: Prints) -> None:
    """Add every print to the sum of its group, modulo 2⁶⁴: the order of adding does not count."""
    for i in range(group.size):
        sums[group[i]] += prints[i]
