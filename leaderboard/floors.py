"""What each method must reach, a twentieth under what was measured when the floor was set.

Floors catch what breaks; they are no goals. `python -m leaderboard.floors [SET…]` adds those that are missing, from the
figures of docs/leaderboard.md. One that is there is changed only if `--raise` asks for it, with the change that earned
it, and never lowered: that is done by hand, with a reason.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pagekin.evaluate.experiment import Evaluation

FLOORS = Path(__file__).with_name("floors.json")  # number of questions drawn → task → method → floor of nDCG@10
UNDER = 0.95  # of what was measured

Floors = dict[str, dict[str, dict[str, float]]]


def broken(task: str, made: Evaluation, questions: int, some: bool = False) -> Iterator[str]:
    """A line for each method that is below its floor, or gone, unless only some were asked."""
    reached = {row["method"]: row[f"nDCG@{made.k}"] for row in made}
    for method, floor in json.loads(FLOORS.read_text()).get(str(questions), {}).get(task, {}).items():
        if method not in reached:
            if not some:
                yield f"{task}: {method} has a floor and was not measured"
        elif reached[method] < floor:
            yield f"{task}: {method} reaches {reached[method]:.4f}, below its floor of {floor:.4f}"


def with_measured(floors: Floors, task: str, rows: Sequence[Mapping[str, Any]], questions: int, higher: bool) -> int:
    """Add the floors of a task's methods, or raise them; returns how many changed."""
    from leaderboard.board import BASELINES, MAIN, as_usual

    held, changed = floors.setdefault(str(questions), {}).setdefault(task, {}), 0
    for row in sorted(rows, key=lambda row: str(row["method"])):
        name, floor = row["method"], round(UNDER * row[MAIN], 3)
        if name in BASELINES or as_usual(name) != name:  # not ours; or not what a user gets who asks for nothing
            continue
        if name not in held or (higher and floor > held[name]):
            held[name], changed = floor, changed + 1
    return changed


def main(arguments: Sequence[str] | None = None) -> int:
    from leaderboard.__main__ import MANY
    from leaderboard.board import RESULTS

    parser = argparse.ArgumentParser("python -m leaderboard.floors", description="Set floors from the figures kept.")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="which: citeseer, cacm-search … (all that are kept)")
    parser.add_argument("--raise", action="store_true", dest="higher", help="also raise those that are there")
    options = parser.parse_args(arguments)
    kept, floors = json.loads(RESULTS.read_text(encoding="utf-8")), json.loads(FLOORS.read_text())
    for task in options.tasks or kept:
        if task not in kept:
            print(f"{task} was not measured; there are: {', '.join(kept)}")
            return 2
        if "--questions" in kept[task]["command"]:
            print(f"{task}: not set, it was measured with fewer questions than the floors are for")
            continue
        changed = with_measured(floors, task, kept[task]["rows"], MANY, options.higher)
        print(f"{task}: {changed} floors set")
    FLOORS.write_text(json.dumps(floors, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
