"""The words of pages by field, and what each word weighs on its page: BM25 over fields (Robertson, Zaragoza 2004).

    tf_F(t, v) = Σ_{f ∈ F} w_f · tf_f(t, v) / (1 − b_f + b_f · l_f(v) / l̄_f)
    T, N       = tf_F of the text: body, headings (once more); of the names: title, anchors, address
    x(t, v)    = (k + 1) T / (T + k) + w N / (N + m)          a question multiplies it by the word's rarity

tf_f(t, v) is how often field f of page v has term t (a title has it once, or not: repeating it gains nothing), l_f(v)
how many words the field has there, and l̄_f its mean length on the pages that have it. The anchors of a page are those
of authors' links that lead there, a term once for each page that says it. Text and names are bounded each by itself: a
long page that says a word a hundred times is not the page that is called by it.

`python -m leaderboard.fit_search` fits the numbers, on CACM's questions and the index of Python's documentation.
"""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote_plus, urlsplit

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.snapshot import UNITED
from pagekin.collection.store import Store
from pagekin.index.spooled import FIELDS, Bools, Spool
from pagekin.kernels import Ints, Longs
from pagekin.parse.language import DEFAULT_LANGUAGE
from pagekin.parse.words import Analyser

WEIGHT = {"body": 1.0, "headings": 0.5, "title": 2.0, "anchors": 1.0, "address": 2.0}
B = {"body": 0.5, "headings": 0.5, "title": 0.2, "anchors": 0.2, "address": 0.2}
BOUNDS = {"k": 0.8, "w": 2.0, "m": 3.2}
NAMES_AT_ONCE = 50_000  # pages whose addresses and titles are read at a time

Singles = npt.NDArray[np.float32]


def factors(lengths: Longs, weight: Mapping[str, float] = WEIGHT, b: Mapping[str, float] = B) -> Singles:
    """Pages × fields: w_f / (1 − b_f + b_f · l_f / l̄_f)."""
    mean = lengths.sum(axis=0) / np.maximum((lengths > 0).sum(axis=0), 1)
    w, slope = (np.array([of[field] for field in FIELDS]) for of in (weight, b))
    return np.asarray(w / (1 - slope + slope * lengths / np.maximum(mean, 1)), np.float32)


def spooled(store: Store, folder: Path) -> tuple[Spool, Bools]:
    """The words of a store by field, in a folder; and which pages can be found: fetched ones, and those with words."""
    analyser, spool = Analyser(**store.manifest.segmenters), Spool(folder, store.size)
    shown = store.fetched & store.graph.is_page
    for rows in store.rows("terms", _COLUMNS):
        shown[_add(spool, store, rows, plain=True)] = True
    for rows in store.rows("compounds", _COLUMNS):
        _add(spool, store, rows)
    _add_anchors(spool, store, analyser, shown)
    _add_names(spool, store, analyser, shown)
    if len(store.manifest.parts) > 1:
        spool.drop_repeated(store.graph.pages["part"].to_numpy() == UNITED)
    return spool, shown


_COLUMNS = ["term", "surface", "body", "title", "headings"]


def _add(spool: Spool, store: Store, rows: pa.Table, plain: bool = False) -> Ints:
    """Put in rows of a table of terms; returns their pages."""
    rows = rows.filter(pc.greater(pc.add(rows["body"], rows["title"]), 0))
    page = np.asarray(store.graph.page_of[np.searchsorted(store.graph.ids, rows["page"].to_numpy())])
    counts = {name: rows[name].to_numpy() for name in ("body", "title", "headings")}
    spool.add(rows["term"], rows["surface"], page, plain, **counts)
    return page


def _add_anchors(spool: Spool, store: Store, analyser: Analyser, shown: Bools) -> None:
    """What other pages call a page: each term once for each page that says it."""
    languages = store.graph.pages["language"]
    for links in store.all_links():
        source, target = links["source"].to_numpy(), store.graph.page_of[links["target"].to_numpy()]
        kept = shown[target] & (source != target)
        source, target, links = source[kept], target[kept], links.filter(pa.array(kept))
        read = _Anchors(analyser, languages.take(pa.array(source)), links["anchor"])
        at, term = read.terms_of_rows()
        _, pair = np.unique(source.astype(np.int64) * store.size + target, return_inverse=True)
        _, once = np.unique(pair[at] * max(len(read.terms), 1) + term, return_index=True)
        said, times = np.unique(target[at][once] * np.int64(max(len(read.terms), 1)) + term[once], return_counts=True)
        page, term = np.divmod(said, max(len(read.terms), 1))
        term_of, surface = (names.take(pa.array(term)) for names in (read.terms, read.surfaces))
        spool.add(term_of, surface, page.astype(np.int32), anchors=times)


class _Anchors:
    """The terms of some anchors, each in the language of its page; an anchor that repeats is read once."""

    def __init__(self, analyser: Analyser, language: pa.ChunkedArray, anchor: pa.ChunkedArray) -> None:
        language, anchor = (each.cast(pa.large_string()).fill_null("") for each in (language, anchor))
        separator = pa.scalar("\n", pa.large_string())
        written = pc.binary_join_element_wise(language, anchor, separator).combine_chunks().dictionary_encode()
        self.code = written.indices.to_numpy()
        said = []
        for each in written.dictionary.to_pylist():
            language_of, _, text = each.partition("\n")
            plain, compounds = analyser.read(text, "", language_of or DEFAULT_LANGUAGE)
            said.append({term.term: term.surface for term in (*plain, *compounds)})
        self.start = np.concatenate(([0], np.cumsum([len(terms) for terms in said], dtype=np.int64)))
        flat = pa.array([term for terms in said for term in terms], pa.large_string()).dictionary_encode()
        self.term, self.terms = flat.indices.to_numpy(), flat.dictionary
        spelled = {term: surface for terms in said for term, surface in terms.items()}
        self.surfaces = pa.array([spelled[term] for term in self.terms.to_pylist()], pa.large_string())

    def terms_of_rows(self) -> tuple[Longs, Longs]:
        """For each term of each anchor the place of the anchor, and the term's."""
        first, size = self.start[self.code], np.diff(self.start)[self.code]
        place = np.repeat(first - np.cumsum(size) + size, size) + np.arange(size.sum())
        return np.repeat(np.arange(self.code.size), size), self.term[place].astype(np.int64)


def _add_names(spool: Spool, store: Store, analyser: Analyser, shown: Bools) -> None:
    """The words of addresses; and the function words of titles, which are all that `The Who` is found by."""
    every = np.flatnonzero(shown).astype(np.int32)
    for first in range(0, every.size, NAMES_AT_ONCE):
        pages, rows = every[first : first + NAMES_AT_ONCE], list[tuple[int, str, str, int, int]]()
        columns = (store.values(name, pages) for name in ("url", "title", "language"))
        for page, url, title, language in zip(pages.tolist(), *columns, strict=True):
            language = language or DEFAULT_LANGUAGE
            plain, compounds = analyser.read(words_of(url), "", language)
            rows += [(page, term.term, term.surface, 0, term.body) for term in (*plain, *compounds)]
            rows += [(page, word, word, 1, 0) for word in dict.fromkeys(analyser.function_words(title, language))]
        page_of, terms, surfaces, titles, addresses = map(list, zip(*rows, strict=True)) if rows else [[]] * 5
        term, surface = (pa.array(each, pa.large_string()) for each in (terms, surfaces))
        spool.add(term, surface, np.array(page_of, np.int32), title=titles, address=addresses)


def words_of(url: str) -> str:
    """The words of an address: those of its path and its query, without the file's extension.

    >>> words_of("http://git.example/howto/git-rebase.html")
    'howto git-rebase'
    """
    parts = urlsplit(url)
    path, dot, extension = parts.path.rpartition(".")
    path = path if dot and extension.isalnum() else parts.path
    return " ".join(unquote_plus(f"{path}/{parts.query}").replace("&", "/").replace("=", "/").split("/")).strip()
