"""Table 1 of paper 3: how well pages are cut into blocks, before and after adjusting (Eq. 2–4), for any collection.

Pages are cut anew from their bytes, with the thresholds T1 (`words`) and T2 (`links`) that are asked for. The blocks in
the collection stay as they are: if each collection had thresholds of its own, their blocks could not be compared, nor
could two of them be joined.

The truth is a file of rows `page,blocks`. The blocks are ranges of the page's links in document order, as `pagekin
blocks --json` numbers them:

    http://bees.example/links.html,0-2 3-23 24 25-26

Without a file the pages' own headings are the truth: links under one heading are one block. That only says something
about pages whose authors put lists under headings, and a note says so. Pages with links under fewer than two headings
are left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pagekin.collection.store import Store
from pagekin.engine.watch import rows_done, step
from pagekin.errors import PagekinError, UsageError
from pagekin.evaluate.held_out import Pages
from pagekin.evaluate.names import pages_named
from pagekin.evaluate.papers.tables import Options, PaperTables
from pagekin.evaluate.segmentation import Cut, Precision, members, precision_of
from pagekin.evaluate.truth import how_named, read_rows, some
from pagekin.model import ALONE
from pagekin.parse.blocks import OF_LINKS, LinkSections
from pagekin.parse.html import Cuts, cuts
from pagekin.wording import option

STEPS = {"before adjusting": "scanned", "after adjusting": "adjusted", "and gathering": "gathered"}
_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


@dataclass(frozen=True)
class Settings:
    """The thresholds of a section of links, for which the paper gives no values."""

    words: float = OF_LINKS.words  # T1: a larger share of its words is in links
    links: int = OF_LINKS.links  # T2: it has more links

    def __post_init__(self) -> None:
        if not 0 <= self.words <= 1:
            raise UsageError(f"words (T1) must be between 0 and 1, not {self.words}")
        if self.links < 0:
            raise UsageError(f"links (T2) must be at least 0, not {self.links}")


@dataclass
class _Compared:
    """What is found while pages are compared with the truth."""

    found: dict[str, Precision] = field(default_factory=lambda: dict.fromkeys(STEPS, Precision()))
    pages: int = 0
    right: int = 0  # blocks of the truth
    links: int = 0
    alone: int = 0  # links that are in no block in the end

    def add(self, cut: Cuts, truth: Cut) -> None:
        for name, field_ in STEPS.items():
            self.found[name] += precision_of(getattr(cut, field_), truth)
        self.pages, self.links = self.pages + 1, self.links + len(truth)
        self.right, self.alone = self.right + len(members(truth)), self.alone + cut.gathered.count(ALONE)


def table(store: Store, options: Options) -> PaperTables:
    """A row for the truth and one for each step: blocks, E- and I-precision."""
    asked = options.settings or Settings()
    by_hand, notes = _by_hand(store, options.blocks) if options.blocks else (None, [])
    made, pages = _Compared(), Pages(store, rows_done)
    unlike, without = [], 0
    with step("cutting pages"):
        for capture in pages:
            if by_hand is not None and capture.url not in by_hand:
                continue
            cut = cuts(capture, LinkSections(asked.words, asked.links))
            truth = cut.heading if by_hand is None else by_hand[capture.url]
            if by_hand is None and len(set(truth)) < 2:
                without += 1
            elif len(truth) != len(cut.scanned):
                unlike.append(f"{capture.url} has {len(cut.scanned):,} links, {len(truth):,} were given")
            else:
                made.add(cut, truth)
    if unlike:
        notes.append(f"{len(unlike):,} pages are left out, because their links are not those given: {some(unlike)}")
    if by_hand is None:
        notes += [
            "the truth is the pages' headings (links under one heading are one block), which nobody checked: "
            f"{option('blocks')} takes a file with rows page,blocks",
            f"{without:,} pages have links under fewer than two headings and are left out",
        ]
    if not made.pages:
        raise PagekinError("; ".join(["no page can be compared with a truth", *notes]))
    return _answer(made, asked, [*notes, *pages.notes])


def _answer(made: _Compared, asked: Settings, notes: Sequence[str]) -> PaperTables:
    rows: list[dict[str, Any]] = [{"cut": "truth", "blocks": made.right, "E-precision": 1.0, "I-precision": 1.0}]
    rows += [
        {"cut": name, "blocks": each.blocks, "E-precision": each.e_precision, "I-precision": each.i_precision}
        for name, each in made.found.items()
    ]
    about = {
        "pages": made.pages, "T1": asked.words, "T2": asked.links, "links": made.links, "links in no block": made.alone,
    }  # fmt: skip
    caption = (
        f"How well {made.pages:,} pages are cut into blocks, with T1 = {asked.words:g} and T2 = {asked.links}; "
        f"{made.alone / max(made.links, 1):.1%} of the {made.links:,} links are in no block"
    )
    named = tuple({"table": "1", **row} for row in rows)
    return PaperTables((), "; ".join(notes) or None, named, "segmentation", about, {"1": caption})


def _by_hand(store: Store, path: Path) -> tuple[dict[str, list[int]], list[str]]:
    """Address → the true block of each link, and notes about rows that cannot be used."""
    rows, notes = read_rows(path)
    pages = pages_named(store, [page for page, _ in rows])
    found, wrong = {}, []
    for page, written in rows:
        cut = list(ranges(written))
        if page in pages and cut:
            found[store.url(pages[page])] = cut
        elif page in pages or written != "blocks":  # a header has neither
            wrong.append(f"{page},{written}"[:80])
    if wrong:
        notes.append(
            f"{len(wrong):,} rows of {path.name} name a page that is not in the collection, or ranges that leave out "
            f"links: {some(wrong)}"
        )
    if not found:
        raise PagekinError(
            "; ".join([f"{path} has no row page,blocks for a page of {store.path}", *notes, *how_named(store)])
        )
    return found, notes


def ranges(written: str) -> Iterator[int]:
    """The block of each link from ranges of links; nothing if they are not ranges of 0, 1, 2 … without a gap.

    >>> list(ranges("0-2 3 4-5")), list(ranges("1-2")), list(ranges("many"))
    ([0, 0, 0, 1, 2, 2], [], [])
    """
    cut: list[int] = []
    for number, part in enumerate(written.split()):
        match = _RANGE.fullmatch(part)
        if match is None or int(match[1]) != len(cut) or int(match[2] or match[1]) < len(cut):
            return iter(())
        cut += [number] * (int(match[2] or match[1]) - len(cut) + 1)
    return iter(cut)


def plot(store: Store, options: Options, answer: PaperTables, path: Path) -> None:
    """Draw the table: E- and I-precision after each step."""
    from pagekin.evaluate.figures import figure, save

    page = figure(7, 3.2)
    axes = page.add_subplot()
    rows = answer.results[1:]
    for shift, measure in ((-0.19, "E-precision"), (0.19, "I-precision")):
        bars = axes.bar([at + shift for at in range(len(rows))], [row[measure] for row in rows], 0.36, label=measure)
        axes.bar_label(bars, fmt="%.3f", fontsize=8)
    axes.set_xticks(range(len(rows)), [f"{row['cut']}\n{row['blocks']:,} blocks" for row in rows])
    axes.set(ylim=(0, 1.12), ylabel="share of the blocks")
    axes.legend(frameon=False, fontsize=8, ncols=2, loc="upper left", bbox_to_anchor=(0, 1.14))
    axes.spines[["right", "top"]].set_visible(False)
    page.set_layout_engine("constrained")
    save(page, path, path.suffix.lower()[1:])
