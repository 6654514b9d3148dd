"""Guesses what is at a path, from names and first bytes, before `pagekin add` reads it.

A reader is a module with `recognises(path, head)` and `read(path)`; to add one, add its line to `READERS`.
"""

import os
from bz2 import BZ2File
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from fastwarc.stream_io import GzipReader, Lz4Reader, ZstdReader

from pagekin import url as urls
from pagekin.acquire.capture import place, spelled
from pagekin.acquire.folder import open_folder, walked
from pagekin.acquire.http import looks_binary, looks_like_html
from pagekin.errors import SourceError, UsageError, unknown
from pagekin.model import Item, Skipped
from pagekin.wording import option

NOT_READ = "not a kind of file that pagekin reads"
INDEX = ".cdxj"  # of an archive: it says where the pages are, and has none itself
OUTSIDE = "a symbolic link out of the folder"

# kind → module, and its name for people. They are asked in this order; the least strict comes last.
READERS = {
    "html": ("folder", "HTML"),
    "markdown": ("markdown", "Markdown"),
    "warc": ("warc", "a web archive (WARC or ARC)"),
    "wacz": ("wacz", "a web archive (WACZ)"),
    "zip": ("zipped", "a zip file of HTML or Markdown"),
    "adjacency": ("adjacency", "adjacency lists"),
    "webgraph": ("webgraph", "a web graph of Common Crawl"),
    "linqs": ("linqs", "LINQS citation data"),
    "smart": ("smart", "a SMART collection"),
    "graph": ("graphs", "a graph (GEXF, GraphML or Pajek)"),
    "jsonl": ("jsonlines", "links as JSON lines"),
    "edges": ("edges", "a table of links"),
}
KINDS = tuple(READERS)

# Known by file name, so that not every file of a site is opened.
_BY_NAME = frozenset({"html", "markdown", "warc", "wacz"})
_UNPACKERS: dict[bytes, Callable[[BinaryIO], Any]] = {
    b"\x1f\x8b": GzipReader,
    b"\x28\xb5\x2f\xfd": ZstdReader,
    b"\x04\x22\x4d\x18": Lz4Reader,
    b"BZh": BZ2File,
}
TOGETHER = ("html", "markdown")  # the kinds whose files in a folder are one source
ASIDE = {
    "html": "HTML beside Markdown",
    "markdown": "Markdown beside other files",
    "zip": "a zip file beside other files",
}
WITH_COLUMNS = ("jsonl", "edges")  # the kinds whose columns may be named
TABLES = (".csv", ".tsv", ".tab", ".txt", ".dat", ".edges", ".sql", ".jsonl", ".jl", ".ndjson")  # what looks like them
Columns = Mapping[str, str] | None  # role → the column of a table of links
_HEAD_BYTES = 64 << 10  # enough for any reader to tell what a file is


@dataclass(frozen=True)
class FoundSource:
    """Something that pages or links can be read from; iterating reads it, from the start each time."""

    kind: str
    path: Path
    said: str  # what it is taken for, one line for people
    items: Callable[[], Iterator[Item]] = field(repr=False, compare=False)
    warning: str = ""  # something about it that the user may want to mend, a sentence
    files: int | None = None  # how many pages it can have; None if only reading it tells

    def __iter__(self) -> Iterator[Item]:
        return self.items()


def open_sources(
    paths: Sequence[Path],
    kind: str = "auto",
    base_url: str | None = None,
    follow_symlinks: bool = False,
    columns: Mapping[str, str] | None = None,
) -> list[FoundSource]:
    """Find the sources at some paths; `kind` is guessed unless given. `columns` of tables of links are named by role.

    A folder may hold several sources: its HTML files are one, each archive and table is one, and the files of no known
    kind are one more (`other`), which only reports them. Collections in it are not read (`collection`), nor are files
    elsewhere to which it has symbolic links, unless `follow_symlinks`.
    """
    if kind not in ("auto", *KINDS):
        raise unknown("kind", kind, ("auto", *KINDS))
    if columns is not None and kind not in ("auto", *WITH_COLUMNS):
        raise UsageError(f"{option('columns')} is for tables of links; leave out {option('from', kind)}")
    base, kinds = base_address(base_url), KINDS if kind == "auto" else (kind,)
    kinds = WITH_COLUMNS if columns is not None and kind == "auto" else kinds
    sources: list[FoundSource] = []
    refused: list[SourceError] = []
    for path in paths:
        try:
            _check(path)
            if path.is_dir():
                sources += _in_folder(path, kinds, base, follow_symlinks, columns)
            else:
                sources += _of_file(path, kinds, base, columns)
        except SourceError as error:
            refused.append(error)
    if refused and not sources:
        raise refused[0]
    return sources + [_refused(error) for error in refused]  # the other paths are read despite a bad one


def guess(path: Path, kinds: Sequence[str] = KINDS) -> str | None:
    """Which of these kinds a file is; None if it is none of them."""
    if not os.access(path, os.R_OK):
        return None
    for kind in kinds:
        if kind in _BY_NAME and _reader(kind).recognises(path, b""):
            return kind
    head = head_of(path)
    if looks_binary(head) and not head.startswith((b"PAR1", b"PK")):
        return None  # images and the like; the only binary files we read are Parquet and zip files
    return next((kind for kind in kinds if _reader(kind).recognises(path, head)), None)


def head_of(path: Path) -> bytes:
    """The first bytes of a file, unpacked if it is compressed; empty if it cannot be read."""
    try:
        if not path.is_file():  # a pipe would wait for its other end
            return b""
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            file.seek(0)
            for magic, unpacker in _UNPACKERS.items():
                if head.startswith(magic):
                    head = unpacker(file).read(_HEAD_BYTES)
    except (OSError, EOFError, ValueError):
        return b""
    return head


def _check(path: Path) -> None:
    try:
        if path.is_file() or path.is_dir():
            return
    except OSError:  # in a folder that cannot be entered
        pass
    raise SourceError(f"{spelled(path)} cannot be read; expected a file or a folder")


def base_address(base_url: str | None) -> str | None:
    """The address of a folder in canonical form; a `UsageError` if it is none."""
    if base_url is None:
        return None
    base = urls.canonical(base_url)
    if base is None or not base.startswith(("http://", "https://", "file:///")) or "?" in base:
        raise UsageError(
            f"'{base_url}' is not a base URL; expected the address of the top folder, like https://site.example/docs/"
        )
    return base


def _of_file(path: Path, kinds: Sequence[str], base: str | None, columns: Columns) -> list[FoundSource]:
    if kinds == WITH_COLUMNS:
        kinds = ("jsonl" if head_of(path).lstrip().startswith(b"{") else "edges",)
    kind = kinds[0] if len(kinds) == 1 else guess(path) or ("html" if looks_like_html(head_of(path)) else None)
    if kind is None:
        _check_table(path)
        raise SourceError(
            f"{spelled(path)} is {NOT_READ}; to force a kind, use {option('from')}: {', '.join(sorted(KINDS))}"
        )
    return [_pages(kind, path, [path], base) if kind in TOGETHER else _one(kind, path, base, columns, False)]


def _check_table(path: Path) -> None:
    """Refuse a table whose columns are in doubt with a sample; let other files pass."""
    head = head_of(path)
    if path.suffix.lower() in TABLES and not looks_binary(head):
        _reader("jsonl" if head.lstrip().startswith(b"{") else "edges").described(path, head)


def _in_folder(root: Path, kinds: Sequence[str], base: str | None, follow: bool, columns: Columns) -> list[FoundSource]:
    files, collections, outside = walked(root, follow)
    graphs = _graphs(files) if "adjacency" in kinds else []
    each = [kind for kind in kinds if kind != "adjacency"]  # which is a kind of folder
    found = {file: "html" if kinds == ("html",) else guess(file, each) for file in files if file.parent not in graphs}
    of_kind = _by_kind(found, {"adjacency": graphs})
    others = [file for file in of_kind.pop("other", []) if file.suffix != INDEX]
    aside = _aside(root, of_kind) if kinds == KINDS else {}
    of_kind = {kind: files for kind, files in of_kind.items() if kind not in aside}
    sources = [_pages(kind, root, of_kind.pop(kind), base) for kind in TOGETHER if kind in of_kind]
    sources += [_source("adjacency", graph, _read_among_others) for graph in graphs]
    halves = {file for file in of_kind.get("webgraph", []) if not _reader("webgraph").is_edges(file)}  # read with edges
    single = ((str(kind), file) for file, kind in found.items() if kind in of_kind and file not in halves)
    sources += [_one(kind, file, base, columns) for kind, file in single]
    if not sources:
        known = "HTML, Markdown, archives or tables" if len(kinds) > 1 else kinds[0]
        named = f"; to join the collections in it, name them: {', '.join(map(spelled, collections))}"
        said = f"nothing to read in {spelled(root)}: no {known} among its {len(files):,} files"
        links = f"; to follow the symbolic links out of it, use {option('follow_symlinks')}"
        raise SourceError(said + (named if collections else "") + (links if outside else ""))
    if others and kinds == KINDS:
        said = f"{spelled(root.absolute().name)}: files that pagekin does not read ({len(others):,})"
        sources.append(FoundSource("other", root, said, partial(_not_read, others), files=len(others)))
    sources += [_set_aside(root, kind, files) for kind, files in aside.items()]
    if outside:
        links = f"{len(outside):,} symbolic link{'s' * (len(outside) != 1)} out of the folder"
        said = f"{spelled(root.absolute().name)}: {links}, left out; to follow, use {option('follow_symlinks')}"
        sources.append(FoundSource("other", root, said, partial(_not_read, outside, OUTSIDE), files=len(outside)))
    return sources + list(map(_left_out, collections))


def _by_kind(found: Mapping[Path, str | None], more: Mapping[str, list[Path]]) -> dict[str, list[Path]]:
    of_kind = {kind: files for kind, files in more.items() if files}
    for file, kind in found.items():
        of_kind.setdefault(kind or "other", []).append(file)
    return of_kind


def _one(kind: str, path: Path, base: str | None, columns: Columns, among_others: bool = True) -> FoundSource:
    """A source that is a file of its own."""
    if kind == "zip":
        return _zip(path, base, among_others)
    return _source(kind, path, _read_among_others if among_others else _read, columns)


def _left_out(collection: Path) -> FoundSource:
    said = f"{spelled(collection)}: a collection, left out; to join it, name it as a path of its own"
    return FoundSource("collection", collection, said, partial(iter, ()), files=0)


def _graphs(files: Sequence[Path]) -> list[Path]:
    """The folders that hold an adjacency graph."""
    known = {file for file in files if os.access(file, os.R_OK)}  # and not a link that leads elsewhere
    reader = _reader("adjacency")
    return [folder for folder in sorted({file.parent for file in known}) if reader.files_of(folder) <= known]


def _aside(root: Path, of_kind: Mapping[str, list[Path]]) -> dict[str, list[Path]]:
    """What is not read of a folder although it could be: of HTML and Markdown, whichever is not what the folder is for;
    and zip files beside anything else, in which a site often has itself once more."""
    pages, notes, zips = (of_kind.get(kind, []) for kind in ("html", "markdown", "zip"))
    others = sum(len(files) for kind, files in of_kind.items() if kind not in ("html", "markdown", "zip", "other"))
    is_markdown = bool(notes) and _reader("markdown").prevails(root, notes, pages, others)
    aside = {"html": pages} if is_markdown else {"markdown": notes} if pages or others else {}
    aside |= {"zip": zips} if pages or notes or others else {}
    return {kind: files for kind, files in aside.items() if files}


def _set_aside(root: Path, kind: str, files: Sequence[Path]) -> FoundSource:
    name, count = spelled(root.absolute().name), f"{len(files):,} file{'s' * (len(files) != 1)}"
    what = ASIDE[kind]
    said = f"{name}: {what}, left out ({count}); to read them, use {option('from', kind)}"
    return FoundSource("other", root, said, partial(_not_read, files, what))


def _pages(kind: str, root: Path, files: Sequence[Path], base: str | None) -> FoundSource:
    """The HTML or the Markdown of a folder, or one file: their addresses depend on each other."""
    opened: Any
    if kind == "html":
        opened, warning = (folder := open_folder(root, base, files, guessing=True)), folder.warning
    else:
        opened, warning = _reader(kind).open_markdown(root, base, files), ""
    name = spelled(root.absolute().name)
    said, told = f"{name}: {opened.said}", f"{name}: {warning}" if warning else ""
    return FoundSource(kind, root, said, opened.__iter__, told, len(files))


def _zip(path: Path, base: str | None, among_others: bool) -> FoundSource:
    reader, name, said, warning = _reader("zip"), spelled(path.name), "", ""
    with suppress(SourceError):  # which is raised, or reported, when it is read
        said, warning = reader.described(path, base)
    read = partial(_read_among_others if among_others else _read, "zip", path, base)
    told = f"{name}: {warning}" if warning else ""
    return FoundSource("zip", path, f"{name}: a zip file" + (f" of {said}" if said else ""), read, told)


def _source(
    kind: str, path: Path, read: Callable[[str, Path, Columns], Iterator[Item]], columns: Columns = None
) -> FoundSource:
    said = f"{spelled(path.name)}: {READERS[kind][1]}"
    if kind == "warc":
        said += _reader(kind).remark(path)
    if kind in WITH_COLUMNS:
        with suppress(SourceError):  # which is raised, or reported, when it is read
            said += f"; {_reader(kind).described(path, head_of(path), columns)}"
    return FoundSource(kind, path, said, partial(read, kind, path, columns))


def _read(kind: str, path: Path, more: Columns | str) -> Iterator[Item]:
    """Read a file; `more` are the columns of a table, or the base URL of a zip file."""
    yield from _reader(kind).read(path, more) if more else _reader(kind).read(path)


def _read_among_others(kind: str, path: Path, more: Columns | str) -> Iterator[Item]:
    """Read one file of a folder; if it cannot be read, report that and let the others be read."""
    try:
        yield from _read(kind, path, more)
    except SourceError as error:
        yield Skipped(str(error), "unreadable")


def _refused(error: SourceError) -> FoundSource:
    return FoundSource("other", Path(), str(error), partial(iter, [Skipped(str(error), "unreadable")]), files=1)


def _not_read(files: Sequence[Path], why: str = NOT_READ) -> Iterator[Item]:
    for file in files:
        yield Skipped(place(file), why)


def _reader(kind: str) -> Any:
    return import_module(f"pagekin.acquire.{READERS[kind][0]}")  # some are slow to import, and few are needed at a time
