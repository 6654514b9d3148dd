"""`python -m leaderboard.fit FOLDER [SET…]`: fit the weights of `fused`, and say what they are worth elsewhere.

Each set's part scores are worked out once and kept in the folder; a search for weights then takes a minute. For every
set the weights are also fitted on the other sets alone: what they reach on the one left out is what to expect of a
collection that nobody tuned on. The truth of a set is not read when the weights it is measured with are fitted.

The search takes, again and again, the part and the factor that help most in the mean over sets of nDCG@10, until none
helps by `GAIN`: a weight that does not matter stays as it was. Then parts go without which no more than `LOSS` is lost.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from leaderboard import sets
from leaderboard.sets import SETS, MissingError, Task, sampled
from pagekin.collection.store import Store
from pagekin.engine.local import over_rows
from pagekin.evaluate.bootstrap import difference, resampled
from pagekin.evaluate.truth import Relevance
from pagekin.kernels import Floats
from pagekin.methods.fused import PARTS, WEIGHTS, asked_parts, scored, weights

K = 10
QUESTIONS = 500  # of a task, drawn by a seed
DEPTH = 200  # candidates of each part: many of them were never fetched, and are no answer
FACTORS = (0.5, 0.7, 1.4, 2.0)  # not 0: sets of one kind would drop what others live on
GAIN = 0.002  # less is noise: a set's mean is known to about 0.01
LOSS = 0.0005
DISCOUNT = 1 / np.log2(np.arange(2, K + 2))


@dataclass(frozen=True)
class Scored:
    """A set's questions with their candidates: what a score is made from, and what it is judged by."""

    start: npt.NDArray[np.int64]  # the candidates of question i are [start[i] : start[i + 1]]
    parts: npt.NDArray[np.float32]  # candidate × part, divided by the deviation and times the factor of the question
    grade: npt.NDArray[np.int32]
    ideal: Floats  # of each question, the best sum of discounted grades
    names: npt.NDArray[Any]  # of the baselines
    baselines: Floats  # nDCG of each question by each

    @classmethod
    def read(cls, path: Path) -> "Scored":
        with np.load(path) as held:
            return cls(*(held[field.name] for field in fields(cls)))

    def write(self, path: Path) -> None:
        np.savez_compressed(path, **{field.name: getattr(self, field.name) for field in fields(self)})

    @cached_property
    def _table(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]:
        """Parts and grades with a row for each question, filled up with candidates that score nothing."""
        sizes = np.diff(self.start)
        there = np.arange(sizes.max(initial=0)) < sizes[:, None]
        parts = np.zeros((*there.shape, self.parts.shape[1]), np.float32)
        grades = np.zeros(there.shape, np.int32)
        parts[there], grades[there] = self.parts, self.grade
        return parts, grades

    def ndcg(self, weight: Floats) -> Floats:
        """nDCG@10 of each question."""
        parts, grades = self._table
        total = parts @ weight.astype(np.float32)
        few = np.sort(np.argpartition(-total, K, axis=1)[:, :K], axis=1)
        scores = np.take_along_axis(total, few, axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")
        best = np.take_along_axis(few, order, axis=1)
        gains = np.take_along_axis(grades, best, axis=1) * (np.take_along_axis(total, best, axis=1) > 0)
        return np.asarray(gains @ DISCOUNT / self.ideal)

    def mean(self, weight: Floats) -> float:
        """nDCG@10, remembered: every fit begins at the same start."""
        key = tuple(weight.tolist())
        if key not in self._means:
            self._means[key] = float(self.ndcg(weight).mean())
        return self._means[key]

    @cached_property
    def _means(self) -> dict[tuple[float, ...], float]:
        return {}


def gathered(store: Store, truth: Relevance, baselines: Mapping[str, Floats] | None = None) -> Scored:
    """The part scores of every question's candidates. A question about a fetched page is answered with such pages."""
    fetched = pc.is_valid(store.graph.pages["fetched"]).to_numpy()
    factor = np.array([WEIGHTS[part] for part in PARTS])
    asked = [int(question) for question in truth.asked]

    def rows(first: int, last: int) -> list[tuple[Any, Any]]:
        found = []
        for page in asked[first:last]:
            question, spreads = asked_parts(store, page, DEPTH)
            pages, matrix = scored(question, spreads)
            kept = fetched[pages] | (not fetched[page])
            of_question = (weights(question) / factor)[:, None]
            grades = [truth.grade(page, other) for other in pages[kept].tolist()]
            found.append(((matrix * of_question)[:, kept].T.astype(np.float32), np.array(grades, np.int32)))
        return found

    made = [row for block in over_rows(rows, len(asked)) for row in block]
    ideal = [float((np.array(truth.ideal(page, K)) * DISCOUNT[: truth.count(page)][:K]).sum()) for page in asked]
    given = baselines or {}
    return Scored(
        np.concatenate(([0], np.cumsum([len(grades) for _, grades in made]))),
        np.concatenate([parts for parts, _ in made]), np.concatenate([grades for _, grades in made]),
        np.array(ideal), np.array(list(given)), np.array(list(given.values())).reshape(len(given), len(asked)).T,
    )  # fmt: skip


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
    """The weights that are best in the mean over some sets, found from a start."""

    def worth(weight: Floats) -> float:
        return float(np.mean([each.mean(weight) for each in known]))

    weight, best = start.copy(), worth(start)
    while True:
        tried = [_changed(weight, part, factor) for part in range(weight.size) for factor in FACTORS]
        values = [worth(each) for each in tried]
        at = int(np.argmax(values))
        if values[at] < best + GAIN:
            break
        weight, best = tried[at], values[at]
    for part in np.argsort(weight):  # the least first
        fewer = _changed(weight, int(part), 0)
        if worth(fewer) >= best - LOSS:
            weight = fewer
    return weight


def _changed(weight: Floats, part: int, factor: float) -> Floats:
    made = weight.copy()
    made[part] *= factor
    return made


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
