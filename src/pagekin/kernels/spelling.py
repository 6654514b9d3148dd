"""How many slips lie between a word and each of many others."""

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Longs
from pagekin.kernels.compiling import njit

Bytes = npt.NDArray[np.uint8]


@njit(cache=True, nogil=True)
def slips(word: Bytes, start: Longs, letters: Bytes, most: int) -> Bytes:
    """The distance of a word from each of the others, letters[start[i] : start[i + 1]]; most + 1 if it is more.

    A letter inserted, left out or replaced, and two neighbours exchanged, count 1 each (optimal string alignment).
    """
    n = word.size
    found = np.full(start.size - 1, most + 1, np.uint8)
    older, old, new = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    for i in range(start.size - 1):
        size = start[i + 1] - start[i]
        if abs(size - n) > most:
            continue
        for a in range(n + 1):
            old[a] = a
        for b in range(1, size + 1):
            letter, new[0], least = letters[start[i] + b - 1], b, b
            for a in range(1, n + 1):
                new[a] = min(old[a] + 1, new[a - 1] + 1, old[a - 1] + (word[a - 1] != letter))
                if a > 1 and b > 1 and word[a - 1] == letters[start[i] + b - 2] and word[a - 2] == letter:
                    new[a] = min(new[a], older[a - 2] + 1)
                least = min(least, new[a])
            older, old, new = old, new, older
            if least > most:
                break
        else:
            found[i] = min(old[n], most + 1)
    return found
