"""An evaluation as one HTML file that reads well: no scripts, nothing from outside, all text of strangers escaped."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from pagekin.answer import cell, html_link
from pagekin.collection.store import Store
from pagekin.evaluate.experiment import Evaluation, Measured
from pagekin.evaluate.plots import figures, svg
from pagekin.evaluate.truth import Truth
from pagekin.harmless import clean
from pagekin.version import VERSION

EXAMPLES = 5  # questions shown with their lists
SURE = 0.05  # a difference with a larger p may be chance
UNRANKED = ("method", "low", "high")  # columns in which the largest is not the best
SHOWN = 15  # places of a list that is shown
RIGHT = 12  # right answers that are named beside it

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2.5rem auto; max-width: 62rem; padding: 0 1.2rem;
       color: #1f2328; background: #fff }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem } h2 { font-size: 1.2rem; margin: 2.6rem 0 .6rem }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem }
p, li { max-width: 46rem } .lead { font-size: 1.1rem } .soft, figcaption, small { color: #57606a }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem }
dt { color: #57606a } dd { margin: 0 }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: .92rem }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #d8dee4; text-align: right; vertical-align: top;
         font-variant-numeric: tabular-nums }
th:first-child, td:first-child, .words, .lists td, .lists th { text-align: left }
th { font-weight: 600; vertical-align: bottom }
.best { font-weight: 700 } .lists { table-layout: fixed; width: 100% } .lists td { overflow-wrap: anywhere }
.lists th:first-child, .lists td:first-child { width: 1.6rem; color: #57606a }
td.hit { background: #dff2e1 } td.hit::before { content: "✓ " }
figure { margin: 1rem 0 } svg { max-width: 100%; height: auto }
a { color: #0b57d0 } .told { border-left: 3px solid #c2410c; padding-left: .9rem }
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


def html(made: Evaluation, store: Store, truth: Truth, path: Path | None = None) -> str:
    """The evaluation as a whole HTML page. `path`: of the collection, if `store` is a temporary one made from it."""
    title = f"Evaluation of {store.path.name}"
    sections = [
        f"<h1>{safe(title)}</h1>", f"<p class='lead told'>{_verdict(made)}</p>", _facts(made, path or store.path),
        _notes(made), *_tables(made), *_plots(made), *_examples(made, store, truth), _meaning(made),
        made_by(),
    ]  # fmt: skip
    return document(title, filter(None, sections))


def document(title: str, sections: Iterable[str], style: str = "") -> str:
    """A whole HTML page."""
    return (
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content='width=device-width'>\n"
        f"<title>{safe(title)}</title>\n<style>{STYLE}{style}</style>\n" + "\n".join(sections) + "\n</html>\n"
    )


def made_by() -> str:
    """The last line of a report."""
    return f"<p class=soft>Made by pagekin {VERSION} on {datetime.now(UTC):%-d %B %Y}.</p>"


def _verdict(made: Evaluation) -> str:
    """What came out, in sentences."""
    if not made.results:
        return "No method could be asked."
    best, rest = made[made.best], made.against_best()
    has = "has the best lists" if rest else "was measured alone"
    value = _with_interval(best[f"nDCG@{made.k}"], best)
    first = f"<b>{safe(best['method'])}</b> {has}: nDCG@{made.k} {value}."
    if not rest:
        return first
    nearest, unsure = rest[0], [row["than"] for row in rest if row["p"] > SURE]
    ahead = f"It is ahead of <b>{safe(nearest['than'])}</b> by {_with_interval(nearest['difference'], nearest)}"
    if unsure:
        return f"{first} {ahead}. Its lead over {safe(', '.join(unsure))} may be chance."
    return f"{first} {ahead}{', and of all others by more' if len(rest) > 1 else ''}; that is hardly chance."


def _with_interval(value: float, row: Mapping[str, Any]) -> str:
    return f"{value:.3f} ({row['low']:.3f} to {row['high']:.3f})"


def _facts(made: Evaluation, path: Path) -> str:
    kinds = {
        "labels": "pages with the same label belong together",
        "related": "pairs of pages known to be related",
        "queries": "questions in words, and the pages judged to answer them",
        "see-also": "the pages that authors name under “See also”",
        "index-entries": "entries of the pages' own indexes, and the pages that they lead to",
    }
    facts = {
        "collection": str(path),
        "truth": kinds.get(made.truth, made.truth) + (f", from {made.file}" if made.file else ""),
        "questions": f"{made.questions:,}, all of them asked",
        "results": f"{made.k} for each",
        "hidden": made.hidden or "nothing",
    }
    return "<dl>" + "".join(f"<dt>{name}<dd>{safe(value)}" for name, value in facts.items()) + "</dl>"


def _tables(made: Evaluation) -> Iterator[str]:
    """The tables; in the first, the largest of each column is bold."""
    for number, (caption, rows) in enumerate(made.sections()):
        if rows:
            columns = [name for name in rows[0] if name not in UNRANKED] if number == 0 else []
            largest = {name: max(row[name] for row in rows) for name in columns}
            yield f"<h2>{safe(caption)}</h2>\n{table(list(rows[0]), rows, largest, _meanings(made.k))}"


def table(
    names: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    largest: Mapping[str, Any] = MappingProxyType({}),
    meanings: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A table; what a column means is shown where the pointer rests on its head."""
    said = {name: f' title="{safe(meanings[name])}"' if name in meanings else "" for name in names}
    head = "".join(f"<th{_kind(rows[0][name])}{said[name]}>{safe(name)}</th>" for name in names)
    lines = []
    for row in rows:
        bold = {name: " class=best" if row[name] == largest.get(name) else _kind(row[name]) for name in names}
        lines.append("".join(f"<td{bold[name]}>{_figure(row[name])}</td>" for name in names))
    return f"<div class=wide><table><tr>{head}</tr>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table></div>"


def _kind(value: Any) -> str:
    return " class=words" if isinstance(value, str) else ""


def _figure(value: Any) -> str:
    """A value of a table: three digits after the point, or two that are not 0; counts with commas."""
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) >= 0.01 or value == 0 else f"{value:.2g}"
    return f"{value:,}" if type(value) is int else safe(cell(value))


def _plots(made: Evaluation) -> Iterator[str]:
    if made.results:
        for caption, page in figures(made).items():
            yield f"<figure>{svg(page)}<figcaption>{safe(caption)}</figcaption></figure>"


def _examples(made: Evaluation, store: Store, truth: Truth) -> Iterator[str]:
    """Questions with their lists: where the two best methods differ most, and what nobody finds."""
    name = f"nDCG@{made.k}"
    ranked = sorted(made.measured, key=lambda each: -float(each.values[name].mean()))
    for better, worse in (ranked[:2], ranked[1::-1]) if len(ranked) > 1 else ():
        gaps = better.values[name] - worse.values[name]
        ahead = int((gaps > 0).sum())
        if ahead:
            yield f"<h2>Where {safe(better.name)} is better than {safe(worse.name)}</h2>"
            yield f"<p>On {ahead:,} of {made.questions:,} questions. The clearest, with right answers shaded:</p>"
            clearest = np.argsort(-gaps, kind="stable")[: min(EXAMPLES, ahead)].tolist()
            yield from _questions(made, store, truth, clearest, (better, worse))
    found = np.any([each.grades.any(axis=1) for each in ranked], axis=0) if ranked else np.ones(0, bool)
    lost = np.flatnonzero(~found).tolist()
    if lost:
        yield "<h2>What no method finds</h2>"
        yield f"<p>On {len(lost):,} of {made.questions:,} questions, no list has a right answer. The first:</p>"
        yield from _questions(made, store, truth, lost[:EXAMPLES], ranked[:2])


def _questions(
    made: Evaluation, store: Store, truth: Truth, places: Sequence[int], methods: Sequence[Measured]
) -> Iterator[str]:
    """Questions to unfold, the first one open: the right answers, and the lists side by side."""
    for number, at in enumerate(places):
        asked, question = made.asked[at], truth.asked[at]
        head = safe(f"{asked.url}: {asked.title}") if truth.words else html_link(asked.url, asked.title)
        right = [_page(store, page) for page, _ in islice(truth.relevant(question), RIGHT)]
        more = f" and {truth.count(question) - RIGHT:,} more" if truth.count(question) > RIGHT else ""
        yield f"<details{' open' if not number else ''}><summary>{head}</summary>"
        yield f"<p><small>Right: {', '.join(right)}{more}</small></p>{_lists(store, at, methods)}</details>"


def _lists(store: Store, at: int, methods: Sequence[Measured]) -> str:
    rows = []
    for place in range(min(SHOWN, max(int(each.lists.sizes[at]) for each in methods))):
        rows.append(f"<tr><td>{place + 1}</td>{''.join(_place(store, each, at, place) for each in methods)}</tr>")
    heads = "".join(f"<th>{safe(each.name)}</th>" for each in methods)
    return f"<table class=lists><tr><th></th>{heads}</tr>{''.join(rows)}</table>" if rows else "<p>No answers.</p>"


def _place(store: Store, each: Measured, at: int, place: int) -> str:
    if place >= each.lists.sizes[at]:
        return "<td></td>"
    page = int(each.lists.pages[at, place])
    shown = _page(store, page) if page >= 0 else "<i>not in the collection</i>"
    return f"<td{' class=hit' if each.grades[at, place] else ''}>{shown}</td>"


def _page(store: Store, page: int) -> str:
    return html_link(store.url(page), store.title(page))


def _meanings(k: int) -> dict[str, str]:
    """What each figure means, for lists of k results."""
    return {name.format(k=k): text.format(k=k) for name, text in MEANING.items()}


def _meaning(made: Evaluation) -> str:
    shown = {name for _, rows in made.sections() for row in rows for name in row}
    said = [f"<dt>{name}<dd>{text}" for name, text in _meanings(made.k).items() if name.partition(",")[0] in shown]
    return f"<h2>What the figures mean</h2><dl>{''.join(said)}</dl>" if said else ""


def _notes(made: Evaluation) -> str:
    if not made.notes:
        return ""
    said = "".join(f"<li>{safe(note)}" for note in made.notes)
    return f"<h2>What to know about these figures</h2><ul>{said}</ul>"


def safe(text: str) -> str:
    """Text of strangers, for HTML."""
    return escape(clean(text))
