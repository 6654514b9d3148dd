"""The tags of a page, as a parser finds them (HTML, 13.2.5), by regular expressions that never go back."""

import re
from collections.abc import Callable, Iterator

from pagekin.parse.elements import RAW, RAW_OR_REST

S = "\\t\\n\\f\\r "  # white space, in a set of characters
VALUE = rf"""=[{S}]*+(?:"[^"]*+"|'[^']*+'|[^{S}>"'][^{S}>]*+|(?=>))"""
ATTRIBUTE = rf"[{S}/]*+(?P<name>=?+[^{S}/>=]++|=)[{S}]*+(?:{VALUE})?+"
ATTRIBUTES = ATTRIBUTE.replace("?P<name>", "?:")
_TAG = re.compile(rf"<(/?)([A-Za-z][^{S}/>]*+)((?:{ATTRIBUTES})*+)[{S}/]*+>")
ATTRIBUTE_NAME = re.compile(ATTRIBUTE)
_LETTER = re.compile("[A-Za-z]")
_ENDS, _COMMENT_ENDS, _CDATA_ENDS = re.compile(">"), re.compile("--!?>"), re.compile("]]>")
_RAW_END = {name: re.compile(rf"(?i)</{name}(?=[{S}/>])") for name in RAW}


def tokens(markup: str, space_of: Callable[[], str]) -> Iterator[tuple[int, int, re.Match[str] | None]]:
    """Tags, comments and the like as (begin, end, tag); what raw elements contain is passed over.

    `space_of` tells whether what follows is inside a picture or a formula, which have no raw elements.
    """
    at, size = 0, len(markup)
    while (begin := markup.find("<", at)) >= 0:
        if tag := _TAG.match(markup, begin):
            at, space = tag.end(), space_of()
            yield begin, at, tag
            name = tag[2].lower()
            if name in RAW_OR_REST and not tag[1] and not space:
                end = None if name == "plaintext" else _RAW_END[name].search(markup, at)
                if end is None:
                    return
                at = end.start()
            continue
        mark = markup[begin + 1 : begin + 3]
        if markup.startswith("<!--", begin):
            whole = markup.startswith((">", "->"), begin + 4)
            end = (_ENDS if whole else _COMMENT_ENDS).search(markup, begin + 4)
        elif markup.startswith("<![CDATA[", begin) and space_of():
            end = _CDATA_ENDS.search(markup, begin)
        elif mark[:1] in ("!", "?") or (mark[:1] == "/" and not _LETTER.match(mark, 1)):
            end = _ENDS.search(markup, begin)
        elif _LETTER.match(mark, mark[:1] == "/"):
            return  # a tag that does not end
        else:
            at = begin + 1  # a sign in the text
            continue
        at = end.end() if end else size
        yield begin, at, None
    yield size, size, None
