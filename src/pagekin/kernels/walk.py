"""A random walk with restart by local push (Andersen, Chung, Lang, FOCS 2006): only pages near the start are read.

This is in numba, although most questions use NumPy: pushes are many and small, and NumPy took up to four times as long.
"""

import numpy as np

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit

LEFT, PUSHED = 0, 1  # the columns of `mass`


@njit(cache=True, nogil=True)
def push(start: Longs, linked: Ints, page: int, restart: float, precision: float, mass: Floats) -> Ints:
    """Push from a page until no page holds precision · deg or more; returns the pages that hold or held something.

    A page that pushes adds what it has left to what it has pushed, and hands the share 1 − restart of it to the pages
    linked with it, in equal parts. Those that hold enough wait in a queue, first come first served. `mass` is zeros,
    two per page, side by side because both are read together; the caller makes it with calloc (`np.zeros`), so that
    only what is touched takes memory.
    """
    size = start.size - 1
    queue, first, waiting = np.empty(size, np.int32), 0, 1  # a ring: a page waits once at a time
    touched, found = np.empty(size, np.int32), 1
    queue[0] = touched[0] = page
    mass[page, LEFT] = 1.0
    while waiting:
        here = queue[first]
        first = (first + 1) % size
        waiting -= 1
        part = (1.0 - restart) * mass[here, LEFT] / (start[here + 1] - start[here])
        mass[here, PUSHED] += mass[here, LEFT]
        mass[here, LEFT] = 0.0
        for e in range(start[here], start[here + 1]):
            there = linked[e]
            before = mass[there, LEFT]
            if before == 0.0 and mass[there, PUSHED] == 0.0:
                touched[found] = there
                found += 1
            mass[there, LEFT] = before + part
            if before + part < precision:  # the usual case, without reading the other page's degree
                continue
            enough = precision * (start[there + 1] - start[there])
            if before < enough <= before + part:
                queue[(first + waiting) % size] = there
                waiting += 1
    return touched[:found].copy()
