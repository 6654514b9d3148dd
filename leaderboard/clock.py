"""How long each step took, on standard error, so that a slow one is seen."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@contextmanager
def timed(step: str) -> Iterator[None]:
    """Say how long a step took, once it is done."""
    began = time.monotonic()
    yield
    print(f"{step} took {time.monotonic() - began:,.1f} s", file=sys.stderr, flush=True)


@dataclass
class Laps:
    """Told of the progress of methods, one after another, it says how long each took; `end` ends the last."""

    task: str
    method: str = ""
    began: float = 0.0

    def __call__(self, method: str, done: int, questions: int) -> None:
        if method != self.method:
            self.end()
            self.method, self.began = method, time.monotonic()

    def end(self) -> None:
        if self.method:
            took = time.monotonic() - self.began
            print(f"{self.task}: {self.method} took {took:,.1f} s", file=sys.stderr, flush=True)
        self.method = ""
