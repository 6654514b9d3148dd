"""What others would take: rankings by well-known libraries, from the same terms, texts and links that the methods see.

A baseline gives each question at most k pages. Its candidates are the pages that were fetched; if none of those that
the truth knows was, all pages.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

import bm25s
import numpy as np
import pyarrow.compute as pc
import scipy.sparse as sp
import tantivy
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import normalize

from pagekin.collection.store import Store
from pagekin.graph.topk import TopK
from pagekin.kernels import Floats, Ints
from pagekin.kernels.numbers import numbers_in
from pagekin.parse.words import Analyser

LSA_DIMENSIONS = 256
QUESTION_TERMS = 25  # of a page that is the question
RESTART, STEPS = 0.15, 20  # of a random walk
AT_ONCE = 256  # questions


class Corpus:
    """The pages of a collection as matrices: terms with counts, and links."""

    def __init__(self, store: Store, known: Collection[int]) -> None:
        self.store = store
        fetched = pc.is_valid(store.graph.pages["fetched"]).to_numpy()
        pages = np.flatnonzero(store.graph.is_page & (fetched if fetched[list(known)].any() else True))
        self.candidates: Ints = pages.astype(np.int32)

    @cached_property
    def counts(self) -> sp.csr_array:
        """How often each term (a stem) is on each page; in a title it counts three times."""
        return self._terms[0]

    @cached_property
    def _terms(self) -> tuple[sp.csr_array, dict[str, int]]:
        """The counts, and the column of each term."""
        pages, terms, numbers, column = [], [], [], dict[str, int]()
        for rows in self.store.rows("terms", ["term", "body", "title"]):
            at = numbers_in(self.store.graph.ids, rows["page"].to_numpy())
            pages.append(self.store.graph.page_of[at])
            terms.append([column.setdefault(term, len(column)) for term in rows["term"].to_pylist()])
            numbers.append(rows["body"].to_numpy() + 3.0 * rows["title"].to_numpy())
        shape = self.store.size, max(1, len(column))
        if not pages:
            return sp.csr_array(shape), column
        places = np.concatenate(pages), np.concatenate(terms)
        return sp.csr_array((np.concatenate(numbers), places), shape=shape), column

    @cached_property
    def tfidf(self) -> sp.csr_array:
        return sp.csr_array(TfidfTransformer(sublinear_tf=True).fit_transform(self.counts))

    @cached_property
    def lsa(self) -> Floats:
        dimensions = min(LSA_DIMENSIONS, min(self.tfidf.shape) - 1)
        made: Floats = normalize(TruncatedSVD(dimensions, random_state=0).fit_transform(self.tfidf))
        return made

    @cached_property
    def links(self) -> sp.csr_array:
        arrays = self.store.arrays
        values = np.ones(arrays.out.size)
        return sp.csr_array((values, arrays.out, arrays.out_start), shape=(self.store.size, self.store.size))

    @cached_property
    def bm25(self) -> bm25s.BM25:
        index = bm25s.BM25(k1=1.2, b=0.75)
        documents = [self._repeated(page) for page in self.candidates.tolist()]
        index.index(documents, show_progress=False)
        return index

    def _repeated(self, page: int) -> list[str]:
        row = self.counts[[page]].tocoo()
        return [str(term) for term, times in zip(row.coords[1], row.data, strict=True) for _ in range(int(times))]

    def of_page(self, page: int) -> list[str]:
        """The most telling terms of a page, as a question."""
        row = self.tfidf[[page]].tocoo()
        return [str(term) for term in row.coords[1][np.argsort(-row.data, kind="stable")[:QUESTION_TERMS]]]

    def of_words(self, words: str) -> list[str]:
        """The terms of a question in words that are in the collection."""
        stems = Analyser().stems(words, "en")
        return [str(self._terms[1][stem]) for stem in stems if stem in self._terms[1]]


Pages = Sequence[int]
Baseline = Callable[[Corpus, Pages, int], TopK]


def _by_product(rows: sp.csr_array | Floats, corpus: Corpus, pages: Pages, k: int) -> TopK:
    """The candidates with the largest product with each page's row."""
    found = TopK.empty(len(pages), k)
    others = rows[corpus.candidates].T
    for first in range(0, len(pages), AT_ONCE):
        some = np.array(pages[first : first + AT_ONCE])
        product = rows[some] @ others
        scores = product.toarray() if isinstance(product, sp.csr_array) else np.asarray(product)
        for at, page in enumerate(some):
            _put(found, first + at, corpus.candidates, scores[at], k, page)
    return found


def _put(found: TopK, row: int, candidates: Ints, scores: Floats, k: int, page: int | None = None) -> None:
    """The best candidates with a positive score, without the page itself; of equal ones the smaller number."""
    keep = scores > 0
    if page is not None:
        keep &= candidates != page
    at = np.flatnonzero(keep)
    best = at[np.lexsort((candidates[at], -scores[at]))[:k]]
    found.put(row, candidates[best], scores[best])


def tfidf_cosine(corpus: Corpus, pages: Pages, k: int) -> TopK:
    """Cosine of tf-idf vectors (scikit-learn)."""
    return _by_product(corpus.tfidf, corpus, pages, k)


def lsa_cosine(corpus: Corpus, pages: Pages, k: int) -> TopK:
    """Cosine after a truncated SVD of the tf-idf matrix (scikit-learn)."""
    return _by_product(corpus.lsa, corpus, pages, k)


def bm25_more_like_this(corpus: Corpus, pages: Pages, k: int) -> TopK:
    """BM25 (bm25s) with the 25 best tf-idf terms of the page as the question."""
    return _bm25(corpus, [corpus.of_page(page) for page in pages], k, pages)


def _bm25(corpus: Corpus, questions: Sequence[list[str]], k: int, pages: Pages | None = None) -> TopK:
    found = TopK.empty(len(questions), k)
    for row, terms in enumerate(questions):
        if terms:
            scores = np.asarray(corpus.bm25.get_scores(terms), np.float64)
            _put(found, row, corpus.candidates, scores, k, None if pages is None else pages[row])
    return found


def in_link_cosine(corpus: Corpus, pages: Pages, k: int) -> TopK:
    """Cosine of in-links, where a citing page weighs ln(N / its out-links)."""
    out = np.maximum(np.diff(corpus.links.indptr), 1)
    weights = np.sqrt(np.maximum(np.log(corpus.store.size / out), 0))
    return _by_product(sp.csr_array(normalize((sp.diags_array(weights) @ corpus.links).T)), corpus, pages, k)


def random_walk(corpus: Corpus, pages: Pages, k: int) -> TopK:
    """A random walk with restart over links in either direction."""
    either = corpus.links + corpus.links.T
    steps = sp.csr_array(normalize(either, "l1")).T.tocsr()
    found = TopK.empty(len(pages), k)
    for first in range(0, len(pages), AT_ONCE):
        some = np.array(pages[first : first + AT_ONCE])
        start = np.zeros((corpus.store.size, some.size))
        start[some, np.arange(some.size)] = 1
        there = start.copy()
        for _ in range(STEPS):
            there = (1 - RESTART) * (steps @ there) + RESTART * start
        for at, page in enumerate(some):
            _put(found, first + at, corpus.candidates, there[corpus.candidates, at], k, page)
    return found


def bm25_search(corpus: Corpus, questions: Sequence[str], k: int) -> TopK:
    """BM25 (bm25s) over title and text."""
    return _bm25(corpus, [corpus.of_words(words) for words in questions], k)


def tantivy_search(corpus: Corpus, questions: Sequence[str], k: int) -> TopK:
    """Tantivy's own search over title and text, English stems."""
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("words", tokenizer_name="en_stem")
    schema.add_integer_field("page", stored=True)
    index = tantivy.Index(schema.build())
    writer = index.writer(num_threads=1)
    store, pages = corpus.store, corpus.candidates.tolist()
    for first in range(0, len(pages), 1_000):
        some = pages[first : first + 1_000]
        for page, text in zip(some, store.texts(some), strict=True):
            writer.add_document(tantivy.Document(words=f"{store.title(page)}\n{text}", page=page))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher, found = index.searcher(), TopK.empty(len(questions), k)
    for row, words in enumerate(questions):
        query, _ = index.parse_query_lenient(words, ["words"])
        hits = searcher.search(query, k).hits
        numbers = [searcher.doc(address)["page"][0] for _, address in hits]
        found.put(row, np.array(numbers, np.int32), np.array([score for score, _ in hits], np.float64))
    return found


OF_PAGES: dict[str, Baseline] = {
    "tf-idf cosine": tfidf_cosine,
    "LSA cosine": lsa_cosine,
    "BM25 more-like-this": bm25_more_like_this,
    "in-link cosine": in_link_cosine,
    "random walk": random_walk,
}
OF_WORDS: dict[str, Callable[[Corpus, Sequence[str], int], TopK]] = {
    "BM25": bm25_search,
    "tantivy": tantivy_search,
}
