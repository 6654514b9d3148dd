"""Columns of addresses: the ids and the hosts of many at once, as `url.page_id` and `url.host` give them for one."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.kernels import Ints, Longs, frozen
from pagekin.url import LONGEST_ORIGIN

# What `url.canonical` returns unchanged after a look, as RE2 has to be told it; and what may be a default document.
PLAIN = r"^https?://(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}/(?:[A-Za-z0-9_~-]+(?:[./][A-Za-z0-9_~-]+)*/?)?$"
DOCUMENT = r"/(?:index|default)\.[a-z]+$"


def ids(addresses: pa.Array) -> Longs:
    """The id of each address, none of which is null."""
    from pagekin.kernels.addresses import ids_of

    return ids_of(*buffers(addresses))


def hosts(addresses: pa.Array) -> pa.Array:
    """The host of each address, none of which is null; "" for an identifier."""
    from pagekin.kernels.addresses import copied, host_ends

    offset, data = buffers(addresses)
    first, last = host_ends(offset, data)
    offset, made = copied(data, frozen(first), frozen(last))
    return pa.LargeStringArray.from_buffers(len(addresses), pa.py_buffer(offset), pa.py_buffer(made))


class Numbers:
    """Finds the places of many ids among ascending ones: `Numbers(ids)(wanted)`, as `kernels.numbers.numbers_in`.

    Ids are hashes, so those that begin with the same bits are few. A binary search among all of them would wait for
    memory at each of its steps.
    """

    def __init__(self, ids: Longs) -> None:
        bits = max(1, int(ids.size).bit_length() - 3)  # some eight ids for each value
        self.ids, self.shift = frozen(ids), 64 - bits
        bounds = (np.arange(1 << bits, dtype=np.uint64) << np.uint64(self.shift)) ^ np.uint64(1 << 63)
        self.begins = frozen(np.append(np.searchsorted(ids, bounds.view(np.int64)), ids.size))

    def __call__(self, wanted: Longs) -> Ints:
        from pagekin.kernels.addresses import places

        return places(self.ids, self.begins, self.shift, frozen(wanted))


def are_canonical(addresses: pa.Array) -> pa.Array:
    """Which addresses certainly are in canonical form; of the others `url.canonical` must say it."""
    plain = pc.and_not(pc.match_substring_regex(addresses, PLAIN), pc.match_substring_regex(addresses, DOCUMENT))
    return pc.and_(plain, pc.less_equal(pc.binary_length(addresses), LONGEST_ORIGIN))


def buffers(texts: pa.Array) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Where each text begins, none of which is null, and the bytes of all."""
    texts = texts.cast(pa.large_string())
    if not len(texts):
        return frozen(np.zeros(1, np.int64)), frozen(np.empty(0, np.uint8))
    _, offset, data = texts.buffers()
    begins = np.frombuffer(offset, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    held = np.empty(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return frozen(begins), frozen(held)
