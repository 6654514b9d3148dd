"""`python -m leaderboard.fit_blocks FOLDER`: choose S of `block` (`max_links`), and say what the choice is worth.

S is the most links that a block may have. The paper chose 80 by looking at its own data. Here each set in turn is left
out: the S that is best on the others, by the mean over sets of nDCG relative to each set's best, is measured on it. The
folder keeps the collections.
"""

import argparse
from pathlib import Path

from leaderboard import sets
from leaderboard.sets import SETS, MissingError, Task, sampled
from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.evaluate.experiment import evaluate
from pagekin.methods.block import BlockCoCitation

TRIED = (20, 40, 80, 120, 200, 400, 1_000)
PAPER = 80
ASKED = ("python3.11-doc", "postgresql-doc-15", "planetmath", "webkb", "awesome-lists")  # where `block` answers
QUESTIONS = 1_000  # of a set, drawn by a seed
K = 15
LEAST_ANSWERED = 0.1  # of the questions: where hardly any is answered, figures are chance, and the set does not count

Figures = dict[int, float]  # S → nDCG


def measured(task: Task, scope: str | None = None) -> tuple[Figures, float, Figures]:
    """nDCG for each S, that of `siblings`, and the share of the questions answered for each S."""
    rules = [BlockCoCitation(scope=scope, max_links=most) for most in TRIED]  # type: ignore[arg-type]
    Collection(task.store.path).build(method=[repr(rule) for rule in rules])
    store = Store(task.store.path)
    rows = evaluate(store, sampled(task.truth, QUESTIONS), [*map(repr, rules), "siblings"], K).results
    found, answered = (
        {most: row[name] for most, row in zip(TRIED, rows, strict=False)} for name in (f"nDCG@{K}", "answered")
    )
    return found, rows[-1][f"nDCG@{K}"], answered


def relative(figures: Figures, most: int) -> float:
    """nDCG with an S as a share of the best: sets count alike, however hard they are."""
    return figures[most] / max(max(figures.values()), 1e-12)


def best(figures: list[Figures]) -> int:
    """The S with the greatest mean over sets; the paper's, if that is as good."""

    def mean(most: int) -> float:
        return sum(relative(each, most) for each in figures) / len(figures)

    return max(TRIED, key=lambda most: (round(mean(most), 4), most == PAPER, -most))


def left_out(found: dict[str, Figures]) -> None:
    """Print what the choice on the other sets is worth on each set, beside the paper's."""
    ours = paper = 0.0
    for title, figures in found.items():
        chosen = best([each for name, each in found.items() if name != title])
        ours, paper = ours + relative(figures, chosen), paper + relative(figures, PAPER)
        print(f"without {title}: S = {chosen}; there {figures[chosen]:.4f}, with {PAPER} {figures[PAPER]:.4f}")
    count = max(len(found), 1)
    print(f"of the best on a set left out: {ours / count:.3f} with the choice, {paper / count:.3f} with {PAPER}")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    folder: Path = asked.parse_args().folder
    sets.INDEXES[:] = ["block-pairs"]
    found: dict[str, Figures] = {}
    for name in ASKED:
        (folder / name).mkdir(parents=True, exist_ok=True)
        try:
            task = next(SETS[name](folder / name))
        except MissingError as error:
            print(f"{name}: left out, {error}")
            continue
        for scope in (None, "site") if name == "webkb" else (None,):  # five sites, so `web` by default
            title = f"{name}, scope={scope}" if scope else name
            figures, siblings, answered = measured(task, scope)
            shown = "  ".join(f"{most}: {value:.4f} ({answered[most]:.3f})" for most, value in figures.items())
            print(f"{title}  {shown}  siblings: {siblings:.4f}", flush=True)
            if answered[PAPER] >= LEAST_ANSWERED:
                found[title] = figures
    left_out(found)
    print(f"all: S = {best(list(found.values()))}")


if __name__ == "__main__":
    main()
