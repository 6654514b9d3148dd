"""A map as shapes for a template: circles, the lines between pages that are alike, and names where there is room.

The places of `answers.map` crowd together: a few far pages take most of the plane. A `Frame` spreads them, each axis by
itself, half in proportion and half by rank among the pages around the middle. It depends on the page in the middle
alone, so places still do not change with the method or its α.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pagekin.answers.map import BASE, BY, Edge, Map, Place, layout
from pagekin.collection.store import Store
from pagekin.kernels import Floats
from pagekin.methods import ask
from pagekin.methods import method as named
from pagekin.serve.rendering import name_of

WIDTH, HEIGHT = 1000, 640  # user units
MARGIN_X, MARGIN_Y = 90, 40  # room for names at the sides
LEAST, MOST = 5.0, 11.0  # radius of the page that scores least, and best
MIDDLE = 14.0
NAME = 30  # characters of a name
LETTER, LINE = 7.6, 17.0  # width of a letter, about, and height of a line
LARGER = 1.3  # the name of the page in the middle, which is bold
LEAST_APART = 2.5 * LEAST  # centres of two circles, so that each can be pointed at
PUSHES = 30  # rounds in which circles that cover each other are moved apart

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Dot:
    """A page on the map; its name has a place if there is room for it, else it is shown when one points at it."""

    place: Place
    x: float
    y: float
    r: float
    name: str
    name_x: float
    name_y: float
    anchor: str  # start, middle or end
    has_room: bool


@dataclass(frozen=True)
class Line:
    """Two pages that are alike."""

    edge: Edge
    x1: float
    y1: float
    x2: float
    y2: float
    width: float


@dataclass(frozen=True)
class Chart:
    """A map ready to be drawn; the first dot is the page in the middle."""

    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True)
class Frame:
    """The places around a page, by which a map is spread: sorted along each axis."""

    across: Floats
    down: Floats

    @classmethod
    def around(cls, store: Store, middle: int) -> "Frame":
        pages = [middle, *ask(named(BY), store, middle, BASE).pages.tolist()]
        places = layout(store, middle, pages)
        return cls(np.sort(places[:, 0]), np.sort(places[:, 1]))

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a place is drawn."""
        return (
            round(MARGIN_X + _spread(x, self.across) * (WIDTH - 2 * MARGIN_X), 1),
            round(MARGIN_Y + _spread(y, self.down) * (HEIGHT - 2 * MARGIN_Y), 1),
        )


def _spread(value: float, known: Floats) -> float:
    """A value from 0 to 1 for one among known ones: half by its size, half by its rank."""
    low, high = float(known[0]), float(known[-1])
    if high - low < 1e-9:
        return 0.5
    size = min(max((value - low) / (high - low), 0.0), 1.0)
    return (size + float(np.interp(value, known, np.linspace(0, 1, known.size)))) / 2


def chart(found: Map, frame: Frame) -> Chart:
    """A map as shapes."""
    places = found.results
    at = _apart([frame.at(place.x, place.y) for place in places])
    radius = _radii([place.score for place in places])
    taken: list[Box] = [(x - r, y - r, x + r, y + r) for (x, y), r in zip(at, radius, strict=True)]
    dots = []
    for place, (x, y), r in zip(places, at, radius, strict=True):  # best first, so those keep their names
        name = name_of(place.url, place.title, NAME)
        name_x, name_y, anchor, has_room = _named(
            LETTER * (LARGER if place.score is None else 1) * len(name), x, y, r, taken
        )
        dots.append(Dot(place, x, y, r, name, name_x, name_y, anchor, has_room))
    most = max((edge.weight for edge in found.edges), default=1.0)
    lines = [
        Line(edge, *at[edge.source], *at[edge.target], round(0.6 + 3 * edge.weight / most, 2)) for edge in found.edges
    ]
    return Chart(tuple(dots), tuple(lines))


def _radii(scores: Sequence[float | None]) -> list[float]:
    known = [score for score in scores if score is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    span = (high - low) or 1.0
    return [MIDDLE if score is None else round(LEAST + (MOST - LEAST) * (score - low) / span, 1) for score in scores]


def _apart(at: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """The same places, with those that cover each other moved apart, the first never. Equal places stay in order."""
    moved = [list(each) for each in at]
    for _ in range(PUSHES):
        quiet = True
        for one in range(len(moved)):
            for other in range(one + 1, len(moved)):
                x, y = (moved[other][side] - moved[one][side] for side in (0, 1))
                apart = (x * x + y * y) ** 0.5
                least = LEAST_APART + (MIDDLE if one == 0 else MOST / 2)
                if apart < least:
                    quiet = False
                    if apart < 1e-6:
                        x, y, apart = 1.0, 0.3 * (other % 7 - 3), 1.0
                    for side, step in ((0, x), (1, y)):
                        push = (least - apart) * step / apart
                        moved[other][side] += push if one == 0 else push / 2
                        moved[one][side] -= 0.0 if one == 0 else push / 2
        if quiet:
            break
    return [(round(x, 1), round(y, 1)) for x, y in moved]


def _named(wide: float, x: float, y: float, r: float, taken: list[Box]) -> tuple[float, float, str, bool]:
    """Where the name of a dot stands: the first side at which it covers nothing; if there is none, below, unseen."""
    sides = (
        ("start", x + r + 4, y + 4, (x + r + 4, y - 8, x + r + 4 + wide, y + 7)),
        ("end", x - r - 4, y + 4, (x - r - 4 - wide, y - 8, x - r - 4, y + 7)),
        ("middle", x, y + r + 13, (x - wide / 2, y + r + 2, x + wide / 2, y + r + 2 + LINE)),
        ("middle", x, y - r - 5, (x - wide / 2, y - r - 3 - LINE, x + wide / 2, y - r - 3)),
    )
    for anchor, at_x, at_y, box in sides:
        if box[0] >= 0 and box[2] <= WIDTH and box[1] >= 0 and box[3] <= HEIGHT and not _covers(box, taken):
            taken.append(box)
            return round(at_x, 1), round(at_y, 1), anchor, True
    # It is shown above the lines when one points at it; that of the page in the middle always, so others keep clear.
    anchor = "start" if x < WIDTH / 4 else "end" if x > WIDTH * 3 / 4 else "middle"
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    if r == MIDDLE:
        taken.append((left, y - r - 3 - LINE, left + wide, y - r - 1))
    return x, round(y - r - 5, 1), anchor, False


def _covers(box: Box, taken: Iterable[Box]) -> bool:
    left, top, right, bottom = box
    return any(left < each[2] and right > each[0] and top < each[3] and bottom > each[1] for each in taken)
