"""Weights of links by their two URLs, so that a site's own links do not drown out the others' (paper 5, 2.2.2.3).

    ω(u, v) = damping^n, n the number of equal leading components of u and v; 0 if all components are equal

Components are the host, the elements of the path and the query (`url.components`), but not the scheme.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pagekin.kernels import Floats, Ints
from pagekin.url import components


def link_weights(urls: Sequence[str], source: Ints, target: Ints, damping: float) -> Floats:
    """ω of each link `source` → `target` (places in `urls`).

    >>> urls = ["http://a.example/", "http://a.example/b/c", "http://a.example/b/d", "https://a.example"]
    >>> link_weights(urls, np.array([0, 1, 0]), np.array([1, 2, 3]), 0.5).tolist()
    [0.5, 0.25, 0.0]

    Time: O(components of the URLs + Σ equal leading components of the links).
    """
    start, name = _numbered(urls)
    length = np.diff(start)
    shortest = np.minimum(length[source], length[target])
    common = np.zeros(source.size, np.int64)
    equal = np.flatnonzero(shortest > 0)  # links whose first `depth` components are equal, with more to compare
    depth = 0
    while equal.size:
        equal = equal[name[start[source[equal]] + depth] == name[start[target[equal]] + depth]]
        depth += 1
        common[equal] = depth
        equal = equal[shortest[equal] > depth]
    same = (common == length[source]) & (common == length[target])
    return np.where(same, 0.0, np.power(float(damping), common))


def _numbered(urls: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where the components of each URL begin, and all components as numbers, equal for equal components."""
    number: dict[str, int] = {}
    start, name = [0], []
    for url in urls:
        name += [number.setdefault(component, len(number)) for component in components(url)]
        start.append(len(name))
    return np.array(start, np.int64), np.array(name, np.int64)
