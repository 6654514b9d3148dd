"""Edge lists: tables with a link in each row, as CSV, TSV, white-space columns or Parquet, plain or compressed.

    source,target,anchor
    http://bees.example/,http://bees.example/hive/,The hive

Ten million rows must pass quickly and in little memory, on input nobody has checked. So bytes are read in blocks of
whole lines, a block is cleaned as bytes (line ends, comments, encoding), pyarrow splits it into columns, and each
*distinct* name of a block is put into canonical form once.
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from pagekin.errors import SourceError
from pagekin.model import Item, Rows, Skipped
from pagekin.url import canonical

BLOCK = 1 << 24  # bytes of text parsed at once: about a million rows of numbers, and room for the longest sane row
CHUNK = 1_000_000  # rows handed on at once: their Python strings and arrays stay under a few hundred megabytes
READ = 1 << 14  # bytes per read: what a damaged archive loses is the read in which the damage shows
SAMPLE = 100  # rows from which delimiter, header and columns are guessed,
HEAD = 1 << 15  # and the bytes in which they stand: half of what a guesser is given, so that the last row is whole

ENDS = ("source", "target")
# A column's header is compared in lower case, `_` for spaces and hyphens, without `_url` or `_id` at its end; beside
# the plain names stand those of SNAP, Gephi and the exports of backlink services.
NAMES = {
    "source": {"source", "src", "from", "citing", "fromnode", "source_page", "referring_page", "linking_page"},
    "target": {"target", "dst", "to", "cited", "tonode", "destination", "target_page"},
    "anchor": {"anchor", "anchor_text", "text", "link_text", "label"},
    "source_title": {"source_title", "referring_page_title"},
    "target_title": {"target_title"},
}
EXPECTED = "expected columns source and target (also: src, from, citing; dst, to, cited, destination)"
SUFFIXES = {".csv", ".tsv", ".tab", ".edges", ".edgelist"}
MOST_COLUMNS = 3  # of a table without header or suffix: relevance judgements are four columns of numbers
OTHER_FORMATS = {".cites", ".content"}  # LINQS: they look like edges, but `.cites` has the target first
PACKED: dict[bytes, Literal["gzip", "zstd", "bz2"]] = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2"}
PARQUET = b"PAR1"

_DELIMITERS = ("\t", ",", ";", " ")  # among equally good ones the first: anchors hold commas and spaces, never tabs
_COMMENT = re.compile(rb"(?m)^[#%][^\n]*")  # SNAP writes #, KONECT %
_FIRST_ROW = re.compile(rb"(?m)^[^\n]*\S[^\n]*")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_URL = re.compile(r"\s*(?:https?|ftp|file):", re.IGNORECASE)
_MARKUP = re.compile(rb"\s*(?:<|WARC/|%PDF|\{|\[)")  # HTML, XML, WARC, JSON: never an edge list

Column = Any  # an Arrow array: its stubs do not know what its functions return
Numbers = npt.NDArray[np.int64]
Part = tuple[pa.Table, Numbers]  # columns by role, and each row's line number


@dataclass(frozen=True)
class Layout:
    """How a text table is written: its delimiter, whether quotes count, and which column plays which role."""

    delimiter: str
    quote: Literal['"', False]
    width: int
    header: bool
    plain: bool  # names are URLs or numbers, which text is not
    columns: dict[str, int]


def read(path: Path) -> Iterator[Item]:
    """The links of an edge list in file order, with titles where it has them; bad rows are reported and left out.

    Takes half a second to a second per million rows, plus 7 µs for each distinct URL; memory is that of a block, plus
    one count per source.
    """
    parts = _parquet(path) if _head(path).startswith(PARQUET) else _text(path)
    positions = _Positions()
    for part in parts:
        if isinstance(part, Skipped):
            yield part
            continue
        table, numbers = part
        for start in range(0, len(table), CHUNK):
            yield from _rows(path, table.slice(start, CHUNK), numbers[start : start + CHUNK], positions)


def recognises(path: Path, head: bytes) -> bool:
    """Whether this is Parquet, or a table whose header names both ends of links or whose rows hold URLs or numbers.

    Any other table of two columns may be about anything (names and ages): it is read only when asked for.
    """
    if head.startswith(PARQUET):
        return True
    if _MARKUP.match(head) or OTHER_FORMATS & set(path.suffixes):
        return False
    try:
        layout, rows = _layout(path, _clean(_utf8(head)))
    except SourceError:
        return False
    if layout.header:
        return "source" in _roles(rows[0]) or _mostly(set(map(_kind, row[:2])) == {"url"} for row in rows[1:])
    return (layout.width <= MOST_COLUMNS or bool(SUFFIXES & set(path.suffixes))) and _mostly(map(_plain, rows))


# ---- bytes --------------------------------------------------------------------------------------------------------


def unpacked(path: Path) -> Iterator[bytes]:
    """The bytes of a text file in small pieces: decompressed, without its byte order mark, UTF-16 turned into UTF-8.

    An archive that is damaged raises OSError after its last good piece.
    """
    head = _head(path)
    stream: pa.NativeFile = pa.OSFile(str(path), "rb")
    for magic, name in PACKED.items():
        if head.startswith(magic):
            stream = pa.CompressedInputStream(stream, name)
    with stream:
        piece = stream.read(READ)
        decoder = codecs.getincrementaldecoder("utf-16")("replace") if _is_utf16(piece) else None
        piece = piece.removeprefix(codecs.BOM_UTF8)
        while piece:
            yield decoder.decode(piece).encode() if decoder else piece
            piece = stream.read(READ)


def decoded(raw: bytes) -> str:
    """Text from bytes of unknown origin: UTF-8, and where that fails windows-1252, as browsers do.

    >>> decoded("Lønn".encode()), decoded("Lønn".encode("latin-1"))
    ('Lønn', 'Lønn')
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("windows-1252", "replace")


def lines(path: Path) -> Iterator[str | Skipped]:
    """The lines of a text file, decoded one by one; where an archive breaks off, a report ends them."""
    for block in _blocks(path):
        if isinstance(block, Skipped):
            yield block
        else:
            yield from map(decoded, block.splitlines())


def _head(path: Path) -> bytes:
    """The first bytes as they are stored, which tell archives and Parquet; also checks that there is a file."""
    if path.is_dir():
        raise SourceError(f"{path} is a folder; expected a file")
    try:
        with path.open("rb") as file:
            return file.read(4)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error


def _is_utf16(head: bytes) -> bool:
    return head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def _utf8(head: bytes) -> bytes:
    """The head of a file as the guesser gives it, without a byte order mark."""
    return head.decode("utf-16", "ignore").encode() if _is_utf16(head) else head.removeprefix(codecs.BOM_UTF8)


def _blocks(path: Path) -> Iterator[bytes | Skipped]:
    """Whole lines, about BLOCK bytes at a time; where an archive breaks off, what came before and a report."""
    buffer = bytearray()
    try:
        for piece in unpacked(path):
            buffer += piece
            if len(buffer) >= BLOCK:
                cut = _last_line_end(buffer)
                if not cut:
                    raise OSError("a row without end")
                yield bytes(buffer[:cut])
                del buffer[:cut]
    except OSError as error:
        del buffer[_last_line_end(buffer) :]  # half a row would be a link to half an address
        if buffer:
            yield bytes(buffer)
        yield Skipped(path.name, f"damaged, the rest is lost: {error}")
    else:
        if buffer:
            yield bytes(buffer)


def _last_line_end(buffer: bytearray) -> int:
    return buffer.rfind(b"\n") + 1 or buffer.rfind(b"\r") + 1


def _clean(block: bytes) -> bytes:
    """The block in UTF-8 with plain line ends and without comments; as many lines as before, so that numbers hold."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
        block = block.replace(b"\r", b" " if b"\n" in block else b"\n")  # alone: a line end of old, or dirt
    if block.startswith((b"#", b"%")) or b"\n#" in block or b"\n%" in block:
        block = _COMMENT.sub(b"", block)
    try:
        block.decode()
    except UnicodeDecodeError:  # pyarrow's report of a bad row stops the file when that row is no UTF-8
        block = b"\n".join(decoded(line).encode() for line in block.split(b"\n"))
    return block


# ---- layout -------------------------------------------------------------------------------------------------------


def _layout(path: Path, block: bytes) -> tuple[Layout, list[list[str]]]:
    """How the table is written, guessed from its first rows, and those rows."""
    head = block[:HEAD]
    if len(block) > HEAD:
        head = head[: head.rfind(b"\n") + 1] or head
    sample = [line for line in head.decode("utf-8", "ignore").split("\n") if line.strip()][:SAMPLE]
    if not sample:
        raise SourceError(f"{path} is empty; {EXPECTED}")
    if 2 * sum(bool(_CONTROL.search(line)) for line in sample) > len(sample):
        raise SourceError(f"{path} is not text; {EXPECTED}")
    delimiter = max(_DELIMITERS, key=lambda delimiter: _fit([_cells(line, delimiter) for line in sample]))
    rows = [_cells(line, delimiter) for line in sample]
    named = _named(path, rows[0])
    header = bool(named) or (len(rows) > 1 and not any(map(_kind, rows[0])) and _mostly(map(_plain, rows[1:])))
    width = len(rows[0]) if header else _width(rows)
    if width < 2:
        raise SourceError(f"{path} has one column ({sample[0][:40]!r} …); {EXPECTED}")
    quote: Literal['"', False] = '"' if delimiter in ",;" or sample[0].startswith('"') else False
    columns = named or _unnamed([row for row in rows[header:] if len(row) == width])
    return Layout(delimiter, quote, width, header, any(map(_plain, rows[header:])), columns), rows


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line taken alone: a quote that is never closed must not swallow the lines after it."""
    return line.split() if delimiter == " " else next(csv.reader([line], delimiter=delimiter))


def _width(rows: list[list[str]]) -> int:
    return Counter(map(len, rows)).most_common(1)[0][0]


def _fit(rows: list[list[str]]) -> tuple[bool, int]:
    """How well a delimiter splits rows: it shows the header's names, then the rows it gives the commonest width."""
    width = _width(rows)
    return set(ENDS) <= _roles(rows[0]).keys(), sum(len(row) == width for row in rows) if width > 1 else 0


def _roles(names: Sequence[str]) -> dict[str, int]:
    """The column that plays each role, by its name in the header."""
    plain = [re.sub(r"[\s_-]+", "_", name.strip().lower()) for name in names]
    plain = [re.sub(r"_?(url|id)$", "", name) for name in plain]
    found = {role: [name in known for name in plain] for role, known in NAMES.items()}
    return {role: hits.index(True) for role, hits in found.items() if any(hits)}


def _named(path: Path, names: Sequence[str]) -> dict[str, int]:
    """The roles a header gives; none at all if this row is no header, an error if it names but one end of a link."""
    roles = _roles(names)
    ends = roles.keys() & set(ENDS)
    if len(ends) == 1:
        raise SourceError(f"{path} names a {ends.pop()} only; {EXPECTED}; found {', '.join(names)}")
    return roles if ends else {}


def _unnamed(rows: list[list[str]]) -> dict[str, int]:
    """Without a header: source, target, and a third column of text is the anchor (numbers are weights or times)."""
    text = any(row[2:3] and not re.fullmatch(r"\s*-?[\d.eE+-]+\s*", row[2]) for row in rows)
    return {"source": 0, "target": 1, "anchor": 2} if text else {"source": 0, "target": 1}


def _kind(cell: str) -> str:
    return "url" if _URL.match(cell) else "number" if cell.strip().isdigit() else ""


def _plain(row: list[str]) -> bool:
    """Two names that nobody would write into a header: URLs or numbers."""
    return len(row) > 1 and bool(_kind(row[0]) and _kind(row[1]))


def _mostly(answers: Iterable[bool]) -> bool:
    """Whether nine rows of ten agree: a damaged one must not decide."""
    given = list(answers)
    return 10 * sum(given) >= 9 * len(given)


# ---- columns ------------------------------------------------------------------------------------------------------


def _text(path: Path) -> Iterator[Part | Skipped]:
    layout, line = None, 1
    for block in _blocks(path):
        if isinstance(block, Skipped):
            yield block
            continue
        block = _clean(block)
        if layout is None:
            layout, _ = _layout(path, block)
            block = _FIRST_ROW.sub(b"", block, count=1) if layout.header else block
        block, stray = _without_stray_quotes(block, layout) if layout.quote and b'"' in block else (block, [])
        for number, text in stray:
            yield Skipped(f"{path.name}:{line + number}: {text[:80]}", "a quote that is never closed")
        yield from _parse(path, block, layout, line)
        line += block.count(b"\n")
    if layout is None:
        raise SourceError(f"{path} is empty; {EXPECTED}")


def _parse(path: Path, block: bytes, layout: Layout, first: int) -> Iterator[Part | Skipped]:
    """The columns of a block; rows of another width are reported."""
    bad: list[tuple[int, str]] = []

    def refuse(row: pacsv.InvalidRow) -> Literal["skip"]:
        bad.append(((row.number or 1) - 1, row.text))
        return "skip"

    table = pacsv.read_csv(
        io.BytesIO(_squeezed(block) if layout.delimiter == " " else block),
        # Without threads pyarrow numbers the rows; in one block no row straddles two.
        pacsv.ReadOptions(
            use_threads=False, block_size=len(block) + 1, column_names=list(map(str, range(layout.width)))
        ),
        pacsv.ParseOptions(
            delimiter=layout.delimiter,
            quote_char=layout.quote,
            ignore_empty_lines=False,  # a blank line is a row of blanks, so that row numbers are line numbers
            invalid_row_handler=refuse,
        ),
        pacsv.ConvertOptions(
            include_columns=[str(column) for column in layout.columns.values()],
            column_types={str(column): pa.string() for column in layout.columns.values()},
            strings_can_be_null=False,
            check_utf8=False,
        ),
    ).rename_columns(list(layout.columns))
    yield table, np.delete(np.arange(len(table) + len(bad)), [number for number, _ in bad]) + first
    for number, text in bad:
        if text.strip():
            yield Skipped(f"{path.name}:{first + number}: {text[:80]}", "wrong number of columns")


def _without_stray_quotes(block: bytes, layout: Layout) -> tuple[bytes, list[tuple[int, str]]]:
    """The block without the lines that open a quote and do not close it, and those lines with their numbers.

    Such a quote would swallow every row up to the next one, as the line ends inside a quoted text rightly are. What is
    swallowed tells them apart: rows, or the lines of a text.
    """
    rows, stray, place = block.split(b"\n"), [], 0
    odd = [number for number, row in enumerate(rows) if row.count(b'"') % 2]
    opens = re.compile(rb'(?:^|%b)"' % re.escape(layout.delimiter.encode()))
    while place < len(odd):
        opening, closing = odd[place], odd[place + 1] if place + 1 < len(odd) else len(rows)
        place += 1
        if not opens.search(rows[opening]):
            continue  # 5" in the middle of a cell
        if any(_is_row(row, layout) for row in rows[opening + 1 : closing + 1]):
            stray.append((opening, rows[opening].decode()))
            rows[opening] = b""
        else:
            place += 1
    return b"\n".join(rows), stray


def _is_row(line: bytes, layout: Layout) -> bool:
    if len(line) > HEAD:  # csv refuses cells over 128 kB, and nobody's row is that long
        return False
    row = _cells(line.decode(), layout.delimiter)
    return len(row) == layout.width and (_plain([row[layout.columns[end]] for end in ENDS]) or not layout.plain)


def _squeezed(block: bytes) -> bytes:
    """One space for any run of spaces and tabs, none at the ends of lines; five times faster than a pattern."""
    block = block.replace(b"\t", b" ")
    while b"  " in block:
        block = block.replace(b"  ", b" ")
    return block.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _parquet(path: Path) -> Iterator[Part | Skipped]:
    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{path} is no readable Parquet file: {error}") from error
    names = file.schema_arrow.names
    roles = _named(path, names)
    if not roles:
        raise SourceError(f"{path}: {EXPECTED}; found {', '.join(names) or 'none'}")
    first = 1
    try:
        for batch in file.iter_batches(CHUNK, columns=[names[column] for column in roles.values()]):
            columns = {role: _strings(path, batch.column(names[column])) for role, column in roles.items()}
            yield pa.table(columns), np.arange(first, first + len(batch))
            first += len(batch)
    except OSError as error:
        yield Skipped(f"{path.name}:{first}", f"damaged, the rest is lost: {error}")


def _strings(path: Path, column: Column) -> Column:
    """A Parquet column as text: numbers as they are written, nothing as an empty text, bytes decoded."""
    try:
        strings = column.cast(pa.string())
        strings.validate(full=True)
    except pa.ArrowNotImplementedError as error:
        raise SourceError(f"{path} holds {column.type} where text or numbers were expected") from error
    except pa.ArrowInvalid:
        raw = column.cast(pa.binary()).to_pylist()
        strings = pa.array([None if value is None else decoded(value) for value in raw], pa.string())
    return pc.fill_null(strings, pa.scalar(""))


# ---- rows ---------------------------------------------------------------------------------------------------------


def _rows(path: Path, table: pa.Table, numbers: Numbers, positions: "_Positions") -> Iterator[Item]:
    """The rows with a name at both ends, their positions, and the titles; other rows but blank ones are reported."""
    source, target = _canonical(table["source"]), _canonical(table["target"])
    good: Column = pc.and_(source.is_valid(), target.is_valid())
    for row in np.flatnonzero(~good.to_numpy(zero_copy_only=False)).tolist():
        ends = [table[end][row].as_py() for end in ENDS]
        if any(ends):
            yield Skipped(f"{path.name}:{numbers[row]}: {' '.join(ends)[:200]}", "not an address")
    source, target, table = source.filter(good), target.filter(good), table.filter(good)
    if not len(table):
        return
    links = {
        "source": source.dictionary_decode(),
        "target": target.dictionary_decode(),
        "anchor": table["anchor"] if "anchor" in table.column_names else pa.repeat("", len(table)),
        "position": pa.array(positions.next(source), pa.int32()),
    }
    yield Rows(links=pa.table(links), pages=_pages(links, table))


def _canonical(column: Column) -> Column:
    """The column with every distinct name in canonical form, and null where it is none."""
    raw = column.combine_chunks().dictionary_encode()
    other = pc.invert(pc.ascii_is_alnum(raw.dictionary))  # letters and digits alone are an identifier: left as it is
    if not other.true_count:
        return raw
    names = pa.array(map(_name, raw.dictionary.filter(other).to_pylist()), pa.string())
    names = pc.replace_with_mask(raw.dictionary, other, names).dictionary_encode()
    return pa.DictionaryArray.from_arrays(names.indices.take(raw.indices), names.dictionary)


@lru_cache(1 << 17)  # the names of one block are often those of the next
def _name(text: str) -> str | None:
    if text[:1] == text[-1:] == '"':  # from a table in which quotes did not count, or no longer did
        text = text[1:-1]
    return None if "\0" in text or "\ufffd" in text else canonical(text)  # U+FFFD: a byte that nothing could decode


class _Positions:
    """Counts the links of every source over the chunks of a file, packed: a dictionary would take five times more."""

    def __init__(self) -> None:
        self.sources: Column = pa.array([], pa.string())
        self.counts: Numbers = np.empty(0, np.int64)

    def next(self, source: Column) -> Numbers:
        """The place of each link of the next chunk among the links of its source."""
        codes, names = source.indices.to_numpy(), source.dictionary
        known = pc.index_in(names, self.sources)
        new = known.is_null()
        places = known.fill_null(0).to_numpy().copy()
        places[new.to_numpy(zero_copy_only=False)] = np.arange(known.null_count) + len(self.sources)
        self.sources = pa.concat_arrays([self.sources, names.filter(new)])
        self.counts = np.append(self.counts, np.zeros(known.null_count, np.int64))
        sizes = np.bincount(codes, minlength=len(names))
        begins = np.cumsum(sizes) - sizes - self.counts[places]
        self.counts[places] += sizes
        # Sorted by source, file order within: a link's place is its index less the index at which its source begins.
        positions = np.empty(len(codes), np.int64)
        positions[np.argsort(codes, kind="stable")] = np.arange(len(codes)) - np.repeat(begins, sizes)
        return positions


def links_of(pairs: Sequence[tuple[str, str]]) -> pa.Table:
    """The links table of (source, target) pairs of canonical names in file order, for readers of smaller formats.

    >>> links_of([("a", "b"), ("c", "b"), ("a", "c")])["position"].to_pylist()
    [0, 0, 1]
    """
    source = pa.array([source for source, _ in pairs], pa.string())
    target = pa.array([target for _, target in pairs], pa.string())
    position = pa.array(_Positions().next(source.dictionary_encode()), pa.int32())
    return pa.table({"source": source, "target": target, "position": position})


def _pages(links: dict[str, Column], table: pa.Table) -> pa.Table | None:
    """Every page that has a title, with its first; None if there is no such column."""
    ends = [end for end in ENDS if f"{end}_title" in table.column_names]
    if not ends:
        return None
    pages = pa.concat_tables(pa.table({"url": links[end], "title": table[f"{end}_title"]}) for end in ends)
    pages = pages.filter(pc.not_equal(pages["title"], pa.scalar("")))
    first = pages.group_by("url", use_threads=False).aggregate([("title", "first")])  # threads would lose the order
    return first.rename_columns(["url", "title"])
