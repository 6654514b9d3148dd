"""Reads edge lists, tables with a link in each row: CSV, TSV, white-space columns or Parquet, plain or compressed.

    source,target,anchor
    http://bees.example/,http://bees.example/hive/,The hive

`text` reads the bytes, `layout` guesses the layout, `columns` splits the rows, and this module turns rows into links.
Each *distinct* name of a part is put into canonical form once: ten million rows have far fewer names.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from pagekin.acquire import columns
from pagekin.acquire.capture import spelled
from pagekin.acquire.columns import PARQUET, cleaned, read_columns
from pagekin.acquire.headers import ENDS
from pagekin.acquire.layout import Asked, Layout, layout_of, share
from pagekin.acquire.tables import Numbers, Positions
from pagekin.acquire.text import unmarked
from pagekin.engine.addresses import are_canonical
from pagekin.errors import SourceError
from pagekin.model import Item, Rows, Skipped
from pagekin.url import canonical

CITES = ".cites"  # LINQS: looks like an edge list, but has the target first
FITTING = 0.5  # share of lines as wide as the header: anchors with line ends forbid a higher bar; prose has no columns
MOST_NUMBERS = 3  # columns in a table of numbers without a header: relevance judgements have four


def read(path: Path, asked: Asked | None = None) -> Iterator[Item]:
    """The links of an edge list in file order, with titles if it has them; bad rows are reported and left out.

    Takes half a second to a second per million rows, plus 7 µs for each distinct URL; memory holds one block and one
    count per source.
    """
    positions = Positions()
    for part in read_columns(path, asked):
        if isinstance(part, Skipped):
            yield part
        else:
            yield from _rows(path, *part, positions)


def recognises(path: Path, head: bytes) -> bool:
    """Whether this is Parquet, or a table whose header names both ends of links or whose rows hold URLs or numbers.

    Any other table of two columns may be about anything (names and ages), so it is read only on request.
    """
    if head.startswith(PARQUET):
        return True
    if CITES in path.suffixes:
        return False
    try:
        layout = _layout(path, head)
    except SourceError:
        return False
    if layout.named:
        return share(len(row) == layout.width for row in layout.rows) >= FITTING
    few = layout.width <= MOST_NUMBERS and not layout.header  # under other headers, numbers are years or visits
    return layout.holds("url") or (few and layout.holds("number"))


def described(path: Path, head: bytes, asked: Asked | None = None) -> str:
    """Which columns are taken, for people; a `SourceError` with a sample if that is in doubt."""
    return columns.described(path, asked) if head.startswith(PARQUET) else _layout(path, head, asked).said


def _layout(path: Path, head: bytes, asked: Asked | None = None) -> Layout:
    return layout_of(spelled(path), cleaned(b"".join(unmarked([head]))), asked)


def _rows(path: Path, table: pa.Table, numbers: Numbers, positions: Positions) -> Iterator[Item]:
    """The rows with a name at both ends, their positions and titles; the others are reported unless blank."""
    source, target, name = _canonical(table["source"]), _canonical(table["target"]), spelled(path.name)
    good = pc.and_(source.is_valid(), target.is_valid())
    bad = pc.and_not(pc.or_(*(pc.not_equal(table[end], "") for end in ENDS)), good)  # of blank rows nothing is said
    lines = numbers[bad.to_numpy(zero_copy_only=False)].tolist()
    for line, *ends in zip(lines, *(table[end].filter(bad).to_pylist() for end in ENDS), strict=True):
        yield Skipped(f"{name}:{line}: {' '.join(ends)[:200]}", "not an address")
    if good.false_count:  # and a dictionary must not name what is left out
        source, target = (end.filter(good).dictionary_decode().dictionary_encode() for end in (source, target))
        table = table.filter(good)
    if not len(table):
        return
    links = {
        "source": source,
        "target": target,
        "anchor": table["anchor"] if "anchor" in table.column_names else pa.repeat("", len(table)),
        "position": pa.array(positions.next(source), pa.int32()),
    }
    yield Rows(links=pa.table(links), pages=_pages(links, table))


def _canonical(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """The column with every distinct name in canonical form, and null where a name is not valid."""
    raw = column.combine_chunks().dictionary_encode()
    # Only letters and digits: an identifier, left as it is; and most addresses are in canonical form.
    other = pc.invert(pc.or_(pc.ascii_is_alnum(raw.dictionary), are_canonical(raw.dictionary)))
    if not other.true_count:
        return raw
    names = pa.array(map(_name, raw.dictionary.filter(other).to_pylist()), pa.string())
    names = pc.replace_with_mask(raw.dictionary, other, names).dictionary_encode()
    return pa.DictionaryArray.from_arrays(names.indices.take(raw.indices), names.dictionary)


@lru_cache(1 << 19)  # one part often has the same names as the next
def _name(text: str) -> str | None:
    if text[:1] == text[-1:] == '"':  # from a tab-separated table, in which quotes do not count
        text = text[1:-1]
    return None if "\0" in text or "\ufffd" in text else canonical(text)  # U+FFFD: a byte that nothing could decode


def _pages(links: dict[str, pa.Array], table: pa.Table) -> pa.Table | None:
    """Every page that has a title, with its first title; None if the table has no title column."""
    ends = [end for end in ENDS if f"{end}_title" in table.column_names]
    if not ends:
        return None
    named = {end: links[end].dictionary_decode() for end in ends}
    pages = pa.concat_tables(pa.table({"url": named[end], "title": table[f"{end}_title"]}) for end in ends)
    pages = pages.filter(pc.not_equal(pages["title"], ""))
    first = pages.group_by("url", use_threads=False).aggregate([("title", "first")])  # threads would lose the order
    return first.rename_columns(["url", "title"])
