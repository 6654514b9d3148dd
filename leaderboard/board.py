"""Writes docs/leaderboard.md from results.json, in which a run replaces the figures of the tasks that it measured."""

import datetime
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from leaderboard.sets import SETS, Task
from pagekin.evaluate.experiment import Evaluation

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
HEAD = HERE / "head.md"
PAGE = HERE.parent / "docs" / "leaderboard.md"
MAIN = "nDCG@10"
ALL = "links=all"  # of a method that sees the template's links too: a column beside the method's own figures
BESIDE = (MAIN, "P@10")  # figures that have such a column
SHOWN = ("P@10", "R@10", "AP@10", "RR", "Success@1", "answered", "unlinked", "unseen", "hubs")
OURS = ("fused", "search")  # what answers by default: each other row says how much better that is
BASELINES = ("tf-idf cosine", "LSA cosine", "BM25 more-like-this", "in-link cosine", "random walk", "BM25", "tantivy")


def rows_of(made: Evaluation) -> list[dict[str, Any]]:
    """The figures that are kept and shown, best first."""
    names = ("method", MAIN, "low", "high", *SHOWN)
    rows = sorted(made, key=lambda row: -row[MAIN])
    found = [{name: _rounded(row[name]) for name in names if row.get(name) is not None} for row in rows]
    behind = _behind(made)
    return [row | ({"behind": behind[row["method"]]} if row["method"] in behind else {}) for row in found]


def _behind(made: Evaluation) -> dict[str, list[float]]:
    """How much better the default is than each of the others by nDCG, question by question, and the 95 % interval."""
    found = {}
    for row in made.differences:
        names, gap = (row["method"], row["than"]), (row["difference"], row["low"], row["high"])
        if names[1] in OURS:
            names, gap = names[::-1], (-gap[0], -gap[2], -gap[1])
        if names[0] in OURS:
            found[names[1]] = [round(value, 4) for value in gap]
    return found


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Figures as a Markdown table; those of a method with all links stand in columns beside its own."""
    wide = {as_usual(row["method"]): row for row in rows if as_usual(row["method"]) != row["method"]}
    own = [row for row in rows if row["method"] not in {row["method"] for row in wide.values()}]
    shown = [name for name in SHOWN if any(name in row for row in rows)]
    heads, lines = ["method", f"{MAIN} (95 %)"], []
    ours = next((row["method"] for row in own if row["method"] in OURS), None)
    paired = ours and any("behind" in row for row in own)
    heads += [f"`{ours}` is better by (95 %)"] if paired else []
    for name in (MAIN, *shown):
        heads += [name] if name != MAIN else []
        heads += [f"{name}, {ALL}"] if wide and name in BESIDE else []
    for row in own:
        lines.append([f"*{row['method']}*" if row["method"] in BASELINES else f"`{row['method']}`"])
        for name in (MAIN, *shown):
            interval = f" ({_short(row['low'])}–{_short(row['high'])})" if name == MAIN else ""
            lines[-1].append(_short(row.get(name)) + interval)
            lines[-1] += [_gap(row.get("behind"))] if paired and name == MAIN else []
            if wide and name in BESIDE:
                lines[-1].append(_short(wide.get(row["method"], {}).get(name)))
    ruler = ["---", *("--:" for _ in heads[1:])]
    return "\n".join("| " + " | ".join(line) + " |" for line in (heads, ruler, *lines))


def as_usual(method: str) -> str:
    """A method without `links=all`.

    >>> as_usual("amsler(links=all)"), as_usual("block(links=all, scope=site)"), as_usual("walk")
    ('amsler', 'block(scope=site)', 'walk')
    """
    return method.replace(f"{ALL}, ", "").replace(f", {ALL}", "").replace(f"({ALL})", "")


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".removeprefix("0")


def _gap(behind: Sequence[float] | None) -> str:
    """A difference with its interval.

    >>> _gap([0.055, -0.01, 0.12]), _gap(None)
    ('+.055 (−.010 to +.120)', '')
    """
    if behind is None:
        return ""
    mean, low, high = (f"{'+' if value >= 0 else '−'}{_short(abs(value))}" for value in behind)
    return f"{mean} ({low} to {high})"


def keep(task: Task, made: Evaluation, command: str, some: bool = False) -> None:
    """Put the figures of a task in place of those before, and write the page; the other tasks' stay as they are.

    If only some methods were measured, the rows of the others stay as well, if as many questions were asked.
    """
    held = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    before, today = held.get(task.name), datetime.date.today().isoformat()
    if some and before and before["questions"] == made.questions:
        held[task.name] = merged(before, rows_of(made), f"{today} by `{command}`")
    else:
        held[task.name] = {
            "date": today, "command": command, "questions": made.questions,
            "of": len(task.truth.asked), "pages": int(task.store.graph.is_page.sum()), "hidden": made.hidden,
            "rows": rows_of(made),
        }  # fmt: skip
    RESULTS.write_text(json.dumps(held, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(held), encoding="utf-8")


def merged(before: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], measured: str) -> dict[str, Any]:
    """The figures of a task with some rows replaced, and when they were."""
    new = {row["method"] for row in rows}
    outdated = new & set(OURS)  # what it was better by, it may not be any more
    kept = [{name: row[name] for name in row if name != "behind" or not outdated} for row in before["rows"]]
    kept = [row for row in kept if row["method"] not in new]
    again = {**before.get("again", {}), **dict.fromkeys(sorted({as_usual(name) for name in new}), measured)}
    return {**before, "again": again, "rows": sorted([*kept, *rows], key=lambda row: -row[MAIN])}


def page(held: Mapping[str, Mapping[str, Any]]) -> str:
    """All tables, in the order of the sets."""
    order = [name for known in SETS for name in (known, f"{known}-search") if name in held]
    rest = [name for name in SETS if name not in held]
    missing = [f"Not measured yet: {', '.join(rest)}.\n"] if rest else []
    return "\n".join([HEAD.read_text(encoding="utf-8"), *missing, *(_section(name, held[name]) for name in order)])


def _section(name: str, held: Mapping[str, Any]) -> str:
    about = (SETS[name.removesuffix("-search")].__doc__ or "").strip()
    what = "questions in words" if name.endswith("-search") else "pages asked about"
    hidden = f" Hidden: {held['hidden']}." if held["hidden"] else ""
    asked = f"{held['questions']:,} of {held['of']:,} {what}, {held['pages']:,} pages"
    measured = f"Measured {held['date']} by `{held['command']}`."
    measured += "".join(f" `{method}` again {when}." for method, when in held.get("again", {}).items())
    return f"## {name}\n\n{about}{hidden} {asked}. {measured}\n\n{table(held['rows'])}\n"
