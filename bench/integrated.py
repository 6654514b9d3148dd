"""How soon are the pages found that are similar by keywords and links: for one page among 100,000, and for all?

Paper 4 took nearly a month for its 100,000 pages with 54,280 keywords; there is no library to compare with. All lists
must be those that come out when every page is scored. In a wiki of 20,000 pages and 2 million links, pages have many.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.case import Case, timed
from bench.graphs import SEED, SHRINK
from bench.topics import keyword_web, wiki
from pagekin.collection.store import Store
from pagekin.graph.topk import best
from pagekin.methods import Method, method
from pagekin.methods.integrated import ByLinks

ASKED = 200
COMPARED = 20 // min(SHRINK, 4)  # scoring every page takes seconds
BEST = 15
ALL_BEST = 20

SEMANTIC_MS, LINK_MS = 100.0, 250.0
LOST = 0.0  # of the exact 15 best
ALL_MINUTES, ALL_GIB = 15.0, 8.0


def run() -> Iterator[Case]:
    store = Store(keyword_web())
    pages = np.random.default_rng(SEED).choice(store.size, min(ASKED, store.size), replace=False).tolist()
    for name, limit in (("semantic", SEMANTIC_MS), ("link", LINK_MS), ("integrated", LINK_MS)):
        yield from _one_page(store, method(name), pages, limit, f"one page of {store.size:,}")
    yield from _wiki()
    seconds, _ = timed(lambda: method("semantic").lists(store, ALL_BEST))
    yield Case(
        f"exact {ALL_BEST} best by semantic of all {store.size:,} pages", seconds / 60, "min",
        bar=ALL_MINUTES, bar_on="ours at most", note="paper 4: nearly a month",
    )  # fmt: skip
    yield Case("memory of that process at its peak", _peak(), "GiB", bar=ALL_GIB, bar_on="ours at most")


def _wiki() -> Iterator[Case]:
    store = Store(wiki())
    pages = np.random.default_rng(SEED).choice(store.size, min(ASKED, store.size), replace=False).tolist()
    what = f"one page of a wiki of {store.size:,} with {store.arrays.links:,} links"
    for name in ("link", "integrated"):
        yield from _one_page(store, method(name), pages, LINK_MS, what)


def _one_page(store: Store, asked: Method, pages: list[int], limit: float, what: str) -> Iterator[Case]:
    asked.related(store, pages[0], BEST)  # compiled, and the index in memory, outside the clock
    times = [_asked(store, asked, page) for page in pages]
    yield Case(
        f"{asked.name} of {what}, p95 of {len(pages)}", float(np.percentile(times, 95)) * 1000, "ms",
        bar=limit, bar_on="ours at most", note=f"median {np.median(times) * 1000:.3g} ms",
    )  # fmt: skip
    if isinstance(asked, ByLinks):
        lost = 1 - _recall(store, asked, pages[:COMPARED])
        case = f"{asked.name} of {what}: share of the exact {BEST} best that it misses, {COMPARED} pages"
        yield Case(case, lost, "", bar=LOST, bar_on="ours at most", note=f"recall {1 - lost:.3f}")


def _asked(store: Store, asked: Method, page: int) -> float:
    """Seconds to an answer."""
    return timed(lambda: asked.related(store, page, BEST))[0]


def _recall(store: Store, asked: ByLinks, pages: list[int]) -> float:
    """The share of the exact best pages that a question finds, averaged over some pages."""
    every, shares = np.arange(store.size, dtype=np.int32), []
    for page in pages:
        scores = asked.exactly(store, page, every)
        scores[page] = 0.0
        exact, _ = best(every[scores > 0], scores[scores > 0], BEST)
        found = asked.related(store, page, BEST).pages
        shares.append(np.isin(exact, found).mean() if exact.size else 1.0)
    return float(np.mean(shares))


def _peak() -> float:
    """The process's peak memory, including imports and making the collection."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 2**20
    raise OSError("/proc/self/status has no VmHWM; memory is measured on Linux only")
