"""Quick questions stay quick while slow ones wait; what takes too long is given up. No test waits for a clock."""

import asyncio
import threading

import pytest

from pagekin.serve.lanes import INSTANT_S, QUICK_S, QUICK_THREADS, BusyError, Lane, Lanes
from tests.clock import Clock


def test_a_kind_is_slow_until_it_has_shown_that_it_is_quick():
    clock = Clock()
    lanes = Lanes(1, 10, clock, clock)

    def taking(seconds):
        def work():
            clock.now += seconds
            return seconds

        return work

    async def ask():
        assert lanes.lane("a") is lanes.slow
        assert await lanes.run("a", taking(QUICK_S / 2)) == QUICK_S / 2
        assert lanes.lane("a") is lanes.quick
        assert lanes.lane("b") is lanes.slow
        await lanes.run("a", taking(2 * QUICK_S))
        assert lanes.lane("a") is lanes.slow
        for _ in range(4):  # 2 · 0.8⁴ < 1: it is forgotten
            await lanes.run("a", taking(0))
        assert lanes.lane("a") is lanes.quick

    asyncio.run(ask())


def test_what_takes_no_time_is_done_at_once_but_not_the_first_of_a_state():
    clock = Clock()
    lanes = Lanes(1, 10, clock, clock)

    async def thread(kind, state, seconds=0.0):
        def work():
            clock.now += seconds
            return threading.current_thread() is threading.main_thread()

        return "at once" if await lanes.run(kind, work, state) else "in a thread"

    async def ask():
        assert [await thread("a", state) for state in (1, 1, 1, 2, 2)] == [
            "in a thread", "at once", "at once", "in a thread", "at once",
        ]  # fmt: skip
        assert await thread("b", 2, INSTANT_S) == "in a thread"
        assert await thread("b", 2) == "in a thread"  # the last one took too long
        assert await thread("b", 2) == "at once"

    asyncio.run(ask())


def test_quick_questions_are_answered_while_every_slow_thread_is_busy():
    lanes, stop = Lanes(2, 60), threading.Event()

    async def ask():
        await lanes.run("quick", lambda: None, 1)
        slow = [asyncio.create_task(lanes.run("slow", stop.wait)) for _ in range(5)]
        await asyncio.sleep(0)
        assert lanes.slow.active == 5
        assert [await lanes.run("quick", lambda n=n: n) for n in range(50)] == list(range(50))
        assert not any(task.done() for task in slow)
        stop.set()
        assert all(await asyncio.gather(*slow))
        assert lanes.slow.active == 0

    asyncio.run(ask())


def test_at_most_so_many_run_and_so_many_wait():
    lane, stop, running = Lane("test", 2, 3), threading.Event(), []

    def work():
        running.append(1)
        stop.wait()

    async def ask():
        tasks = [asyncio.create_task(lane.run(work, 60)) for _ in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match="ask again"):
            await lane.run(work, 60)
        stop.set()
        await asyncio.gather(*tasks)
        await lane.run(work, 60)

    asyncio.run(ask())
    assert len(running) == 6


def test_what_takes_longer_than_the_budget_is_given_up_and_its_thread_counts_until_it_ends():
    lane, stop = Lane("test", 1, 2), threading.Event()
    begun = []

    async def ask():
        with pytest.raises(BusyError, match=r"within 0\.01 seconds"):
            await lane.run(stop.wait, 0.01)
        assert lane.active == 1
        with pytest.raises(BusyError):  # it waited for the thread, and was never begun
            await lane.run(lambda: begun.append(1), 0.01)
        stop.set()
        assert await lane.run(lambda: 7, 60) == 7
        assert (lane.active, begun) == (0, [])

    asyncio.run(ask())


def test_what_the_work_raises_is_raised_where_it_was_asked():
    lanes = Lanes(1, 60)

    async def ask():
        for error in (ValueError, TimeoutError, SystemExit):

            def fail(error=error):
                raise error("x")

            with pytest.raises(error, match="x"):
                await lanes.run("a", fail)
        names = {await lanes.run(("b", n), lambda: threading.current_thread().daemon) for n in range(QUICK_THREADS + 3)}
        assert names == {True}

    asyncio.run(ask())
