"""A state of a collection as methods see it that look only at content: an author's links, and the page's own words.

`Store.seeing(links="content", words="content")` gives it. It is a `Store`: a method need not know which links it sees.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.boilerplate import KINDS, without
from pagekin.collection.graph import Graph
from pagekin.collection.roles import CONTENT
from pagekin.collection.snapshot import Winners
from pagekin.collection.store import LinkKind, Span, Store, WordKind
from pagekin.kernels import Ints
from pagekin.memo import Memo


@dataclass(frozen=True, repr=False)
class SeesLinks:
    """What a method or an index that uses links has in common: which of them it sees."""

    links: LinkKind = field(default="content", kw_only=True)  # all: those of menus and templates too


@dataclass(frozen=True, repr=False)
class SeesWords:
    """What a method or an index that uses words has in common: which of them it sees."""

    words: WordKind = field(default="content", kw_only=True)  # all: those that the site repeats on every page too


def seen_by(asked: object, store: Store) -> Store:
    """A state as a method or an index sees it."""
    return store.seeing(getattr(asked, "links", "all"), getattr(asked, "words", "all"))


class Seen(Store):
    """A state with only some of its links and words; everything else is that of the whole state."""

    def __init__(self, whole: Store, links: LinkKind, words: WordKind) -> None:
        self.whole, self.kinds = whole, (links, words)
        self.path, self.quick, self.manifest, self.verifier = whole.path, whole.quick, whole.manifest, whole.verifier
        self.memo = Memo()

    def seeing(self, links: LinkKind = "content", words: WordKind = "content") -> Store:
        return self.whole.seeing(links, words)

    @cached_property
    def graph(self) -> Graph:
        graph = self.whole.graph
        return replace(graph, arrays=graph.content) if self.kinds[0] == "content" else graph

    @property
    def boilerplate(self) -> pa.Table:
        return self.whole.boilerplate

    def links_of(self, page: int) -> pa.Table:
        return self._links(self.whole.links_of(page))

    def links_on(self, pages: Ints) -> pa.Table:
        return self._links(self.whole.links_on(pages))

    def links_between(self, first: int, last: int, columns: Sequence[str] | None = None) -> pa.Table:
        return self._links(self.whole.links_between(first, last), columns)

    def _links(self, links: pa.Table, columns: Sequence[str] | None = None) -> pa.Table:
        chosen = links if columns is None else links.select(list(columns))
        return chosen.filter(pc.equal(links["role"], CONTENT)) if self.kinds[0] == "content" else chosen

    def rows_of(self, page: int, table: str) -> Iterator[pa.Table]:
        found = self.whole.rows_of(page, table)
        if table not in KINDS or self.kinds[1] == "all":
            return found
        return (without(self.whole.graph, self.boilerplate, table, rows) for rows in found)

    def rows(
        self,
        table: str,
        columns: Sequence[str] | None = None,
        parts: Iterable[int] | None = None,
        standing: Winners | None = None,
    ) -> Iterator[pa.Table]:
        """As of the whole state, but without words of templates."""
        if table not in KINDS or self.kinds[1] == "all":
            return self.whole.rows(table, columns, parts, standing)
        found = self.whole.rows(table, _needed(columns), parts, standing)
        return (self._own(table, rows, columns) for rows in found)

    def rows_in(self, span: Span, columns: Sequence[str] | None = None) -> pa.Table:
        """As of the whole state, but without words of templates."""
        if span.table not in KINDS or self.kinds[1] == "all":
            return self.whole.rows_in(span, columns)
        return self._own(span.table, self.whole.rows_in(span, _needed(columns)), columns)

    def _own(self, table: str, rows: pa.Table, columns: Sequence[str] | None) -> pa.Table:
        """Rows of words, of all columns or some, without those of templates."""
        rows = without(self.whole.graph, self.boilerplate, table, rows)
        return rows if columns is None else rows.select(list(dict.fromkeys(["page", *columns])))


def _needed(columns: Sequence[str] | None) -> list[str] | None:
    """The columns to read for some of rows of words: words of templates are told by these."""
    return None if columns is None else list(dict.fromkeys([*columns, "term", "body", "title"]))
