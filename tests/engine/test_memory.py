"""One setting for the memory of builds."""

import resource

import pytest

from pagekin.engine.memory import memory
from pagekin.errors import UsageError


def test_a_quarter_of_the_machine_unless_it_is_set(monkeypatch):
    monkeypatch.delenv("PAGEKIN_MEMORY", raising=False)
    assert memory() > 1 << 20
    monkeypatch.setenv("PAGEKIN_MEMORY", "0.5 GiB")
    assert memory() == 1 << 29


def test_a_quarter_of_what_the_process_may_have(monkeypatch):
    monkeypatch.delenv("PAGEKIN_MEMORY", raising=False)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1 << 20, 1 << 20))
    assert memory() == 1 << 18


@pytest.mark.parametrize("written", ["much", "1024", "-1GB", "0MB", "2 XB", "GB", "1e9", "٣MB"])
def test_what_is_no_size(monkeypatch, written):
    monkeypatch.setenv("PAGEKIN_MEMORY", written)
    with pytest.raises(UsageError, match=f"PAGEKIN_MEMORY must be a size such as 2GB or 500MB, not '{written}'"):
        memory()
