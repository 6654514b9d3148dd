"""Columns of addresses, as Arrow keeps them (`offset`, and the bytes of all one after another): ids and hosts.

BLAKE2b (RFC 7693) is here because hashing ten million short texts one by one takes Python ten times as long; its result
is that of `url.page_id`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import uint64

from pagekin.kernels import Ints, Longs
from pagekin.kernels.compiling import njit

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]

IV = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ], np.uint64,
)  # fmt: skip
SIGMA = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ], np.int64,
)  # fmt: skip
BLOCK = 128  # bytes
DIGEST = 8  # bytes
PARAMETERS = 0x01010000 ^ DIGEST  # no key, one leaf


@njit(cache=True, nogil=True)
def _turned(value: Any, by: int) -> Any:
    return (value >> uint64(by)) | (value << uint64(64 - by))


@njit(cache=True, nogil=True)
def _mixed(a: Any, b: Any, c: Any, d: Any, x: Any, y: Any) -> tuple[Any, Any, Any, Any]:
    a = a + b + x
    d = _turned(d ^ a, 32)
    c = c + d
    b = _turned(b ^ c, 24)
    a = a + b + y
    d = _turned(d ^ a, 16)
    c = c + d
    b = _turned(b ^ c, 63)
    return a, b, c, d


@njit(cache=True, nogil=True)
def _compress(h: Words, m: Words, done: int, last: bool) -> None:
    """Take one block of 16 words into the state, `done` bytes having been read with it."""
    v0, v1, v2, v3, v4, v5, v6, v7 = h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
    v8, v9, v10, v11, v12, v13, v14, v15 = IV[0], IV[1], IV[2], IV[3], IV[4], IV[5], IV[6], IV[7]
    v12 ^= uint64(done)
    if last:
        v14 = ~v14
    for r in range(12):
        s = SIGMA[r]
        v0, v4, v8, v12 = _mixed(v0, v4, v8, v12, m[s[0]], m[s[1]])
        v1, v5, v9, v13 = _mixed(v1, v5, v9, v13, m[s[2]], m[s[3]])
        v2, v6, v10, v14 = _mixed(v2, v6, v10, v14, m[s[4]], m[s[5]])
        v3, v7, v11, v15 = _mixed(v3, v7, v11, v15, m[s[6]], m[s[7]])
        v0, v5, v10, v15 = _mixed(v0, v5, v10, v15, m[s[8]], m[s[9]])
        v1, v6, v11, v12 = _mixed(v1, v6, v11, v12, m[s[10]], m[s[11]])
        v2, v7, v8, v13 = _mixed(v2, v7, v8, v13, m[s[12]], m[s[13]])
        v3, v4, v9, v14 = _mixed(v3, v4, v9, v14, m[s[14]], m[s[15]])
    h[0] ^= v0 ^ v8
    h[1] ^= v1 ^ v9
    h[2] ^= v2 ^ v10
    h[3] ^= v3 ^ v11
    h[4] ^= v4 ^ v12
    h[5] ^= v5 ^ v13
    h[6] ^= v6 ^ v14
    h[7] ^= v7 ^ v15


@njit(cache=True, nogil=True)
def ids_of(offset: Longs, data: Bytes) -> Longs:
    """The id of each text: the first 8 bytes of its BLAKE2b as a signed integer."""
    ids = np.empty(offset.size - 1, np.int64)
    h, m = np.empty(8, np.uint64), np.empty(16, np.uint64)
    block = m.view(np.uint8)
    for i in range(ids.size):
        at, end = offset[i], offset[i + 1]
        length, done = end - at, 0
        h[:] = IV
        h[0] ^= uint64(PARAMETERS)
        while True:
            size = min(BLOCK, length - done)
            for j in range(size):
                block[j] = data[at + done + j]
            for j in range(size, BLOCK):
                block[j] = 0
            done += size
            _compress(h, m, done, done == length)
            if done == length:
                break
        ids[i] = np.int64(h[0])
    return ids


@njit(cache=True, nogil=True)
def host_ends(offset: Longs, data: Bytes) -> tuple[Longs, Longs]:
    """Where the host of each address begins and ends: between the slashes of `http://`, `https://` or `ftp://` and the
    next; nowhere in a text that begins otherwise."""
    n = offset.size - 1
    first, last = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for i in range(n):
        at, end = offset[i], offset[i + 1]
        colon = at
        while colon < end and colon - at < 6 and data[colon] != 58:
            colon += 1
        size = colon - at
        if colon + 2 >= end or data[colon] != 58 or data[colon + 1] != 47 or data[colon + 2] != 47:
            continue
        http = size >= 4 and data[at] == 104 and data[at + 1] == 116 and data[at + 2] == 116 and data[at + 3] == 112
        https = http and size == 5 and data[at + 4] == 115
        ftp = size == 3 and data[at] == 102 and data[at + 1] == 116 and data[at + 2] == 112
        if https or ftp or (http and size == 4):
            first[i] = last[i] = colon + 3
            while last[i] < end and data[last[i]] != 47:
                last[i] += 1
    return first, last


@njit(cache=True, nogil=True)
def copied(data: Bytes, first: Longs, last: Longs) -> tuple[Longs, Bytes]:
    """The texts between these places, one after another, and where each begins."""
    offset = np.zeros(first.size + 1, np.int64)
    for i in range(first.size):
        offset[i + 1] = offset[i] + last[i] - first[i]
    made = np.empty(offset[-1], np.uint8)
    for i in range(first.size):
        made[offset[i] : offset[i + 1]] = data[first[i] : last[i]]
    return offset, made


@njit(cache=True, nogil=True)
def places(ids: Longs, begins: Longs, shift: int, wanted: Longs) -> Ints:
    """The place of each wanted id among ascending ids, -1 if it is not there. `begins`: for each value of the bits from
    `shift` on, with the sign turned round, where the ids that have it begin; a few are left to look at then."""
    found = np.empty(wanted.size, np.int32)
    for i in range(wanted.size):
        bucket = np.int64((uint64(wanted[i]) ^ uint64(1 << 63)) >> uint64(shift))
        low, high = begins[bucket], begins[bucket + 1]
        while low < high:
            middle = (low + high) >> 1
            if ids[middle] < wanted[i]:
                low = middle + 1
            else:
                high = middle
        found[i] = low if low < ids.size and ids[low] == wanted[i] else -1
    return found


@njit(cache=True, nogil=True)
def slots(keys: Longs, counts: Ints, wanted: Longs) -> tuple[Longs, int]:
    """The slot of each wanted key in a hash table of open addresses, put there if it has none; and how many had none.

    A slot that is free has the count -1, and a new key 0. The keys are hashes already.
    """
    found, mask, new = np.empty(wanted.size, np.int64), keys.size - 1, 0
    for i in range(wanted.size):
        at = wanted[i] & mask
        while counts[at] >= 0 and keys[at] != wanted[i]:
            at = (at + 1) & mask
        if counts[at] < 0:
            keys[at], counts[at] = wanted[i], 0
            new += 1
        found[i] = at
    return found, new
