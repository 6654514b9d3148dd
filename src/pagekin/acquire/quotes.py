"""Removes quotes that are opened and never closed from a table before they swallow the rows after them.

    http://a.example/,http://b.example/,"a stray quote
    http://a.example/,http://c.example/,"a text
    of two lines"

A quoted text may hold line ends, so any CSV reader takes the first two lines for one row that ends in `a text`. What a
quote swallows tells the two cases apart: rows of the table, or lines of a text.
"""

import re

import numpy as np

from pagekin.acquire.headers import ENDS
from pagekin.acquire.layout import HEAD, Layout, cells, is_plain


def without_stray_quotes(block: bytes, layout: Layout) -> tuple[bytes, list[tuple[int, str]]]:
    """The block with a blank line for each line that opens a stray quote; and those lines with their numbers."""
    if not layout.quotes or b'"' not in block:
        return block, []
    odd = _odd(block)[::-1]
    if not odd:
        return block, []
    rows, stray = block.split(b"\n"), []
    opens = re.compile(rb'(?:^|%b)"' % re.escape(layout.delimiter.encode()))
    while odd:
        opening = odd.pop()
        if not opens.search(rows[opening]):
            continue  # 5" in the middle of a cell
        closing = odd[-1] if odd else len(rows)
        if any(_is_row(row, layout) for row in rows[opening + 1 : closing + 1]):
            stray.append((opening, rows[opening].decode()))
            rows[opening] = b""
        elif odd:
            odd.pop()
    return b"\n".join(rows), stray


def _odd(block: bytes) -> list[int]:
    """The numbers of the lines with an odd number of quotes."""
    characters = np.frombuffer(block, np.uint8)
    ends = np.append(np.flatnonzero(characters == ord("\n")), characters.size)
    quotes = np.searchsorted(np.flatnonzero(characters == ord('"')), ends)
    found: list[int] = np.flatnonzero(np.diff(quotes, prepend=0) % 2).tolist()
    return found


def _is_row(line: bytes, layout: Layout) -> bool:
    if len(line) > HEAD:  # csv refuses cells over 128 kB, and no real row is that long
        return False
    row = cells(line.decode(), layout.delimiter)
    return len(row) == layout.width and (is_plain([row[layout.columns[end]] for end in ENDS]) or not layout.plain)
