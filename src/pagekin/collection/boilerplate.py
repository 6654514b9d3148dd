"""The words of templates: which terms, and how often, a page has from stretches that its site repeats (`roles`).

A repeated stretch is the same text wherever it stands, so its terms are counted once, in the text of one page that has
it, for each language it is read in. They are kept as a table beside the graph:

    print, language, term, kind (terms or compounds), count

`without` takes them out of the rows of a part: what is left are the words that the page says itself. Where the texts
were left out of the collection nothing can be counted, and all words stay.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.repeats import blocks
from pagekin.collection.strings import coded
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import numbers_in

if TYPE_CHECKING:
    from pagekin.collection.graph import Graph
    from pagekin.parse.words import Analyser

BOILERPLATE = pa.schema(
    [
        pa.field("print", pa.int32(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("term", pa.string(), nullable=False),
        pa.field("count", pa.int32(), nullable=False),
    ]
)
KINDS = ("terms", "compounds")


def examples(graph: "Graph", has_text: npt.NDArray[np.bool_]) -> dict[int, dict[int, int]]:
    """For every repeated stretch in every language one place where it stands, on a page whose text is there to count
    words in: page → number of the line → print."""
    start, language = graph.stretches.start, _language_codes(graph)[0]
    keys, places = np.empty(0, np.int64), np.empty(0, np.int64)
    for first, last in blocks(start):
        at = start[first] + np.flatnonzero(graph.repeated[start[first] : start[last]])
        page = np.searchsorted(start, at, "right") - 1
        at, page = at[has_text[page]], page[has_text[page]]
        key = (np.asarray(graph.stretches.print)[at].astype(np.int64) << 16) | language[page]
        places = np.concatenate((places, at))  # ascending, so that of one key the first is found
        keys, chosen = np.unique(np.concatenate((keys, key)), return_index=True)
        places = places[chosen]
    found: dict[int, dict[int, int]] = {}
    page = np.searchsorted(start, places, "right") - 1
    for key, place, of in zip(keys.tolist(), (places - start[page]).tolist(), page.tolist(), strict=True):
        found.setdefault(of, {})[place] = key >> 16
    return found


def counted(
    places: Mapping[int, Mapping[int, int]],
    texts: Iterable[tuple[int, str]],
    languages: Sequence[str],
    analyser: "Analyser",
) -> pa.Table:
    """The terms of repeated stretches, from the texts of the pages in `places`, whose languages are given by page."""
    rows: list[tuple[int, str, str, str, int]] = []
    for page, text in texts:
        lines, language = text.split("\n"), languages[page]
        for line, print_ in places[page].items():
            if line < len(lines):
                found = analyser.read(lines[line], "", language)
                rows += [
                    (print_, language, kind, term.term, term.body)
                    for kind, terms in zip(KINDS, found, strict=True)
                    for term in terms
                ]
    rows.sort()
    columns = list(map(list, zip(*rows, strict=True))) if rows else [[] for _ in BOILERPLATE]
    return pa.table(columns, schema=BOILERPLATE)


def without(graph: "Graph", boilerplate: pa.Table, kind: str, rows: pa.Table) -> pa.Table:
    """Rows of terms or compounds without what templates say; terms that are left with no count are dropped."""
    said = boilerplate.filter(pc.equal(boilerplate["kind"], kind)).combine_chunks()
    if not rows.num_rows or not said.num_rows:
        return rows
    known = said["term"].unique()
    term = pc.index_in(rows["term"], value_set=known).fill_null(-1).to_numpy()
    page = numbers_in(graph.ids, rows["page"].to_numpy())
    columns = {name: rows[name].to_numpy().copy() for name in ("body", "headings") if name in rows.column_names}
    touched = np.flatnonzero((term >= 0) & (page >= 0))
    key = _key(page[touched], term[touched], len(known))
    for name, only_headings in (("body", False), ("headings", True)):
        if name in columns:
            keys, counts = _of_pages(graph, said, known, np.unique(page[touched]), only_headings)
            at = numbers_in(keys, key)
            columns[name][touched[at >= 0]] -= counts[at[at >= 0]].astype(np.int32)
            rows = rows.set_column(
                rows.column_names.index(name), rows.schema.field(name), pa.array(np.maximum(columns[name], 0))
            )
    left = columns["body"] > 0 if "body" in columns else np.ones(rows.num_rows, bool)
    if "title" in rows.column_names:
        left |= rows["title"].to_numpy() > 0
    return rows.filter(pa.array(left))


def _key(page: Ints | Longs, term: Ints | Longs, terms: int) -> Longs:
    return page.astype(np.int64) * terms + term


def _of_pages(
    graph: "Graph", said: pa.Table, known: pa.Array, pages: Ints | Longs, only_headings: bool
) -> tuple[Longs, Longs]:
    """How often the templates say each term on each of some pages: ascending keys of page and term, and counts."""
    nothing = np.empty(0, np.int64), np.empty(0, np.int64)
    stretches, (codes, names) = graph.stretches, _language_codes(graph)
    lengths = np.diff(stretches.start)[pages]
    first = stretches.start[:-1][pages]
    place = np.repeat(first - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
    page = np.repeat(np.asarray(pages), lengths)
    kept = graph.repeated[place] & (stretches.heading[place] | (not only_headings))
    place, page = place[kept], page[kept]
    # A stretch in a language is one run of rows of the table, which is sorted.
    spoken = pc.index_in(said["language"], value_set=pa.array(names, pa.string())).fill_null(-1).to_numpy()
    of_row = (said["print"].to_numpy().astype(np.int64) << 16) | (spoken + 1)
    order = np.argsort(of_row, kind="stable")
    of_row = of_row[order]
    wanted = (np.asarray(stretches.print)[place].astype(np.int64) << 16) | (codes[page] + 1)
    begin, end = np.searchsorted(of_row, wanted), np.searchsorted(of_row, wanted, "right")
    size = end - begin
    if not size.sum():
        return nothing
    row = order[np.repeat(begin - np.cumsum(size) + size, size) + np.arange(size.sum())]
    term = pc.index_in(said["term"], value_set=known).to_numpy()
    key = _key(np.repeat(page, size), term[row], len(known))
    keys, inverse = np.unique(key, return_inverse=True)
    return keys, np.bincount(inverse, said["count"].to_numpy()[row]).astype(np.int64)


def _language_codes(graph: "Graph") -> tuple[Ints, list[str]]:
    """The number of each page's language, and the languages."""
    codes, languages = coded(graph.pages["language"])
    return codes, languages.to_pylist()


def lines_said(text: str, repeated: Sequence[bool]) -> Iterator[str]:
    """The lines of a text that the page says itself."""
    for line, again in zip(text.split("\n"), repeated, strict=False):
        if not again:
            yield line
