"""A quick look at a page: whether no order of its tags could make it expensive, so that none need be followed."""

import re

from pagekin.parse.elements import FORMATTING
from pagekin.parse.limits import DEEPEST, FEW_CHARACTERS, FEW_TAGS, MOST_STEPS, STEPS_A_CHARACTER
from pagekin.parse.tags import ATTRIBUTES, VALUE, S

# A page with no more than these is harmless if a few quick searches say so: then its tags are not followed one by one.
QUICK_OPTIONS, QUICK_NAMES, QUICK_REOPENED = 2_500, 10_000, 4_000_000
LARGE = 1 << 19  # characters of a page; a smaller one has few different names
_WINDOW = 1 << 12
# Formatting elements (of <a> only one is active), and those whose tags add up: options, attributes of the page itself.
_COUNTED = re.compile(
    rf"<(?=[bcefhinostuBCEFHINOSTU])(?i:body|html|option|{'|'.join(sorted(FORMATTING - {'a'}, reverse=True))})"
    rf"(?=[{S}/>])(?:{ATTRIBUTES})*+"
)
_ALONE = re.compile(rf"<(?=[abdhilpABDHILP])(?i:a|br|dd|dt|hr|img|li|p)(?=[{S}/>])")
# An element that ends before anything else begins: only one such is open at a time. It follows a `>` and text, so it is
# not in a tag, unless in a quoted value with a `>`: pages with such values are not searched. Then a real `<span>` is
# followed by text and its real end, and what is left when it is taken out means what it meant.
PAIR = re.compile(
    r"""(?<=>)([^<>"']*+)<(a|abbr|b|cite|code|dd|div|dt|em|h[1-6]|i|kbd|li|p|samp|small|span|strong|sub|sup|td|th|tt|u|var)"""
    rf"""(?=[{S}/>])(?:{ATTRIBUTES})*+[{S}/]*+>[^<>"']*+</\2>"""
)
PASSES = 5  # pairs inside pairs, the innermost first
_OPTION_TAG = re.compile("(?i)<option")
_TAGS, _VALUES = re.compile("<[A-Za-z][^>]*+"), re.compile(VALUE)
QUOTED_END = re.compile(rf"""=[{S}]*+(?:"[^">]*+>|'[^'>]*+>)""")


def harmless(markup: str, tags: int) -> bool:
    """Whether no order of its tags could make a page expensive: there are too few of those that matter.

    At most three equal formatting elements are active, so no tag opens more again than three times the different ones.
    """
    if tags <= FEW_TAGS and len(markup) <= FEW_CHARACTERS:
        return True
    starts, rest = tags - markup.count("</"), markup
    for _ in range(0 if starts <= DEEPEST or QUOTED_END.search(markup) else PASSES):
        rest, pairs = PAIR.subn(r"\1", rest)
        starts -= pairs
        if starts <= DEEPEST:
            break
    if starts > DEEPEST:  # of a run of these, only one is open: the next ends the one before, unless others are between
        starts = 2 * (starts - len(_ALONE.findall(rest)))
    most = MOST_STEPS + STEPS_A_CHARACTER * len(markup)
    if starts > DEEPEST or starts * tags > 2 * most:  # half of them are open on average
        return False
    if len(markup) > FEW_CHARACTERS and _longest_tag(markup) > FEW_CHARACTERS:
        return False
    if len(markup) > LARGE and len(set(_VALUES.sub(" ", " ".join(_TAGS.findall(markup))).split())) > QUICK_NAMES:
        return False
    found = _COUNTED.findall(markup)
    few = len(found) <= QUICK_OPTIONS or len(_OPTION_TAG.findall(markup)) <= QUICK_OPTIONS
    return few and 3 * len(set(found)) * tags <= QUICK_REOPENED


def _longest_tag(markup: str) -> int:
    """No tag has more characters than this: a tag holds no `>`, except in quoted values."""
    apart = 2 * _WINDOW  # at most, if there is one in every window
    if any(markup.find(">", at, at + _WINDOW) < 0 for at in range(0, len(markup) - _WINDOW, _WINDOW)):
        apart = max(map(len, markup.split(">")))
    return apart * (len(QUOTED_END.findall(markup)) + 1)
