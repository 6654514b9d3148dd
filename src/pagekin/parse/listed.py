"""The lists that `pagekin see-also` writes into pages: where they stand, so that they are never read as a page's own.

    <!-- pagekin see-also 8c1f0d2e5a7b9346 -->
    <section class="pagekin" data-pagekin-list="">…</section>
    <!-- /pagekin see-also -->

The number is a checksum of what stands between the marks. A list that somebody has changed does not fit it: it is no
longer ours to replace or remove, but the parser leaves out its element all the same, by the attribute. The end of the
line behind the second mark was written with it.
"""

import re
from hashlib import blake2b
from typing import NamedTuple

ATTRIBUTE = "data-pagekin-list"  # also what is left of a list when a minifier has removed comments
SIGN = b"<!-- pagekin see-also "
END = b"<!-- /pagekin see-also -->"
# The end of the line behind the second mark is ours if it is the one behind the first: a page may go on with another.
_LIST = re.compile(
    re.escape(SIGN) + rb"([0-9a-f]{16}) -->((\r\n|\n|\r)?+.*?)" + re.escape(END) + rb"(?:\3)?+", re.DOTALL
)
_SIGNS = re.compile(rb"<!-- /?pagekin see-also\b")


class Listed(NamedTuple):
    """A list in the bytes of a page, with its marks."""

    start: int
    end: int
    unchanged: bool  # since it was written


def lists_in(page: bytes) -> list[Listed]:
    """The lists between marks, in order."""
    if SIGN not in page:
        return []
    return [Listed(*found.span(), found[1] == checksum(found[2])) for found in _LIST.finditer(page)]


def stray(page: bytes) -> bool:
    """Whether there are marks that do not belong to a whole list: one of the two is missing or was changed."""
    return SIGN[:-1] in page.replace(b"<!-- /", b"<!-- ") and len(_SIGNS.findall(page)) != 2 * len(lists_in(page))


def unlisted(page: bytes) -> bytes:
    """A page as it was before lists were written into it; a list that somebody has changed stays.

    >>> unlisted(b"<p>Bees" + marked(b"<ul></ul>", b"\\n") + b"</p>")
    b'<p>Bees</p>'
    """
    found = lists_in(page)
    if not any(each.unchanged for each in found):
        return page
    kept, at = [], 0
    for each in found:
        if each.unchanged:
            kept.append(page[at : each.start])
            at = each.end
    return b"".join([*kept, page[at:]])


def marked(markup: bytes, newline: bytes) -> bytes:
    """A list between its marks, on lines of its own."""
    between = newline + markup + newline
    return SIGN + checksum(between) + b" -->" + between + END + newline


def checksum(between: bytes) -> bytes:
    return blake2b(between, digest_size=8).hexdigest().encode()
