"""Counts of requests and how long they took, as Prometheus reads them.

Each worker counts in a file of its own, mapped into memory; whichever worker is asked adds them all up. A worker that
ended leaves its file, so no count goes down.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from pagekin.kernels import Floats

STATUSES = (200, 304, 400, 404, 405, 409, 421, 503, 0)  # 0: any other
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, float("inf"))
OTHER = ""  # the route of what leads nowhere


class Metrics:
    """A row for each route: its statuses, its times by bucket, the sum of its times."""

    def __init__(self, folder: str = "") -> None:
        self.folder = folder
        self._routes: dict[str, int] = {OTHER: 0}
        self._table: Floats | None = None

    def know(self, routes: Sequence[str]) -> None:
        """Name the routes to count; every worker gives the same ones."""
        self._routes = {name: row for row, name in enumerate(dict.fromkeys([OTHER, *routes]))}
        self._table = None

    @property
    def table(self) -> Floats:
        """The counts of this worker; the file is made when the worker first counts, after any fork."""
        if self._table is None:
            shape = len(self._routes), len(STATUSES) + len(BUCKETS) + 1
            if self.folder:
                file = Path(self.folder) / f"{os.getpid()}.counts"
                self._table = np.memmap(file, np.float64, "w+", shape=shape)
            else:
                self._table = np.zeros(shape)
        return self._table

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        row = self.table[self._routes.get(route, 0)]
        row[STATUSES.index(status) if status in STATUSES else len(STATUSES) - 1] += 1
        bucket = next(at for at, most in enumerate(BUCKETS) if seconds <= most)
        row[len(STATUSES) + bucket] += 1
        row[-1] += seconds

    def total(self) -> Floats:
        """The counts of all workers."""
        own = self.table
        if not self.folder:
            return own
        files = sorted(Path(self.folder).glob("*.counts"))
        whole = [counts for file in files if (counts := np.fromfile(file, np.float64)).size == own.size]
        return np.asarray(np.array(whole).sum(axis=0)).reshape(own.shape)

    def text(self, further: Mapping[str, tuple[str, Mapping[str, float]]]) -> str:
        """All counts; `further` are gauges: name → what it is, and labels → value."""
        return "\n".join([*self._lines(), *_gauges(further)]) + "\n"

    def _lines(self) -> Iterator[str]:
        table = self.total()
        yield "# HELP pagekin_requests_total Requests answered, by route and status."
        yield "# TYPE pagekin_requests_total counter"
        for route, row in self._routes.items():
            for status, count in zip(STATUSES, table[row], strict=False):
                if count:
                    yield f'pagekin_requests_total{{route="{route}",status="{status or "other"}"}} {count:.0f}'
        yield "# HELP pagekin_request_seconds How long requests took."
        yield "# TYPE pagekin_request_seconds histogram"
        for route, row in self._routes.items():
            reached = np.cumsum(table[row, len(STATUSES) : -1])
            if not reached[-1]:
                continue
            for most, count in zip(BUCKETS, reached, strict=True):
                shown = "+Inf" if most == BUCKETS[-1] else f"{most:g}"
                yield f'pagekin_request_seconds_bucket{{route="{route}",le="{shown}"}} {count:.0f}'
            yield f'pagekin_request_seconds_sum{{route="{route}"}} {table[row, -1]:.6f}'
            yield f'pagekin_request_seconds_count{{route="{route}"}} {reached[-1]:.0f}'


def _gauges(further: Mapping[str, tuple[str, Mapping[str, float]]]) -> Iterator[str]:
    for name, (what, values) in further.items():
        yield f"# HELP {name} {what}"
        yield f"# TYPE {name} gauge"
        for labels, value in values.items():
            yield f"{name}{labels} {value:g}"
