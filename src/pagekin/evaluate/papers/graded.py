"""Figures 10 and 11 of paper 3: the average R-score of lists, for R = 1, 2 …, and for each topic at the largest R.

The truth is pairs with grades (0, 1 or 2 in the paper) or labels; a label is a topic, pages that share one have grade
1, and the R-score is then the precision. Without `--method`, the paper's two are compared: `block` and `siblings`.
"""

from pathlib import Path
from typing import Any

import numpy as np

from pagekin.collection.store import Store
from pagekin.evaluate.experiment import Evaluation, evaluate
from pagekin.evaluate.papers.tables import Options, PaperTables, labels
from pagekin.evaluate.rscore import average_r_scores
from pagekin.evaluate.truth import Labels, Relevance, linked_pairs, read_pairs, without_truth

METHODS = ("block", "siblings")  # as the paper has them


def table(store: Store, options: Options) -> PaperTables:
    """A row for each R and, if there are labels, one for each label; a column for each method."""
    truth = _truth(store, options)
    made = evaluate(store, truth, options.methods or METHODS, options.k)
    answered = [f"{each.name} answers {np.count_nonzero(each.lists.sizes):,}" for each in made.measured]
    notes = [
        f"{', '.join(answered)} of {len(truth.asked):,} pages, and an empty list scores 0",
        *made.notes,
        *without_truth(store, truth),
        *(linked_pairs(store, truth) if options.related else []),
    ]
    scores = {each.name: average_r_scores(each.grades.tolist(), options.k) for each in made.measured}
    rows = [
        {"table": "Figure 10", "R": r + 1, **{name: values[r] for name, values in scores.items()}}
        for r in range(options.k)
    ]
    captions = {"Figure 10": f"Average R-score of the first R results, {len(truth.asked):,} pages asked about"}
    if isinstance(truth, Labels):
        notes.append("labels give grade 1 to every page of the same label, so the R-score is the precision")
        rows += [{"table": "Figure 11", **row} for row in _by_topic(made, truth, options.k)]
        captions["Figure 11"] = f"Average {options.k}-score of each label"
    largest = max(truth.ideal(page, 1)[0] for page in truth.asked)
    about = {"pages": len(truth.asked), "k": options.k, "largest grade": largest}
    return PaperTables((), "; ".join(notes) or None, tuple(rows), "r-score", about, captions)


def _truth(store: Store, options: Options) -> Labels | Relevance:
    """Pairs if they were given: labels may be there for the tables of other papers."""
    return read_pairs(store, options.related) if options.related else labels(store, options)


def _by_topic(made: Evaluation, truth: Labels, k: int) -> list[dict[str, Any]]:
    """The mean grade of the first k of the pages of each label; a page with several labels counts for each."""
    place = {page: at for at, page in enumerate(truth.asked)}
    rows: list[dict[str, Any]] = []
    for label in sorted(truth.pages):
        theirs = np.array([place[page] for page in truth.pages[label] if page in place], np.int64)
        if theirs.size:
            means = {each.name: float(each.grades[theirs].sum(1).mean() / k) for each in made.measured}
            rows.append({"label": label, "pages": int(theirs.size), **means})
    return rows


def plot(store: Store, options: Options, answer: PaperTables, path: Path) -> None:
    """Draw both figures, one above the other."""
    from pagekin.evaluate.figures import figure, printable, save
    from pagekin.evaluate.plots import MARKS

    parts = {name: rows for name, _, rows in answer.parts()}
    page = figure(8, 4 * len(parts))
    curves = page.add_subplot(len(parts), 1, 1)
    methods = [name for name in parts["Figure 10"][0] if name != "R"]
    for at, name in enumerate(methods):
        rows = parts["Figure 10"]
        curves.plot([row["R"] for row in rows], [row[name] for row in rows], marker=MARKS[at % len(MARKS)], label=name)
    curves.set(xlabel="R", ylabel="average R-score", xticks=range(1, answer.about["k"] + 1))
    curves.set_ylim(bottom=0)
    curves.set_title(f"Figure 10. {answer.captions['Figure 10']}", fontsize=9)
    curves.legend(frameon=False, fontsize=8)
    if topics := parts.get("Figure 11"):
        bars, width = page.add_subplot(len(parts), 1, 2), 0.8 / len(methods)
        for at, name in enumerate(methods):
            places = [row + width * (at - (len(methods) - 1) / 2) for row in range(len(topics))]
            bars.bar(places, [row[name] for row in topics], width * 0.92, label=name)
        names = [printable(str(row["label"])).replace("$", r"\$") for row in topics]
        bars.set_xticks(range(len(topics)), names, rotation=30 if len(topics) > 8 else 0, fontsize=8)
        bars.set_ylabel(f"average {answer.about['k']}-score")
        bars.set_title(f"Figure 11. {answer.captions['Figure 11']}", fontsize=9)
    for axes in page.axes:
        axes.spines[["right", "top"]].set_visible(False)
    page.set_layout_engine("constrained")
    save(page, path, path.suffix.lower()[1:])
