"""Where questions are worked on: a few threads for quick ones, fewer for slow ones, so that quick ones stay quick.

What kind of question is slow is learned: each kind (`related` by hits, with evidence) has the time that its last ones
took at most. A kind that was not asked before is taken for slow. One that usually takes a millisecond or two of the
processor is answered at once, where requests are read: to hand it to a thread and back would take as long. A question
that does not end within the budget is given up: the asker is told to come back, and its thread, which nothing can stop,
counts as busy until it ends.
"""

import asyncio
import math
from collections.abc import Callable, Hashable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from time import perf_counter, thread_time
from typing import Any, NamedTuple, TypeVar

from pagekin.errors import PagekinError

T = TypeVar("T")

QUICK_S = 0.05  # kinds that take less are quick: as long as a person does not notice a wait before it
INSTANT_S = 0.002  # quick kinds that take less of the processor, on average, are answered at once
QUICK_THREADS = 4  # they share one interpreter; more would not be faster
QUICK_WAITING = 500  # a few seconds of them
SLOW_WAITING_EACH = 8  # slow questions that may wait for each thread
FORGETS = 0.8  # of the longest time of a kind, what is left after a quicker one
LEARNS = 0.125  # the weight of the last time in that average


class BusyError(PagekinError):
    """So many questions are being answered that this one is not begun, or did not end in time."""


class _Task(NamedTuple):
    work: Callable[[], Any]
    done: "asyncio.Future[Any]"
    loop: asyncio.AbstractEventLoop


class Lane:
    """Some threads and the tasks that wait for them. Threads are daemons: a stopping server does not wait for them."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self.name, self.threads, self.most_waiting = name, threads, waiting
        self.active = 0  # tasks begun or waiting
        self._tasks: SimpleQueue[_Task] = SimpleQueue()
        self._started = 0

    async def run(self, work: Callable[[], T], budget: float) -> T:
        """The result of some work, or a `BusyError` if it cannot be had in time."""
        if self.active >= self.threads + self.most_waiting:
            raise BusyError(f"{self.active} questions of this kind are being answered or wait; ask again in a moment")
        loop = asyncio.get_running_loop()
        task = _Task(work, loop.create_future(), loop)
        self.active += 1
        self._tasks.put(task)
        if self._started < min(self.active, self.threads):
            self._started += 1
            Thread(target=self._serve, name=f"pagekin-{self.name}-{self._started}", daemon=True).start()
        try:
            async with asyncio.timeout(budget):
                return await task.done  # type: ignore[no-any-return]
        except TimeoutError:
            if not task.done.cancelled():  # the work itself raised it
                raise
            raise BusyError(
                f"no answer within {budget:g} seconds; ask for less (a smaller k, another method), or again later"
            ) from None

    def _serve(self) -> None:
        while True:
            task = self._tasks.get()
            result: Any = None
            error: BaseException | None = None
            try:
                if not task.done.cancelled():
                    result = task.work()
            except BaseException as found:  # it is raised where the question was asked
                error = found
            with suppress(RuntimeError):  # the loop is closed: the server has stopped
                task.loop.call_soon_threadsafe(self._end, task, result, error)
            del task, result, error

    def _end(self, task: _Task, result: Any, error: BaseException | None) -> None:
        self.active -= 1
        if task.done.done():
            return
        if error is None:
            task.done.set_result(result)
        else:
            task.done.set_exception(error)


class Lanes:
    """A lane for quick questions and one for slow ones."""

    def __init__(
        self,
        slow: int,
        budget: float,
        clock: Callable[[], float] = perf_counter,
        worked: Callable[[], float] = thread_time,
    ) -> None:
        self.budget, self.clock, self.worked = budget, clock, worked
        self.quick = Lane("quick", QUICK_THREADS, QUICK_WAITING)
        self.slow = Lane("slow", slow, slow * SLOW_WAITING_EACH)
        self._seconds: dict[Hashable, float] = {}  # the longest of late
        self._usual: dict[Hashable, float] = {}  # of the processor, on average
        self._settled: dict[Hashable, Hashable] = {}

    def lane(self, kind: Hashable) -> Lane:
        """The lane for a kind of question."""
        return self.quick if self._seconds.get(kind, math.inf) < QUICK_S else self.slow

    async def run(self, kind: Hashable, work: Callable[[], T], state: Hashable = None) -> T:
        """The result of some work of this kind; raises what the work raises, or a `BusyError`.

        `state`: what the work depends on. The first work of a new state may open files, and is left to a thread.
        """

        def timed() -> T:
            began, idle = self.clock(), self.worked()
            try:
                return work()
            finally:
                took, worked = self.clock() - began, self.worked() - idle
                self._seconds[kind] = max(took, FORGETS * self._seconds.get(kind, 0.0))
                usual = self._usual.get(kind, worked)
                self._usual[kind] = usual + LEARNS * (worked - usual)
                self._settled[kind] = state

        if self.is_instant(kind, state):
            return timed()
        return await self.lane(kind).run(timed, self.budget)

    def is_instant(self, kind: Hashable, state: Hashable) -> bool:
        """Whether work of a kind is done so soon that it need not be handed to a thread."""
        settled = self._settled.get(kind, self) == state
        return settled and self._usual[kind] < INSTANT_S and self.lane(kind) is self.quick
