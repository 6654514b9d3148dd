"""The budget of a page: what is over it is stopped, by CPU time and memory, and nothing is left of the limits."""

import resource
import signal
import subprocess
import sys
import time

import pytest
from selectolax.lexbor import SelectolaxError

from pagekin.collection import budget as budgets
from pagekin.collection.budget import CRASHED, TOO_LARGE, TOO_LONG, OverBudget, budget, reason


def test_cpu_time_counts_not_the_clock():
    with budget(1, 1 << 30):
        time.sleep(1.2)
    with pytest.raises(OverBudget, match=TOO_LONG), budget(1, 1 << 30):
        while True:
            pass


def test_one_allocation_that_is_much_too_large_fails():
    with pytest.raises(OverBudget, match=TOO_LARGE), budget(10, 256 << 20):
        bytearray(4 << 30)


def test_the_parser_says_in_its_own_way_that_memory_is_short():
    with pytest.raises(OverBudget, match=TOO_LARGE), budget(10, 1 << 30):
        raise SelectolaxError("Can't parse HTML.")


def test_the_limits_are_gone_afterwards():
    before = [resource.getrlimit(kind) for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS)]
    with pytest.raises(ValueError, match="x"), budget(5, 1 << 30):
        raise ValueError("x")
    assert [resource.getrlimit(kind) for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS)] == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_a_lower_limit_of_the_user_stays():
    with budget(10, 1 << 50):
        lowest = resource.getrlimit(resource.RLIMIT_AS)[0]
        with budget(10, 1 << 51):
            assert resource.getrlimit(resource.RLIMIT_AS)[0] == lowest


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("exit codes of the workers are {SIGXCPU(-24)}", TOO_LONG),
        ("{SIGSEGV(-11)}", CRASHED),
        ("{EXIT(77)}", TOO_LARGE),
    ],
)
def test_the_end_of_a_worker_tells_why(said, why):
    assert reason(RuntimeError(said)) == why


HOARDING = """
import time
from pagekin.collection.budget import budget
before = [b"x" * (1 << 20) for _ in range(200)]
with budget(10, 100 << 20):
    held = [b"x" * (1 << 20) for _ in range(50)]
    time.sleep(0.5)
print("within", flush=True)
with budget(100, 100 << 20):
    while True:
        held += [b"x" * 100 for _ in range(10_000)]  # many small things, and nothing left to handle an error with
"""


def test_memory_is_counted_from_what_is_there_and_the_worker_ends():
    ended = subprocess.run([sys.executable, "-c", HOARDING], check=False, stdout=subprocess.PIPE)
    assert ended.stdout == b"within\n"
    assert ended.returncode == budgets._NO_MEMORY
