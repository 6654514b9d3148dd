"""The shapes of a map: within the drawing, apart from each other, names where nothing is covered."""

from itertools import combinations

import numpy as np

from pagekin.answers.map import Edge, Map, Place
from pagekin.serve.chart import HEIGHT, LEAST_APART, LETTER, LINE, WIDTH, Frame, chart


def places(points):
    first, *others = points
    middle = Place("http://m.example/", "The middle", "m.example", None, False, *first)
    rest = [Place(f"http://{at}.example/", f"Page {at}", "", 1 / (at + 1), False, *xy) for at, xy in enumerate(others)]
    return (middle, *rest)


def drawn(points, frame_of=None):
    known = np.array(frame_of or points, float)
    found = Map(results=places(points), edges=(Edge(0, 1, 0.5, 2, ("http://x.example/",)),))
    return chart(found, Frame(np.sort(known[:, 0]), np.sort(known[:, 1])))


def test_all_is_inside_and_apart_even_if_all_pages_are_at_one_place():
    random = np.random.default_rng(1)
    for points in ([(0, 0), *random.normal(size=(30, 2)).tolist()], [(0.0, 0.0)] * 12, [(0, 0), (1, 1)]):
        dots = drawn(points).dots
        assert all(0 < dot.x < WIDTH and 0 < dot.y < HEIGHT for dot in dots)
        for one, other in combinations(dots, 2):
            assert np.hypot(one.x - other.x, one.y - other.y) > LEAST_APART / 2


def test_names_with_room_cover_neither_each_other_nor_a_page():
    dots = drawn([(0, 0), *np.random.default_rng(2).normal(size=(30, 2)).tolist()]).dots

    def box(dot):
        wide = LETTER * len(dot.name)
        left = dot.name_x - {"start": 0, "middle": wide / 2, "end": wide}[dot.anchor]
        return left, dot.name_y - LINE * 0.6, left + wide, dot.name_y

    named = [dot for dot in dots if dot.has_room]
    assert len(named) > 10
    for one, other in combinations(map(box, named), 2):
        assert one[2] <= other[0] + 1 or other[2] <= one[0] + 1 or one[3] <= other[1] + 1 or other[3] <= one[1] + 1


def test_a_page_stands_at_one_place_whichever_others_are_shown():
    frame = [(0, 0), (0.9, 0.1), (-0.5, 0.7), (0.3, -0.8), (-0.9, -0.9)]
    few, more = drawn(frame[:3], frame), drawn(frame, frame)
    assert [(dot.x, dot.y) for dot in few.dots] == [(dot.x, dot.y) for dot in more.dots[:3]]


def test_a_line_joins_the_two_pages():
    found = drawn([(0, 0), (1, 1)])
    line, (one, other) = found.lines[0], found.dots
    assert (line.x1, line.y1, line.x2, line.y2) == (one.x, one.y, other.x, other.y)
