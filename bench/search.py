"""How soon is a question in words answered, at any α and with snippets, and what is typed completed?

A web of sites as in `subrelevant`: 100,000 pages of 120 words that follow Zipf's law, with titles of three of them,
made as a user would make them. `bm25s` looks the same questions up in the same words, and the texts of its pages are
read as ours are: a snippet needs them. `PAGEKIN_BENCH_PAGES=1000000` asks a million pages; the time and memory of
building stand beside those of `bm25s` and `tantivy`, which have the words split already and keep neither fields nor
links.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from bench.case import Case, missing, peer, timed
from bench.graphs import SEED, SHRINK
from bench.memory import peak
from bench.subrelevant import LINKS, sites
from bench.subrelevant import PAGES as PAPER_PAGES
from pagekin import Collection
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.model import Rows
from pagekin.search.answer import search
from pagekin.search.complete import completions

PAGES = int(os.environ.get("PAGEKIN_BENCH_PAGES", "100000")) // SHRINK
WORDS_A_PAGE, VOCABULARY, TITLE = 120, 20_000, 3
BATCH = 50_000  # pages made at once
QUESTIONS, BEST = 300, 15
ALPHAS = (0.0, 0.05, 0.5, 1.0)
LIMIT_MS = 20.0 if PAGES <= 100_000 else 60.0
TYPED, TYPED_MS = 300, 30.0


class Web(NamedTuple):
    """A collection, and the words of its pages."""

    path: Path
    words: list[str]  # the commonest first
    drawn: Path  # pages × words of a page: their numbers


def run() -> Iterator[Case]:
    web = _web()
    seconds, _ = timed(lambda: Collection(web.path).build(["subrelevant", "completions"]))
    yield Case(f"indexes for search in {PAGES:,} pages", seconds, "s", note="words, clusters and completions")
    store, asked = Store(web.path), _asked(web.words)
    theirs = _theirs(web, store, asked)
    for alpha in ALPHAS:
        search(store, asked[0], alpha=alpha)
        times = [timed(partial(search, store, text, k=BEST, alpha=alpha))[0] for text in asked]
        yield Case(
            f"search {PAGES:,} pages, α = {alpha}, p95 of {QUESTIONS}", _p95(times), "ms",
            bar=LIMIT_MS, bar_on="ours at most", note=f"median {np.median(times) * 1000:.1f} ms",
        )  # fmt: skip
        if alpha == 0:
            note = missing("bm25s") if theirs is None else "bm25s with as many texts read; p95 of both"
            yield Case(
                f"the same, beside bm25s over {PAGES:,} pages", _p95(times), "ms", "bm25s",
                None if theirs is None else _p95(theirs), bar=1.0, note=note,
            )  # fmt: skip
    completions(store, "b", BEST)
    times = [timed(partial(completions, store, text, BEST))[0] for text in _typed(web.words)]
    said = f"median {np.median(times) * 1000:.2g} ms"
    case = f"what is typed, among {PAGES:,} pages, p95 of {len(times)}"
    yield Case(case, _p95(times), "ms", bar=TYPED_MS, bar_on="ours at most", note=said)
    for name in ("inverted", "of_bm25s", "of_tantivy"):
        module = name.removeprefix("of_")
        if module != "inverted" and peer(module) is None:
            yield Case(f"memory and time of {module}", None, "MB", note=missing(module))
            continue
        taken = peak(f"bench.search:{name}", str(web.path.parent))
        case = f"peak memory of building {'our index of words' if module == 'inverted' else module}"
        yield Case(f"{case}, {PAGES:,} pages", taken.megabytes, "MB", note="" if taken.fits else "did not fit")


def _p95(times: list[float]) -> float:
    return float(np.percentile(times, 95)) * 1000


def _asked(words: list[str]) -> list[str]:
    """People ask with words that are neither the commonest nor the rarest: the logarithm of their rank is even."""
    ranks = np.exp(np.random.default_rng(SEED).uniform(0, np.log(VOCABULARY), (QUESTIONS, 3))).astype(int)
    return [" ".join(words[rank] for rank in row[: 1 + i % 3]) for i, row in enumerate(ranks)]


def _typed(words: list[str]) -> list[str]:
    rng = np.random.default_rng(SEED)
    return [words[int(rng.integers(5_000))][: int(rng.integers(1, 7))] for _ in range(TYPED)]


def _theirs(web: Web, store: Store, asked: list[str]) -> list[float] | None:
    """The seconds of each question, in the words of bm25s, with the texts of its pages read."""
    if peer("bm25s") is None:
        return None
    index, number = of_bm25s(str(web.path.parent))(), {word: at for at, word in enumerate(web.words)}
    place = {store.url(page): page for page in range(store.size)}
    of_row = np.array([place[url] for url in _urls()])

    def ask(text: str) -> None:
        found, _ = index.retrieve([[number[word] for word in text.split()]], k=BEST, show_progress=False)
        store.texts(of_row[found[0]].tolist())

    ask(asked[0])
    return [timed(partial(ask, text))[0] for text in asked]


def inverted(folder: str) -> Callable[[], Any]:
    """Making our index of words, for its memory."""
    from pagekin.index.inverted import Inverted

    store, place = Store(Path(folder) / "s.kin").seeing(), Path(folder) / "made"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return lambda: Inverted().make(store, place)


def of_bm25s(folder: str) -> Callable[[], Any]:
    """Making that of bm25s."""
    import bm25s

    drawn = np.load(Path(folder) / "drawn.npy", mmap_mode="r")

    def made() -> Any:
        index = bm25s.BM25(k1=1.2, b=0.75)
        corpus = bm25s.tokenization.Tokenized(
            ids=[row.tolist() for row in drawn], vocab={str(at): at for at in range(VOCABULARY)}
        )
        index.index(corpus, show_progress=False)
        return index

    return made


def of_tantivy(folder: str) -> Callable[[], Any]:
    """Making that of tantivy, on disk."""
    import tantivy

    drawn = np.load(Path(folder) / "drawn.npy", mmap_mode="r")
    words = np.array(_words())

    def made() -> Any:
        schema = tantivy.SchemaBuilder().add_text_field("body", stored=False).build()
        with tempfile.TemporaryDirectory(prefix="pagekin-bench-") as place:
            writer = (index := tantivy.Index(schema, path=place)).writer()
            for row in drawn:
                writer.add_document(tantivy.Document(body=" ".join(words[row].tolist())))
            writer.commit()
            writer.wait_merging_threads()
            return index

    return made


@cache
def _urls() -> list[str]:
    _, _, host = sites(PAGES, PAGES * LINKS // PAPER_PAGES)
    return [f"http://h{number}.example/{page}" for page, number in enumerate(host.tolist())]


def _words() -> list[str]:
    """Words of syllables that the stemmer leaves alone."""
    ends = [f"{a}{b}{c}o" for a in "bdfgklmnp" for b in "aou" for c in "bdfgklmnprtvz"]
    first = (f"{a}{b}" for a in "bdfgklmnprstvz" for b in ("ama", "ero", "ilo", "uno", "ato"))
    return [f"{start}{end}" for start in first for end in ends][:VOCABULARY]


def _web() -> Web:
    """Make the collection, which is removed when the run ends."""
    folder = tempfile.TemporaryDirectory(prefix="pagekin-bench-")
    atexit.register(folder.cleanup)
    place, words, rng = Path(folder.name), _words(), np.random.default_rng(SEED)
    start, out, _ = sites(PAGES, PAGES * LINKS // PAPER_PAGES)
    zipf = np.cumsum(1 / np.arange(1, VOCABULARY + 1))
    drawn = np.searchsorted(zipf / zipf[-1], rng.random((PAGES, WORDS_A_PAGE))).astype(np.int32)
    np.save(place / "drawn.npy", drawn)
    urls = pa.array(_urls())

    def rows(first: int) -> Rows:
        last = min(first + BATCH, PAGES)
        own, some = drawn[first:last], np.arange(first, last)
        texts = [" ".join(words[word] for word in row) for row in own.tolist()]
        key, count = np.unique(some.repeat(WORDS_A_PAGE) * VOCABULARY + own.ravel(), return_counts=True)
        titled = np.isin(key, (some[:, None] * VOCABULARY + own[:, :TITLE]).ravel()).astype(np.int32)
        term = pa.array(words).take(pa.array(key % VOCABULARY))
        terms = {"url": urls.take(pa.array(key // VOCABULARY)), "term": term, "surface": term, "body": count}
        source = np.repeat(some, np.diff(start[first : last + 1]))
        links = {
            "source": urls.take(pa.array(source)), "target": urls.take(pa.array(out[start[first] : start[last]])),
        }  # fmt: skip
        titles = [" ".join(text.split(" ", TITLE)[:TITLE]) for text in texts]
        pages = {"url": urls[first:last], "title": titles, "text": texts, "language": ["en"] * len(texts)}
        return Rows(pa.table(links), pa.table(pages), pa.table(terms | {"title": titled}))

    ingest(place / "s.kin", [[rows(first) for first in range(0, PAGES, BATCH)]])
    return Web(place / "s.kin", words, place / "drawn.npy")
