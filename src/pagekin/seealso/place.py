"""Where in a page its list belongs.

1. at a marker, if the page has one: behind `<!-- pagekin -->`, in an element with the attribute `data-pagekin`;
2. at the end of the element that the caller names, if the page has it: `main`, `#content`, `.body`, `div.body`;
3. at the end of `<main>`, `role=main` or the one `<article>`; if a `<main>` is around one article, with side bars and
   page turners beside it, at the end of that article;
4. in the smallest box that holds the words which the page says itself, and its site does not repeat, behind the last
   of them (`among_own_words`).
"""

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from pagekin.errors import UsageError
from pagekin.parse.furniture import region
from pagekin.parse.listed import ATTRIBUTE
from pagekin.seealso.outline import BOXES, Outline, Text
from pagekin.seealso.tokens import attributes
from pagekin.wording import option

MOST_TEXT = 0.5  # of the text of a <main>: with less of it, an article in it is a teaser or a comment
MOST_WORDS = 0.95  # of a page's own words outside of what it calls its header …: a date may stand anywhere
# What may hold the text of a page. A table or a list may be all that it says, and a list does not belong into either.
HOLDERS = frozenset(b"article body center div form main section td th".split())
LEAST = 12  # characters of a run of text that tell where it comes from; "Next" is everywhere
LAST_HEADING = 6
# Where a browser would make something else of a list, or hide it.
UNFIT = frozenset(
    [
        "a",
        "button",
        "select",
        "option",
        "svg",
        "math",
        "head",
        "template",
        "noscript",
        "pre",
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    ]
)

_SELECTOR = re.compile(r"(?P<tag>[a-z][a-z0-9-]*)?(?:(?P<sign>[#.])(?P<name>[^\s#.>+~:\[\],*]+))?")
_HIDDEN = re.compile(rb"hidden", re.IGNORECASE)
_ROLE = re.compile(rb"role", re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """Where a list is put in, the box around it, and by which rule."""

    at: int
    box: int
    by: str  # marker, selector, element, words


@dataclass(frozen=True)
class Selector:
    """A tag, an `#id`, a `.class`, or a tag with one of them."""

    tag: str
    sign: str
    name: str

    @classmethod
    def read(cls, text: str) -> "Selector":
        found = _SELECTOR.fullmatch(text)
        if not text or found is None or (found["tag"] and found["tag"].encode() not in BOXES):
            boxes = ", ".join(sorted(name.decode() for name in BOXES))
            raise UsageError(
                f"{option('at')} takes a tag, an #id, a .class, or a tag with one of them, like div.body; not '{text}' "
                f"(a list can stand in: {boxes})"
            )
        return cls(found["tag"] or "", found["sign"] or "", found["name"] or "")

    def fits(self, outline: Outline, box: int) -> bool:
        if self.tag and outline.boxes[box].name != self.tag.encode():
            return False
        if not self.sign:
            return True
        given = outline.attributes(box)
        return given.get("id") == self.name if self.sign == "#" else self.name in given.get("class", "").split()


def place(outline: Outline, selector: Selector | None = None) -> Place | None:
    """Where the page itself, or the caller, says that its list belongs; None if nothing says so."""
    if outline.marker >= 0:
        return Place(outline.marker, 0, "marker")
    boxes = range(1, len(outline.boxes))
    if selector and (box := next((box for box in boxes if selector.fits(outline, box)), 0)):
        return Place(_line_start(outline, outline.boxes[box].end), box, "selector")
    box = _main(outline)
    return Place(_line_start(outline, outline.boxes[box].end), box, "element") if box else None


def _main(outline: Outline) -> int:
    """The number of the element that holds the page's content, by its name; 0 if there is none."""
    main = next((box for box in range(1, len(outline.boxes)) if _is_main(outline, box)), 0)
    within = [box for box in _outermost_articles(outline) if outline.within(box, main)]
    if len(within) == 1 and (not main or _share(outline, within[0], main) > MOST_TEXT):
        return within[0]
    return main


def _is_main(outline: Outline, box: int) -> bool:
    start, end = outline.boxes[box].token.attributes
    written = outline.page[start:end]
    if outline.boxes[box].name != b"main" and not _ROLE.search(written):
        return False
    given = outline.attributes(box)
    if _HIDDEN.search(written) and ("hidden" in given or given.get("aria-hidden") == "true"):
        return False
    return outline.boxes[box].name == b"main" or "main" in given.get("role", "").split()


def _outermost_articles(outline: Outline) -> list[int]:
    found: list[int] = []
    for number, box in enumerate(outline.boxes):
        if box.name == b"article" and not (found and outline.within(number, found[-1])):
            found.append(number)
    return found


def _share(outline: Outline, inner: int, outer: int) -> float:
    """How much of the text of a box, apart from menus and the like, is in one within it."""
    sizes, regions = {inner: 0, outer: 0}, _regions(outline)
    for run in (run for run in outline.texts if not regions[run.box]):
        for box in sizes:
            sizes[box] += run.end - run.start if outline.within(run.box, box) else 0
    return sizes[inner] / max(sizes[outer], 1)


def among_own_words(outline: Outline, own: str, repeated: str) -> Place | None:
    """In the smallest box that holds most of the page's own words, behind the last of them; None if it has no words.

    own, repeated: the lines that the page says itself, and those that its site repeats (`collection.roles`). A page
    that is nothing but repeated is a copy or another edition: then all words count that are not in a menu or the like.
    """
    regions, texts = _regions(outline), [(run, outline.text(run)) for run in outline.texts]
    texts = [(run, text) for run, text in texts if len(text) >= LEAST]
    only_here = said = [run for run, text in texts if text in own and text not in repeated]
    said = said or [run for run, _ in texts if not regions[run.box]]
    said = [run for run in said if not regions[run.box]] or said
    if not said:
        return None
    box = _smallest(outline, said)
    if outline.boxes[box].name not in (b"", b"body"):  # what its own column calls a side bar is a note in the text
        said = [*said, *(run for run in only_here if regions[run.box] == "sidebar" and not run.linked)]
    last = max(run.end for run in said if outline.within(run.box, box))
    end = outline.boxes[box].end if outline.boxes[box].end >= last else len(outline.page)
    begins = (at for at, around in outline.blocks if at >= last and around == box)
    return Place(_line_start(outline, min(next(begins, end), end)), box, "words")


def _regions(outline: Outline) -> list[str]:
    """What the page calls the part of it that each box is in: navigation, header …; "" for its content."""
    found = [""]
    for number, box in enumerate(outline.boxes[1:], 1):
        found.append(region(box.name.decode(), outline.attributes(number), found[box.parent]))
    return found


def _smallest(outline: Outline, said: list[Text]) -> int:
    """The smallest box with most of these runs. A box comes before those in it, so the last one that fits is it."""
    sizes = [0] * len(outline.boxes)
    for run in said:
        sizes[run.box] += run.end - run.start
    for box in range(len(sizes) - 1, 0, -1):  # what is in a box is also in the one around it
        sizes[outline.boxes[box].parent] += sizes[box]
    fitting = [box for box, size in enumerate(sizes) if size >= MOST_WORDS * sizes[0]]
    holding = [box for box in fitting if outline.boxes[box].name in HOLDERS]
    return max(holding, key=lambda box: (outline.boxes[box].depth, box), default=0)


def _line_start(outline: Outline, at: int) -> int:
    """The beginning of a line instead of what it is indented to: so a list is written as lines of its own."""
    start = at
    while start and outline.page[start - 1] in b" \t":
        start -= 1
    return start if start and outline.page[start - 1] in b"\r\n" else at


def level(outline: Outline, at: int) -> int:
    """The level of a list's heading: that of the sections before it, or one below the page's only heading."""
    levels = [level for where, level in outline.headings if where < at]
    if not levels:
        return 2
    top = min(levels)
    return min(max(top + (levels.count(top) == 1), 2), LAST_HEADING)


def stands(outline: Outline, written: str, found: Place, links: int) -> bool:
    """Whether browsers find a list, in the page as it is written now, in its box and as it was meant."""
    lists = LexborHTMLParser(written).css(f"[{ATTRIBUTE}]")
    if len(lists) != 1 or len(lists[0].css("li > a[href]")) != links:
        return False
    box = outline.boxes[found.box]
    wanted = attributes(outline.page, box.token) if found.box else {}
    above, around = lists[0].parent, found.box == 0
    while above is not None and above.tag:
        if above.tag in UNFIT:
            return False
        if above.tag.encode() == box.name:
            around = around or all(above.attributes.get(name) or value == "" for name, value in wanted.items())
        above = above.parent
    return around
