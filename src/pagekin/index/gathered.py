"""Gathers the words of pages by field: what pages say, what links to them say, and what follows from their names.

Each of the three is read anew only for pages where it has changed since the former index, whose rows were kept
(`kept_words`). Without a former index that is every page, so a build from nothing takes the same way.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.roles import CONTENT
from pagekin.collection.snapshot import UNITED
from pagekin.collection.store import Span, Store
from pagekin.engine.base import one_by_one, over_files
from pagekin.engine.memory import memory
from pagekin.index.fields import words_of
from pagekin.index.kept_words import Keeping, KeptWords, Kind, PagePrints
from pagekin.index.prints import Prints, add_to, mixed, of_texts, summed
from pagekin.index.spellings import Spelled, Strings, coded
from pagekin.index.spooled import MOST, Bools, Spool
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import numbers_in
from pagekin.parse.language import DEFAULT_LANGUAGE
from pagekin.parse.words import Analyser

NAMES_AT_ONCE = 50_000  # pages whose addresses and titles are read at a time
LINKS_AT_ONCE = 1 << 20
LINK_BYTES = 128  # of memory for each link whose anchor is to be read, while links are put in order
COUNTED = ("body", "title", "headings")  # in tables of terms


def spooled(
    store: Store, folder: Path, keeping: Keeping | None = None, former: KeptWords | None = None
) -> tuple[Spool, Bools, float]:
    """The words of a store by field, in a folder; which pages can be found: fetched ones, and those with words.

    And what share of the rows was kept by the former index.
    """
    gathered = _Gathered(store, folder, keeping, former or KeptWords.nothing(store.size))
    gathered.add_what_pages_say()
    gathered.add_anchors()
    gathered.add_names()
    if keeping:
        keeping.finish(gathered.prints)
    if len(store.manifest.parts) > 1:
        gathered.spool.drop_repeated(store.graph.pages["part"].to_numpy() == UNITED)
    return gathered.spool, gathered.shown, 1 - (gathered.rows - gathered.reused) / max(gathered.rows, 1)


class _Gathered:
    """Words on their way into a spool."""

    def __init__(self, store: Store, folder: Path, keeping: Keeping | None, former: KeptWords) -> None:
        self.store, self.keeping, self.former = store, keeping, former
        self.spool = Spool(folder, store.size)
        self.shown = store.fetched & store.graph.is_page
        self.prints = PagePrints.none(store.size)
        self.languages = of_texts(store.graph.pages["language"])
        self.rows = self.reused = 0

    def _add(self, kind: Kind, part: str, term: Strings, surface: Strings, page: Ints, **counts: npt.ArrayLike) -> None:
        words = coded(term), coded(surface)
        self._spool(kind, words, page, counts)
        if self.keeping:
            self.keeping.add(kind, part, words, page, counts)

    def _add_kept(self, kind: Kind, part: str, same: Bools) -> None:
        for group in self.former.groups(kind, part, same):
            rows, page = group.rows()
            words = coded(rows["term"]), coded(rows["surface"])
            counts = {name: rows[name].to_numpy() for name in KEPT[kind]}
            if self.keeping and group.is_worth_copying:
                self._spool(kind, words, page, counts)
                self.keeping.copy(group)
            else:
                self._add(kind, part, *words, page, **counts)
            self.reused += page.size

    def _spool(self, kind: Kind, words: Spelled, page: Ints, counts: Mapping[str, npt.ArrayLike]) -> None:
        meant = np.asarray(self.store.graph.page_of[page])
        if kind == "terms":
            self.shown[meant] = True
        self.spool.add(*words, meant, plain=kind == "terms", **counts)
        self.rows += page.size

    def add_what_pages_say(self) -> None:
        """The rows of terms and compounds, of all parts."""
        store, former = self.store, self.former
        names = [part.name for part in store.manifest.parts]
        held = frozenset(at for at, name in enumerate(names) if name in former.parts)
        self.prints.says = _says(store)
        same = former.known & (self.prints.says == former.prints.says)
        # A part names every address that it mentions: if it is held, it says nothing of pages that came later.
        changed = former.known & ~same
        tells = np.unique(store.graph.pages["part"].to_numpy()[changed])
        to_read = [at for at in range(len(names)) if at not in held or np.isin((at, UNITED), tells).any()]
        kinds: tuple[Kind, ...] = ("terms", "compounds")
        for kind in kinds:
            for at in sorted(held):
                self._add_kept(kind, names[at], same)
            spans = store.spans(kind, to_read)
            said = over_files(partial(_said_in, store, held, changed), spans)
            for span, (term, surface, page, counts) in zip(spans, said, strict=True):
                self._add(kind, names[span.part], term, surface, page, **counts)

    def add_anchors(self) -> None:
        """What other pages call a page: each term once for each page that says it.

        Where pages that said nothing before are all that is new, what the others said is kept, and theirs is added.
        """
        told = self.former.prints.tells > 0
        links, later, before = self._said(told)
        unchanged = self.prints.said == self.former.prints.said
        # Two rows of a page and a term are cut at `MOST` one by one: with more links, their sum might be another.
        added = (before == self.former.prints.said) & (links <= MOST)
        same = self.former.known & (unchanged | added)
        self._add_kept("anchors", "", same)
        left, most = np.where(same, later, links), max(memory() // LINK_BYTES, LINKS_AT_ONCE)
        for first, last in _runs(left, most):
            held = []
            for row, source, target in self._links((left > 0) & _within(first, last, left.size)):
                new = ~(same[target] & told[source])
                held.append((row[new], target[new]))
            row, target = (np.concatenate(each) for each in zip(*held, strict=True))
            order = np.argsort(target, kind="stable")
            row, target = row[order], target[order]
            pieces = _runs(np.bincount(target - first, minlength=last - first), LINKS_AT_ONCE)
            for term, surface, page, times in one_by_one(
                partial(_anchors_of, self.store, row, target - first), pieces, workers=1
            ):
                self._add("anchors", "", term, surface, page, anchors=times)

    def _said(self, told: Bools) -> tuple[Longs, Longs, Prints]:
        """Find the prints of what links say of each page, and which pages say something.

        For each page: how many links say something of it, how many of these are of pages that had `told` nothing
        before, and a print of the others."""
        graph, size = self.store.graph, self.store.size
        (links, later), before = np.zeros((2, size), np.int64), np.zeros(size, np.uint64)
        for row, source, target in self._links(self.shown):
            anchor = of_texts(graph.links["anchor"].slice(row[0], row[-1] - row[0] + 1))[row - row[0]]
            prints, old = mixed(graph.ids[source], anchor, self.languages[source]), told[source]
            add_to(self.prints.said, target, prints)
            self.prints.tells[source] = 1
            add_to(before, target[old], prints[old])
            np.add.at(links, target, 1)
            np.add.at(later, target[~old], 1)
        return links, later, before

    def _links(self, to: Bools) -> Iterator[tuple[Longs, Ints, Ints]]:
        """The rows, sources and targets of the links that are seen, from one page to another, to some pages."""
        graph, content = self.store.graph, self.store.kinds[0] == "content"
        for first in range(0, graph.links.num_rows, LINKS_AT_ONCE):
            some = graph.links.slice(first, LINKS_AT_ONCE)
            source, target = some["source"].to_numpy(), graph.page_of[some["target"].to_numpy()]
            kept = to[target] & (source != target)
            if content:
                kept &= some["role"].to_numpy() == CONTENT
            if kept.any():
                yield first + np.flatnonzero(kept), source[kept], target[kept]

    def add_names(self) -> None:
        """The words of addresses; and the function words of titles, which are all that `The Who` is found by."""
        store, pages = self.store, self.store.graph.pages
        names = mixed(of_texts(pages["url"]), of_texts(pages["title"]), self.languages)
        self.prints.names = np.where(self.shown, names, np.uint64(0))
        same = self.former.known & (self.prints.names == self.former.prints.names)
        self._add_kept("names", "", same)
        every = np.flatnonzero(self.shown & ~same).astype(np.int32)
        pieces = ((first, min(first + NAMES_AT_ONCE, every.size)) for first in range(0, every.size, NAMES_AT_ONCE))
        for term, surface, page, title, address in one_by_one(partial(_names_of, store, every), pieces, workers=1):
            self._add("names", "", term, surface, page, title=title, address=address)


KEPT: dict[Kind, tuple[str, ...]] = {
    "terms": COUNTED,
    "compounds": COUNTED,
    "anchors": ("anchors",),
    "names": ("title", "address"),
}


def _analyser(store: Store) -> Analyser:
    return store.memo.get("analyser", None, lambda: Analyser(**store.manifest.segmenters))


def _said_in(
    store: Store, held: frozenset[int], changed: Bools, span: Span
) -> tuple[pa.DictionaryArray, pa.DictionaryArray, Ints, dict[str, Ints]]:
    """The words in a span of a table of terms, their pages and counts; if its part is held, those of changed pages."""
    rows = store.rows_in(span, ["term", "surface", *COUNTED])
    rows = rows.filter(pc.greater(pc.add(rows["body"], rows["title"]), 0))
    page = np.searchsorted(store.graph.ids, rows["page"].to_numpy()).astype(np.int32)
    if span.part in held:
        rows, page = rows.filter(pa.array(changed[page])), page[changed[page]]
    counts = {name: rows[name].to_numpy() for name in COUNTED}
    return coded(rows["term"]), coded(rows["surface"]), page, counts


def _anchors_of(store: Store, row: Longs, target: Ints, first: int, last: int) -> tuple[Strings, Strings, Ints, Longs]:
    """The words of anchors, the pages that they are said of, and by how many: all links to pages from `first` up to
    `last`, given the rows of links and, ascending, what each leads to."""
    links, size = store.links_at(np.sort(row[slice(*np.searchsorted(target, (first, last)))])), store.size
    source, page = links["source"].to_numpy(), store.graph.page_of[links["target"].to_numpy()]
    languages = store.graph.pages["language"].take(pa.array(source))
    read = _Anchors(_analyser(store), languages, links["anchor"])
    at, term, surface = read.terms_of_rows()
    _, pair = np.unique(source.astype(np.int64) * size + page, return_inverse=True)
    _, once = np.unique(pair[at] * max(len(read.terms), 1) + term, return_index=True)
    said = page[at] * np.int64(max(len(read.terms), 1)) + term
    known, times = np.unique(said[once], return_counts=True)
    # Of several spellings the first in alphabetical order: which pages are read together must not count.
    order = np.lexsort((surface, said))
    surface = surface[order][np.searchsorted(said[order], known)]
    page, term = np.divmod(known, max(len(read.terms), 1))
    return read.terms.take(pa.array(term)), read.surfaces.take(pa.array(surface)), page.astype(np.int32), times


def _names_of(store: Store, pages: Ints, first: int, last: int) -> tuple[Strings, Strings, Ints, list[int], list[int]]:
    """The words of addresses and the function words of titles, their pages, and how often title and address have them:
    of pages from `first` up to `last` among some."""
    some, analyser, rows = pages[first:last], _analyser(store), list[tuple[int, str, str, int, int]]()
    columns = (store.values(name, some) for name in ("url", "title", "language"))
    for page, url, title, language in zip(some.tolist(), *columns, strict=True):
        language = language or DEFAULT_LANGUAGE
        plain, compounds = analyser.read(words_of(url), "", language)
        rows += [(page, term.term, term.surface, 0, term.body) for term in (*plain, *compounds)]
        rows += [(page, word, word, 1, 0) for word in dict.fromkeys(analyser.function_words(title, language))]
    page_of, terms, surfaces, titles, addresses = map(list, zip(*rows, strict=True)) if rows else [[]] * 5
    term, surface = (pa.array(each, pa.large_string()) for each in (terms, surfaces))
    return term, surface, np.array(page_of, np.int32), titles, addresses


def _within(first: int, last: int, size: int) -> Bools:
    found = np.zeros(size, bool)
    found[first:last] = True
    return found


def _runs(sizes: Longs, most: int) -> Iterator[tuple[int, int]]:
    """Pages in a row, first and behind the last, that have at most so much together, or a single page; none of 0.

    >>> list(_runs(np.array([2, 2, 0, 9, 0, 1]), 4))
    [(0, 3), (3, 4), (4, 6)]
    """
    ends, first = np.concatenate(([0], np.cumsum(sizes))), 0
    while first < sizes.size and ends[first] < ends[-1]:
        last = max(int(np.searchsorted(ends, ends[first] + most, "right")) - 1, first + 1)
        yield first, last
        first = last


def _says(store: Store) -> Prints:
    """A print of what each page says: the part that it is read from, the words of templates on it, and the page that
    its words count for."""
    names = of_texts(pa.array([part.name for part in store.manifest.parts], pa.string()))
    winner = store.graph.pages["part"].to_numpy()
    part = np.where(winner == UNITED, np.uint64(0), names[winner]) if names.size else np.zeros(winner.size, np.uint64)
    return mixed(part, _template_words(store), store.graph.ids[store.graph.page_of])


def _template_words(store: Store) -> Prints:
    """A print of the words that the template says on each page, if they are not to be counted."""
    graph, words = store.graph, store.boilerplate
    at = np.flatnonzero(graph.repeated)
    if store.kinds[1] == "all" or not at.size:
        return np.zeros(store.size, np.uint64)
    page = np.searchsorted(graph.stretches.start, at, "right") - 1
    stretch = mixed(np.asarray(graph.stretches.print)[at], of_texts(graph.pages["language"])[page])
    of_row = mixed(words["print"].to_numpy(), of_texts(words["language"]))
    known, group = np.unique(of_row, return_inverse=True)
    said = mixed(of_texts(words["term"]), of_texts(words["kind"]), words["count"].to_numpy())
    sums = np.append(summed(group, said, known.size), np.uint64(0))
    place = numbers_in(known, stretch)
    heading = np.asarray(graph.stretches.heading)[at]
    return summed(page, mixed(stretch, heading, sums[place]), store.size)


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
        terms, surfaces = ([each for of in said for each in part(of)] for part in (dict.keys, dict.values))
        flat = pa.array(terms, pa.large_string()).dictionary_encode()
        self.term, self.terms = flat.indices.to_numpy(), flat.dictionary
        spelled = pa.array(surfaces, pa.large_string()).dictionary_encode()
        order = pc.array_sort_indices(spelled.dictionary).to_numpy()
        place = np.empty(order.size, np.int64)
        place[order] = np.arange(order.size)
        self.surface, self.surfaces = place[spelled.indices.to_numpy()], spelled.dictionary.take(pa.array(order))

    def terms_of_rows(self) -> tuple[Longs, Longs, Longs]:
        """For each term of each anchor the place of the anchor, the term's, and that of its spelling, ascending."""
        first, size = self.start[self.code], np.diff(self.start)[self.code]
        place = np.repeat(first - np.cumsum(size) + size, size) + np.arange(size.sum())
        return np.repeat(np.arange(self.code.size), size), self.term[place].astype(np.int64), self.surface[place]
