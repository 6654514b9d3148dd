"""Makes pages with topics, keywords and links, at paper 4's size: 100,000 pages × 20 keywords out of 54,280 words.

A page has one of 200 topics. Half of its keywords are drawn from a Zipf distribution over all words, half from one over
the 2,000 words of its topic. Each link copies one of another page of its topic with probability ½, as in
`graphs.copying_model`, else goes to any page of its topic, or (one in ten) to any page at all.

`wiki` is smaller and has far more links: 2 million among 20,000 pages of 50 topics. Sizes of pages are log-normal, 222
links at the 95th percentile; pages are known as by Zipf, so that the best known has some 3,000 links to it.
"""

import atexit
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from numba import njit

from bench.graphs import COPIED, OUT_LINKS, SEED, SHRINK
from bench.site import url
from pagekin import Collection
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.kernels import Floats, Ints, Longs
from pagekin.model import Rows

PAGES = 100_000 // SHRINK
WORDS = 54_280
KEYWORDS = 20
TOPICS = 200
TOPIC_WORDS = 2_000
COMMON = 0.5
ASTRAY = 0.1
WIKI_PAGES, WIKI_LINKS, WIKI_TOPICS = 20_000 // SHRINK, 2_000_000 // SHRINK, 50
WIKI_SPREAD = 0.6  # of the logarithm of a page's number of links
WIKI_FAME = 0.7  # the exponent of how well pages are known, by rank
WIKI_OWN = 0.7  # links within the topic
STOP_WORDS = 10  # the commonest words of a language are not keywords: ranks begin after them


def _place(name: str) -> Path:
    """A path in a folder that is removed when the run ends."""
    folder = TemporaryDirectory(prefix="pagekin-bench-")
    atexit.register(folder.cleanup)
    return Path(folder.name) / name


@cache
def keyword_web() -> Path:
    """Make the collection, built for the methods of paper 4; it is removed when the run ends."""
    path = _place("topics.kin")
    rng = np.random.default_rng(SEED)
    topic = rng.integers(0, TOPICS, PAGES).astype(np.int32)
    links = linked(topic, np.argsort(topic, kind="stable").astype(np.int32), OUT_LINKS, SEED)
    speaks = np.stack([rng.permutation(WORDS)[:TOPIC_WORDS] for _ in range(TOPICS)])
    words = [_different(row) for row in drawn(rng, topic, speaks, 2 * KEYWORDS)]  # 20 different ones are left
    source = np.repeat(np.arange(PAGES), OUT_LINKS)
    _keep(path, words, source, links.ravel().astype(np.int64))
    return path


@cache
def wiki() -> Path:
    """Make the wiki, built for the methods of paper 4; it is removed when the run ends."""
    path = _place("wiki.kin")
    rng = np.random.default_rng(SEED)
    topic = rng.integers(0, WIKI_TOPICS, WIKI_PAGES).astype(np.int32)
    known = 1 / (rng.permutation(WIKI_PAGES) + STOP_WORDS) ** WIKI_FAME
    spread = rng.lognormal(0, WIKI_SPREAD, WIKI_PAGES)
    sizes = np.clip((spread * WIKI_LINKS / spread.sum()).astype(np.int64), 1, WIKI_PAGES // 10)
    own = [np.flatnonzero(topic == each) for each in range(WIKI_TOPICS)]
    targets = [_chosen(rng, page, own[topic[page]], known, int(sizes[page])) for page in range(WIKI_PAGES)]
    speaks = np.stack([rng.permutation(WORDS)[:TOPIC_WORDS] for _ in range(WIKI_TOPICS)])
    words = [_different(row) for row in drawn(rng, topic, speaks, 2 * KEYWORDS)]
    source = np.repeat(np.arange(WIKI_PAGES), [each.size for each in targets])
    _keep(path, words, source, np.concatenate(targets))
    return path


def _chosen(rng: np.random.Generator, page: int, own: Longs, known: Floats, size: int) -> Longs:
    """The pages that a page of the wiki links to."""
    near, far = np.cumsum(known[own]), np.cumsum(known)
    found = np.empty(0, np.int64)
    for _ in range(50):  # drawn again, as pages drawn twice count once
        at = rng.random(size)
        inside = own[np.minimum(np.searchsorted(near, at * near[-1]), own.size - 1)]
        outside = np.minimum(np.searchsorted(far, at * far[-1]), known.size - 1)
        drawn_now = np.where(rng.random(size) < WIKI_OWN, inside, outside)
        found = np.unique(np.append(found, drawn_now[drawn_now != page]))
        if found.size >= size:
            break
    return rng.permutation(found)[:size]


def _keep(path: Path, words: list[Ints], source: Longs, target: Longs) -> None:
    """Make a collection of pages with these words and links, with the index `keywords`."""
    names = pa.array([url(page) for page in range(len(words))])
    page = np.repeat(np.arange(len(words)), [row.size for row in words])
    terms = pa.array([f"w{number}" for number in range(WORDS)]).take(pa.array(np.concatenate(words)))
    ones, zeros = np.ones(page.size, np.int32), np.zeros(page.size, np.int32)
    rows = Rows(
        links=pa.table({"source": names.take(pa.array(source)), "target": names.take(pa.array(target))}),
        pages=pa.table({"url": names}),
        terms=pa.table(
            {"url": names.take(pa.array(page)), "term": terms, "surface": terms, "body": ones, "title": zeros}
        ),
    )
    ingest(path, [[rows]])
    Collection(path).build(index=["keywords"])
    Store(path)  # anything missing is an error here, not in the middle of a case


def drawn(rng: np.random.Generator, topic: Ints, speaks: npt.NDArray[Any], length: int) -> Ints:
    """So many words for each page; `speaks` are the words of each topic."""
    draws = (topic.size, length)
    own = np.searchsorted(np.cumsum(_zipf(TOPIC_WORDS)), rng.random(draws))
    common = np.searchsorted(np.cumsum(_zipf(WORDS)), rng.random(draws))
    topical = speaks[topic[:, None], np.minimum(own, TOPIC_WORDS - 1)]
    return np.where(rng.random(draws) < COMMON, np.minimum(common, WORDS - 1), topical)


def _different(row: Ints) -> Ints:
    """The first 20 different words of each page."""
    _, first = np.unique(row, return_index=True)
    return row[np.sort(first)[:KEYWORDS]]


def _zipf(size: int) -> Floats:
    share = 1 / np.arange(STOP_WORDS + 1, STOP_WORDS + size + 1)
    return np.asarray(share / share.sum())


@njit(cache=True)
def linked(topic: Ints, by_topic: Ints, width: int, seed: int) -> Ints:
    np.random.seed(seed)
    n = topic.size
    first = np.searchsorted(topic[by_topic], np.arange(topic.max() + 2))
    links = np.empty((n, width), np.int32)
    for page in range(n):
        low, high = first[topic[page]], first[topic[page] + 1]
        pattern = by_topic[np.random.randint(low, high)]
        for place in range(width):
            if pattern < page and np.random.random() < COPIED:
                links[page, place] = links[pattern, place]
            elif np.random.random() < ASTRAY:
                links[page, place] = np.random.randint(0, n)
            else:
                links[page, place] = by_topic[np.random.randint(low, high)]
    return links
