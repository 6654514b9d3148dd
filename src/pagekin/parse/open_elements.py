"""The elements of a page that are open while its tags are read: the stack, and the active formatting elements
(HTML, 13.2.4.2 and 13.2.4.3). Every question is a look-up: where was the last of this name, or of this kind?"""

from pagekin.parse.elements import BITS, INTEGRATION, IS_MARK, KINDS, POINT
from pagekin.parse.limits import MOST_STEPS, NAMES, TooMuch

CHAINED = 0.25  # steps: the chain of a hash table that never grows, for each name that it has already


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


class OpenElements:
    """The stack, and the steps that a parser would have made over it."""

    def __init__(self) -> None:
        self.stack: list[str] = []  # "" for one that was taken out of the middle, "svg g" for one inside a picture
        self.kinds: list[int] = []
        self.spaces: list[str] = []  # "svg" or "math" if what follows is inside a picture or a formula
        self.formats: list[list[Formatting]] = []  # those that end with this element
        self.places: dict[str, list[int]] = {}  # of each name, in ascending order
        self.marks: dict[int, list[int]] = {bit: [] for bit in BITS}  # places of each kind
        self.levels = [Level()]
        self.depth = self.deepest = self.elements = 0
        self.steps = 0.0
        self.most_steps = MOST_STEPS

    def _hold(self, entry: Formatting, place: int) -> None:
        entry.place = place
        self.formats[place].append(entry)

    def _bury(self, place: int) -> None:
        """Take the last element of its name out of the middle of the stack."""
        self.places[self.stack[place]].pop()
        self.stack[place] = ""
        self.depth -= 1

    def _push(self, name: str, kind: int = 0) -> None:
        place, kind = len(self.stack), kind or KINDS.get(name, 0)
        self.stack.append(name)
        self.kinds.append(kind)
        self.spaces.append("")
        self.formats.append([])
        known = self.places.get(name)
        if known is None:
            known = self.places[name] = []
            self.steps += CHAINED * len(self.places)
            if self.steps > self.most_steps:
                raise TooMuch(NAMES)
        known.append(place)
        self.elements += 1
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        if kind:
            for bit in BITS:
                if kind & bit:
                    self.marks[bit].append(place)
            if kind & IS_MARK:
                self.levels.append(Level())

    def _push_foreign(self, name: str, space: str, attributes: str) -> None:
        html = name in INTEGRATION[space] or (name == "annotation-xml" and "html" in attributes.lower())
        self._push(f"{space} {name}", POINT if html or name == "annotation-xml" else 0)
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
            for bit in BITS:
                if kind & bit:
                    self.marks[bit].pop()
            if kind & IS_MARK:
                self.levels.pop()

    def _pop_to(self, place: int) -> None:
        while len(self.stack) > place:
            self._pop()

    def _place(self, name: str) -> int:
        known = self.places.get(name)
        return known[-1] if known else -1

    def _space(self) -> str:
        return self.spaces[-1] if self.spaces else ""
