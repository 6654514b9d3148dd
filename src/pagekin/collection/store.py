"""A collection on disk: read without locks, written by one process at a time.

NAME.kin/manifest.json     what it holds (see `manifest`)
NAME.kin/parts/…           immutable rows (see `schema` and `parts`)
NAME.kin/index/…           what was derived from them (see `graph`)
NAME.kin/lock              held by the one writer, and released when its process ends
"""

import fcntl
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa

from pagekin.collection import graph as graphs
from pagekin.collection import manifest as manifests
from pagekin.collection import parts as part_files
from pagekin.collection import sealed
from pagekin.collection.files import all_known
from pagekin.collection.graph import Graph
from pagekin.collection.manifest import BuiltIndex, Manifest, Part
from pagekin.collection.schema import ALIASES, LINKS, OWNER, Tables
from pagekin.collection.snapshot import UNITED, Contribution, Snapshot, Winners, merged, winners
from pagekin.collection.verify import Verifier
from pagekin.errors import CollectionError, PagekinError
from pagekin.failures import explained, plain, said
from pagekin.graph.links import LinkArrays
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import number_in, numbers_in
from pagekin.memo import Memo
from pagekin.wording import command

GRAPH = "graph"
DESCRIPTION = "index.json"
T = TypeVar("T")

OUR_FOLDER = re.compile(r"([a-z-]+\.)?\d{6,}-[0-9a-f]{8}")  # 000012-0a1b2c3d, graph.000012-0a1b2c3d
OUR_FILES = (".parquet", ".npy", ".arrow", ".json", ".new", ".tmp")  # .tmp is DuckDB's, where a build was killed


class Store:
    """One state of a collection, for reading. A later state is another `Store` of the same path."""

    def __init__(self, path: Path | str, manifest: Manifest | None = None, in_full: bool = False) -> None:
        """`in_full`: verify every file that is opened, however large, as one must who writes what follows from it."""
        self.path = Path(path)
        self.manifest = manifest or manifests.read(self.path)
        self.verifier = Verifier(self.path, in_full)
        self.memo = Memo()  # what was worked out for this state, and lives as long as it does

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

    def snapshot(self) -> Snapshot:
        """The rows that count, merged from the written graph and the parts it does not cover."""
        held = self.manifest.indexes.get(GRAPH)
        place = {part.name: i for i, part in enumerate(self.manifest.parts)}
        if held is None or not set(held.parts) <= place.keys():
            return merged([self.contribution(i) for i in place.values()])
        base = self._written_graph(held).contribution(np.array([place[name] for name in held.parts], np.int32))
        return merged([base, *(self.contribution(i) for name, i in place.items() if name not in held.parts)])

    def _written_graph(self, held: BuiltIndex) -> Graph:
        return self.opened(held, graphs.read)

    def opened(self, held: BuiltIndex, read: Callable[[Path], T]) -> T:
        """Read an index, verified, or say what is wrong with its files."""
        fault = self.verifier.index(held)
        if fault:
            raise self._damage(*fault)
        with self.explaining(self.path / held.path):
            try:
                return read(self.path / held.path)
            except Exception as error:
                if held.files or explained(error):
                    raise
                # It was made before files had checksums.
                what = f"is missing or damaged ({type(error).__name__})"
                raise self._damage(self.path / held.path, what) from error

    def table(
        self, part: Part, table: str, columns: Sequence[str] | None = None, pages: Sequence[int] | None = None
    ) -> pa.Table:
        """Read one table of a part, verified, or only some columns, or only the rows of a few pages."""
        self.verify(part, table)
        with self.explaining(self.path / part.path / f"{table}.parquet"):
            return part_files.read(self.path, part, table, columns, pages)

    def verify(self, part: Part, table: str) -> None:
        """Raise an error that names the file if a table of a part is not what was written."""
        fault = self.verifier.table(part, table)
        if fault:
            raise self._damage(*fault)

    @contextmanager
    def explaining(self, reading: Path | None = None) -> Iterator[None]:
        """Turn an unforeseen error into one that names the file, if it comes from a damaged file or a removed one.

        `reading`: all that is done is to read this, so what the system lacks is said of it.
        """
        try:
            yield
        except PagekinError:
            raise
        except Exception as error:
            fault = self.verifier.examine()
            if fault or (isinstance(error, OSError) and self._has_changed()):
                raise self._damage(*fault or (self.path, "has changed")) from error
            if reading and (found := explained(error, reading)):
                raise CollectionError(f"reading {reading} failed: {found.wrong}; {found.remedy}") from error
            raise

    def _damage(self, path: Path, what: str) -> CollectionError:
        if self._has_changed():
            return CollectionError(f"{self.path} has changed since it was opened; open it again")
        return CollectionError(f"{path} {what}; to repair the collection, run: {command('scrub', self.path)}")

    def _has_changed(self) -> bool:
        """Whether a later state has replaced this one, and may have removed files of it."""
        return manifests.read(self.path) != self.manifest

    def contribution(self, index: int, whole: bool = True) -> Contribution:
        """The pages, links and aliases that the part at `index` contributes, or only the pages."""
        part = self.manifest.parts[index]
        pages = self.table(part, "pages")
        if not whole:
            none = LINKS.empty_table(), ALIASES.empty_table()
            return Contribution(pages, *none, np.full(pages.num_rows, index, np.int32))
        links, aliases = (self.table(part, name) for name in ("links", "aliases"))
        return Contribution(pages, links, aliases, np.full(pages.num_rows, index, np.int32))

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

    def number(self, page_id: int) -> int | None:
        """The page number of an id."""
        return number_in(self.graph.ids, page_id)

    def value(self, column: str, page: int) -> str:
        """One string of a page: url, title, host, site, language … ("" if there is none)."""
        return self.graph.pages[column][page].as_py() or ""

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
        """The links on a page in order: target (a page number, as written), block, position, anchor, rel."""
        start, end = self.graph.link_start[page], self.graph.link_start[page + 1]
        return self.graph.links.slice(start, end - start)

    def links_on(self, pages: Ints) -> pa.Table:
        """The links on several pages, given in ascending order, with their source; only their rows are read."""
        first = self.graph.link_start[pages]
        sizes = self.graph.link_start[pages + 1] - first
        rows = np.repeat(first - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        return _taken(self.graph.links, rows)

    def anchor(self, source: int, target: int) -> str:
        """The anchor of the first link from one page to another (or to an alias of it), "" if it has none."""
        links = self.links_of(source)
        places = np.flatnonzero(self.graph.page_of[links["target"].to_numpy()] == target)
        return str(links["anchor"][int(places[0])].as_py()) if places.size else ""

    def winners(self) -> Winners:
        """The ids of all pages, ascending, and the part that each one's rows come from, as the parts say it."""
        return winners([self.contribution(i, whole=False) for i in range(len(self.manifest.parts))])

    def rows(
        self,
        table: str,
        columns: Sequence[str] | None = None,
        parts: Iterable[int] | None = None,
        standing: Winners | None = None,
    ) -> Iterator[pa.Table]:
        """The rows of text, blocks or terms that count, part by part, from all parts or from some.

        Several parts may describe a page that was never fetched; rows of such a page may then repeat.
        """
        owner = OWNER[table]
        wanted = None if columns is None else list(dict.fromkeys([owner, *columns]))
        ids, winning = standing or (self.graph.ids, self.graph.pages["part"].to_numpy())
        for index in range(len(self.manifest.parts)) if parts is None else parts:
            rows = self.table(self.manifest.parts[index], table, wanted)
            if rows.num_rows:
                at = numbers_in(ids, rows[owner].to_numpy())
                live = (at >= 0) & ((winning[at] == index) | (winning[at] == UNITED))
                yield rows.filter(pa.array(live))

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
        rows = (row for rows in self._rows_of(page, "blocks") for row in rows.to_pylist())
        return {row["block"]: row["label"] for row in rows}

    def _rows_of(self, page: int, table: str) -> Iterator[pa.Table]:
        winner = self.graph.pages["part"][page].as_py()
        for part in self.manifest.parts if winner == UNITED else [self.manifest.parts[winner]]:
            yield self.table(part, table, pages=[int(self.graph.ids[page])])

    def unsealed(self) -> list[str]:
        """The indexes that were made before files had checksums: nothing tells whether they are what was written."""
        return sorted(name for name, index in self.manifest.indexes.items() if not index.files)

    def stale(self) -> list[str]:
        """The indexes that were made from an earlier version of the content."""
        return sorted(name for name, index in self.manifest.indexes.items() if index.version != self.manifest.version)


def _taken(table: pa.Table, rows: Ints | Longs) -> pa.Table:
    """Some rows of a table, in ascending order. Arrow's own `take` would first copy all chunks into one."""
    found, first = [table.slice(0, 0)], 0
    for batch in table.to_batches():
        here = rows[np.searchsorted(rows, first) : np.searchsorted(rows, first + batch.num_rows)]
        found.append(pa.Table.from_batches([batch.take(pa.array(here - first))]))
        first += batch.num_rows
    return pa.concat_tables(found)


class Writer:
    """Changes a collection, as the only process that may. Every method leaves a complete collection behind."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path, self.manifest = path, manifest

    def store(self) -> Store:
        """The current state, for reading; whatever is read of it is verified in full."""
        return Store(self.path, in_full=True)

    def add(self, tables: Tables) -> bool:
        """Commit the tables as a new part; False if exactly the same rows were added before."""
        part = self.new_part(tables, self.manifest.version + 1)
        if any(part.holds[0] in other.holds for other in self.manifest.parts):
            shutil.rmtree(self.path / part.path)
            return False
        self.commit(parts=(*self.manifest.parts, part), version=self.manifest.version + 1)
        return True

    def renew(self, tables: Tables) -> None:
        """Commit rows that are held already, with later times. The content is the same, and indexes stay good."""
        part = self.new_part(tables, self.manifest.version)
        self.commit(parts=(*self.manifest.parts, part))

    def new_part(self, tables: Tables, version: int, holds: tuple[str, ...] = ()) -> Part:
        """Write a part that the state of a version will list; see `parts.write`."""
        return part_files.write(self.path, self.new_name(), tables, replace(self.manifest, version=version), holds)

    def fold(self, parts: tuple[Part, ...] | None = None) -> None:
        """Write the graph of these parts (by default, of the current ones) and commit both in one step.

        Does nothing if the written graph already covers them.
        """
        state = self.manifest if parts is None else self.manifest.following(parts=parts)
        names = tuple(part.name for part in state.parts)
        held = state.indexes.get(GRAPH)
        if held and not held.files:  # made before files had checksums: nothing may follow from it
            state = replace(state, indexes={name: index for name, index in state.indexes.items() if name != GRAPH})
        elif held and held.parts == names:
            return
        made = graphs.from_snapshot(Store(self.path, state, in_full=True).snapshot())
        index = BuiltIndex(f"index/{GRAPH}.{self.new_name()}", state.version, names)
        index = self._fill(GRAPH, index, lambda folder: graphs.write(made, folder))
        self.commit(parts=state.parts, indexes=self.manifest.indexes | {GRAPH: index})

    def derive(self, name: str, fill: Callable[[Path], None]) -> None:
        """Let `fill` write an index into a new folder, and commit it as the index `name`."""
        made = BuiltIndex(f"index/{name.partition('(')[0]}.{self.new_name()}", self.manifest.version)
        self.commit(indexes=self.manifest.indexes | {name: self._fill(name, made, fill)})

    def describe(self) -> list[str]:
        """Have all parts and indexes describe themselves, as new ones do; returns the paths of those that did not."""
        parts = [part for part in self.manifest.parts if not part_files.is_described(self.path, part)]
        for part in parts:
            for table in part.checksums:
                self.store().verify(part, table)
            part_files.described(self.path, part, self.manifest)
        held = self.manifest.indexes.items()
        indexes = [(name, index) for name, index in held if index.files and not is_described(self.path, name, index)]
        for name, index in indexes:
            described(self.path, name, index)
        return [part.path for part in parts] + [index.path for _, index in indexes]

    def commit(self, **changes: object) -> None:
        """Write the changed manifest, then remove what neither it nor the previous state needs."""
        new = self.manifest.following(**changes)
        manifests.write(self.path, new)
        self.manifest = new
        self.sweep()

    def sweep(self) -> list[str]:
        """Remove folders that no state needs: left by a killed writer, or retired a generation ago.

        Only what is certainly ours: a folder with such a name as `new_name` gives, holding nothing but files of our
        kinds, directly in `parts/` or `index/`. Where one of these is a link, what it leads to may be anybody's.
        """
        needed = self.manifest.paths() | set(self.manifest.retired)
        removed = []
        for kind in ("parts", "index"):
            if (self.path / kind).is_symlink():
                continue
            for folder in sorted((self.path / kind).glob("*")):
                if f"{kind}/{folder.name}" not in needed and _is_ours(folder):
                    shutil.rmtree(folder, ignore_errors=True)
                    removed.append(f"{kind}/{folder.name}")
        return removed

    def _fill(self, name: str, index: BuiltIndex, fill: Callable[[Path], None]) -> BuiltIndex:
        """Make an index's folder with what `fill` writes into it, safe on disk, or no folder at all."""
        target = self.path / index.path
        try:
            target.mkdir(parents=True)
            fill(target)
            for file in target.iterdir():
                with file.open("rb") as opened:
                    os.fsync(opened.fileno())
            index = replace(index, files=all_known(target))
            described(self.path, name, index)
            sealed.sync(target.parent)
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            raise
        return index

    def new_name(self) -> str:
        return f"{self.manifest.version + 1:06d}-{uuid.uuid4().hex[:8]}"


def _is_ours(folder: Path) -> bool:
    """Whether a folder is one that a writer made: by its name, and by all that is in it."""
    if folder.is_symlink() or not folder.is_dir() or not OUR_FOLDER.fullmatch(folder.name):
        return False
    return all(not file.is_symlink() and (file.is_dir() or file.suffix in OUR_FILES) for file in folder.rglob("*"))


def described(folder: Path, name: str, index: BuiltIndex) -> None:
    """Write, beside an index's files, all that the manifest says about it."""
    (folder / index.path).mkdir(parents=True, exist_ok=True)  # lost with its files, which scrub makes again
    sealed.write(folder / index.path / DESCRIPTION, {"name": name, "index": asdict(index)})


def is_described(folder: Path, name: str, index: BuiltIndex) -> bool:
    """Whether an index says about itself what the manifest says about it."""
    try:
        found, is_sealed = sealed.read(folder / index.path / DESCRIPTION)
        return is_sealed and found["name"] == name and BuiltIndex.read(found["index"]) == index
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


@contextmanager
def writing(path: Path | str, **settings: object) -> Iterator[Writer]:
    """Lock a collection for writing, making it if there is none; `settings` (icann_only …) apply to a new one."""
    folder = Path(path)
    if not folder.exists():
        _create(folder, Manifest(**settings))  # type: ignore[arg-type]
    manifests.read(folder)  # not a collection: say so before leaving a lock file in it
    with locked(folder):
        yield Writer(folder, manifests.read(folder))


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of the one writer, and say what an error of the disk means for the collection."""
    try:
        with (folder / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CollectionError(f"another process is writing to {folder}; wait for it to end") from None
            yield
    except PagekinError:
        raise
    except Exception as error:
        found = explained(error, folder)
        if found is None and not isinstance(error, OSError):
            raise
        wrong, remedy = found or (plain(error), "check the disk and run the same command again")
        raise CollectionError(
            f"writing {folder} failed: {wrong}; what was committed before is safe; {remedy}"
        ) from error


def _create(folder: Path, manifest: Manifest) -> None:
    """Make a new, empty collection, which appears complete or not at all."""
    beside = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}")
    try:
        beside.mkdir(parents=True)
        manifests.write(beside, manifest)
        beside.rename(folder)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        if not folder.exists():  # if it exists, another process was faster, and its collection will do
            raise CollectionError(f"cannot make {folder}: {said(error, folder)}") from None
