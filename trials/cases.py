"""One damaged file: what every question answers before scrub, what scrub says and leaves, what build and add do to it.

Before scrub a question may answer as if nothing had happened, or end with one line that names the damaged file. After
scrub everything is as before, or each loss is named. Build and add never make it worse.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from trials import child, content
from trials.content import Content, fingerprint, unnamed_losses
from trials.damage import clone, inflict, nameless, replace
from trials.questions import Answer, answers, run

SAME, NAMED = "same answer", "error that names the file"
UNTOUCHED = "not asked: the question never touches the file"
WRONG, CRASH, UNNAMED = "wrong answer", "traceback or crash", "error that does not name the file"
SCRUB, LOSS, WORSE = "not repaired by scrub", "loss not named by scrub", "made worse by build or add"
REPAIRED, LOST, KEPT = "repaired in full", "repaired, with the loss named", "kept by build or add"
BAD = (WRONG, CRASH, UNNAMED, SCRUB, LOSS, WORSE)

LONG_S = 1800.0  # for scrub, build and add, which on a large collection take minutes
ASKED_AGAIN = 3  # questions after a repair that gave the same bytes: the same bytes give the same answers


@dataclass(frozen=True)
class Trial:
    """A collection to damage, and what it says and holds undisturbed."""

    name: str
    path: Path
    questions: Mapping[str, str]  # each with the index that it is there to read
    expected: Mapping[str, Answer]
    repaired: Mapping[str, Answer]  # the answers after a scrub with nothing to repair, which completes the graph
    held: Content
    scrubbed: Sequence[tuple[str, str]]  # the bytes after a scrub with nothing to repair
    table: Path  # a table of links for `add`
    added: Content  # what is held after adding it
    touched: Mapping[str, frozenset[str]] = field(default_factory=dict)  # by each question; if unknown, all files
    large: bool = False  # files are checked in full only by scrub, so wrong answers before it are no fault

    def touches(self, question: str, damaged: Sequence[str]) -> bool:
        """Whether the answer of a question can depend on one of these files."""
        return question not in self.touched or not self.touched[question].isdisjoint(damaged)

    @property
    def limit(self) -> float:
        """Seconds that a question may take."""
        return LONG_S if self.large else child.LIMIT_S


@dataclass(frozen=True)
class Case:
    """One damage of one file, and the questions to ask about it."""

    trial: Trial
    file: str
    damage: str
    questions: Sequence[str]
    scrub: bool
    build: bool

    def __str__(self) -> str:
        return f"{self.trial.name} {nameless(self.file)}:{nameless(self.damage)}"


@dataclass
class Outcome:
    """What was counted in one case, and a line for each fault."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def fault(self, kind: str, case: object, what: str, detail: str = "") -> None:
        """Count a fault and keep a line that says how to repeat it."""
        self.counts[kind] += 1
        self.faults.append(f"{kind.upper()}  {case}  {what}" + (f"  ({detail})" if detail else ""))

    def count(self, case: object, kind: str, what: str, detail: str = "") -> None:
        """Count a result, which may be a fault."""
        if kind in BAD:
            self.fault(kind, case, what, detail)
        else:
            self.counts[kind] += 1


def judged(expected: Answer, got: Answer, damaged: Sequence[str]) -> str:
    """What an answer is: the same, an error that names one of the damaged files, or one of three faults."""
    if got.crash:
        return CRASH
    if (got.code, got.out, got.wrote) == (expected.code, expected.out, expected.wrote):
        return SAME
    if got.code == 0:
        return WRONG
    errors = [line for line in got.err.splitlines() if line.startswith("pagekin: ")]
    named = len(errors) == 1 and any(file in errors[0] for file in damaged)
    return NAMED if named and got.code == 1 else UNNAMED


def tried(case: Case) -> Outcome:
    """All that is tried in one case, on hard-linked copies of the collection."""
    outcome = Outcome()
    with TemporaryDirectory(dir=case.trial.path.parent) as folder:
        site = clone(case.trial.path, Path(folder) / "damaged.kin")
        damaged = inflict(site, case.file, case.damage)
        _ask(case, site, damaged, outcome)
        if case.build:
            _build(case, clone(site, Path(folder) / "built.kin"), damaged, outcome)
        if case.scrub:
            _scrub(case, site, outcome)
    return outcome


def _ask(case: Case, site: Path, damaged: Sequence[str], outcome: Outcome) -> None:
    asked = [question for question in case.questions if case.trial.touches(question, damaged)]
    if len(asked) < len(case.questions):
        outcome.counts[UNTOUCHED] += len(case.questions) - len(asked)
    for question, got in zip(asked, answers(site, asked, case.trial.limit), strict=True):
        kind = judged(case.trial.expected[question], got, damaged)
        if kind == WRONG and case.trial.large:
            kind = "wrong answer of a large collection, allowed before scrub"
        outcome.count(case, kind, question, got.crash or _last(got.err))


def _scrub(case: Case, site: Path, outcome: Outcome) -> None:
    said = child.once(run, ["scrub", str(site)], LONG_S)
    if isinstance(said, child.Died) or said[0] or said[3]:
        return outcome.count(
            case, SCRUB, "scrub", said.why if isinstance(said, child.Died) else said[3] or _last(said[2])
        )
    if fingerprint(site) == case.trial.scrubbed:  # the same bytes: the same content, and nothing more to repair
        _ask_again(case, site, case.questions[:ASKED_AGAIN], True, outcome)
        held: Content | child.Died = case.trial.held
    else:
        held = _read_again(case, site, said[2].splitlines(), outcome)
    if not outcome.counts.keys() & {SCRUB, LOSS}:
        outcome.count(case, REPAIRED if held == case.trial.held else LOST, "scrub")


def _read_again(case: Case, site: Path, said: Sequence[str], outcome: Outcome) -> Content | child.Died:
    """After a scrub that left other bytes: what is held now, each loss named, nothing more to repair, the answers."""
    held = child.once(content.content, site, LONG_S)
    if isinstance(held, child.Died):
        outcome.count(case, SCRUB, "the content cannot be read after scrub", held.why)
        return held
    for loss in unnamed_losses(case.trial.held, held, said, content.parts(case.trial.path)):
        outcome.count(case, LOSS, "scrub", loss)
    again = child.once(run, ["scrub", str(site)], LONG_S)
    if isinstance(again, child.Died) or "nothing to repair" not in again[2]:
        outcome.count(case, SCRUB, "a second scrub", again.why if isinstance(again, child.Died) else _last(again[2]))
    _ask_again(case, site, case.questions, held == case.trial.held, outcome)
    return held


def _ask_again(case: Case, site: Path, asked: Sequence[str], whole: bool, outcome: Outcome) -> None:
    """After scrub all answers are the same; if something was lost, they may differ, but nothing crashes."""
    for question, got in zip(asked, answers(site, asked, case.trial.limit), strict=True):
        if got.crash or (whole and judged(case.trial.repaired[question], got, ()) != SAME):
            outcome.count(case, SCRUB, f"after scrub: {question}", got.crash or _last(got.err) or "another answer")


def _build(case: Case, site: Path, damaged: Sequence[str], outcome: Outcome) -> None:
    """Build, or add a table: it ends with an error that names the file, or all is there, with the file put back."""
    adds = random.Random(str(case)).random() < 0.5
    argv = ["add", str(site), str(case.trial.table)] if adds else ["build", str(site), "--all"]
    done = child.once(run, argv, LONG_S)
    if isinstance(done, child.Died):
        return outcome.count(case, CRASH, argv[0], done.why)
    code, _, err, crash = done
    kind = judged(Answer(), Answer(code, "", err.replace(str(site), "SITE"), "", crash), damaged) if code else SAME
    if kind not in (SAME, NAMED):
        outcome.count(case, kind, argv[0], crash or _last(err))
    for file in damaged:
        if (site / file).parent.exists() and (code or file != "manifest.json"):
            replace(site / file, (case.trial.path / file).read_bytes())
    held = child.once(content.content, site, LONG_S)
    right = (case.trial.held, case.trial.added) if adds and code else (case.trial.added if adds else case.trial.held,)
    detail = held.why if isinstance(held, child.Died) else "the content is not what it was"
    outcome.count(case, KEPT if held in right else WORSE, argv[0], detail)


def _last(text: str) -> str:
    return text.strip().splitlines()[-1][:200] if text.strip() else ""
