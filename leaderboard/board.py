"""Writes docs/leaderboard.md: a table for each task, kept between runs, so that one set can be measured again alone."""

import datetime
import json
from pathlib import Path

from leaderboard.sets import SETS, Task
from pagekin.evaluate.experiment import Evaluation

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE.parent / "docs" / "leaderboard.md"
SHOWN = ("P@10", "R@10", "AP@10", "RR", "Success@1", "answered", "unlinked", "unseen", "hubs")

HEAD = """# Leaderboard

How good the answers are, on data with known answers: `make leaderboard` measures every method with its default settings, and
well-known baselines (*in italics*) in the same harness, and writes this page. Figures are means over the questions; the main one is
nDCG@10 with its 95 % interval (bootstrap over the questions). *answered*: the share of questions with any answer; *unlinked*: of the
answers, those that the page asked about does not link to; *unseen*: the share of pages in nobody's list; *hubs*: the share of places
that the most frequent hundredth of the pages takes. What the truth of a set is, and what was hidden from the methods, is said above
its table. `python -m leaderboard SET` measures one set again.

These are **development sets**: methods may be tuned on them, so they say which of two is better here, not how good it is elsewhere.
"""


def table(made: Evaluation) -> str:
    """The figures of a task as a Markdown table, best first."""
    main = f"nDCG@{made.k}"
    ours = len(made) - sum(_is_baseline(row["method"]) for row in made)
    shown = [name for name in SHOWN if any(row.get(name) is not None for row in made)]
    heads = ["method", f"{main} (95 %)", *shown]
    lines = [heads, ["---", *("--:" for _ in heads[1:])]]
    for row in sorted(made, key=lambda row: -row[main]):
        name = f"*{row['method']}*" if _is_baseline(row["method"]) else f"`{row['method']}`"
        interval = f"{_short(row[main])} ({_short(row['low'])}–{_short(row['high'])})"
        lines.append([name, interval, *(_short(row.get(column)) for column in shown)])
    assert ours > 0
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _is_baseline(name: str) -> bool:
    from leaderboard.baselines import OF_PAGES, OF_WORDS

    return name in OF_PAGES or name in OF_WORDS


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".removeprefix("0") if 0 <= value < 1 else f"{value:.2f}"


def keep(task: Task, made: Evaluation) -> None:
    """Put the table of a task in place of the one before, and write the page."""
    held = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    held[task.name] = {
        "date": datetime.date.today().isoformat(), "questions": made.questions, "of": len(task.truth.asked),
        "pages": int(task.store.graph.is_page.sum()), "hidden": made.hidden, "table": table(made),
    }  # fmt: skip
    RESULTS.write_text(json.dumps(held, ensure_ascii=False, indent=1) + "\n")
    PAGE.write_text(page(held), encoding="utf-8")


def page(held: dict[str, dict[str, object]]) -> str:
    """All tables in the order of the sets."""
    order = [name for known in SETS for name in (known, f"{known}-search") if name in held]
    return "\n".join([HEAD, *(_section(name, held[name]) for name in order)])


def _section(name: str, held: dict[str, object]) -> str:
    about = (SETS[name.removesuffix("-search")].__doc__ or "").strip()
    what = "questions in words" if name.endswith("-search") else "pages asked about"
    hidden = f" Hidden: {held['hidden']}." if held["hidden"] else ""
    return (
        f"## {name}\n\n{about}{hidden} {held['questions']:,} of {held['of']:,} {what}, {held['pages']:,} pages; "
        f"measured {held['date']}.\n\n{held['table']}\n"
    )
