"""An evaluation as one HTML file that reads well: no scripts, nothing from outside, all text of strangers escaped."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any

import numpy as np

from pagekin.answer import PageName, cell, html_link
from pagekin.collection.store import Store
from pagekin.evaluate.experiment import Evaluation, Measured
from pagekin.evaluate.plots import figures, svg
from pagekin.evaluate.truth import Truth
from pagekin.harmless import clean
from pagekin.version import VERSION

EXAMPLES = 5  # questions shown with their lists
SURE = 0.05  # a difference with a larger p may be chance
SHOWN = 15  # places of a list that is shown
RIGHT = 12  # right answers that are named beside it

STYLE = """
:root { color-scheme: light; --line: #d8dee4; --soft: #57606a; --good: #dff2e1; --mark: #c2410c }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2.5rem auto; max-width: 62rem; padding: 0 1.2rem; color: #1f2328 }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem } h2 { font-size: 1.2rem; margin: 2.6rem 0 .6rem }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem }
p, li { max-width: 46rem } .lead { font-size: 1.1rem } .soft, figcaption, small { color: var(--soft) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem } dt { color: var(--soft) } dd { margin: 0 }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: .92rem }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top;
         font-variant-numeric: tabular-nums }
th:first-child, td:first-child, .text td, .text th { text-align: left } th { font-weight: 600; vertical-align: bottom }
.best { font-weight: 700 } .lists { table-layout: fixed; width: 100% } .lists td { overflow-wrap: anywhere }
.lists th:first-child, .lists td:first-child { width: 1.6rem; color: var(--soft) }
td.hit { background: var(--good) } td.hit::before { content: "✓ " } figure { margin: 1rem 0 } svg { max-width: 100%; height: auto }
a { color: #0b57d0 } .told { border-left: 3px solid var(--mark); padding-left: .9rem }
"""

MEANING = {
    "P@{k}": "precision: the share of the first {k} places that hold a relevant page",
    "R@{k}": "recall: the share of the relevant pages that are among the first {k}",
    "nDCG@{k}": "like precision, but high places count more, and better grades too; 1 is the best list there can be",
    "low, high": "the middle 95 % of nDCG@{k} when the questions are drawn anew 2,000 times",
    "AP@{k}": "average precision: how early the relevant pages come; its mean is called MAP",
    "RR": "1 / place of the first relevant page; its mean is called MRR",
    "Success@1": "the share of the questions whose first result is relevant",
    "R-score@{k}": "the mean grade of the first {k} places",
    "answered": "the share of the questions that got any answer (coverage)",
    "judged": "the share of the results that the truth knows; the others count as wrong, and may be right",
    "hosts": "different hosts in a list, on average",
    "unlinked": "the share of the results that the page does not link to already (novelty)",
    "unseen": "the share of the pages known to the truth that are in no list",
    "hubs": "the share of all places that the most frequent pages take, as many as 1 % of the known ones",
    "p": "how often so large a difference comes about by chance, if there is none",
}


def html(made: Evaluation, store: Store, truth: Truth) -> str:
    """The evaluation as a whole HTML page."""
    title = f"How well {store.path.name} is answered"
    sections = [
        f"<h1>{_text(title)}</h1>", f"<p class='lead told'>{_verdict(made)}</p>", _facts(made, store),
        *_tables(made), *_plots(made), *_examples(made, store, truth), _meaning(made), _notes(made),
        f"<p class=soft>Made by pagekin {VERSION} on {datetime.now(UTC):%-d %B %Y}.</p>",
    ]  # fmt: skip
    return (
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content='width=device-width'>\n"
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n" + "\n".join(filter(None, sections)) + "\n</html>\n"
    )


def _verdict(made: Evaluation) -> str:
    """What came out, in sentences."""
    if not made.results:
        return "No method could be asked."
    best, name = made[made.best], f"nDCG@{made.k}"
    first = f"<b>{_text(best['method'])}</b> has the best lists: {name} {best[name]:.3f} ({best['low']:.3f} to {best['high']:.3f})."
    rest = made.against_best()
    if not rest:
        return first.replace("has the best lists", "was measured alone")
    unsure = [row["than"] for row in rest if row["p"] > SURE]
    nearest = rest[0]
    ahead = f"It is ahead of <b>{_text(nearest['than'])}</b> by {nearest['difference']:.3f} ({nearest['low']:.3f} to {nearest['high']:.3f})"
    if not unsure:
        return f"{first} {ahead}, which is not chance{'' if len(rest) == 1 else ', and of all others by more'}."
    return f"{first} {ahead}. That may be chance for {_text(', '.join(unsure))}."


def _facts(made: Evaluation, store: Store) -> str:
    kinds = {
        "labels": "pages with the same label belong together",
        "related": "pairs of pages known to be related",
        "queries": "questions in words, and the pages judged to answer them",
    }
    facts = {
        "collection": str(store.path),
        "truth": kinds.get(made.truth, made.truth) + (f", from {made.file}" if made.file else ""),
        "questions": f"{made.questions:,}, all of them asked",
        "results": f"{made.k} for each",
        "hidden": made.hidden or "nothing",
    }
    return "<dl>" + "".join(f"<dt>{name}<dd>{_text(value)}" for name, value in facts.items()) + "</dl>"


def _tables(made: Evaluation) -> Iterator[str]:
    """The tables; in the first, the largest of each column is bold."""
    for number, (caption, rows) in enumerate(made.sections()):
        if rows:
            names = list(rows[0])
            largest = (
                {name: max(row[name] for row in rows) for name in names if name not in _PLAIN} if not number else {}
            )
            yield f"<h2>{_text(caption)}</h2>\n{_table(names, rows, largest)}"


_PLAIN = ("method", "low", "high")  # columns in which the largest is not the best


def _table(names: Sequence[str], rows: Sequence[Mapping[str, Any]], largest: Mapping[str, Any]) -> str:
    head = "".join(f"<th>{_text(name)}</th>" for name in names)
    lines = []
    for row in rows:
        cells = ((name, row[name]) for name in names)
        lines.append(
            "".join(
                f"<td{' class=best' if value == largest.get(name) else ''}>{_figure(value)}</td>"
                for name, value in cells
            )
        )
    return f"<div class=wide><table><tr>{head}</tr>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table></div>"


def _figure(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else _text(cell(value))


def _plots(made: Evaluation) -> Iterator[str]:
    if made.results:
        for caption, page in figures(made).items():
            yield f"<figure>{svg(page)}<figcaption>{_text(caption)}</figcaption></figure>"


def _examples(made: Evaluation, store: Store, truth: Truth) -> Iterator[str]:
    """Questions with their lists: where the two best methods differ most, and what nobody finds."""
    name = f"nDCG@{made.k}"
    ranked = sorted(made.measured, key=lambda each: -float(each.values[name].mean()))
    if len(ranked) > 1:
        gaps = ranked[0].values[name] - ranked[1].values[name]
        for better, worse, sign in ((ranked[0], ranked[1], 1), (ranked[1], ranked[0], -1)):
            chosen = [at for at in np.argsort(-sign * gaps, kind="stable")[:EXAMPLES].tolist() if sign * gaps[at] > 0]
            if chosen:
                ahead = int((sign * gaps > 0).sum())
                yield f"<h2>Where {_text(better.name)} is better than {_text(worse.name)}</h2>"
                yield f"<p class=soft>On {ahead:,} of {made.questions:,} questions. The clearest, with right answers shaded:</p>"
                yield from (_question(made, store, truth, at, (better, worse)) for at in chosen)
    if ranked:
        lost = np.flatnonzero(~np.any([each.grades.any(axis=1) for each in ranked], axis=0)).tolist()
        if lost:
            yield f"<h2>What no method finds</h2>\n<p>On {len(lost):,} of {made.questions:,} questions, no list has a right answer. The first:</p>"
            yield from (_question(made, store, truth, at, ranked[:2]) for at in lost[:EXAMPLES])


def _question(made: Evaluation, store: Store, truth: Truth, at: int, methods: Sequence[Measured]) -> str:
    """One question, the lists side by side, and the right answers."""
    asked, question = made.asked[at], truth.asked[at]
    head = _text(f"{asked.url}: {asked.title}") if truth.words else _page(asked)
    first = [page for page, _ in zip((page for page, _ in truth.relevant(question)), range(RIGHT), strict=False)]
    right = ", ".join(_page(PageName(store.url(page), store.title(page))) for page in first)
    more = f" and {truth.count(question) - len(first):,} more" if truth.count(question) > len(first) else ""
    rows = []
    for place in range(min(SHOWN, max(int(each.lists.sizes[at]) for each in methods))):
        rows.append(f"<tr><td>{place + 1}</td>{''.join(_place(store, each, at, place) for each in methods)}</tr>")
    heads = "".join(f"<th>{_text(each.name)}</th>" for each in methods)
    lists = (
        f"<table class='lists text'><tr><th></th>{heads}</tr>{''.join(rows)}</table>" if rows else "<p>No answers.</p>"
    )
    return f"<details><summary>{head}</summary><p><small>Right: {right}{more}</small></p>{lists}</details>"


def _place(store: Store, each: Measured, at: int, place: int) -> str:
    if place >= each.lists.sizes[at]:
        return "<td></td>"
    page = int(each.lists.pages[at, place])
    shown = _page(PageName(store.url(page), store.title(page))) if page >= 0 else "<i>not in the collection</i>"
    return f"<td{' class=hit' if each.grades[at, place] else ''}>{shown}</td>"


def _page(page: PageName) -> str:
    return html_link(page.url, page.title)


def _meaning(made: Evaluation) -> str:
    shown = {name for _, rows in made.sections() for row in rows for name in row}
    said = [
        f"<dt>{name}<dd>{text}"
        for name, text in ((name.format(k=made.k), text.format(k=made.k)) for name, text in MEANING.items())
        if name.partition(",")[0] in shown
    ]
    return f"<h2>What the figures mean</h2><dl>{''.join(said)}</dl>" if said else ""


def _notes(made: Evaluation) -> str:
    if not made.notes:
        return ""
    return "<h2>What to know</h2><ul>" + "".join(f"<li>{_text(note)}" for note in made.notes) + "</ul>"


def _text(text: str) -> str:
    return escape(clean(text))
