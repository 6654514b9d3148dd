"""What was worked out lately: bounded by kind, last used kept longest, safe among threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from pagekin.memo import KEPT, Memo


def test_it_is_worked_out_once_for_a_key():
    memo, worked = Memo(), []
    for key in (1, 2, 1, 2):
        assert memo.get("double", key, lambda key=key: worked.append(key) or 2 * key) == 2 * key
    assert worked == [1, 2]
    assert (memo.held("double", 1), memo.held("double", 3), memo.held("other", 1)) == (2, None, None)


def test_nothing_is_a_result_too():
    memo, worked = Memo(), []
    for _ in range(2):
        assert memo.get("kind", "key", lambda: worked.append(1)) is None
    assert worked == [1]


@pytest.mark.parametrize("most", [1, 3, KEPT])
def test_of_each_kind_the_last_used_stay(most):
    memo = Memo()
    memo.get("other", 0, lambda: "stays")
    for key in range(most + 5):
        memo.get("kind", key, lambda key=key: key, most)
        memo.get("kind", 0, lambda: 0, most)  # used all the time
    held = [key for key in range(most + 5) if memo.held("kind", key) is not None]
    assert len(held) == most
    assert 0 in held
    assert memo.held("other", 0) == "stays"


def test_a_failure_is_not_remembered():
    memo = Memo()
    with pytest.raises(ZeroDivisionError):
        memo.get("kind", 1, lambda: 1 // 0)
    assert memo.get("kind", 1, lambda: 5) == 5


def test_threads_get_what_they_asked_for():
    memo = Memo()
    keys = [n % 50 for n in range(5_000)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda key: memo.get("square", key, lambda: key * key, 10), keys)) == [k * k for k in keys]
