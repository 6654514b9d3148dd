"""The pictures of the method pages: nodes and arrows that show each rule. `make docs` draws them into docs/pictures."""

import math
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).parent / "pictures"
RADIUS = 17
ASKED, FOUND, OTHER = "#c2410c", "#1d4ed8", "#6b7280"  # the page asked about, a page that is found, any other page
PALE = "#d1d5db"
STYLE = "font-family:system-ui,sans-serif;font-size:13px"


class Picture:
    """A drawing that is made piece by piece."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.places: dict[str, tuple[float, float]] = {}
        self.lines: list[str] = []
        self.shapes: list[str] = []

    def page(self, name: str, x: float, y: float, colour: str = OTHER) -> "Picture":
        """A page: a disc with its name in it."""
        self.places[name] = (x, y)
        self.shapes.append(f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS}" fill="{colour}"/>')
        return self.say(x, y + 4.5, name.strip(), "#fff", "middle")

    def link(
        self, source: str, *targets: str, colour: str = OTHER, dashed: bool = False, width: float = 1.6
    ) -> "Picture":
        """Arrows from one page to others, from rim to rim."""
        (x0, y0) = self.places[source]
        for x1, y1 in map(self.places.__getitem__, targets):
            far = math.hypot(x1 - x0, y1 - y0)
            dx, dy = (x1 - x0) / far, (y1 - y0) / far
            self.line(
                x0 + dx * RADIUS, y0 + dy * RADIUS, x1 - dx * (RADIUS + 7), y1 - dy * (RADIUS + 7),
                colour, dashed, width, head=True,
            )  # fmt: skip
        return self

    def line(
        self, x0: float, y0: float, x1: float, y1: float, colour: str = OTHER, dashed: bool = False,
        width: float = 1.6, head: bool = False,
    ) -> "Picture":  # fmt: skip
        path, more = f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}", ' stroke-dasharray="4 4"' if dashed else ""
        self.lines.append(f'<path d="{path}" stroke="{colour}" stroke-width="{width:g}" fill="none"{more}/>')
        if head:
            self.lines.append(_head(x0, y0, x1, y1, colour))
        return self

    def box(self, x: float, y: float, width: float, height: float, colour: str = PALE) -> "Picture":
        self.lines.insert(
            0, f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="none" stroke="{colour}"/>'
        )
        return self

    def say(self, x: float, y: float, text: str, colour: str = "#374151", anchor: str = "start") -> "Picture":
        self.shapes.append(
            f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}" style="{STYLE}">{escape(text)}</text>'
        )
        return self

    def svg(self) -> str:
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img">',
            f"<title>{escape(self.title)}</title>",
            f'<rect width="{self.width}" height="{self.height}" rx="8" fill="#fff"/>',
            *self.lines, *self.shapes, "</svg>",
        ]  # fmt: skip
        return "\n".join(parts) + "\n"


def _head(x0: float, y0: float, x1: float, y1: float, colour: str) -> str:
    angle, corners = math.atan2(y1 - y0, x1 - x0), []
    for turn, far in ((0, 7), (2.4, 6), (-2.4, 6)):
        corners.append(f"{x1 + far * math.cos(angle + turn):.1f},{y1 + far * math.sin(angle + turn):.1f}")
    return f'<polygon points="{" ".join(corners)}" fill="{colour}"/>'


def cocitation() -> Picture:
    made = Picture(460, 210, "Two pages with pages that link to both, and pages that both link to")
    made.page("a", 130, 105, ASKED).page("b", 250, 105, FOUND)
    made.page("1", 130, 35).page("2", 250, 35).page("3", 190, 175)
    made.link("1", "a", "b").link("2", "a", "b").link("a", "3").link("b", "3")
    made.say(300, 40, "co-citation: link to both").say(300, 110, "amsler: either")
    return made.say(300, 180, "coupling: both link to it")


def cosine() -> Picture:
    made = Picture(460, 210, "Two pages share two citers; the citer that many pages link to counts less")
    made.page("a", 130, 165, ASKED).page("b", 250, 165, FOUND).page("1", 120, 80).page("2", 260, 80)
    for at in range(5):
        made.page(" " * (at + 1), 196 + at * 32, 22, PALE).link(" " * (at + 1), "2", colour=PALE)
    made.link("1", "a", "b", width=3).link("2", "a", "b", width=1, dashed=True)
    return made.say(300, 85, "much cited: counts less").say(20, 85, "counts more")


def hamming() -> Picture:
    made = Picture(460, 190, "Two pages share two links; one link leads from only one of them")
    made.page("a", 120, 50, ASKED).page("b", 220, 50, FOUND).page("1", 120, 145).page("2", 220, 145).page("3", 40, 145)
    made.link("a", "1", "2").link("b", "1", "2").link("a", "3", colour=ASKED, dashed=True)
    return made.say(270, 55, "a and b share two links").say(270, 150, "one differs: H = 1, score 1/2")


def hits() -> Picture:
    made = Picture(
        460, 210, "Lists on the left point to pages on the right; the page that the best lists name is found"
    )
    made.page("1", 90, 40).page("2", 90, 105).page("3", 90, 170)
    made.page("a", 250, 40, ASKED).page("b", 250, 105, FOUND).page("c", 250, 170)
    made.link("1", "a", "b", width=3).link("2", "a", "b", width=3).link("3", "c", dashed=True)
    made.say(90, 16, "hubs", anchor="middle").say(250, 16, "authorities", anchor="middle")
    return made.say(290, 110, "named by the best hubs").say(290, 175, "named by a weak one")


def companion() -> Picture:
    made = Picture(460, 210, "A list on another host names both pages; links within a host do not count")
    made.box(40, 16, 120, 178).box(200, 16, 110, 178)
    made.page("1", 100, 55).page("2", 100, 155).page("a", 255, 55, ASKED).page("b", 255, 155, FOUND)
    made.link("1", "a", "b").link("2", "b", "a").link("a", "b", colour=PALE, dashed=True)
    made.say(50, 12, "other hosts").say(210, 12, "this host")
    return made.say(322, 100, "a link within a host").say(322, 118, "weighs nothing")


def walk() -> Picture:
    made = Picture(460, 190, "A walk from a page over links, which starts again now and then")
    made.page("a", 60, 95, ASKED).page("1", 150, 45).page("2", 150, 145).page("b", 245, 95, FOUND).page("3", 330, 45)
    made.link("a", "1", "2", width=2.6).link("1", "b", width=2.6).link("2", "b", width=2.6).link("b", "3", width=1)
    made.lines.append(f'<path d="M236 113C200 195 90 195 66 119" stroke="{ASKED}" fill="none" stroke-dasharray="4 4"/>')
    made.lines.append(_head(72, 140, 65, 118, ASKED))
    return made.say(275, 125, "b is met often").say(185, 183, "start again", ASKED)


def block() -> Picture:
    made = Picture(460, 210, "A page with two blocks of links: pages in one block belong together")
    made.box(60, 20, 180, 170, OTHER).box(75, 42, 150, 62).box(75, 118, 150, 62)
    made.page("a", 110, 73, ASKED).page("b", 185, 73, FOUND).page("c", 110, 149).page("d", 185, 149)
    made.line(130, 73, 165, 73, FOUND, width=3)
    made.say(70, 36, "a page that links to four")
    return made.say(258, 78, "one block: related").say(258, 154, "another block: not to a")


def siblings() -> Picture:
    made = Picture(460, 130, "A list of links in a row: those nearest to the page asked about are its siblings")
    made.box(20, 40, 420, 50, OTHER).box(138, 33, 184, 64, FOUND)
    for at, name in enumerate("cdbaefg"):
        made.page(name, 50 + at * 60, 65, {"a": ASKED, "b": FOUND, "e": FOUND}.get(name, OTHER))
    made.say(230, 24, "the links nearest to a", FOUND, "middle")
    return made.say(230, 118, "a page that links to a, from its first link to its last", anchor="middle")


def assisted() -> Picture:
    made = Picture(460, 210, "A tree of pages that merge; a slider decides how tight the groups are")
    for row, name in enumerate("abcd"):
        made.page(name, 50, 30 + row * 42, {"a": ASKED, "b": FOUND}.get(name, OTHER))
    rows = [30 + row * 42 for row in range(4)]
    for x0, x1, upper, lower in ((68, 120, rows[0], rows[1]), (68, 170, rows[2], rows[3])):
        made.line(x0, upper, x1, upper).line(x0, lower, x1, lower).line(x1, upper, x1, lower)
    middle = (rows[0] + rows[1]) / 2, (rows[2] + rows[3]) / 2
    made.line(120, middle[0], 240, middle[0]).line(170, middle[1], 240, middle[1]).line(
        240, *(middle[0], 240, middle[1])
    )
    made.line(280, 100, 430, 100, PALE, width=4)
    made.shapes.append(f'<circle cx="370" cy="100" r="8" fill="{ASKED}"/>')
    made.say(280, 82, "α").say(280, 126, "chains").say(430, 126, "groups", anchor="end")
    return made.say(50, 200, "the nearer two pages are, the sooner they merge")


def integrated() -> Picture:
    made = Picture(
        460, 210, "Words of two pages and the pages they link to, each with its best match on the other side"
    )
    for x, anchor, words in ((150, "end", ("swarm", "queen", "hive")), (250, "start", ("colony", "queen", "comb"))):
        for row, word in enumerate(words):
            made.say(x, 40 + row * 24, word, anchor=anchor)
    for row, other in ((0, 0), (1, 1), (2, 2)):
        made.line(156, 36 + row * 24, 244, 36 + other * 24, FOUND, width=3 if row == 1 else 1.4)
    made.page("a", 60, 64, ASKED).page("b", 340, 64, FOUND).page("1", 130, 165).page("2", 270, 165)
    made.link("a", "1").link("b", "2").line(150, 165, 250, 165, FOUND)
    return made.say(200, 16, "semantic: words find their best match", anchor="middle").say(
        200, 202, "link: so do linked pages", anchor="middle"
    )


def simrank() -> Picture:
    made = Picture(460, 220, "Two pages are alike because the pages that link to them are alike")
    made.page("k", 190, 30).page("i", 130, 105).page("j", 250, 105).page("a", 130, 185, ASKED).page(
        "b", 250, 185, FOUND
    )
    made.link("k", "i", "j").link("i", "a").link("j", "b")
    made.line(150, 105, 230, 105, FOUND, dashed=True).line(150, 185, 230, 185, FOUND, dashed=True)
    return (
        made.say(300, 35, "links to both i and j")
        .say(300, 110, "so i and j are alike")
        .say(300, 190, "so a and b are, a little less")
    )


def fused() -> Picture:
    made = Picture(460, 190, "The score of a page is a sum of parts: words and links")
    for row, (name, words, links) in enumerate((("b", 150, 110), ("c", 190, 30), ("d", 40, 120))):
        y = 50 + row * 50
        made.page(name, 40, y, FOUND if row == 0 else OTHER)
        made.shapes.append(f'<rect x="70" y="{y - 10}" width="{words}" height="20" fill="#93c5fd"/>')
        made.shapes.append(f'<rect x="{70 + words}" y="{y - 10}" width="{links}" height="20" fill="#fdba74"/>')
    made.say(70, 24, "words").say(340, 54, "first: both say so").say(225, 24, "links")
    return made


PICTURES = (
    cocitation, cosine, hamming, hits, companion, walk, block, siblings, assisted, integrated, simrank, fused,
)  # fmt: skip


def drawn() -> Iterable[tuple[Path, str]]:
    """Each picture's file, and its SVG."""
    return [(HERE / f"{make.__name__}.svg", make().svg()) for make in PICTURES]


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for file, text in drawn():
        file.write_text(text, encoding="utf-8")
