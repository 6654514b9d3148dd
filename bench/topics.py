"""Pages of keywords with topics, and links between them: paper 4's 100,000 pages × 20 keywords over 54,280 words.

A page has a topic, and its keywords are drawn from a Zipf distribution over that topic's own ordering of the words or,
half of the time, over the order common to all. Its links copy another page's of its topic with probability ½, as in
`graphs.copying_model`, else go to any page of its topic, or (one in ten) to any page at all.
"""

import numpy as np
import pyarrow as pa
from numba import njit

from bench.graphs import COPIED, OUT_LINKS, SEED
from pagekin.collection.graph import Arrays, arrays
from pagekin.collection.keywords import Keywords, related
from pagekin.kernels import Floats, Ints, frozen

KEYWORDS = 20
TOPICS = 200
TOPIC_WORDS = 2_000  # of which a topic speaks
COMMON = 0.5
STOP_WORDS = 10  # the commonest words of a language are none of its keywords: ranks begin after them
ASTRAY = 0.1


def keyword_web(pages: int, words: int, seed: int = SEED) -> tuple[Keywords, Arrays]:
    """The index `keywords` and the graph of such pages."""
    rng = np.random.default_rng(seed)
    topic = rng.integers(0, TOPICS, pages)
    speaks = np.stack([rng.permutation(words)[:TOPIC_WORDS] for _ in range(TOPICS)])
    rows = [_different(row) for row in _drawn(rng, topic, speaks, words)]
    start = np.concatenate(([0], np.cumsum([row.size for row in rows]))).astype(np.int64)
    used, word = np.unique(np.concatenate(rows), return_inverse=True)
    names = pa.table({"term": [f"w{number}" for number in used], "surface": [f"w{number}" for number in used]})
    links = _linked(topic.astype(np.int32), np.argsort(topic, kind="stable").astype(np.int32), OUT_LINKS, seed)
    source = np.repeat(np.arange(pages, dtype=np.int32), OUT_LINKS)
    graph = arrays(source, links.ravel(), pages)
    ids = frozen(np.arange(pages, dtype=np.int64))
    return related(ids, start, word.astype(np.int32), names, graph), graph


def _drawn(rng: np.random.Generator, topic: Ints, speaks: Ints, words: int) -> Ints:
    """For each page more words than it needs, to have 20 different ones left."""
    draws = (topic.size, 2 * KEYWORDS)
    own, common = (
        np.searchsorted(np.cumsum(share), rng.random(draws))
        for share in (_zipf(TOPIC_WORDS), _zipf(words))
    )  # fmt: skip
    return np.where(rng.random(draws) < COMMON, common, speaks[topic[:, None], np.minimum(own, TOPIC_WORDS - 1)])


def _different(row: Ints) -> Ints:
    """The first 20 different ones, ascending."""
    _, first = np.unique(row, return_index=True)
    return np.sort(row[np.sort(first)[:KEYWORDS]])


def _zipf(size: int) -> Floats:
    share = 1 / np.arange(STOP_WORDS + 1, STOP_WORDS + size + 1)
    return share / share.sum()


@njit(cache=True)
def _linked(topic: Ints, by_topic: Ints, width: int, seed: int) -> Ints:
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
