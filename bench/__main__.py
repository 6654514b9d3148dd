"""`python -m bench [NAME…]`: prints a JSON line for each case, a table at the end, and exits 1 if a bar is missed."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.case import Case, missing
from bench.graphs import SHRINK


def main() -> int:
    parser = argparse.ArgumentParser("python -m bench", description="Measure pagekin beside its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which questions: {', '.join(questions())} (all)")
    names = parser.parse_args().names or questions()
    for name in names:
        if name not in questions():
            print(f"unknown benchmark '{name}'; there are: {', '.join(questions())}", file=sys.stderr)
            return 2
    cases = []
    for case in measured(names):
        print(json.dumps(case.as_dict(), ensure_ascii=False), flush=True)
        cases.append(case)
    print(table(cases))
    if SHRINK > 1:
        print(f"\nsizes were divided by {SHRINK} (PAGEKIN_BENCH_SMALL): there are no bars")
    return int(any(case.holds is False for case in cases))


def questions() -> list[str]:
    """The files here that have a `run`; they are not imported to find out, because their peers may be missing."""
    return sorted(file.stem for file in Path(__file__).parent.glob("*.py") if "\ndef run()" in file.read_text())


def measured(names: Sequence[str]) -> Iterator[Case]:
    for name in names:
        try:
            for found in import_module(f"bench.{name}").run():
                case = found if isinstance(found, Case) else _from_dict(found)
                yield replace(case, bar=None) if SHRINK > 1 else case
        except ModuleNotFoundError as error:  # a question that needs its peer
            if not error.name or error.name.startswith(("pagekin", "bench")):
                raise
            yield Case(name, None, "", error.name, bar=1.0, note=missing(error.name))


def _from_dict(row: dict[str, Any]) -> Case:
    """A case from a dict; its other keys (shares of agreement) become the note."""
    known = {field.name for field in fields(Case)}
    note = ", ".join(f"{name} {value:.3g}" for name, value in row.items() if name not in known)
    return Case(**{"note": note} | {name: value for name, value in row.items() if name in known})


def table(cases: Sequence[Case]) -> str:
    """The cases as a Markdown table, to paste into the README."""
    heads = ("case", "ours", "peer", "theirs", "ratio", "bar", "holds")
    rows = [heads, tuple("---" for _ in heads), *map(_cells, cases)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines = (
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    )
    notes = [f"* {case.case}: {case.note}" for case in cases if case.note]
    return "\n".join(["", *lines, *(["", *notes] if notes else [])])


def _cells(case: Case) -> tuple[str, ...]:
    bar = "" if case.bar is None else f"{'≤' if case.bar_on == 'ours at most' else '× ≥'} {case.bar:g}"
    holds = {None: "", True: "yes", False: "NO"}[case.holds]
    ours, theirs = (_short(value, case.unit) for value in (case.ours, case.theirs))
    return case.case, ours, case.peer or "", theirs, _short(case.ratio, "×"), bar, holds


def _short(value: float | None, unit: str) -> str:
    """A number with three digits, and with all the digits before the decimal point."""
    if value is None:
        return ""
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


if __name__ == "__main__":
    sys.exit(main())
