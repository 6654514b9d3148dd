r"""Text of strangers, made harmless for whoever reads it: a terminal, a program that reads JSON or XML, a spreadsheet.

Titles, anchors and identifiers come from pages that anyone may have written. A terminal obeys some characters (ESC, and
the C1 controls from U+0080 to U+009F), others reverse the order of a line (bidi controls) or end it (U+2028, U+2029).

    for people       `clean`: without these characters, in one line
    for programs     `as_json`, `referenced`, `percent_encoded`: with escapes, which parse to the very same text
    for spreadsheets `as_cell`: what would be a formula becomes text
"""

import json
import re
import unicodedata
from typing import Any

# The zero-width joiners change how letters join in Persian and in Indic scripts, and join emoji. They reorder nothing.
JOINERS = "\u200c\u200d"
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")

# DEL and C1, the format characters (Unicode's class Cf) but the joiners, and both separators: a class for `re`, and for
# the RE2 of Arrow. C0 is not in it: JSON escapes C0 itself, and XML has rules of its own.
_CONTROLS = (
    "\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f"
)
_CONTROL = re.compile(f"[{_CONTROLS}]")
_CONTROL_OR_HALF = re.compile(f"[{_CONTROLS}\ud800-\udfff\ufffe\uffff]")  # half of a pair, and what is no character
_CONTROL_OR_C0 = re.compile(f"[\x00-\x1f{_CONTROLS}]")

# How a formula begins: with one of these, also in full width, after characters that an import may strip. A tab or a
# line end in front may shift what follows into a cell of its own. See OWASP, “CSV Injection”.
FORMULA = f"^[\x00-\x20\xa0\u3000{_CONTROLS}]*[=+@＝＋－＠-]|^[\t\r\n]"
_FORMULA = re.compile(FORMULA)


def clean(text: str) -> str:
    """Text for people, cleaned so that it cannot move the cursor, ring the bell or reverse the line.

    >>> clean("a\\x1b[31mb\\u202ec\\nd")
    'a[31mbc d'
    """
    words = " ".join(text.split())
    if words.isprintable():
        return words
    return "".join(char for char in words if char in JOINERS or unicodedata.category(char) not in UNSEEN)


def clean_line(line: str) -> str:
    """`clean` for a line whose indentation is kept."""
    return " " * (len(line) - len(line.lstrip(" "))) + clean(line)


_WRITER = json.JSONEncoder(ensure_ascii=False)


def as_json(value: Any, indent: int | None = None) -> str:
    """A value as JSON, in Unicode, but with escapes for what a terminal obeys or a reader of lines takes for an end.

    >>> as_json(["ü", "a\\u202eb"])
    '["ü", "a\\\\u202eb"]'
    """
    return escaped(_WRITER.encode(value) if indent is None else json.dumps(value, ensure_ascii=False, indent=indent))


def escaped(text: str) -> str:
    """JSON with escapes for what a terminal obeys or a reader of lines takes for an end."""
    if text.isascii() and "\x7f" not in text:  # to look for all the others takes as long as to write the text
        return text
    return _CONTROL_OR_HALF.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


def referenced(text: str) -> str:
    """XML text with references for control characters; they parse to the same text."""
    return _CONTROL.sub(lambda found: f"&#{ord(found[0])};", text)


def percent_encoded(text: str) -> str:
    """Text whose control characters are percent-encoded, as in an address."""
    return _CONTROL_OR_C0.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), text)


def as_cell(text: str) -> str:
    """Text for a spreadsheet: an apostrophe before what would be a formula, so that it is shown and not computed.

    >>> as_cell("=1+1"), as_cell("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{text}" if _FORMULA.match(text) else text
