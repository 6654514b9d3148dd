"""What a word that is nowhere may have been meant to be: the nearest word of the collection."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.index.inverted import Postings

LEAST = 3  # characters of a word; every shorter one is near to many others
SHORT = 4  # up to so many one slip is allowed, in longer words two


def nearest(postings: Postings, word: str) -> str | None:
    """The word with fewest slips (a letter too many, missing, wrong, or two exchanged), then on most pages.

    Every word of the collection is compared: 0.2 s where there are a million.
    """
    from pagekin.kernels.spelling import slips

    typed = word.casefold()
    if len(typed) < LEAST or len(typed) > 40 or not len(postings.terms):
        return None
    spelled = pc.utf8_lower(postings.surfaces).cast(pa.large_string())
    _, offsets, data = spelled.buffers()
    start = np.frombuffer(offsets, np.int64)[spelled.offset : spelled.offset + len(spelled) + 1]
    letters = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
    most = 1 if len(typed) <= SHORT else 2
    found = slips(np.frombuffer(typed.encode(), np.uint8), start, letters, most)
    near = np.flatnonzero(found <= most)
    if not near.size:
        return None
    pages = np.diff(postings.start)[near]
    best = near[np.lexsort((near, -pages, found[near]))[0]]
    return str(postings.surfaces[int(best)].as_py())
