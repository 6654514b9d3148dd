"""Finds how text looks, as far as it tells parts of a page apart: bold, colour, background, font face and size.

An element's look is its parent's, changed in this order by what the tag itself means (`b`, `h1` …), by presentational
attributes (`bgcolor`, `<font color size face>`), by the page's own `<style>` rules for tags, then classes, then ids,
and by its `style` attribute. Other selectors and external style sheets are not read; an invalid value changes nothing.
Sizes are in pixels.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from pagekin.parse.colours import BLACK, WHITE, Colour, attribute_colour, css_colour


class Style(NamedTuple):
    """The look of a stretch of text."""

    bold: bool = False
    colour: Colour = BLACK
    background: Colour = WHITE
    face: str = ""  # the first family named, in lower case
    size: int = 16


Change = tuple[str, Any]  # a field of Style and its value; "scale" multiplies the size
Changes = tuple[Change, ...]
Attributes = Mapping[str, str | None]
StyleRules = dict[str, Changes]  # by selector: `p`, `.note`, `p.note`, `#menu`, `ul#menu`

PLAIN = Style()
SIZES = (10, 13, 16, 18, 24, 32, 48)  # of <font size=1> to <font size=7>: HTML, 15.3.4
STEP = 1.2  # factor from one size to the next: larger, smaller, <big>, <small>
LARGEST = 1000  # no page needs more, and <big> can be nested
LONGEST = 2000  # characters of a style attribute, a rule or a value that are read
LONGEST_SHEET = 1 << 16  # characters; a longer style sheet is not cached

# What tags mean: HTML, 15.3.6 for the headings.
_HEADINGS = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h4": 1.0, "h5": 0.83, "h6": 0.67}
TAGS: StyleRules = {
    "b": (("bold", True),),
    "strong": (("bold", True),),
    "big": (("scale", STEP),),
    "small": (("scale", 1 / STEP),),
    **{tag: (("bold", True), ("scale", scale)) for tag, scale in _HEADINGS.items()},
}
_FONTS = frozenset(("font", "basefont", "body"))  # elements with their own attributes for how text looks
_KEYWORDS = {"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32}
_UNITS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "rem": 16.0}

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE = re.compile(r"([{}])")
_SELECTOR = re.compile(r"([a-zA-Z][a-zA-Z0-9]*)?([.#][\w-]+)?")
_LENGTH = re.compile(r"(\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})(px|pt|pc|in|cm|mm|rem|em|ex|%)")
_FONT_SIZE = re.compile(r"\s*([+-]?)(\d{1,3})")


def changes_of(tag: str, attributes: Attributes, rules: StyleRules) -> Changes:
    """How an element's look differs from its parent's.

    >>> changed(PLAIN, changes_of("font", {"color": "red", "size": "+1"}, {}))
    Style(bold=False, colour=(255, 0, 0), background=(255, 255, 255), face='', size=18)
    """
    changes = list(TAGS.get(tag, ()))
    if tag in _FONTS or "bgcolor" in attributes:
        changes += _presentational(tag, attributes)
    if rules:
        for selector in _selectors(tag, attributes):
            changes += rules.get(selector, ())
    if inline := attributes.get("style"):
        changes += declarations(inline[:LONGEST])
    return _last(changes) if len(changes) > 1 else tuple(changes)


@lru_cache(4096)
def changed(style: Style, changes: Changes) -> Style:
    """Apply changes to a look, in order.

    >>> changed(PLAIN, (("bold", True), ("scale", 1.5))).size
    24
    """
    for field, value in changes:
        if field == "scale":
            field, value = "size", style.size * value
        if field == "size":
            value = max(1, min(LARGEST, round(value)))
        style = style._replace(**{field: value})
    return style


def _presentational(tag: str, attributes: Attributes) -> Iterator[Change]:
    """What the attributes of the nineties set: bgcolor on any element, text on <body>, the others on <font>."""
    if (value := attributes.get("bgcolor")) and (colour := attribute_colour(value[:LONGEST])) is not None:
        yield "background", colour
    if tag == "body":
        if (value := attributes.get("text")) and (colour := attribute_colour(value[:LONGEST])) is not None:
            yield "colour", colour
    elif tag in _FONTS:
        if (value := attributes.get("color")) and (colour := attribute_colour(value[:LONGEST])) is not None:
            yield "colour", colour
        if value := attributes.get("face"):
            yield from _face(value[:LONGEST])
        if found := _FONT_SIZE.match(attributes.get("size") or ""):
            number = int(found[2]) if not found[1] else 3 + int(found[1] + found[2])
            yield "size", SIZES[max(1, min(7, number)) - 1]


def _selectors(tag: str, attributes: Attributes) -> Iterator[str]:
    """The selectors that match an element, the least specific first."""
    yield tag
    names = [f".{name}" for name in (attributes.get("class") or "").split()]
    names += [f"#{name}"] if (name := attributes.get("id")) else []
    for name in names:
        yield name
        yield tag + name


def rules_of(css: str) -> Mapping[str, Changes]:
    """The rules of a style sheet that set a look, for tags, classes and ids; takes time linear in any input.

    The pages of a site share a style sheet, so it is cached unless it is too long.

    >>> rules_of("h2.big, #menu { font-weight: bold; margin: 0} @media print { p { color: red } } a:hover {color: red}")
    {'h2.big': (('bold', True),), '#menu': (('bold', True),)}
    """
    return _remembered(css) if len(css) <= LONGEST_SHEET else _rules(css)


def _rules(css: str) -> StyleRules:
    rules: StyleRules = {}
    for selectors, body in _blocks(_COMMENT.sub(" ", css)):
        if changes := declarations(body[:LONGEST]):
            for selector in selectors.split(","):
                found = _SELECTOR.fullmatch(selector.strip())
                if found and found[0]:
                    key = (found[1] or "").lower() + (found[2] or "")
                    rules[key] = _last(rules.get(key, ()) + changes)
    return rules


_remembered = lru_cache(64)(_rules)


def _last(changes: Iterable[Change]) -> Changes:
    """The last change of each field. Setting a size and scaling it count as changes of the same field."""
    return tuple({"size" if field == "scale" else field: (field, value) for field, value in changes}.values())


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """The (selectors, declarations) outside at-rules (@media, @font-face), for which we cannot tell if they apply."""
    depth = at_rule = 0  # how deep we are, and how deep the outermost at-rule is
    selectors = ""
    parts = _BRACE.split(css)
    for text, brace in zip(parts[::2], [*parts[1::2], "}"], strict=True):
        if brace == "{":
            depth += 1
            selectors = text.rpartition(";")[2].strip()  # after the end of an @import
            if not at_rule and selectors.startswith("@"):
                at_rule = depth
        else:
            if depth == 1 and not at_rule:
                yield selectors, text
            if depth == at_rule:
                at_rule = 0
            depth = max(0, depth - 1)


@lru_cache(4096)
def declarations(text: str) -> Changes:
    """The changes that declarations make to a look.

    >>> declarations("COLOR: #00f !important; font: bold 12pt/1.5 'Gill Sans', serif; background: url(x) repeat teal")
    (('colour', (0, 0, 255)), ('bold', True), ('size', 16.0), ('face', 'gill sans'), ('background', (0, 128, 128)))
    """
    changes: list[Change] = []
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        if read := _PROPERTIES.get(name.strip().lower()):
            changes += read(value.partition("!")[0].strip())
    return _last(changes)


def _colour(value: str) -> Iterator[Change]:
    if (colour := css_colour(value)) is not None:
        yield "colour", colour


def _background(value: str) -> Iterator[Change]:
    """The colour in a `background`, among other things."""
    for part in (value, *value.split()):
        if (colour := css_colour(part)) is not None:
            yield "background", colour
            return


def _weight(value: str) -> Iterator[Change]:
    value = value.lower()
    if value in ("bold", "bolder") or (value.isdecimal() and len(value) <= 4 and int(value) >= 600):
        yield "bold", True
    elif value in ("normal", "lighter") or value.isdecimal():
        yield "bold", False


def _size(value: str) -> Iterator[Change]:
    value = value.lower()
    if value in _KEYWORDS:
        yield "size", _KEYWORDS[value]
    elif value in ("larger", "smaller"):
        yield "scale", STEP if value == "larger" else 1 / STEP
    elif found := _LENGTH.fullmatch(value):
        number, unit = float(found[1]), found[2]
        if unit in _UNITS:
            yield "size", number * _UNITS[unit]
        else:
            yield "scale", number * {"em": 1.0, "ex": 0.5, "%": 0.01}[unit]


def _face(value: str) -> Iterator[Change]:
    face = value.partition(",")[0].strip(" \t\r\n\f\"'").lower()
    if face and face not in ("inherit", "initial", "unset"):
        yield "face", face


def _font(value: str) -> Iterable[Change]:
    """The changes that `font` makes: weight and the like, size, perhaps /height, then families."""
    words = value.split()
    for at, word in enumerate(words):
        if size := list(_size(word.partition("/")[0])):
            bold = any(dict(_weight(word)).get("bold") for word in words[:at])
            return [("bold", bold), *size, *_face(" ".join(words[at + 1 :]))]
    return ()


_PROPERTIES = {
    "color": _colour,
    "background-color": _background,
    "background": _background,
    "font-weight": _weight,
    "font-size": _size,
    "font-family": _face,
    "font": _font,
}
