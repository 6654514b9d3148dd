"""One state of a collection on disk, for reading: without locks, and verified (see `verify`). `writer` changes it.

NAME.kin/manifest.json     what it holds (see `manifest`)
NAME.kin/parts/…           immutable rows (see `schema` and `parts`)
NAME.kin/index/…           what was derived from them (see `graph`)
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection import boilerplate
from pagekin.collection import graph as graphs
from pagekin.collection import manifest as manifests
from pagekin.collection.graph import Graph
from pagekin.collection.manifest import GRAPH, BuiltIndex, Manifest
from pagekin.collection.roles import CONTENT, ROLES
from pagekin.collection.roots import Roots
from pagekin.collection.runs import GraphRun, PartRun, Run, contribution
from pagekin.collection.schema import ALIASES, OWNER
from pagekin.collection.snapshot import UNITED, Contribution, Snapshot, Winners, merged
from pagekin.collection.state_files import StateFiles
from pagekin.collection.strings import Reader, reader
from pagekin.graph.links import LinkArrays
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import number_in, numbers_in
from pagekin.memo import Memo

LINKS_AT_ONCE = 1 << 20
TEXTS_AT_ONCE = 500  # texts in memory while the words of templates are counted
LinkKind = Literal["content", "all"]
WordKind = Literal["content", "all"]


class Span(NamedTuple):
    """Some row groups of a table of a part: what a worker reads apart from the rest of the table."""

    table: str
    part: int  # its place among the parts
    first: int
    last: int


class Store(StateFiles):
    """One state of a collection, for reading. A later state is another `Store` of the same path."""

    kinds: tuple[LinkKind, WordKind] = ("all", "all")  # which links and words are seen; see `seeing`

    def __init__(
        self, path: Path | str, manifest: Manifest | None = None, in_full: bool = False, quick: bool = False
    ) -> None:
        """`in_full`: verify every file that is opened, however large, as one must who writes what follows from it.

        `quick`: never make an index for a question (`index.base.at_hand`).
        """
        super().__init__(Path(path), manifest or manifests.read(Path(path)), in_full)
        self.quick = quick
        self.memo = Memo()  # what was worked out for this state, and lives as long as it does

    def __reduce__(self) -> Any:
        """In another process, the same state is opened from the same folder."""
        return _reopened, (self.path.absolute(), self.manifest, self.kinds)

    @cached_property
    def graph(self) -> Graph:
        """Links and strings: memory-mapped if the written graph covers all parts, else merged in memory."""
        written = self._covering()
        return self._written_graph(written) if written else graphs.from_snapshot(self.snapshot())

    @cached_property
    def state(self) -> Graph | Snapshot:
        """Ids, pages, links and aliases: the graph if it is written, else without the arrays, which need numba."""
        return self.graph if self._covering() else self.snapshot()

    def _covering(self) -> BuiltIndex | None:
        """The written graph, if it covers all parts, in this order: it numbers them."""
        held = self.manifest.indexes.get(GRAPH)
        return held if held and held.parts == tuple(part.name for part in self.manifest.parts) else None

    def seeing(self, links: LinkKind = "content", words: WordKind = "content") -> "Store":
        """This state with only the links, or the words, that are content; itself if all are asked for."""
        from pagekin.collection.seen import Seen

        if links == "all" and words == "all":
            return self
        return self.memo.get("seen", (links, words), lambda: Seen(self, links, words))

    @cached_property
    def boilerplate(self) -> pa.Table:
        """The words of templates (`collection.boilerplate`): as written with the graph, else counted now."""
        written = self._covering()
        file = self.path / written.path / graphs.BOILERPLATE_FILE if written else None
        return graphs.read_boilerplate(file) if file and file.exists() else self.count_boilerplate()

    def count_boilerplate(self) -> pa.Table:
        """The words of the stretches that templates repeat, counted from the texts of pages that have them."""
        from pagekin.parse.words import Analyser

        has_text = np.zeros(self.size, bool)
        for rows in self.rows("text", ["page"]) if self.graph.repeated.any() else ():
            has_text[numbers_in(self.graph.ids, rows["page"].to_numpy())] = True
        places = boilerplate.examples(self.graph, has_text)
        pages = sorted(places)
        texts = (
            (page, text)
            for first in range(0, len(pages), TEXTS_AT_ONCE)
            for page, text in zip(
                pages[first : first + TEXTS_AT_ONCE], self.texts(pages[first : first + TEXTS_AT_ONCE]), strict=True
            )
        )
        languages = self.graph.pages["language"].cast(pa.string()).to_pylist() if pages else []
        return boilerplate.counted(places, texts, languages, Analyser(**self.manifest.segmenters))

    def own_text(self, page: int, text: str) -> str:
        """The lines of a page's text that its site does not repeat on other pages."""
        start, end = self.graph.stretches.start[page : page + 2]
        if start == end or not text:
            return text
        return "\n".join(boilerplate.lines_said(text, self.graph.repeated[start:end].tolist()))

    def snapshot(self) -> Snapshot:
        """The rows that count, merged in memory from the written graph and the parts it does not cover."""
        return merged([contribution(run) for run in self.runs(held=True)])

    def _written_graph(self, held: BuiltIndex) -> Graph:
        return self.opened(held, graphs.read)

    def contribution(self, index: int) -> Contribution:
        """The pages, links and aliases that the part at `index` contributes."""
        return contribution(PartRun(self, index))

    def every_alias(self) -> pa.Table:
        """All aliases of all parts, including those that lost to another target."""
        found = (self.table(part, "aliases") for part in self.manifest.parts)
        return pa.concat_tables([ALIASES.empty_table(), *found])

    @property
    def arrays(self) -> LinkArrays:
        """The link arrays: who links to whom."""
        return self.graph.arrays

    def limited(self, max_in: int | None, max_out: int | None) -> LinkArrays:
        """The link arrays without portals and with at most `max_in` citers per page (`LinkArrays.limited`)."""
        return self.memo.get("limited", (max_in, max_out), lambda: self.arrays.limited(max_in, max_out))

    @property
    def size(self) -> int:
        """How many page numbers there are (aliases have one too)."""
        return int(self.graph.ids.size)

    @cached_property
    def fetched(self) -> npt.NDArray[np.bool_]:
        """Which page numbers were fetched; the others are only linked to, or come from tables."""
        return np.asarray(self.graph.pages["fetched"].is_valid().to_numpy(zero_copy_only=False))

    @cached_property
    def all_fetched(self) -> bool:
        """Whether every page number was fetched."""
        return bool(self.fetched.all())

    def number(self, page_id: int) -> int | None:
        """The page number of an id."""
        return number_in(self.graph.ids, page_id)

    def value(self, column: str, page: int) -> str:
        """One string of a page: url, title, host, site, language … ("" if there is none)."""
        return self.reading(column)(page)

    def reading(self, column: str) -> Reader:
        """What gives one string of a page, for many pages in any order; `values` is for many in order."""
        if column not in self._readers:
            self._readers[column] = reader(self.graph.pages[column])
        return self._readers[column]

    @cached_property
    def _readers(self) -> dict[str, Reader]:
        return {}

    def values(self, column: str, pages: Ints) -> list[str]:
        """One string of each of several pages, given in ascending order; only their rows are read."""
        return [value or "" for value in self.column(column, pages).to_pylist()]

    def column(self, name: str, pages: Ints) -> pa.ChunkedArray:
        """One column for several pages, given in ascending order; only their rows are read."""
        return _taken(self.graph.pages.select([name]), pages)[name]

    def url(self, page: int) -> str:
        return self.value("url", page)

    def title(self, page: int) -> str:
        return self.value("title", page)

    def links_of(self, page: int) -> pa.Table:
        """The links on a page in order: target (a page number, as written), block, position, anchor, rel, role."""
        start, end = self.graph.link_start[page], self.graph.link_start[page + 1]
        return self.graph.links.slice(start, end - start)

    def links_on(self, pages: Ints) -> pa.Table:
        """The links on several pages, given in ascending order, with their source; only their rows are read."""
        first = self.graph.link_start[pages]
        sizes = self.graph.link_start[pages + 1] - first
        rows = np.repeat(first - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        return _taken(self.graph.links, rows)

    def links_at(self, rows: Longs) -> pa.Table:
        """The links at some rows of all, in ascending order, whatever their role."""
        return _taken(self.graph.links, rows)

    def all_links(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """The links of all pages, or some columns of them, some at a time, with their source; a page's are together."""
        return (self.links_between(*pages, columns) for pages in self.link_blocks())

    def link_blocks(self) -> Iterator[tuple[int, int]]:
        """All pages in blocks, first and behind the last, of about `LINKS_AT_ONCE` links."""
        start, first = self.graph.link_start, 0
        while first < self.size:
            last = max(int(np.searchsorted(start, start[first] + LINKS_AT_ONCE, "right")) - 1, first + 1)
            yield first, last
            first = last

    def links_between(self, first: int, last: int, columns: Sequence[str] | None = None) -> pa.Table:
        """The links of pages in a row, or some columns of them, with their source."""
        links = self.graph.links if columns is None else self.graph.links.select(list(columns))
        begin, end = self.graph.link_start[first], self.graph.link_start[last]
        return links.slice(begin, end - begin)

    def anchor(self, source: int, target: int) -> str:
        """The anchor of the first link from one page to another (or to an alias of it), "" if it has none."""
        links = self.links_of(source)
        places = np.flatnonzero(self.graph.page_of[links["target"].to_numpy()] == target)
        return str(links["anchor"][int(places[0])].as_py()) if places.size else ""

    def role(self, source: int, target: int) -> str:
        """The role of the links from one page to another (or to an alias of it): content if one of them is."""
        links = self.links_of(source)
        found = links["role"].to_numpy()[self.graph.page_of[links["target"].to_numpy()] == target]
        return ROLES[int(found.min())] if found.size else ROLES[CONTENT]

    def winners(self, folder: Path) -> Winners:
        """The ids of all pages, ascending, and the part that each one's rows come from, as the parts say it; `folder`:
        for what is needed meanwhile."""
        from pagekin.collection.fold import winners

        return winners(self.runs(), folder)

    def runs(self, held: bool = False) -> list[Run]:
        """The rows of all parts, to be read in the order of pages; if `held`, all that a graph is made from: from the
        written graph what it covers, and the `roots`."""
        place = {part.name: i for i, part in enumerate(self.manifest.parts)}
        written = self.manifest.indexes.get(GRAPH) if held else None
        runs: list[Run] = [PartRun(self, index) for index in place.values()]
        if written and set(written.parts) <= place.keys():
            base = GraphRun(self._written_graph(written), np.array([place[name] for name in written.parts], np.int32))
            runs = [base, *(PartRun(self, i) for name, i in place.items() if name not in written.parts)]
        return [*runs, Roots(runs, self.manifest.icann_only)] if held else runs

    def rows(
        self,
        table: str,
        columns: Sequence[str] | None = None,
        parts: Iterable[int] | None = None,
        standing: Winners | None = None,
    ) -> Iterator[pa.Table]:
        """The rows of text, blocks or terms that count, from all parts or from some, a piece at a time.

        A page's rows of one part are in one piece. Several parts may describe a page that was never fetched; rows of
        such a page may then repeat.
        """
        standing = standing or self._standing
        for index in range(len(self.manifest.parts)) if parts is None else parts:
            for rows in self.pieces(self.manifest.parts[index], table, _with_owner(table, columns)):
                yield _live(rows, table, index, standing)

    def spans(self, table: str, parts: Iterable[int] | None = None) -> list[Span]:
        """A table of all parts or of some, verified, in spans of some megabytes, for `over_files`."""
        found, held = list[Span](), self.manifest.parts
        for at in range(len(held)) if parts is None else parts:
            found += [Span(table, at, *groups) for groups in self.spans_of(held[at], table)]
        return found

    def rows_in(self, span: Span, columns: Sequence[str] | None = None) -> pa.Table:
        """The rows of a span that count: those of all spans are those of `rows`, but a page's may be in two."""
        part, wanted = self.manifest.parts[span.part], _with_owner(span.table, columns)
        return _live(self.span(part, span.table, span.first, span.last, wanted), span.table, span.part, self._standing)

    @property
    def _standing(self) -> Winners:
        return self.graph.ids, self.graph.pages["part"].to_numpy()

    def text(self, page: int) -> str:
        """A page's visible text, "" if it was left out or never fetched."""
        return self.texts([page])[0]

    def texts(self, pages: Sequence[int]) -> list[str]:
        """The visible texts of a few pages, read together."""
        ids, winner = self.graph.ids, self.graph.pages["part"]
        wanted: dict[int, list[int]] = {}  # by part
        for page in pages:
            won = winner[page].as_py()
            for index in range(len(self.manifest.parts)) if won == UNITED else [won]:
                wanted.setdefault(index, []).append(int(ids[page]))
        found: dict[int, str] = {}
        for index, asked in wanted.items():
            rows = self.table(self.manifest.parts[index], "text", pages=asked)
            for owner, text in zip(rows["page"].to_pylist(), rows["text"].to_pylist(), strict=True):
                found[owner] = min(found.get(owner, text), text)
        return [found.get(int(ids[page]), "") for page in pages]

    def labels(self, page: int) -> dict[int, str]:
        """Block number → label (navigation, list …) for a page; empty if its links came from a table."""
        rows = (row for rows in self.rows_of(page, "blocks") for row in rows.to_pylist())
        return {row["block"]: row["label"] for row in rows}

    def rows_of(self, page: int, table: str) -> Iterator[pa.Table]:
        """The rows of one page in a table; several parts may describe a page that was never fetched."""
        winner = self.graph.pages["part"][page].as_py()
        for part in self.manifest.parts if winner == UNITED else [self.manifest.parts[winner]]:
            yield self.table(part, table, pages=[int(self.graph.ids[page])])


def _taken(table: pa.Table, rows: Ints | Longs) -> pa.Table:
    """Some rows of a table, in ascending order. Arrow's own `take` would first copy all chunks into one."""
    found, first = [table.slice(0, 0)], 0
    for batch in table.to_batches():
        here = rows[np.searchsorted(rows, first) : np.searchsorted(rows, first + batch.num_rows)]
        found.append(pa.Table.from_batches([batch.take(pa.array(here - first))]))
        first += batch.num_rows
    return pa.concat_tables(found)


def _reopened(path: Path, manifest: Manifest, kinds: tuple[LinkKind, WordKind]) -> Store:
    return Store(path, manifest).seeing(*kinds)


def _with_owner(table: str, columns: Sequence[str] | None) -> list[str] | None:
    """The columns to read: with the pages that rows are of."""
    return None if columns is None else list(dict.fromkeys([OWNER[table], *columns]))


def _live(rows: pa.Table, table: str, part: int, standing: Winners) -> pa.Table:
    """Those rows of a part that count: of pages whose capture it holds, or that nobody has fetched."""
    ids, winning = standing
    at = numbers_in(ids, rows[OWNER[table]].to_numpy())
    return rows.filter(pa.array((at >= 0) & ((winning[at] == part) | (winning[at] == UNITED))))
