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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus, urlsplit

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.snapshot import UNITED
from pagekin.collection.store import Store
from pagekin.kernels import Ints, Longs
from pagekin.parse.language import DEFAULT_LANGUAGE
from pagekin.parse.words import Analyser

FIELDS = ("body", "headings", "title", "anchors", "address")
WEIGHT = {"body": 1.0, "headings": 0.5, "title": 2.0, "anchors": 1.0, "address": 2.0}
B = {"body": 0.5, "headings": 0.5, "title": 0.2, "anchors": 0.2, "address": 0.2}
BOUNDS = {"k": 0.8, "w": 2.0, "m": 3.2}
MOST = 255  # a word in a title or in anchors that is said more often than that has been said often enough

Bytes = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Strings = Any  # an array of Arrow, in chunks or not


@dataclass(frozen=True)
class Words:
    """How often each page has each term, by field. Rows of one term and page may be several: they add up."""

    terms: pa.Table  # term, ascending, and surface: its commonest spelling
    term: Ints
    page: Ints
    body: Ints
    others: Bytes  # a column for each field after the body
    plain: int  # so many rows at the beginning are the words as they stand; the others are parts, wholes, links …
    shown: Bools  # by page: those that can be found

    def lengths(self) -> Longs:
        """Pages × fields: how many words each field has, not counting parts and wholes of compounds twice."""
        found = np.zeros((self.shown.size, len(FIELDS)), np.int64)
        for at in range(len(FIELDS)):
            own = slice(0, self.plain) if FIELDS[at] in ("body", "title", "headings") else slice(None)
            count = (self.body if at == 0 else self.others[:, at - 1])[own]
            count = np.minimum(count, 1) if FIELDS[at] == "title" else count
            found[:, at] = np.bincount(self.page[own], count, self.shown.size)
        return found


def factors(lengths: Longs, weight: Mapping[str, float] = WEIGHT, b: Mapping[str, float] = B) -> Singles:
    """Pages × fields: w_f / (1 − b_f + b_f · l_f / l̄_f)."""
    mean = lengths.sum(axis=0) / np.maximum((lengths > 0).sum(axis=0), 1)
    w, slope = (np.array([of[field] for field in FIELDS]) for of in (weight, b))
    return np.asarray(w / (1 - slope + slope * lengths / np.maximum(mean, 1)), np.float32)


def words(store: Store) -> Words:
    """The words of a store by field, in memory: 16 bytes for each term of each page."""
    analyser = Analyser(**store.manifest.segmenters)
    plain = [_of_rows(store, rows) for rows in store.rows("terms", _COLUMNS)]
    shown = store.fetched & store.graph.is_page
    for piece in plain:
        shown[piece.page] = True
    more = [_of_rows(store, rows) for rows in store.rows("compounds", _COLUMNS)]
    more += [*_anchors(store, analyser, shown), *_of_names(store, analyser, shown)]
    pieces = [*plain, *more]
    terms = _vocabulary(pieces)
    names = terms["term"].combine_chunks()
    code = _joined([pc.index_in(piece.terms, names).to_numpy()[piece.term] for piece in pieces])
    page, body = _joined([piece.page for piece in pieces]), _joined([piece.body for piece in pieces])
    others = np.concatenate([np.empty((0, len(FIELDS) - 1), np.uint8), *(piece.others for piece in pieces)])
    size = sum(piece.page.size for piece in plain)
    kept = np.ones(page.size, bool)
    if len(plain) > 1:
        kept[_repeated(store, code[:size], page[:size], body[:size] + others[:size, FIELDS.index("title") - 1])] = False
    return Words(terms, code[kept], page[kept], body[kept], others[kept], int(kept[:size].sum()), shown)


@dataclass(frozen=True)
class _Piece:
    """Some rows: each has a place among distinct terms, a page, and counts by field."""

    terms: pa.Array
    spelled: pa.Table  # term, surface, said: how often the term is spelled so
    term: Ints
    page: Ints
    body: Ints
    others: Bytes


_COLUMNS = ["term", "surface", "body", "title", "headings"]


def _piece(term: Strings, surface: Strings, page: Ints, **counts: npt.ArrayLike) -> _Piece:
    """Rows of a term and a page each, with counts of the fields that are given."""
    zero = np.zeros(page.size, np.int32)
    body, *others = (np.asarray(counts.get(field, zero), np.int32) for field in FIELDS)
    term = term.cast(pa.large_string())
    said = pa.table(
        {"term": term, "surface": surface.cast(pa.large_string()), "said": body + others[FIELDS.index("title") - 1]}
    )
    known = pc.unique(term)
    return _Piece(
        known,
        said.group_by(["term", "surface"]).aggregate([("said", "sum")]),
        pc.index_in(term, known).to_numpy(),
        page,
        body,
        np.column_stack([np.minimum(count, MOST).astype(np.uint8) for count in others]),
    )


def _of_rows(store: Store, rows: pa.Table) -> _Piece:
    """Rows of a table of terms."""
    rows = rows.filter(pc.greater(pc.add(rows["body"], rows["title"]), 0))
    page = store.graph.page_of[np.searchsorted(store.graph.ids, rows["page"].to_numpy())]
    counts = {name: rows[name].to_numpy() for name in ("body", "title", "headings")}
    return _piece(rows["term"], rows["surface"], page, **counts)


def _anchors(store: Store, analyser: Analyser, shown: Bools) -> Iterator[_Piece]:
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
        yield _piece(term_of, surface, page.astype(np.int32), anchors=times)


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


def _of_names(store: Store, analyser: Analyser, shown: Bools) -> Iterator[_Piece]:
    """The words of addresses; and the function words of titles, which are all that `The Who` is found by."""
    pages = np.flatnonzero(shown).astype(np.int32)
    rows: list[tuple[int, str, str, int, int]] = []
    columns = (store.values(name, pages) for name in ("url", "title", "language"))
    for page, url, title, language in zip(pages.tolist(), *columns, strict=True):
        language = language or DEFAULT_LANGUAGE
        plain, compounds = analyser.read(words_of(url), "", language)
        rows += [(page, term.term, term.surface, 0, term.body) for term in (*plain, *compounds)]
        rows += [(page, word, word, 1, 0) for word in dict.fromkeys(analyser.function_words(title, language))]
    page_of, terms, surfaces, titles, addresses = map(list, zip(*rows, strict=True)) if rows else [[]] * 5
    term, surface = (pa.array(each, pa.large_string()) for each in (terms, surfaces))
    yield _piece(term, surface, np.array(page_of, np.int32), title=titles, address=addresses)


def words_of(url: str) -> str:
    """The words of an address: those of its path and its query, without the file's extension.

    >>> words_of("http://git.example/howto/git-rebase.html")
    'howto git-rebase'
    """
    parts = urlsplit(url)
    path, dot, extension = parts.path.rpartition(".")
    path = path if dot and extension.isalnum() else parts.path
    return " ".join(unquote_plus(f"{path}/{parts.query}").replace("&", "/").replace("=", "/").split("/")).strip()


def _repeated(store: Store, term: Ints, page: Ints, count: Ints) -> Longs:
    """The rows to drop where several parts tell of a page that was never fetched: all but the largest of a term."""
    at = np.flatnonzero(store.graph.pages["part"].to_numpy()[page] == UNITED)
    at = at[np.lexsort((-count[at], page[at], term[at]))]
    again = (term[at][1:] == term[at][:-1]) & (page[at][1:] == page[at][:-1])
    return np.asarray(at[1:][again])


def _vocabulary(pieces: list[_Piece]) -> pa.Table:
    """All terms, ascending, each with its commonest spelling, of equals the first in alphabetical order."""
    none = pa.schema(
        [("term", pa.large_string()), ("surface", pa.large_string()), ("said_sum", pa.int64())]
    ).empty_table()
    spelled = pa.concat_tables([none, *(piece.spelled.select(none.column_names) for piece in pieces)])
    spelled = spelled.group_by(["term", "surface"]).aggregate([("said_sum", "sum")])
    spelled = spelled.sort_by([("term", "ascending"), ("said_sum_sum", "descending"), ("surface", "ascending")])
    term = spelled["term"].combine_chunks()
    first = np.ones(len(term), bool)
    first[1:] = pc.not_equal(term[1:], term[:-1]).to_numpy(zero_copy_only=False)
    return spelled.select(["term", "surface"]).filter(pa.array(first)).combine_chunks()


def _joined(pieces: list[npt.NDArray[np.integer]]) -> Ints:
    return np.concatenate([np.empty(0, np.int32), *pieces]).astype(np.int32)
