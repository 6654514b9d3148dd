"""The places of ids among ascending ids: a page's number is the rank of its id, and an index keeps ids, because ranks
change as pages are added.

This is plain NumPy, so that a look-up need not wait for numba.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Ints


def numbers_in(ids: npt.NDArray[Any], wanted: npt.NDArray[Any]) -> Ints:
    """The place of each wanted id in `ids`, which ascend; -1 if it is not there.

    >>> numbers_in(np.array([2, 5, 9]), np.array([5, 7])).tolist()
    [1, -1]
    """
    if not ids.size:
        return np.full(wanted.size, -1, np.int32)
    at = np.minimum(np.searchsorted(ids, wanted), ids.size - 1)
    return np.where(ids[at] == wanted, at, -1).astype(np.int32)


def number_in(ids: npt.NDArray[Any], wanted: int) -> int | None:
    """The place of one id in `ids`, which ascend, or None.

    >>> number_in(np.array([2, 5, 9]), 5), number_in(np.array([2, 5, 9]), 7)
    (1, None)
    """
    at = int(ids.searchsorted(wanted))
    return at if at < ids.size and ids[at] == wanted else None
