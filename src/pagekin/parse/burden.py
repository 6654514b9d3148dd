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
from collections.abc import Callable

from pagekin.parse.elements import (
    AROUND,
    CELLS,
    CLOSES,
    CLOSES_P,
    FORMATTING,
    HEADINGS,
    HTML_ONLY,
    IMPLIED,
    IMPLIED_ALL,
    IS_BARRIER,
    IS_BUTTON,
    IS_HARD,
    IS_SPECIAL,
    IS_TABLE,
    ONLY_OPTIONS,
    RAW,
    SILENT,
    TABLES,
    UNFORMATTED,
    VOID,
)
from pagekin.parse.limits import (
    ATTRIBUTES,
    DEEP,
    DEEPEST,
    FEW_CHARACTERS,
    FEW_TAGS,
    MOST_REOPENED,
    MOST_STEPS,
    NAMES,
    OPEN,
    OPTIONS,
    STEPS_A_CHARACTER,
    TooMuch,
)
from pagekin.parse.open_elements import CHAINED, Formatting, OpenElements
from pagekin.parse.quick_look import LARGE, harmless
from pagekin.parse.tags import ATTRIBUTE_NAME, S, tokens

ADOPTIONS = 8  # boxes into which the adoption agency moves an element: HTML, 13.2.6.4.7
# What these cost in steps, measured with selectolax 1.0: an option for each that its list has already, and an entry in
# the list of formatting elements.
_OPTION, _SELECTED, _ACTIVE = 3, 12, 4
_FONT = re.compile(rf"(?i)(?:^|[{S}/])(?:color|face|size)(?:[{S}/=]|$)")
_LONG = 2_000  # characters of a tag; a shorter one has few attributes


def could_be_hard(body: bytes) -> bool:
    """Whether a page, as stored, has so many tags or characters that it could cost a parser more than a second."""
    return len(body) > FEW_CHARACTERS or body.count(b"<") > FEW_TAGS


def objection(markup: str) -> str | None:
    """Why a page should not be given to the parser; None if it should.

    >>> objection("<p>Bees</p>"), objection("</div>" * 50_000 + "<div>" * 50_000)
    (None, 'nested too deeply')
    """
    if harmless(markup, markup.count("<")):
        return None
    try:
        Burden().read(markup)
    except TooMuch as reason:
        return str(reason)
    return None


class Burden(OpenElements):
    """The open elements of a page while its tags are read, and the steps that a parser would have made."""

    def __init__(self) -> None:
        super().__init__()
        self.reopened = 0
        self.most_steps, self.most_reopened = MOST_STEPS, MOST_REOPENED
        self.form: int | None = None  # where a form was begun that no tag has ended: meanwhile no other one begins
        self.single = True  # only one option of this list can be chosen
        self.options = self.shared = 0  # options of this list; attributes of <html> and <body>, however often they come
        self.attribute_names: set[str] = set()

    def read(self, markup: str) -> "Burden":
        """Go through a page; raises `TooMuch` as soon as it is certain to cost too much."""
        large, after = len(markup) > LARGE, 0
        self.most_steps += STEPS_A_CHARACTER * len(markup)
        self.most_reopened += len(markup)
        for begin, end, tag in tokens(markup, self._space):
            if begin > after and self.levels[-1].entries and not self._space():
                self._reopen()
            after = end
            if tag is None:
                continue
            name = tag[2].lower()
            attributes = tag[3]
            if attributes and (large or len(attributes) > _LONG or name in SILENT):
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

    def _start(self, name: str, tag: re.Match[str], closed: bool) -> None:
        if space := self._space():
            if name not in HTML_ONLY and not (name == "font" and _FONT.search(tag[3])):
                if not closed:
                    self._push_foreign(name, space, tag[3])
                return
            while self._space():
                self._pop()
        if name in SILENT:
            return
        if name in TABLES and name not in ("table", "template"):
            self._start_in_table(name)
            return
        if name in CLOSES_P:
            self._close_p()
        opened = (rule := _STARTS.get(name)) is None or rule(self, tag[3])
        if name not in UNFORMATTED and self.levels[-1].entries:
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
            self._close(place, IS_BARRIER)
        elif name in CLOSES:
            self._close(place, IS_BARRIER)
        elif name == "li":
            self._close(place, IS_BARRIER, max(self._place("ul"), self._place("ol")))
        elif name == "form":
            if self._place("template") < 0:  # the form that was begun last, even if it is no longer open
                place, self.form = (place if place == self.form else -1), None
            if place > max(self.marks[IS_BARRIER][-1:], default=-1):
                self._end_form(place)  # one that is out of reach stays open, and no later tag ends it
        elif name == "frameset":  # only frames are opened in one
            if self.stack and self.stack[-1] == name:
                self._pop()
        elif name in TABLES:
            outer = max(self._place("template"), -1 if name == "table" else self._place("table"))
            self.steps += len(self.stack) - max(place, outer)
            if place >= 0 and place >= outer:
                self._pop_to(place)
        elif name not in SILENT:
            self._close(place, IS_SPECIAL)

    def _close(self, place: int, kind: int, barrier: int = -1) -> None:
        """Close an element and all in it, unless something of a kind is open that keeps it from being seen."""
        marks = self.marks[kind]
        barrier = max(barrier, marks[-1] if marks else -1)
        self.steps += len(self.stack) - max(place, barrier)
        if place >= 0 and place >= barrier:
            self._pop_to(place)

    def _close_p(self) -> None:
        self._close(self._place("p"), IS_BUTTON)

    def _start_in_table(self, name: str) -> None:
        """Open a part of a table, with the parts around it that are not written; outside of tables it is ignored."""
        tables = self.marks[IS_TABLE]
        if not tables:
            return
        while self.stack[tables[-1]] not in AROUND[name]:
            self._pop_to(tables[-1])
        around = self.stack[tables[-1]]
        self._pop_to(tables[-1] + 1)
        if around == "table" and name in ("td", "th", "tr"):
            self._push("tbody")
        if around in ("table", "tbody", "tfoot", "thead") and name in ("td", "th"):
            self._push("tr")
        self._push(name)

    def _start_table(self, attributes: str) -> bool:
        tables = self.marks[IS_TABLE]
        if tables and self.stack[tables[-1]] not in CELLS and self.stack[tables[-1]] != "template":
            around = self._place("table")
            if around <= self._place("template"):
                return False  # rows of a template that are in no table: a parser passes over it
            self._pop_to(around)  # not in a cell: it ends the table around it
        return True

    def _start_item(self, *names: str) -> bool:
        """End the item before, unless a list has begun since."""
        place = max(map(self._place, names))
        self._close(place, IS_HARD)
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
        self._close(self._place("button"), IS_BARRIER)
        return True

    def _start_select(self, attributes: str) -> bool:
        before = self._place("select")
        self._close(before, IS_BARRIER)
        self.options, self.single = 0, "multiple" not in attributes.lower()
        return before < 0 or self._place("select") == before

    def _start_option(self, attributes: str) -> bool:
        within = self._place("select") >= 0
        while self.stack and self.stack[-1] in (IMPLIED if within else ONLY_OPTIONS):
            self._pop()
        if within and self.single:
            self.options += 1
            self.steps += self.options * (_SELECTED if "selected" in attributes.lower() else _OPTION)
            if self.steps > self.most_steps:
                raise TooMuch(OPTIONS)
        return True

    def _start_group(self, attributes: str) -> bool:
        within = self._place("select") >= 0
        while self.stack and self.stack[-1] in (IMPLIED_ALL if within else ONLY_OPTIONS):
            self._pop()
        return True

    def _start_ruby(self, *kept: str) -> bool:
        while self._place("ruby") >= 0 and self.stack[-1] in IMPLIED_ALL and self.stack[-1] not in kept:
            self._pop()
        return True

    def _start_formatting(self, name: str, written: str) -> None:
        level = self.levels[-1]
        before = level.last(name) if name in ("a", "nobr") else None
        if before and (name == "a" or before.place > max(self.marks[IS_BARRIER][-1:], default=-1)):
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
            self._close(self._place(name), IS_SPECIAL)
            return
        barriers, place = self.marks[IS_BARRIER], entry.place
        if place < 0:
            level.remove(entry)
            return
        if barriers and barriers[-1] > place:
            self.steps += len(self.stack) - barriers[-1]
            return
        special = self.marks[IS_SPECIAL]
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

    def _end_form(self, place: int) -> None:
        """A form ends, but the boxes that began inside stay open."""
        while self.stack[-1] in IMPLIED_ALL:
            self._pop()
        if place == len(self.stack) - 1:
            self._pop()
        else:
            self._bury(place)

    def _count_attributes(self, name: str, attributes: str) -> None:
        written = [found.lower() for found in ATTRIBUTE_NAME.findall(attributes)]
        names, before = set(written), self.shared if name in SILENT else 0
        if name in SILENT:
            self.shared += len(names)
        self.steps += len(names) * (before + len(names) / 2)
        if self.steps > self.most_steps:
            raise TooMuch(ATTRIBUTES)
        new = names - self.attribute_names
        self.attribute_names |= new
        self.steps += CHAINED * len(new) * len(self.attribute_names)
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
