"""`tune`: fit the weights of `fused` to a user's own judgements, and keep them if they help on pages held out.

The pages with known answers are dealt into five folds. For each fold, weights are fitted to the other pages, without
any pair that has a page of this fold in it, and measured on the fold. Only if the mean over all pages is surely better
than with the shipped weights (the paired bootstrap of `evaluate`), weights fitted to all pages are kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pagekin.answer import Report
from pagekin.answers.progress import Progress, Tell
from pagekin.collection import tuned
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import NotBuiltError, PagekinError, UsageError
from pagekin.evaluate.bootstrap import Difference, difference, resampled
from pagekin.evaluate.fitting import Gathered, Scored, fitted, gathered
from pagekin.evaluate.truth import read_pairs, without_truth
from pagekin.kernels import Floats
from pagekin.methods.fused import WEIGHTS, Fused
from pagekin.wording import option

FOLDS = 5
LEAST = 20  # pages with a known answer: with fewer, a fold of four says nothing
SEED = 18  # the same judgements are dealt in the same way


@dataclass(frozen=True, repr=False)
class Tuned(Report):
    """What `tune` found: nDCG@10 on pages held out, with the shipped weights and with fitted ones."""

    pages: int = 0  # with a known answer; none: `reset`
    shipped: float = 0.0
    fitted: float = 0.0
    low: float = 0.0  # the 95 % interval of the difference
    high: float = 0.0
    kept: bool = False
    weights: Mapping[str, float] = field(default_factory=dict)  # those that count from now on, if they are not shipped
    notes: tuple[str, ...] = ()
    removed: bool = False  # `reset` removed weights

    @property
    def lines(self) -> list[str]:
        if not self.pages:
            return ["removed the tuned weights" if self.removed else "there are no tuned weights; nothing to remove"]
        gain = f"{self.fitted - self.shipped:+.3f}, 95 % {self.low:+.3f} … {self.high:+.3f}"
        said = [
            *self.notes,
            f"nDCG@10 of {self.pages:,} pages, each held out when it is measured: "
            f"{self.shipped:.3f} with the shipped weights, {self.fitted:.3f} with fitted ones ({gain})",
        ]
        spelled = ", ".join(f"{part} {weight:.3g}" for part, weight in self.weights.items())
        if self.kept:
            return [*said, f"kept these weights: {spelled}"]
        stay = f"; those tuned before stay: {spelled}" if self.weights else ""
        return [*said, f"warning: fitted weights are not surely better on pages held out, so none are kept{stay}"]


def tune(path: Path, related: Path | None, reset: bool, tell: Tell) -> Tuned:
    """Fit weights to pairs of related pages, or remove those that were fitted."""
    if reset == (related is not None):
        both = f"{option('related')}, a file with rows page,page, or {option('reset')}"
        raise UsageError(f"give either {both}{', not both' if reset else ''}")
    if related is None:
        Store(path)  # raises if there is no collection
        with writing(path) as writer:
            return Tuned(removed=tuned.forget(writer))
    return _fit(path, related, tell)


def _fit(path: Path, related: Path, tell: Tell) -> Tuned:
    store, method = Store(path), Fused()
    truth = read_pairs(store, related)
    if len(truth.asked) < LEAST:
        why = f"{related} has known answers for {len(truth.asked)} pages of {path}"
        raise PagekinError("; ".join([f"{why}; to fit weights takes at least {LEAST}", *truth.notes]))
    if missing := method.left_out(store):
        raise NotBuiltError(f"weights can only be fitted to all parts: {missing}")
    tell(Progress("scoring the parts"))
    known = gathered(method.seen(store), truth)
    start = np.array([WEIGHTS[part] for part in known.names])
    tell(Progress("fitting"))
    shipped, held_out = cross_validated(known, start)
    gap = compared(held_out, shipped)
    kept = gap.low > 0
    found = dict(zip(known.names, fitted([known.scored(known.asked)], start).tolist(), strict=True)) if kept else {}
    if kept:
        with writing(path) as writer:
            tuned.keep(writer, found)
    return Tuned(
        len(known.asked), float(shipped.mean()), float(held_out.mean()), gap.low, gap.high, kept,
        found or tuned.weights(store), (*truth.notes, *without_truth(store, truth)),
    )  # fmt: skip


def cross_validated(known: Gathered, start: Floats) -> tuple[Floats, Floats]:
    """nDCG@10 of each page with the start, and with weights fitted without any truth about it."""
    dealt = np.random.default_rng(SEED).permutation(known.asked).tolist()
    shipped, held_out = [], []
    for fold in (set(dealt[first::FOLDS]) for first in range(FOLDS)):
        training: Scored = known.scored(known.asked, unseen=fold)
        own = known.scored(fold)
        shipped.append(own.ndcg(start))
        held_out.append(own.ndcg(fitted([training], start) if training.ideal.size else start))
    return np.concatenate(shipped), np.concatenate(held_out)


def compared(one: Floats, other: Floats) -> Difference:
    """How much better one is than the other, question by question."""
    means = resampled(np.stack([one, other], axis=1))
    return difference(means[:, 0], means[:, 1], float(one.mean() - other.mean()))
