"""`scrub`: check a collection, repair it, and report what was done."""

from dataclasses import dataclass
from pathlib import Path

from pagekin.answer import Report
from pagekin.answers.build import remake
from pagekin.answers.progress import Progress, Tell, reporting_rows
from pagekin.collection import scrub as scrubbing


@dataclass(frozen=True, repr=False)
class Scrubbed(Report):
    """The report of a `scrub`: a sentence for each repair, or one that says there was nothing to do."""

    done: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        return self.done


def scrub(path: Path, tell: Tell) -> Scrubbed:
    """Check a collection and repair it."""
    done = []
    with reporting_rows(tell, "scrub"):
        for line in scrubbing.scrub(path, remake):
            tell(Progress(line, lasting=True))
            done.append(line)
    return Scrubbed(tuple(done))
