"""`python -m leaderboard [SET…]`: measure all methods and outside baselines, and write docs/leaderboard.md.

The exit code is 1 if a figure is below its floor.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from leaderboard import board, sets
from leaderboard.clock import Laps, timed
from leaderboard.floors import broken
from leaderboard.sets import GATED, SETS, MissingError, Task, sampled
from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.evaluate.experiment import Evaluation, evaluate
from pagekin.evaluate.trec import run_lines
from pagekin.evaluate.truth import Relevance
from pagekin.methods import REGISTRY, method

K = 10
MANY, FEW = 500, 200  # questions a task, drawn by a seed; FEW is what the tests ask


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m leaderboard", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"which: {', '.join(SETS)} (all)")
    parser.add_argument(
        "--gated", action="store_true", help=f"only {', '.join(GATED)}, {FEW} questions each; writes nothing"
    )
    parser.add_argument("--questions", type=int, metavar="N", help=f"how many are drawn for each task ({MANY})")
    parser.add_argument(
        "--method", action="append", choices=list(REGISTRY), metavar="METHOD",
        help="measure this one alone, and leave the other rows as they are; repeatable",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    names = options.sets or list(GATED if options.gated else SETS)
    if strange := [name for name in names if name not in SETS]:
        print(f"unknown set '{strange[0]}'; there are: {', '.join(SETS)}", file=sys.stderr)
        return 2
    questions = (FEW if options.gated else MANY) if options.questions is None else options.questions
    if questions < 1:
        print(f"--questions must be at least 1, not {questions}", file=sys.stderr)
        return 2
    only = options.method or []
    if only:
        sets.INDEXES[:] = ["text"]  # it takes little time; `_ready` adds what the methods need
    given = "".join(f" --method {each}" for each in only) + (f" --questions {questions}" if questions != MANY else "")
    faults = list[str]()
    for name in names:
        for task, made in measured([name], questions, only=only):
            print(board.table(board.rows_of(made)), flush=True)
            faults += broken(task.name, made, questions, bool(only))
            if not options.gated:
                board.keep(task, made, f"python -m leaderboard {name}{given}", bool(only))
    for fault in faults:
        print(fault)
    return int(bool(faults))


def measured(
    names: Sequence[str], questions: int, baselines: bool = True, only: Sequence[str] = ()
) -> Iterator[tuple[Task, Evaluation]]:
    """Every task of some sets with its figures; a set whose data is missing is said and passed over.

    If methods are named, only they are asked, and only the tasks that methods answer.
    """
    for name in names:
        with TemporaryDirectory(prefix="pagekin-leaderboard-") as folder:
            try:
                began = time.monotonic()
                for task in SETS[name](Path(folder)):
                    made_in, began = time.monotonic() - began, time.monotonic()
                    truth = sampled(task.truth, questions)
                    if only and truth.words:
                        continue
                    made = ask(task, truth, Path(folder) if baselines else None, only)
                    took = f"made in {made_in:,.0f} s, asked in {time.monotonic() - began:,.0f} s"
                    print(f"\n{task.name}: {made.questions:,} questions; {took}", flush=True)
                    yield task, made
                    began = time.monotonic()
            except MissingError as error:
                print(f"\n{name} is left out: {error}", flush=True)


def ask(task: Task, truth: Relevance, folder: Path | None, only: Sequence[str] = ()) -> Evaluation:
    """All methods, and the baselines as rankings that were made elsewhere; or some methods only."""
    if folder is None:
        return evaluate(task.store, truth, (), K)
    runs, laps = _runs(task, truth, folder) if not only else [], Laps(task.name)
    methods = [text for text in _methods(task, truth) if not only or board.as_usual(text) in only]
    made = evaluate(_ready(task, methods), truth, methods, K, runs=runs, tell=laps)
    laps.end()
    return made


def _methods(task: Task, truth: Relevance) -> list[str]:
    """All methods and, where a site's template has links, all that use links with all of them beside it."""
    if truth.words:
        return []
    graph = task.store.graph
    wide = [f"{name}({board.ALL})" for name, cls in REGISTRY.items() if hasattr(cls(), "links")]
    return [*REGISTRY, *(wide if graph.content is not graph.arrays else ())]


def _ready(task: Task, methods: Sequence[str]) -> Store:
    """The collection with the indexes that these methods need; a set brings those of the methods' defaults."""
    needed = [each.index for each in (method(text).chosen_for(task.store) for text in methods) if each.index]
    missing = {repr(index) for index in needed} - set(task.store.manifest.indexes)
    if not missing:
        return task.store
    with timed(f"{task.name}: {', '.join(sorted(missing))}"):
        Collection(task.store.path).build(index=sorted(missing))
    return Store(task.store.path)


def _runs(task: Task, truth: Relevance, folder: Path) -> list[Path]:
    from leaderboard.baselines import OF_PAGES, OF_WORDS, Corpus

    corpus, made = Corpus(task.store, truth.known), list[Path]()
    for name, baseline in (OF_WORDS if truth.words else OF_PAGES).items():
        asked: Sequence[Any] = [truth.words[each] for each in truth.asked] if truth.words else truth.asked
        with timed(f"{task.name}: {name}"):
            lists = baseline(corpus, asked, K)
        if not lists.sizes.any():
            print(f"{task.name}: {name} answers nothing")
            continue
        made.append(folder / name)
        made[-1].write_text("".join(run_lines(task.store, truth, lists, name)), encoding="utf-8")
    return made


if __name__ == "__main__":
    sys.exit(main())
