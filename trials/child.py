"""Work in a forked child, so that a crash of one piece is caught, and the rest goes on in a new child.

The parent has imported everything and loaded the compiled kernels (`prepare`), so a child starts in milliseconds. It
never does the work itself: threads of Arrow or of a pool, once started, would be missing in a child.
"""

import atexit
import contextlib
import faulthandler
import gc
import importlib
import math
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

# Seconds of the processor: a question of the trials takes one or two; a damaged file may send a kernel round for ever.
LIMIT_S = 60.0
PATIENCE = 20  # on a busy machine a child may have to wait this many times as long
MEMORY = 16 << 30  # address space of a child: a damaged length must end in an error, not take the machine's memory


@dataclass(frozen=True)
class Died:
    """A child ended without a result: `why` names the signal, the traceback's last line, or the time limit."""

    why: str


def each(work: Callable[[T], R], items: Sequence[T], limit: float = LIMIT_S) -> list[R | Died]:
    """`work(item)` for each item, in order, in one child for as long as it lives; a new one goes on after a death."""
    results: list[R | Died] = []
    while len(results) < len(items):
        with _forked(work, items[len(results) :], limit) as (pid, pipe):
            results += _received(pipe, pid, len(items) - len(results), limit)
    return results


def once(work: Callable[[T], R], item: T, limit: float = LIMIT_S) -> R | Died:
    """`work(item)` in a child of its own."""
    return each(work, [item], limit)[0]


def _received(pipe: Connection, pid: int, expected: int, limit: float) -> Iterator[Any]:
    """The results of a child, up to the end or to its death."""
    for _ in range(expected):
        try:
            if not pipe.poll(limit * PATIENCE):
                os.kill(pid, signal.SIGKILL)
                yield Died(f"no answer within {limit * PATIENCE:g} s")
                return
            result = pipe.recv()
        except EOFError:
            yield Died(_cause(os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)))
            return
        yield result
        if isinstance(result, Died):
            return


def _cause(ended: Any) -> str:
    if ended.si_code in (os.CLD_KILLED, os.CLD_DUMPED):
        return f"killed by {signal.Signals(ended.si_status).name}"
    return f"the process ended with code {ended.si_status}"


@contextlib.contextmanager
def _forked(work: Callable[[T], R], items: Sequence[T], limit: float) -> Iterator[tuple[int, Connection]]:
    """A child that works on the items and sends the results; at the end it is gone, whatever it did."""
    receive, send = multiprocessing.Pipe(duplex=False)
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if not pid:
        _work(work, items, send, limit)
    send.close()
    try:
        yield pid, receive
    finally:
        receive.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _work(work: Callable[[T], R], items: Sequence[T], send: Connection, limit: float) -> None:
    """The life of a child. It never returns."""
    faulthandler.disable()  # a crash is ours to report
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_RDWR)  # what C libraries print when they die
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    try:
        for item in items:
            until = math.ceil(time.process_time() + limit)
            resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))
            send.send(work(item))
    except BaseException:
        with contextlib.suppress(OSError):
            send.send(Died("traceback: " + traceback.format_exc().strip().splitlines()[-1]))
    os._exit(0)


def prepare(work: Callable[[T], object], items: Sequence[T]) -> None:
    """Have a child do the work once, then import what it imported and load the kernels that it called."""
    with tempfile.NamedTemporaryFile() as file:
        learned = each(lambda item: _learned(work, item, file.name), items, limit=600)
        faults = [result.why for result in learned if isinstance(result, Died)]
        if faults:
            raise RuntimeError(f"the work fails even undisturbed: {faults[0]}")
        names, kernels = pickle.load(file)
    for name in names:
        with contextlib.suppress(ImportError, AttributeError):
            importlib.import_module(name)
    for module, name, signatures in kernels:
        for signature in signatures:
            getattr(sys.modules[module], name).compile(signature)  # from numba's cache on disk
    atexit.register(gc.unfreeze)
    gc.freeze()  # so that collecting garbage in a child does not copy what it shares with us


def _learned(work: Callable[[T], object], item: T, path: str) -> None:
    work(item)
    kernels = [
        (module, name, kernel.signatures)
        for module, held in list(sys.modules.items())
        if module.startswith("pagekin.kernels.")
        for name, kernel in vars(held).items()
        if getattr(kernel, "signatures", None) and kernel.__module__ == module
    ]
    with open(path, "wb") as file:  # noqa: PTH123
        pickle.dump((list(sys.modules), kernels), file)
