"""Numbers for different texts, in the order in which they come: a hash table with open addresses over their bytes."""

from typing import Any

import numpy as np
from numba import uint64

from pagekin.kernels import Ints, Longs
from pagekin.kernels.addresses import Bytes
from pagekin.kernels.compiling import njit

# FNV-1a (Fowler, Noll, Vo) and the last step of splitmix64, which spreads what the last bytes say over all bits.
BASIS, PRIME, SPREAD = 0xCBF29CE484222325, 0x100000001B3, 0xBF58476D1CE4E5B9


@njit(cache=True, nogil=True)
def numbered(
    offset: Longs, data: Bytes, table: Ints, held_offset: Longs, held_data: Bytes, held: int, seed: int
) -> tuple[Ints, int]:
    """The number of each text, and how many texts are held then.

    `table`: the number held in each slot, -1 if it is free; a power of two of slots, of which half stay free. The texts
    that are held stand in `held_data` one after another, where `held_offset` says, and there is room for all that come.
    `seed`: nobody who does not know it can choose texts that meet in one slot.
    """
    number, mask = np.empty(offset.size - 1, np.int32), table.size - 1
    for i in range(number.size):
        at, size = offset[i], offset[i + 1] - offset[i]
        slot = _hash(data, at, size, seed) & mask
        while table[slot] >= 0 and not _is(data, at, size, held_data, held_offset, table[slot]):
            slot = (slot + 1) & mask
        if table[slot] < 0:
            first = held_offset[held]
            held_data[first : first + size] = data[at : at + size]
            held_offset[held + 1] = first + size
            table[slot] = held
            held += 1
        number[i] = table[slot]
    return number, held


@njit(cache=True, nogil=True)
def placed(offset: Longs, data: Bytes, table: Ints, seed: int) -> None:
    """Put different texts into an empty table, by their numbers."""
    mask = table.size - 1
    for i in range(offset.size - 1):
        slot = _hash(data, offset[i], offset[i + 1] - offset[i], seed) & mask
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = i


@njit(cache=True, nogil=True)
def _hash(data: Bytes, at: int, size: int, seed: int) -> Any:
    made = uint64(seed) ^ uint64(BASIS)
    for j in range(at, at + size):
        made = (made ^ uint64(data[j])) * uint64(PRIME)
    made = (made ^ (made >> uint64(32))) * uint64(SPREAD)
    return np.int64(made >> uint64(1))  # not negative


@njit(cache=True, nogil=True)
def _is(data: Bytes, at: int, size: int, held_data: Bytes, held_offset: Longs, number: int) -> bool:
    """Whether a text is the one that is held under a number."""
    first = held_offset[number]
    if held_offset[number + 1] - first != size:
        return False
    for j in range(size):
        if data[at + j] != held_data[first + j]:
            return False
    return True
