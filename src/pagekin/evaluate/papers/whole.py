"""All tables and figures that a collection allows, in one HTML file that stands alone.

`pagekin evaluate webkb.kin --tables all --out report.html`. Tables that cannot be made for a collection are named, with
the reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pagekin.answer import html_link
from pagekin.collection.store import Store
from pagekin.engine.watch import step
from pagekin.errors import PagekinError
from pagekin.evaluate.papers.tables import ALL, TABLES, Options, PaperTables, module, named
from pagekin.evaluate.report import document, made_by, safe, table

FOLDED = 45  # a table of more rows is folded: a reader wants to see the next one, too

STYLE = """
nav li { margin: .15rem 0 } section { border-top: 1px solid #d8dee4; margin-top: 3rem; padding-top: .2rem }
section > h2 { font-size: 1.35rem; margin-top: 1.4rem } td a, td.words { overflow-wrap: anywhere }
td.words { max-width: 34rem } details { margin: .6rem 0 } summary { cursor: pointer }
.missing { color: #57606a } ul.notes { padding-left: 1.2rem; font-size: .92rem }
"""


class Said(NamedTuple):
    """What a report says about some tables: a title, what they show, what the paper found, and what is drawn."""

    title: str
    about: str
    paper: str
    drawn: str


SAID = {
    "paper1": Said(
        "Paper 1: user-assisted similarity",
        "Pages that are cited together, as far as their labels go: how many are found similar, how well clusters are "
        "the labels, and how a page's list changes with α.",
        "More in-links raise recall, hosts instead of pages raise it further, and the lists change with α.",
        "Figures 3 and 4, for the first page that Table 8 asks about. Numbers are its No.; … 3: three pages not drawn.",
    ),
    "paper2": Said(
        "Paper 2: pages that lead to the answer",
        "Average precision of a search that mixes a page's words with those of its link cluster, by the mixture "
        "ratio α.",
        "At one click + 13 % at α = 0.8 (OUT20, OUT25) over α = 0; judged page by page, a loss.",
        "Figures 2 and 3: average precision by the mixture ratio, for each clustering.",
    ),
    "paper3": Said(
        "Paper 3: the bounds of block co-citation",
        "How large blocks are, how often a site repeats an anchor, and how similar one site makes two pages.",
        "Very few blocks over 80 links, fewer than 5 % of the links repeated over 9 times, fewer than 1 % of the "
        "similarities over 10.",
        "Shares on a logarithmic scale; a class without any has no point.",
    ),
    "segmentation": Said(
        "Paper 3: how well pages are cut into blocks",
        "E-precision is the share of the blocks that are exactly a block of the truth, I-precision the share that lie "
        "within one.",
        "By hand 1,194 blocks; before adjusting 6,628 with E 0.096 and I 0.989; after it 3,317 with E 0.297 and "
        "I 0.933.",
        "Table 1 drawn.",
    ),
    "r-score": Said(
        "Paper 3: R-scores",
        "The mean grade of the first R results, for block co-citation and for the co-citation of Dean and Henzinger.",
        "Block co-citation is ahead for every R, clearly so from R = 4 on, and for most topics.",
        "Figures 10 and 11.",
    ),
    "paper4": Said(
        "Paper 4: keywords and links",
        "Precision, recall and F-score of the first N results, where pages of one label are similar.",
        "12–17 % better precision, 27–29 % better recall (hits / N) and 26–27 % better F than SimRank.",
        "Figure 5; below for the pages that SimRank answers.",
    ),
    "paper5": Said(
        "Paper 5: hubs and authorities around a page",
        "The report of the paper's appendix for one page: its base set, and the best hubs and authorities under four "
        "weightings.",
        "Without weights one host takes all places of a list; link and hub weights spread it. Hamming distance is no "
        "rival.",
        "How far the scores move at each step, and how they fall from place to place.",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Made:
    """Some tables with their figures as SVG, or the reason why there are none."""

    name: str
    answer: PaperTables | None = None
    svg: str = ""
    why: str = ""

    @property
    def said(self) -> Said:
        return SAID[named(self.name)]


def made(store: Store, written: str, options: Options, figures: bool = True) -> Made:
    """Some tables and their figures."""
    with step(written):
        paper, options = module(written, options)
        answer: PaperTables = paper.table(store, options)
    if not figures:
        return Made(written, answer)
    with TemporaryDirectory(prefix="pagekin-") as folder:
        path = Path(folder) / "figure.svg"
        try:
            paper.plot(store, options, answer, path)
        except PagekinError as error:  # tables without anything to draw
            note = "; ".join(filter(None, [answer.note, str(error)]))
            return Made(written, replace(answer, note=note))
        text = path.read_text(encoding="utf-8")
    return Made(written, answer, text[text.index("<svg") :])


def every(store: Store, options: Options, figures: bool = True) -> Iterator[Made]:
    """All tables, in the order of `TABLES`; an error is the reason why some cannot be made."""
    for name in TABLES:
        try:
            yield made(store, name, options, figures)
        except PagekinError as error:
            yield Made(name, why=str(error))


def together(parts: Sequence[Made]) -> PaperTables:
    """Several answers as one: each row names its paper and its table; the note says what is missing, and why."""
    rows: list[Mapping[str, Any]] = []
    captions: dict[str, str] = {}
    notes = []
    for part in parts:
        if part.answer is None:
            notes.append(f"{part.name} is left out: {part.why}")
            continue
        for name, caption, found in part.answer.parts():
            whole = ", ".join(filter(None, [part.name, _numbered(name)]))
            captions[whole] = caption or part.said.about
            rows += [{"table": whole, **row} for row in found]
        notes += [f"{part.name}: {part.answer.note}"] if part.answer.note else []
    about = {part.name: part.answer.about if part.answer else {"left out": part.why} for part in parts}
    return PaperTables((), "; ".join(notes) or None, tuple(rows), ALL, about, captions)


def html(store: Store, parts: Sequence[Made]) -> str:
    """The tables and figures as one page, with a list of what is there and what is not."""
    title = f"{store.path.name}: the tables of the papers"
    if len(parts) == 1:
        title = f"{store.path.name}: {parts[0].said.title}"
    facts = f"{store.size:,} addresses, {store.arrays.out.size:,} links"
    head = [f"<h1>{safe(title)}</h1>", f"<p class=soft>{safe(str(store.path))}: {facts}.</p>"]
    return document(title, [*head, _contents(parts), *map(_section, parts), made_by()], STYLE)


def _contents(parts: Sequence[Made]) -> str:
    if len(parts) == 1:
        return ""
    lines = [
        f'<li><a href="#{_id(part)}">{safe(part.said.title)}</a>'
        if part.answer
        else f'<li class=missing>{safe(part.said.title)}: <a href="#{_id(part)}">left out</a>'
        for part in parts
    ]
    return f"<nav><ul>{''.join(lines)}</ul></nav>"


def _id(part: Made) -> str:
    return named(part.name)


def _section(part: Made) -> str:
    title, about, paper, drawn = part.said
    head = f'<section id="{_id(part)}"><h2>{safe(title)}</h2><p>{safe(about)}</p>'
    if part.answer is None:
        return f"{head}<p class=told>Left out: {safe(part.why)}</p></section>"
    notes = "".join(f"<li>{safe(note)}" for note in (part.answer.note or "").split("; ") if note)
    told = f"<ul class='notes soft'>{notes}</ul>" if notes else ""
    figure = f"<figure>{part.svg}<figcaption>{safe(drawn)}</figcaption></figure>" if part.svg else ""
    return f"{head}<p class=soft>The paper: {safe(paper)}</p>{told}{''.join(_tables(part.answer))}{figure}</section>"


def _tables(answer: PaperTables) -> Iterator[str]:
    for name, caption, rows in answer.parts():
        if name:
            yield f"<h3>{safe(_numbered(name))}. {_with_links(caption)}</h3>"
        names = list(dict.fromkeys(column for row in rows for column in row))
        shown = table(names, [{column: row.get(column) for column in names} for row in rows])
        yield f"<details><summary>{len(rows):,} rows</summary>{shown}</details>" if len(rows) > FOLDED else shown


def _numbered(name: str) -> str:
    """The name of a table for people: `Table 2` if it is only a number."""
    return f"Table {name}" if name.isdecimal() else name


def _with_links(caption: str) -> str:
    """A caption in which an address at the end is a link."""
    said, _, last = caption.rpartition(" ")
    return f"{safe(said)} {html_link(last)}" if last.startswith(("http://", "https://")) else safe(caption)
