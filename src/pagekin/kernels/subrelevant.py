"""Clusters by link paths within hosts (paper 2): dropping links between hosts, THP, and bounded Dijkstra.

Pages are renumbered host by host here, so that a host's links lie together in memory and hosts can be done in parallel.
A page's *place* is its number in that order; within a host, places keep the page order.

A path costs the out-degrees of its pages except the last, so all links out of a page cost the same. A page is therefore
first reached by a shortest path, in either direction: no page is ever put into the queue twice, and a bucket of the
queue is a list linked through the pages.
"""

import numpy as np

from pagekin.kernels import Floats, Ints, Longs
from pagekin.kernels.compiling import njit
from pagekin.kernels.similarity import rounded

FAN_OUT, FAN_IN, CYCLIC = 0, 1, 2

_NONE = np.int32(-1)


@njit(cache=True, nogil=True)
def by_host(host: Ints, hosts: int) -> tuple[Ints, Ints, Longs]:
    """The page at each place, the place of each page, and where each host begins; a counting sort."""
    first = np.zeros(hosts + 1, np.int64)
    for h in host:
        first[h + 1] += 1
    for h in range(hosts):
        first[h + 1] += first[h]
    fill = first[:-1].copy()
    page, place = np.empty(host.size, np.int32), np.empty(host.size, np.int32)
    for p in range(host.size):
        page[fill[host[p]]] = p
        place[p] = fill[host[p]]
        fill[host[p]] += 1
    return page, place, first


@njit(cache=True, nogil=True)
def within(out_start: Longs, out: Ints, page: Ints, place: Ints, host: Ints) -> tuple[Longs, Ints]:
    """The links that stay on their host, as rows of places; they ascend, because places keep the page order."""
    start = np.zeros(page.size + 1, np.int64)
    kept = np.empty(out.size, np.int32)
    size = 0
    for v in range(page.size):
        p = page[v]
        for e in range(out_start[p], out_start[p + 1]):
            if host[out[e]] == host[p]:
                kept[size] = place[out[e]]
                size += 1
        start[v + 1] = size
    return start, kept[:size].copy()


@njit(cache=True, nogil=True)
def completed(out_start: Longs, out: Ints, in_start: Longs, in_: Ints) -> tuple[Longs, Ints]:
    """The out-links with those that the preparation adds; rows ascend.

    A page without out-links gets a link to every page that links to it; a page w without in-links gets one from every
    page u it links to. Seen from u, that is I(u) if O(u) is empty, else O(u) ∪ {w ∈ I(u) : I(w) is empty}; such a w is
    not in O(u), or it would have an in-link.
    """
    n = out_start.size - 1
    start = np.zeros(n + 1, np.int64)
    full = np.empty(2 * out.size, np.int32)
    size = 0
    for u in range(n):
        e, last = out_start[u], out_start[u + 1]
        bare = e == last
        for f in range(in_start[u], in_start[u + 1]):
            w = in_[f]
            if bare or in_start[w] == in_start[w + 1]:
                while e < last and out[e] < w:
                    full[size] = out[e]
                    size += 1
                    e += 1
                full[size] = w
                size += 1
        while e < last:
            full[size] = out[e]
            size += 1
            e += 1
        start[u + 1] = size
    return start, full[:size].copy()


@njit(cache=True, nogil=True)
def returning(first: int, last: int, out_start: Longs, out: Ints, in_start: Longs, in_: Ints) -> Floats:
    """THP of the places [first, last): the probability that two random steps from v return to v."""
    found = np.zeros(last - first)
    for v in range(first, last):
        e, f = out_start[v], in_start[v]
        total = 0.0
        while e < out_start[v + 1] and f < in_start[v + 1]:
            if out[e] == in_[f]:
                total += 1.0 / (out_start[out[e] + 1] - out_start[out[e]])
                e += 1
                f += 1
            elif out[e] < in_[f]:
                e += 1
            else:
                f += 1
        if total:
            found[v - first] = total / (out_start[v + 1] - out_start[v])
    return found


@njit(cache=True, nogil=True)
def reached(
    seed: int,
    limit: int,
    outward: bool,
    start: Longs,
    neighbour: Ints,
    out_start: Longs,
    base: int,
    distance: Ints,
    following: Ints,
    bucket: Ints,
    found: Ints,
    via: Ints,
) -> int:
    """The places within `limit` of a seed, along links (`outward`) or against them; returns how many.

    `distance` (all -1, for places from `base`) gets their distances and `found` the places, nearest bucket first, with
    the seed at the head; `via`, unless empty, gets the place from which each was reached. `following` and `bucket`
    (all -1, limit + 1 of them) are the queue. A place is in bucket d if its row is due at distance d: outward, that is
    after its own links; inward, at the place itself.
    """
    distance[seed - base] = 0
    found[0] = seed
    size = 1
    due = out_start[seed + 1] - out_start[seed] if outward else 0
    if due > limit:
        return size
    following[seed - base] = _NONE
    bucket[due] = seed
    for d in range(due, limit + 1):
        while bucket[d] != _NONE:
            v = bucket[d]
            bucket[d] = following[v - base]
            for e in range(start[v], start[v + 1]):
                u = neighbour[e]
                if distance[u - base] != _NONE:
                    continue
                degree = out_start[u + 1] - out_start[u]
                far = d if outward else d + degree
                if far > limit:
                    continue
                distance[u - base] = far
                found[size] = u
                size += 1
                if via.size:
                    via[u - base] = v
                due = far + degree if outward else far
                if due <= limit:
                    following[u - base] = bucket[due]
                    bucket[due] = u
    return size


@njit(cache=True, nogil=True)
def clustered(
    kind: int,
    limit: int,
    host_start: Longs,
    first: int,
    last: int,
    out_start: Longs,
    out: Ints,
    in_start: Longs,
    in_: Ints,
) -> tuple[Longs, Ints]:
    """The clusters of the hosts [first, last): rows of places, each with its seed at the head, in order of their seeds.

    Seeds are taken by decreasing THP (to 12 digits), then page order, from the places that are in no cluster yet.
    """
    base, end = host_start[first], host_start[last]
    n = end - base
    thp = returning(base, end, out_start, out, in_start, in_)
    for v in range(n):
        thp[v] = -rounded(thp[v])
    distance, back = np.full(n, _NONE), np.full(n if kind == CYCLIC else 0, _NONE)
    following, bucket = np.empty(n, np.int32), np.full(limit + 1, _NONE)
    found, again = np.empty(n, np.int32), np.empty(n if kind == CYCLIC else 0, np.int32)
    no_via = np.empty(0, np.int32)
    held = np.zeros(n, np.bool_)
    starts = np.zeros(n + 1, np.int64)
    members = np.empty(2 * n + 16, np.int32)
    clusters = size = 0
    for h in range(first, last):
        for s in np.argsort(thp[host_start[h] - base : host_start[h + 1] - base], kind="mergesort"):
            seed = host_start[h] + s
            if held[seed - base]:
                continue
            if kind == FAN_IN:
                count = reached(
                    seed, limit, False, in_start, in_, out_start, base, distance, following, bucket, found, no_via
                )
            else:
                count = reached(
                    seed, limit, True, out_start, out, out_start, base, distance, following, bucket, found, no_via
                )
            returned = 0
            if kind == CYCLIC:
                # The way out costs at least the seed's links, so the way back may cost that much less.
                rest = max(limit - (out_start[seed + 1] - out_start[seed]), 0)
                returned = reached(
                    seed, rest, False, in_start, in_, out_start, base, back, following, bucket, again, no_via
                )
            if size + count > members.size:
                members = _grown(members, max(size + count, 2 * members.size))
            for i in range(count):
                u = found[i] - base
                if kind != CYCLIC or u == seed - base or (back[u] != _NONE and distance[u] + back[u] <= limit):
                    members[size] = found[i]
                    size += 1
                    held[u] = True
                distance[u] = _NONE
            for i in range(returned):
                back[again[i] - base] = _NONE
            clusters += 1
            starts[clusters] = size
    return starts[: clusters + 1].copy(), members[:size].copy()


@njit(cache=True, nogil=True)
def _grown(array: Ints, size: int) -> Ints:
    larger = np.empty(size, np.int32)
    larger[: array.size] = array
    return larger


@njit(cache=True, nogil=True)
def trivial(start: Longs, neighbour: Ints) -> tuple[Longs, Ints]:
    """Each place with the places it links to, as rows with the place itself at the head."""
    n = start.size - 1
    starts, members = np.zeros(n + 1, np.int64), np.empty(neighbour.size + n, np.int32)
    size = 0
    for v in range(n):
        members[size] = v
        size += 1
        for e in range(start[v], start[v + 1]):
            members[size] = neighbour[e]
            size += 1
        starts[v + 1] = size
    return starts, members


@njit(cache=True, nogil=True)
def renamed(member: Ints, page: Ints) -> None:
    """Replace places with page numbers, in place."""
    for e in range(member.size):
        member[e] = page[member[e]]
