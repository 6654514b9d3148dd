"""`python -m leaderboard.fit FOLDER [SET…]`: fit the weights of `fused`, and say what they are worth elsewhere.

Each set's part scores are worked out once and kept in the folder; a search for weights then takes a minute. For every
set the weights are also fitted on the other sets alone: what they reach on the one left out is what to expect of a
collection that nobody tuned on. The truth of a set is not read when the weights it is measured with are fitted.

The search is that of `pagekin.evaluate.fitting`, by the mean over sets. Then parts go without which no more than `LOSS`
is lost. Vectors of one's own have no part in it: no set has any.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from leaderboard import sets
from leaderboard.sets import SETS, MissingError, Task, sampled
from pagekin.collection.store import Store
from pagekin.evaluate import fitting
from pagekin.evaluate.bootstrap import difference, resampled
from pagekin.evaluate.fitting import DISCOUNT, K, changed, worth
from pagekin.evaluate.truth import Relevance
from pagekin.kernels import Floats
from pagekin.methods.fused import PARTS, WEIGHTS

QUESTIONS = 500  # of a task, drawn by a seed
LOSS = 0.0005


@dataclass(frozen=True)
class Scored(fitting.Scored):
    """A set's questions with their candidates, and what baselines make of the questions."""

    names: npt.NDArray[Any]  # of the baselines
    baselines: Floats  # nDCG of each question by each

    @classmethod
    def read(cls, path: Path) -> "Scored":
        with np.load(path) as held:
            return cls(*(held[field.name] for field in fields(cls)))

    def write(self, path: Path) -> None:
        np.savez_compressed(path, **{field.name: getattr(self, field.name) for field in fields(self)})


def gathered(store: Store, truth: Relevance, baselines: Mapping[str, Floats] | None = None) -> Scored:
    """The part scores of every question's candidates, and the figures of the baselines."""
    known, given = fitting.gathered(store, truth), baselines or {}
    made = known.scored(known.asked)
    figures = np.array(list(given.values())).reshape(len(given), len(known.asked)).T
    return Scored(made.start, made.parts, made.grade, made.ideal, np.array(list(given)), figures)


def baseline_figures(store: Store, truth: Relevance) -> dict[str, Floats]:
    """nDCG@10 of each question by each baseline."""
    from leaderboard.baselines import OF_PAGES, Corpus

    corpus, found = Corpus(store, truth.known), {}
    for name, baseline in OF_PAGES.items():
        lists = baseline(corpus, [int(question) for question in truth.asked], K)
        values = []
        for row, page in enumerate(truth.asked):
            grades = np.array([truth.grade(page, int(p)) for p in lists.pages[row, : lists.sizes[row]]])
            ideal = np.array(truth.ideal(page, K))
            values.append((grades * DISCOUNT[: grades.size]).sum() / (ideal * DISCOUNT[: ideal.size]).sum())
        found[name] = np.array(values)
    return found


def fitted(known: Sequence[Scored], start: Floats) -> Floats:
    """The weights that are best in the mean over some sets, without the parts that do not matter."""
    weight = fitting.fitted(known, start)
    best = worth(known, weight)
    for part in np.argsort(weight):  # the least first
        fewer = changed(weight, int(part), 0)
        if worth(known, fewer) >= best - LOSS:
            weight = fewer
    return weight


def report(known: Mapping[str, Scored], start: Floats) -> Iterator[str]:
    """The figures of every set: at the start, with weights fitted on the others, and of the best baseline."""
    yield f"{'set':26} start  others  best baseline          difference of the second (95 %)"
    gains = []
    for name, own in known.items():
        others = fitted([each for other, each in known.items() if other != name], start)
        before, now = own.ndcg(start), own.ndcg(others)
        at = int(own.baselines.mean(axis=0).argmax())
        peer = own.baselines[:, at]
        means = resampled(np.stack([now, peer], axis=1))
        gap = difference(means[:, 0], means[:, 1], float(now.mean() - peer.mean()))
        gains.append(gap.mean)
        yield (
            f"{name:26} {before.mean():.3f}  {now.mean():.3f}   {peer.mean():.3f} {own.names[at]:20} "
            f"{gap.mean:+.3f} ({gap.low:+.3f} … {gap.high:+.3f})  {spelled(others)}"
        )
    yield f"mean difference {np.mean(gains):+.3f}"
    yield f"fitted on all: {spelled(fitted(list(known.values()), start))}"


def spelled(weight: Floats) -> str:
    return ", ".join(f"{part} {value:.2g}" for part, value in zip(PARTS, weight.tolist(), strict=True) if value)


def prepared(names: Iterable[str], folder: Path) -> dict[str, Scored]:
    """The scores of some sets, read from the folder or worked out now."""
    found = {}
    for name in names:
        path = folder / f"{name}.npz"
        if not path.exists():
            with TemporaryDirectory(prefix="pagekin-fit-") as place:
                try:
                    _prepare(next(SETS[name](Path(place))), path)
                except MissingError as error:
                    print(f"{name} is left out: {error}", file=sys.stderr)
                    continue
        found[name] = Scored.read(path)
    return found


def _prepare(task: Task, path: Path) -> None:
    truth = sampled(task.truth, QUESTIONS)
    gathered(task.store.seeing(), truth, baseline_figures(task.store, truth)).write(path)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m leaderboard.fit", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the scores of the parts are kept")
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"which: {', '.join(SETS)} (all)")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    sets.INDEXES[:] = ["text"]
    for line in report(prepared(options.sets or SETS, options.folder), np.array([WEIGHTS[part] for part in PARTS])):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
