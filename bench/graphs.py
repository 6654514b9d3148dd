"""The link graphs used for measuring: one that grows as the web is thought to grow, and a real crawl.

`PAGEKIN_BENCH_SMALL=50` divides the sizes by 50, to try the benchmarks out: no bars apply then.
"""

import os
from pathlib import Path

import numpy as np
from numba import njit

from pagekin.graph.links import LinkArrays, link_arrays
from pagekin.kernels import Ints

SHRINK = int(os.environ.get("PAGEKIN_BENCH_SMALL", "1"))

OUT_LINKS = 10
# Copying half of the links gives in-degrees with an exponent of 3; the web's 2.1 would take 0.9, and then SciPy's
# product of 100,000 pages no longer fits in memory. cnr-2000 has the heavy tail.
COPIED = 0.5
SEED = 20000


def copying_model(pages: int, seed: int = SEED) -> tuple[Ints, Ints]:
    """The sources and targets of a web of `pages` pages, each with 10 links to ten different pages, never to itself.

    Every page copies an earlier page: its i-th link is that page's i-th link with probability ½, else it goes to any
    earlier page (Kumar et al., Stochastic models for the web graph, FOCS 2000, section 2: linear growth copying).
    """
    links = _grown(pages, OUT_LINKS, COPIED, seed)
    return np.repeat(np.arange(pages, dtype=np.int32), OUT_LINKS), links.ravel()


@njit(cache=True)
def _grown(pages: int, width: int, copied: float, seed: int) -> Ints:
    np.random.seed(seed)
    links = np.empty((pages, width), np.int32)
    for page in range(width + 1):  # the first eleven all link to each other
        for place in range(width):
            links[page, place] = place + (place >= page)
    for page in range(width + 1, pages):
        pattern = np.random.randint(0, page)
        for place in range(width):
            link = links[pattern, place] if np.random.random() < copied else np.random.randint(0, page)
            while link in links[page, :place]:
                link = np.random.randint(0, page)
            links[page, place] = link
    return links


def copying_graph(pages: int) -> LinkArrays:
    """A copying-model web, as the arrays that kernels take."""
    return link_arrays(*copying_model(pages), pages)


def cnr_2000() -> LinkArrays | None:
    """A crawl of the Italian research council (325,557 pages, 3.2 million links); None if the file is missing."""
    path = Path(os.environ.get("PAGEKIN_DATA", "")) / "cnr-2000.npz"
    if not path.is_file():
        return None
    with np.load(path) as held:
        source, target = held["source"], held["target"]
    return link_arrays(source, target, int(max(source.max(), target.max())) + 1)
