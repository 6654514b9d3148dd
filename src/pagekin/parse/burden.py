"""Finds out what a page would cost the HTML parser, without making its tree: a hostile page is refused, not parsed.

The rules of HTML take time quadratic in what a page leaves open. For each `<div>` a parser looks through the open
elements for a `<p>` to close; an unclosed `<font>` is opened again in every following paragraph. Browsers bound the
depth of their trees, Lexbor does not; besides, it compares each attribute with the others of its tag, and each option
with the others of its list. So this module goes through the tags as the parser does (HTML, 13.2.4 to 13.2.6: tokens,
the stack of open elements, the active formatting elements) and counts the parser's steps. Its own time is linear in
the page's size: it looks up where an element was opened last, and never searches for it.

It is not a parser. Where the rules are intricate (the adoption agency, foster parents) it takes the outcome with most
open elements; a test compares depths and sizes with those of real trees.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

DEEP, OPEN, ATTRIBUTES, OPTIONS, NAMES = (
    "nested too deeply",
    "too many elements left open",
    "too many attributes in one tag",
    "too many options in one list",
    "too many different names of tags or attributes",
)
# A page with fewer tags and characters costs the parser some hundredths of a second at most, and is not looked at.
FEW_TAGS, FEW_CHARACTERS = 3_000, 1 << 15
# Levels; real pages have fewer than a hundred, and browsers make no more than 512. 3,000 take Lexbor 10 ms, ten times
# as many a second.
DEEPEST = 3_000
# A page with no more than these is harmless if a few quick searches say so: then its tags are not followed one by one.
QUICK_OPTIONS, QUICK_NAMES, QUICK_REOPENED = 2_500, 10_000, 4_000_000
# Comparisons, 3 ns each: so many for every page, and so many for each of its characters, so that twice the page is
# twice the work. Real pages need about two a character.
MOST_STEPS, STEPS_A_CHARACTER = 20_000_000, 50
# Formatting elements opened again, and one more for each character. A 160 kB page of `<p><font color=…>` has 32 million
# of them, which take 4 GB.
MOST_REOPENED = 100_000
ADOPTIONS = 8  # boxes into which the adoption agency moves an element: HTML, 13.2.6.4.7
# What these cost in steps, measured with selectolax 1.0: an option for each that its list has already, an entry in the
# list of formatting elements, and the chain of a hash table that never grows, for each name that it has already.
_OPTION, _SELECTED, _ACTIVE, _CHAINED = 3, 12, 4, 0.25

_S = "\\t\\n\\f\\r "
_VALUE = rf"""=[{_S}]*+(?:"[^"]*+"|'[^']*+'|[^{_S}>"'][^{_S}>]*+|(?=>))"""
_ATTRIBUTE = rf"[{_S}/]*+(?P<name>=?+[^{_S}/>=]++|=)[{_S}]*+(?:{_VALUE})?+"
_ATTRIBUTES = _ATTRIBUTE.replace("?P<name>", "?:")
_TAG = re.compile(rf"<(/?)([A-Za-z][^{_S}/>]*+)((?:{_ATTRIBUTES})*+)[{_S}/]*+>")
_ATTRIBUTE_NAME = re.compile(_ATTRIBUTE)
_LETTER = re.compile("[A-Za-z]")
_ENDS, _COMMENT_ENDS, _CDATA_ENDS = re.compile(">"), re.compile("--!?>"), re.compile("]]>")
_FONT = re.compile(rf"(?i)(?:^|[{_S}/])(?:color|face|size)(?:[{_S}/=]|$)")
_LONG = 2_000  # characters of a tag; a shorter one has few attributes
_LARGE = 1 << 19  # characters of a page; a smaller one has few different names
_WINDOW = 1 << 12


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = _names(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr"
)
RAW = _names("iframe noembed noframes script style textarea title xmp")  # what they contain are no tags
RAW_OR_REST = RAW | {"plaintext"}
_RAW_END = {name: re.compile(rf"(?i)</{name}(?=[{_S}/>])") for name in RAW}
FORMATTING = _names("a b big code em font i nobr s small strike strong tt u")
HEADINGS = _names("h1 h2 h3 h4 h5 h6")
CLOSES_P = HEADINGS | _names(
    """address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form
    header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp"""
)
MARKED = _names("applet marquee object")  # formatting from outside does not reach in; nor into cells
CELLS, SECTIONS = _names("caption td th"), _names("colgroup tbody tfoot thead")
TABLES = CELLS | SECTIONS | _names("table template tr")
BARRIERS = MARKED | CELLS | _names("html select table template")
SPECIAL = CLOSES_P | MARKED | TABLES | RAW | _names("button frameset noscript select")
# End tags that close the last such element and all in it, unless a barrier stands between.
CLOSES = (CLOSES_P - HEADINGS - _names("form hr li p plaintext table xmp")) | MARKED | _names("button select")
_AROUND = {
    **dict.fromkeys(("td", "th"), _names("table tbody template tfoot thead tr")),
    "tr": _names("table tbody template tfoot thead"),
    **dict.fromkeys(("caption", *SECTIONS), _names("table template")),
}  # the parts of a table in which a part may be; others are closed
_SOFT = _names("address div p")  # boxes that do not keep a <li> from ending the one before
_RUBY = _names("rb rp rt rtc")
# Formatting elements (of <a> only one is active), and those whose tags add up: options, attributes of the page itself.
_COUNTED = re.compile(
    rf"<(?=[bcefhinostuBCEFHINOSTU])(?i:body|html|option|{'|'.join(sorted(FORMATTING - {'a'}, reverse=True))})"
    rf"(?=[{_S}/>])(?:{_ATTRIBUTES})*+"
)
_ALONE = re.compile(rf"<(?=[abdhilpABDHILP])(?i:a|br|dd|dt|hr|img|li|p)(?=[{_S}/>])")
# An element that ends before anything else begins: only one such is open at a time. It follows a `>` and text, so it is
# not in a tag, unless in a quoted value with a `>`: pages with such values are not searched. Then a real `<span>` is
# followed by text and its real end, and what is left when it is taken out means what it meant.
_PAIR = re.compile(
    r"""(?<=>)([^<>"']*+)<(a|abbr|b|cite|code|dd|div|dt|em|h[1-6]|i|kbd|li|p|samp|small|span|strong|sub|sup|td|th|tt|u|var)"""
    rf"""(?=[{_S}/>])(?:{_ATTRIBUTES})*+[{_S}/]*+>[^<>"']*+</\2>"""
)
_PASSES = 5  # pairs inside pairs, the innermost first
_OPTION_TAG = re.compile("(?i)<option")
_TAGS, _VALUES = re.compile("<[A-Za-z][^>]*+"), re.compile(_VALUE)
_QUOTED_END = re.compile(rf"""=[{_S}]*+(?:"[^">]*+>|'[^'>]*+>)""")
_OPTIONS = frozenset(("option",))
_IMPLIED = _RUBY | _names("dd dt li option p")
_IMPLIED_ALL = _IMPLIED | {"optgroup"}
_UNFORMATTED = CLOSES_P | TABLES | RAW | _RUBY | _names("base frameset link meta param source track")
_SILENT = _names("body head html")
_INTEGRATION = {"svg": _names("desc foreignobject title"), "math": _names("mi mn mo ms mtext")}
_HTML_ONLY = HEADINGS | _names(
    """b big blockquote body br center code dd div dl dt em embed head hr i img li listing menu meta nobr ol p pre ruby
    s small span strong strike sub sup table tt u ul var"""
)  # these end a picture or a formula

# What an element is on the stack, as bits.
_BARRIER, _SPECIAL, _TABLE, _MARK, _BUTTON, _HARD = 1, 2, 4, 8, 16, 32
_KINDS = {
    name: _BARRIER * (name in BARRIERS)
    | _SPECIAL * (name in SPECIAL)
    | _TABLE * (name in TABLES)
    | _MARK * (name in MARKED | CELLS or name == "template")
    | _BUTTON * (name == "button" or name in BARRIERS)
    | _HARD * (name in SPECIAL - _SOFT)
    for name in SPECIAL | BARRIERS
}
_POINT = _BARRIER | _SPECIAL | _BUTTON | _HARD  # of an element in a picture that holds HTML again
_BITS = (_BARRIER, _SPECIAL, _TABLE, _BUTTON, _HARD)


class TooMuch(Exception):  # noqa: N818
    """The page would cost too much; the message says what there is too much of."""


def could_be_hard(body: bytes) -> bool:
    """Whether a page, as stored, has so many tags or characters that it could cost a parser more than a second."""
    return len(body) > FEW_CHARACTERS or body.count(b"<") > FEW_TAGS


def objection(markup: str) -> str | None:
    """Why a page should not be given to the parser; None if it should.

    >>> objection("<p>Bees</p>"), objection("</div>" * 50_000 + "<div>" * 50_000)
    (None, 'nested too deeply')
    """
    if _harmless(markup, markup.count("<")):
        return None
    try:
        Burden().read(markup)
    except TooMuch as reason:
        return str(reason)
    return None


def _harmless(markup: str, tags: int) -> bool:
    """Whether no order of its tags could make a page expensive: there are too few of those that matter.

    At most three equal formatting elements are active, so no tag opens more again than three times the different ones.
    """
    if tags <= FEW_TAGS and len(markup) <= FEW_CHARACTERS:
        return True
    starts, rest = tags - markup.count("</"), markup
    for _ in range(0 if starts <= DEEPEST or _QUOTED_END.search(markup) else _PASSES):
        rest, pairs = _PAIR.subn(r"\1", rest)
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
    if len(markup) > _LARGE and len(set(_VALUES.sub(" ", " ".join(_TAGS.findall(markup))).split())) > QUICK_NAMES:
        return False
    found = _COUNTED.findall(markup)
    few = len(found) <= QUICK_OPTIONS or len(_OPTION_TAG.findall(markup)) <= QUICK_OPTIONS
    return few and 3 * len(set(found)) * tags <= QUICK_REOPENED


def _longest_tag(markup: str) -> int:
    """No tag has more characters than this: a tag holds no `>`, except in quoted values."""
    apart = 2 * _WINDOW  # at most, if there is one in every window
    if any(markup.find(">", at, at + _WINDOW) < 0 for at in range(0, len(markup) - _WINDOW, _WINDOW)):
        apart = max(map(len, markup.split(">")))
    return apart * (len(_QUOTED_END.findall(markup)) + 1)


class Formatting:
    """An element in the list of active formatting elements."""

    __slots__ = ("key", "name", "own", "place")

    def __init__(self, name: str, key: str) -> None:
        self.name, self.key = name, key
        self.place = -1  # on the stack; -1: it was closed by its surroundings, and is opened again by what follows
        self.own = True  # the place is its own, not that of the box into which the adoption agency put it


class Level:
    """The active formatting elements since the last marker (a cell, an object), in order."""

    def __init__(self) -> None:
        self.entries: dict[Formatting, None] = {}
        self.by_name: dict[str, list[Formatting]] = {}
        self.by_key: dict[str, list[Formatting]] = {}

    def add(self, entry: Formatting) -> None:
        same = self.by_key.setdefault(entry.key, [])
        if len(same) == 3:  # the "Noah's Ark clause": three alike at most
            self.remove(same[0])
        self.entries[entry] = None
        self.by_name.setdefault(entry.name, []).append(entry)
        same.append(entry)

    def remove(self, entry: Formatting) -> None:
        if entry in self.entries:
            del self.entries[entry]
            self.by_name[entry.name].remove(entry)
            self.by_key[entry.key].remove(entry)

    def last(self, name: str) -> Formatting | None:
        known = self.by_name.get(name)
        return known[-1] if known else None


class Burden:
    """The open elements of a page while its tags are read, and the steps that a parser would have made."""

    def __init__(self) -> None:
        self.stack: list[str] = []  # "" for one that was taken out of the middle, "svg g" for one inside a picture
        self.kinds: list[int] = []
        self.spaces: list[str] = []  # "svg" or "math" if what follows is inside a picture or a formula
        self.formats: list[list[Formatting]] = []  # those that end with this element
        self.places: dict[str, list[int]] = {}  # of each name, in ascending order
        self.marks: dict[int, list[int]] = {bit: [] for bit in _BITS}  # places of each kind
        self.levels = [Level()]
        self.depth = self.deepest = self.reopened = self.elements = 0
        self.steps = 0.0
        self.most_steps, self.most_reopened = MOST_STEPS, MOST_REOPENED
        self.form: int | None = None  # where a form was begun that no tag has ended: meanwhile no other one begins
        self.single = True  # only one option of this list can be chosen
        self.options = self.shared = 0  # options of this list; attributes of <html> and <body>, however often they come
        self.attribute_names: set[str] = set()

    def read(self, markup: str) -> "Burden":
        """Go through a page; raises `TooMuch` as soon as it is certain to cost too much."""
        large, after = len(markup) > _LARGE, 0
        self.most_steps += STEPS_A_CHARACTER * len(markup)
        self.most_reopened += len(markup)
        for begin, end, tag in self._tokens(markup):
            if begin > after and self.levels[-1].entries and not self._space():
                self._reopen()
            after = end
            if tag is None:
                continue
            name = tag[2].lower()
            attributes = tag[3]
            if attributes and (large or len(attributes) > _LONG or name in _SILENT):
                self._count_attributes(name, attributes)
            if tag[1]:
                self._end(name)
            else:
                self._start(name, tag, markup[end - 2] == "/" and tag.end(3) <= end - 2)
            if self.depth > DEEPEST:
                raise TooMuch(DEEP)
            if self.steps > self.most_steps:
                raise TooMuch(DEEP if self.depth > self.reopened else OPEN)
        return self

    def _tokens(self, markup: str) -> Iterator[tuple[int, int, re.Match[str] | None]]:
        """Tags, comments and the like as (begin, end, tag); what raw elements contain is passed over."""
        at, size = 0, len(markup)
        while (begin := markup.find("<", at)) >= 0:
            if tag := _TAG.match(markup, begin):
                at, space = tag.end(), self._space()
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
            elif markup.startswith("<![CDATA[", begin) and self._space():
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

    def _start(self, name: str, tag: re.Match[str], closed: bool) -> None:
        if space := self._space():
            if name not in _HTML_ONLY and not (name == "font" and _FONT.search(tag[3])):
                if not closed:
                    self._push_foreign(name, space, tag[3])
                return
            while self._space():
                self._pop()
        if name in _SILENT:
            return
        if name in TABLES and name not in ("table", "template"):
            self._start_in_table(name)
            return
        if name in CLOSES_P:
            self._close_p()
        opened = (rule := _STARTS.get(name)) is None or rule(self, tag[3])
        if name not in _UNFORMATTED and self.levels[-1].entries:
            self._reopen()
        if name in FORMATTING:
            self._start_formatting(name, tag[0])
        elif name in VOID or name in RAW:
            self.elements += 1
        elif opened:
            self._push(name)
            if name in ("svg", "math"):
                if closed:
                    self._pop()
                else:
                    self.spaces[-1] = name

    def _end(self, name: str) -> None:
        space = self._space() or (self.stack[-1].partition(" ")[0] if self.stack and " " in self.stack[-1] else "")
        if space:
            while name in ("br", "p") and self._space():
                self._pop()
            known = self.places.get(f"{space} {name}")
            if known:
                self.steps += len(self.stack) - known[-1]
                self._pop_to(known[-1])
                return
        place = self._place(name)
        if name in FORMATTING:
            self._adopt(name)
        elif name == "p":
            self._close_p()
        elif name in HEADINGS:
            place = max(map(self._place, HEADINGS))
            self._close(place, _BARRIER)
        elif name in CLOSES:
            self._close(place, _BARRIER)
        elif name == "li":
            self._close(place, _BARRIER, max(self._place("ul"), self._place("ol")))
        elif name == "form":
            if self._place("template") < 0:  # the form that was begun last, even if it is no longer open
                place, self.form = (place if place == self.form else -1), None
            if place > max(self.marks[_BARRIER][-1:], default=-1):
                self._end_form(place)  # one that is out of reach stays open, and no later tag ends it
        elif name == "frameset":  # only frames are opened in one
            if self.stack and self.stack[-1] == name:
                self._pop()
        elif name in TABLES:
            outer = max(self._place("template"), -1 if name == "table" else self._place("table"))
            self.steps += len(self.stack) - max(place, outer)
            if place >= 0 and place >= outer:
                self._pop_to(place)
        elif name not in _SILENT:
            self._close(place, _SPECIAL)

    def _close(self, place: int, kind: int, barrier: int = -1) -> None:
        """Close an element and all in it, unless something of a kind is open that keeps it from being seen."""
        marks = self.marks[kind]
        barrier = max(barrier, marks[-1] if marks else -1)
        self.steps += len(self.stack) - max(place, barrier)
        if place >= 0 and place >= barrier:
            self._pop_to(place)

    def _close_p(self) -> None:
        self._close(self._place("p"), _BUTTON)

    def _start_in_table(self, name: str) -> None:
        """Open a part of a table, with the parts around it that are not written; outside of tables it is ignored."""
        tables = self.marks[_TABLE]
        if not tables:
            return
        while self.stack[tables[-1]] not in _AROUND[name]:
            self._pop_to(tables[-1])
        around = self.stack[tables[-1]]
        self._pop_to(tables[-1] + 1)
        if around == "table" and name in ("td", "th", "tr"):
            self._push("tbody")
        if around in ("table", "tbody", "tfoot", "thead") and name in ("td", "th"):
            self._push("tr")
        self._push(name)

    def _start_table(self, attributes: str) -> bool:
        tables = self.marks[_TABLE]
        if tables and self.stack[tables[-1]] not in CELLS and self.stack[tables[-1]] != "template":
            around = self._place("table")
            if around <= self._place("template"):
                return False  # rows of a template that are in no table: a parser passes over it
            self._pop_to(around)  # not in a cell: it ends the table around it
        return True

    def _start_item(self, *names: str) -> bool:
        """End the item before, unless a list has begun since."""
        place = max(map(self._place, names))
        self._close(place, _HARD)
        self._close_p()
        return True

    def _start_heading(self, attributes: str) -> bool:
        if self.stack and self.stack[-1] in HEADINGS:
            self._pop()
        return True

    def _start_form(self, attributes: str) -> bool:
        within = self._place("template") >= 0
        if self.form is not None and not within:
            return False
        self.form = self.form if within else len(self.stack)
        return True

    def _start_button(self, attributes: str) -> bool:
        self._close(self._place("button"), _BARRIER)
        return True

    def _start_select(self, attributes: str) -> bool:
        before = self._place("select")
        self._close(before, _BARRIER)
        self.options, self.single = 0, "multiple" not in attributes.lower()
        return before < 0 or self._place("select") == before

    def _start_option(self, attributes: str) -> bool:
        within = self._place("select") >= 0
        while self.stack and self.stack[-1] in (_IMPLIED if within else _OPTIONS):
            self._pop()
        if within and self.single:
            self.options += 1
            self.steps += self.options * (_SELECTED if "selected" in attributes.lower() else _OPTION)
            if self.steps > self.most_steps:
                raise TooMuch(OPTIONS)
        return True

    def _start_group(self, attributes: str) -> bool:
        within = self._place("select") >= 0
        while self.stack and self.stack[-1] in (_IMPLIED_ALL if within else _OPTIONS):
            self._pop()
        return True

    def _start_ruby(self, *kept: str) -> bool:
        while self._place("ruby") >= 0 and self.stack[-1] in _IMPLIED_ALL and self.stack[-1] not in kept:
            self._pop()
        return True

    def _start_formatting(self, name: str, written: str) -> None:
        level = self.levels[-1]
        before = level.last(name) if name in ("a", "nobr") else None
        if before and (name == "a" or before.place > max(self.marks[_BARRIER][-1:], default=-1)):
            self._adopt(name)
            level.remove(before)
            self._reopen()
        self._push(name)
        entry = Formatting(name, written)
        self._hold(entry, len(self.stack) - 1)
        self.steps += _ACTIVE * len(level.entries)
        level.add(entry)

    def _reopen(self) -> None:
        """Open the formatting elements again that were closed by their surroundings."""
        closed: list[Formatting] = []
        for entry in reversed(self.levels[-1].entries):
            if entry.place >= 0:
                break
            closed.append(entry)
        for entry in reversed(closed):
            self._push(entry.name)
            entry.own = True
            self._hold(entry, len(self.stack) - 1)
        self.reopened += len(closed)
        if self.reopened > self.most_reopened or self.depth > DEEPEST:
            raise TooMuch(OPEN)

    def _adopt(self, name: str) -> None:
        """The end tag of a formatting element: it ends, but the boxes that began inside stay open.

        This is the adoption agency. It moves the element into one box after another, eight at most.
        """
        level = self.levels[-1]
        entry = level.last(name)
        if entry is None:
            self._close(self._place(name), _SPECIAL)
            return
        barriers, place = self.marks[_BARRIER], entry.place
        if place < 0:
            level.remove(entry)
            return
        if barriers and barriers[-1] > place:
            self.steps += len(self.stack) - barriers[-1]
            return
        special = self.marks[_SPECIAL]
        boxes = special[bisect_right(special, place) :][: ADOPTIONS + 1]
        self.steps += (len(boxes) + 1) * (len(self.stack) - place)
        self.elements += 4 * len(boxes)
        self.formats[place].remove(entry)
        if entry.own and not boxes:
            self._pop_to(place)
        elif entry.own:
            self._bury(place)
        if len(boxes) > ADOPTIONS:
            entry.own = False
            self._hold(entry, boxes[ADOPTIONS - 1])
        else:
            entry.place = -1
            level.remove(entry)

    def _hold(self, entry: Formatting, place: int) -> None:
        entry.place = place
        self.formats[place].append(entry)

    def _end_form(self, place: int) -> None:
        """A form ends, but the boxes that began inside stay open."""
        while self.stack[-1] in _IMPLIED_ALL:
            self._pop()
        if place == len(self.stack) - 1:
            self._pop()
        else:
            self._bury(place)

    def _bury(self, place: int) -> None:
        """Take the last element of its name out of the middle of the stack."""
        self.places[self.stack[place]].pop()
        self.stack[place] = ""
        self.depth -= 1

    def _push(self, name: str, kind: int = 0) -> None:
        place, kind = len(self.stack), kind or _KINDS.get(name, 0)
        self.stack.append(name)
        self.kinds.append(kind)
        self.spaces.append("")
        self.formats.append([])
        known = self.places.get(name)
        if known is None:
            known = self.places[name] = []
            self.steps += _CHAINED * len(self.places)
            if self.steps > self.most_steps:
                raise TooMuch(NAMES)
        known.append(place)
        self.elements += 1
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        if kind:
            for bit in _BITS:
                if kind & bit:
                    self.marks[bit].append(place)
            if kind & _MARK:
                self.levels.append(Level())

    def _push_foreign(self, name: str, space: str, attributes: str) -> None:
        html = name in _INTEGRATION[space] or (name == "annotation-xml" and "html" in attributes.lower())
        self._push(f"{space} {name}", _POINT if html or name == "annotation-xml" else 0)
        self.spaces[-1] = "" if html else "svg" if name == "svg" else space

    def _pop(self) -> None:
        name, kind = self.stack.pop(), self.kinds.pop()
        self.spaces.pop()
        for entry in self.formats.pop():
            entry.place = -1
        if name:
            self.places[name].pop()
            self.depth -= 1
        if kind:
            for bit in _BITS:
                if kind & bit:
                    self.marks[bit].pop()
            if kind & _MARK:
                self.levels.pop()

    def _pop_to(self, place: int) -> None:
        while len(self.stack) > place:
            self._pop()

    def _place(self, name: str) -> int:
        known = self.places.get(name)
        return known[-1] if known else -1

    def _space(self) -> str:
        return self.spaces[-1] if self.spaces else ""

    def _count_attributes(self, name: str, attributes: str) -> None:
        written = [found.lower() for found in _ATTRIBUTE_NAME.findall(attributes)]
        names, before = set(written), self.shared if name in _SILENT else 0
        if name in _SILENT:
            self.shared += len(names)
        self.steps += len(names) * (before + len(names) / 2)
        if self.steps > self.most_steps:
            raise TooMuch(ATTRIBUTES)
        new = names - self.attribute_names
        self.attribute_names |= new
        self.steps += _CHAINED * len(new) * len(self.attribute_names)
        if self.steps > self.most_steps:
            raise TooMuch(NAMES)


# What happens at the start tag of an element before it is opened; it is not opened if the answer is False.
_STARTS: dict[str, Callable[[Burden, str], bool]] = {
    "button": Burden._start_button,
    "dd": lambda burden, _: burden._start_item("dd", "dt"),
    "dt": lambda burden, _: burden._start_item("dd", "dt"),
    "form": Burden._start_form,
    "li": lambda burden, _: burden._start_item("li"),
    "optgroup": Burden._start_group,
    "option": Burden._start_option,
    "select": Burden._start_select,
    "table": Burden._start_table,
    **dict.fromkeys(HEADINGS, Burden._start_heading),
    **dict.fromkeys(("rb", "rtc"), lambda burden, _: burden._start_ruby()),
    **dict.fromkeys(("rp", "rt"), lambda burden, _: burden._start_ruby("rtc")),
}
